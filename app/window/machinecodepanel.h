// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codelisting.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace stagecraft::widgets {
class LineMarks;
class ValueTableView;
} // namespace stagecraft::widgets

namespace stagecraft::window {

// What a stage was compiled to, beside its source: PTX, machine code and the instruction mix. A line of the source and
// what was made of it are marked in both. GUI thread only.
class MachineCodePanel : public QWidget
{
    Q_OBJECT
public:
    enum Tab
    {
        SassTab,
        PtxTab,
        MixTab,
        LinesTab // where warps wait, where it was sampled
    };

    // Of the button that samples.
    struct Sampling
    {
        bool isRunning = false; // the button then ends it
        QString refusal;        // why it cannot be pressed; empty: it can
    };

    // Why a tab shows nothing.
    struct Gap
    {
        QString text;
        QString fix;
        bool canLookAgain = false;
    };

    explicit MachineCodePanel(QWidget *parent = nullptr);

    void setCaption(const QString &what, const QString &detail); // "sm_90a · 1024x1024x1024", and what is to be known
    void setGap(const Gap &gap);                                 // of all tabs
    void setPtx(const CodeListing &listing);
    void setSass(const CodeListing &listing, const run::Disassembly &code);
    void setSassGap(const Gap &gap); // while PTX may be shown
    // Until setSass(): where warps wait, by line, and what is to be known about it.
    void setLines(const widgets::ValueTable &lines, const QString &text);
    void setLinesGap(const Gap &gap);
    void setSampling(const Sampling &sampling);

    void showSourceLine(int line); // marks what was made of it, and scrolls there

    void setTab(Tab tab);
    Tab tab() const;
    widgets::SourceView *view(Tab tab) const; // of PTX or SASS
    widgets::LineMarks *marks(Tab tab) const;
    widgets::ValueTableView *mix() const { return m_mix; }
    widgets::ValueTableView *lines() const { return m_lines; }
    QString linesText() const;
    QString caption() const;
    QString lineText() const;       // about the current line
    QString gapText(Tab tab) const; // empty where the tab shows something
    QToolButton *localButton() const { return m_local; }
    QToolButton *sampleButton() const { return m_sample; }
    void setTheme(widgets::Theme theme);

signals:
    void sourceLineChosen(int line); // by going to a line of a listing, or of the table of lines
    void sampleClicked();            // to begin, or to end it
    void lookAgainRequested();

private:
    struct Page
    {
        QStackedWidget *stack = nullptr;
        QLabel *gap = nullptr;
        QToolButton *again = nullptr;
        widgets::SourceView *view = nullptr; // with its marks; nullptr for the mix
        widgets::LineMarks *marks = nullptr;
        CodeListing listing;
    };
    QWidget *createBar();
    QWidget *createFoot();
    void createTables();
    void createListing(Tab tab, const widgets::SourceLanguage &language, const QString &name);
    void createPage(Tab tab, QWidget *content);
    static void fill(Page &page, const CodeListing &listing);
    static void showGap(Page &page, const Gap &gap);
    void noteCursor(Tab tab, int line);
    void mark(Page &page) const;
    void goToNextLocal();
    void showWords();

    Page m_pages[4];
    QTabBar *m_tabs = nullptr;
    QStackedWidget *m_stack = nullptr;
    QLabel *m_caption = nullptr, *m_line = nullptr, *m_linesText = nullptr;
    QToolButton *m_local = nullptr, *m_sample = nullptr;
    widgets::ValueTableView *m_mix = nullptr, *m_lines = nullptr;
    int m_sourceLine = 0;
    bool m_isChoosing = false; // a source line, by the cursor of a listing
};

} // namespace stagecraft::window
