// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QStringList>
#include <QWidget>

class QsciScintilla;
class QsciStyle;

namespace stagecraft::widgets {

class SourceFindBar;
class SourceLexer;

// What is highlighted beyond the words of C++ itself.
struct SourceLanguage
{
    QStringList keywords; // qualifiers and the like: "__global__"
    QStringList builtins; // types, variables and functions that come with the language: "float4", "threadIdx"
    QStringList macros;   // names that the surroundings define: "STAGE_M"
};

// Something said about a line, drawn at that line.
struct SourceMessage
{
    enum Severity
    {
        Error,
        Warning,
        Note
    };
    int line = 0; // from 1
    Severity severity = Error;
    QString text;
    bool operator==(const SourceMessage &) const = default;
};

// An editor for one C++-like text: highlighting, line numbers, messages at their lines, find, go to line, undo. Lines
// are counted from 1. GUI thread only.
class SourceView : public QWidget
{
    Q_OBJECT

public:
    explicit SourceView(QWidget *parent = nullptr);
    ~SourceView() override;

    void setLanguage(const SourceLanguage &language);
    void setTheme(Theme theme);
    void setLineNumbersShown(bool shown); // they are, until told otherwise
    void setReadOnly(bool readOnly);
    bool isReadOnly() const;

    void setText(const QString &text); // another text: from its start, nothing to undo, not modified
    // A newer state of the same text: cursor, scroll position and messages stay (those whose line is there), undo leads
    // back, not modified.
    void reload(const QString &text);
    QString text() const;
    bool isModified() const;
    void setSaved(); // what is shown is what the file holds

    void setMessages(const QList<SourceMessage> &messages); // replaces those before; lines beyond the end are left out
    const QList<SourceMessage> &messages() const { return m_messages; }

    int currentLine() const;
    void goToLine(int line);

    QsciScintilla *editor() const { return m_editor; }

    bool canUndo() const;
    bool canRedo() const;

public slots:
    void undo();
    void redo();
    void nextMessage(); // to the next line with one, from the start again after the last
    void previousMessage();
    void showFind();
    void askForLine();

signals:
    void modifiedChanged(bool modified);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpEditor();
    void setUpMargins();
    void fitNumbers();
    void setUpShortcuts();
    void setUpMessageMarks();
    void annotate(int line, const QList<SourceMessage> &messages);
    void replaceText(const QString &text);
    void stepToMessage(bool forward);
    int caretRow() const;
    bool caretIsWithin(int height) const;
    void keepCaretInView();
    QsciStyle messageStyle(SourceMessage::Severity severity) const;
    QColor severityColor(SourceMessage::Severity severity) const;

    QsciScintilla *m_editor;
    SourceLexer *m_lexer;
    SourceFindBar *m_find;
    QList<SourceMessage> m_messages;
    Theme m_theme = Theme::Dark;
    bool m_hasNumbers = true;
};

} // namespace stagecraft::widgets
