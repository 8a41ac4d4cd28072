// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pagebuilder.h"
#include "runner.h"
#include "theme.h"

#include <QHash>
#include <QWidget>

class QComboBox;
class QLabel;
class QSplitter;
class QTabBar;

namespace stagecraft::widgets {
class FigureView;
class ValueTableView;
} // namespace stagecraft::widgets

namespace stagecraft::window {

class Actions;
class ComparisonBar;
class FigureStack;
class LiveSamples;

// The figures with their values below, a tab for each view. Several namespaces stand below each other, each in a figure
// of its own. Pages are built off the event loop and shown when they are ready.
class FigurePane : public QWidget
{
    Q_OBJECT
public:
    explicit FigurePane(Actions *actions, QWidget *parent = nullptr);

    void setEntries(const QList<EvidenceListModel::Entry> &entries);
    void setComparison(const ComparisonState &state);
    void setLoading(bool isLoading); // more is on its way: with nothing to show, that is said
    const ComparisonState &comparison() const { return m_comparison; }
    void refresh(); // builds the page anew; pageShown() follows
    void setView(views::ViewId view);
    views::ViewId view() const;
    void setTheme(widgets::Theme theme);
    widgets::Theme theme() const { return m_theme; }

    void beginSamples(); // a run starts: its samples will come
    void appendSamples(const run::SampleBatch &batch);
    void endSamples();

    const FigurePage &page() const { return m_page; } // what is shown now
    QList<widgets::FigureView *> figureViews() const;
    widgets::ValueTableView *valueView() const { return m_values; }
    LiveSamples *liveSamples() const { return m_live; }
    QSplitter *splitter() const { return m_splitter; }
    QComboBox *reference() const { return m_reference; } // what verdicts are against; shown with them only
    ComparisonBar *comparisonBar() const { return m_comparisonBar; }
    QString verdictReference() const; // as views::ViewOptions::reference

public slots:
    void copyValues();
    void copyFigure();
    void zoomIn(); // the samples' plots of the figure that has the focus, else of the first
    void zoomOut();
    void showAllSamples(); // of all figures

signals:
    void pageShown(stagecraft::views::ViewId view);

private:
    void createTabs();
    QWidget *createTabRow();
    QWidget *createReference();
    void updateReference();
    QWidget *createFigureArea();
    QWidget *createValueArea();
    void show(const FigurePage &page);
    void showValues(const widgets::ValueTable &table);
    void showFigures(const QList<widgets::Figure> &figures);
    void showLive();
    QString hint() const;                       // where there is no figure
    widgets::FigureView *focusedFigure() const; // else the first; nullptr without any
    void updateZoom();
    void keepPlace();
    void restorePlace();

    Actions *m_actions;
    PageBuilder m_builder;
    QList<EvidenceListModel::Entry> m_entries;
    ComparisonState m_comparison;
    FigurePage m_page;
    struct Place
    {
        int figures = 0, values = 0;
    };
    QHash<views::ViewId, Place> m_places; // how far each tab was scrolled when it was left
    widgets::Theme m_theme = widgets::Theme::Dark;
    QTabBar *m_tabs = nullptr;
    QWidget *m_referenceArea = nullptr;
    QComboBox *m_reference = nullptr;
    ComparisonBar *m_comparisonBar = nullptr;
    QString m_chosenReference;                                // by the user; empty: the views' own choice
    QSplitter *m_splitter = nullptr, *m_figureArea = nullptr; // figures over values; live samples over figures
    LiveSamples *m_live = nullptr;                            // above the samples figure while a run goes
    bool m_isLive = false, m_isLoading = false;
    FigureStack *m_figures = nullptr;
    QLabel *m_valuesTitle = nullptr, *m_nothing = nullptr;
    widgets::ValueTableView *m_values = nullptr;
};

} // namespace stagecraft::window
