// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepane.h"

#include "actions.h"
#include "comparisonbar.h"
#include "figurestack.h"
#include "figureview.h"
#include "livesamples.h"
#include "statistics.h"
#include "valuetableview.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft::window {

namespace {

constexpr int mostColumnWidth = 360;

// The chosen tab is bold, which a bar's own width does not foresee: the last tab would hide behind arrows.
class ViewTabs final : public QTabBar
{
public:
    using QTabBar::QTabBar;

protected:
    QSize tabSizeHint(int index) const override
    {
        QFont bold = font();
        bold.setWeight(QFont::Bold);
        const QString text = tabText(index);
        const int wider = QFontMetrics(bold).horizontalAdvance(text) - fontMetrics().horizontalAdvance(text);
        return QTabBar::tabSizeHint(index) + QSize(std::max(0, wider), 0);
    }
};

} // namespace

FigurePane::FigurePane(Actions *actions, QWidget *parent) : QWidget(parent), m_actions(actions)
{
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(createFigureArea());
    m_splitter->addWidget(createValueArea());
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({600, 300}); // shares of what there is

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(createTabRow());
    layout->addWidget(createReference());
    m_comparisonBar = new ComparisonBar(this);
    layout->addWidget(m_comparisonBar);
    layout->addWidget(m_splitter, 1);
    connect(&m_builder, &PageBuilder::built, this, &FigurePane::show);
    setEntries({});
}

QWidget *FigurePane::createTabRow()
{
    auto *row = new QWidget(this);
    row->setObjectName(QStringLiteral("tabRow"));
    row->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(4, 0, 4, 0);
    createTabs();
    layout->addWidget(m_tabs);
    layout->addStretch(1);
    return row;
}

QWidget *FigurePane::createReference()
{
    m_referenceArea = new QWidget(this);
    m_referenceArea->setObjectName(QStringLiteral("paneBar"));
    m_referenceArea->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(m_referenceArea);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(8);
    auto *label = new QLabel(tr("A&gainst"), m_referenceArea);
    m_reference = new QComboBox(m_referenceArea);
    m_reference->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_reference->setAccessibleName(tr("Implementation that the others are compared with"));
    m_reference->setToolTip(tr("What each implementation is compared with, round by round"));
    label->setBuddy(m_reference);
    connect(m_reference, &QComboBox::activated, this, [this] {
        m_chosenReference = m_reference->currentData().toString();
        refresh();
    });
    layout->addWidget(label);
    layout->addWidget(m_reference);
    layout->addStretch(1);
    m_referenceArea->hide();
    return m_referenceArea;
}

QString FigurePane::verdictReference() const
{
    return m_reference->currentData().toString();
}

// The user's choice where it was measured; else the views choose for each operation of each namespace.
void FigurePane::updateReference()
{
    const QStringList ids = implementationsOf(m_entries);
    QStringList shown;
    for (int i = 1; i < m_reference->count(); ++i)
        shown.append(m_reference->itemData(i).toString());
    m_referenceArea->setVisible(view() == views::ViewId::Verdicts && ids.size() > 1);
    if (shown == ids && m_reference->count() > 0)
        return;
    m_reference->clear();
    m_reference->addItem(tr("this project's kernels"), QString());
    m_reference->setItemData(0, tr("Where an operation has none that was measured, the first implementation that was"),
                             Qt::ToolTipRole);
    for (const QString &id : ids)
        m_reference->addItem(evidence::implementationLabel(id), id);
    m_reference->setCurrentIndex(qMax(0, m_reference->findData(m_chosenReference)));
}

void FigurePane::createTabs()
{
    m_tabs = new ViewTabs(this);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true); // where the window is too narrow for all
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setAccessibleName(tr("Views"));
    for (const views::ViewInfo &view : views::viewCatalogue()) {
        const int tab = m_tabs->addTab(view.title);
        m_tabs->setTabData(tab, static_cast<int>(view.id));
        m_tabs->setTabToolTip(tab, view.toolTip);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, &FigurePane::refresh);
    const auto step = [this](int by) {
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + m_tabs->count()) % m_tabs->count());
    };
    connect(new QShortcut(QKeySequence::NextChild, this), &QShortcut::activated, this, [step] { step(1); });
    connect(new QShortcut(QKeySequence::PreviousChild, this), &QShortcut::activated, this, [step] { step(-1); });
}

QWidget *FigurePane::createFigureArea()
{
    m_figureArea = new QSplitter(Qt::Vertical, this);
    m_figureArea->setChildrenCollapsible(false);
    m_live = new LiveSamples(m_figureArea);
    m_live->setAccessibleName(tr("Samples as they arrive"));
    m_live->setMinimumHeight(160);
    m_live->reset();
    m_live->hide();
    m_figures = new FigureStack(m_figureArea);
    m_figures->setMinimumHeight(120);
    connect(m_figures, &FigureStack::copyValuesRequested, this, &FigurePane::copyValues);
    connect(m_figures, &FigureStack::exportRequested, m_actions->exportViews, &QAction::trigger);
    m_nothing = new QLabel(m_figureArea);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setProperty("muted", true);
    for (QWidget *part : std::initializer_list<QWidget *>{m_live, m_figures, m_nothing}) {
        m_figureArea->addWidget(part);
        m_figureArea->setStretchFactor(m_figureArea->count() - 1, 1);
    }
    return m_figureArea;
}

QWidget *FigurePane::createValueArea()
{
    auto *area = new QWidget(this);
    auto *bar = new QWidget(area);
    bar->setObjectName(QStringLiteral("paneBar"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto *barLayout = new QHBoxLayout(bar);
    barLayout->setContentsMargins(12, 4, 8, 4);
    barLayout->setSpacing(4);
    m_valuesTitle = new QLabel(bar);
    m_valuesTitle->setProperty("heading", true);
    barLayout->addWidget(m_valuesTitle, 1);
    for (QAction *action : {m_actions->copyValues, m_actions->copyFigure, m_actions->exportViews}) {
        auto *button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(QSize(16, 16));
        button->setAccessibleName(action->statusTip());
        barLayout->addWidget(button);
    }
    m_values = new widgets::ValueTableView(area);
    m_values->setFrameShape(QFrame::NoFrame);
    connect(m_values, &widgets::ValueTableView::exportRequested, m_actions->exportViews, &QAction::trigger);
    auto *layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_values, 1);
    return area;
}

void FigurePane::setEntries(const QList<EvidenceListModel::Entry> &entries)
{
    m_entries = entries;
    refresh();
}

void FigurePane::setView(views::ViewId view)
{
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (m_tabs->tabData(tab).toInt() == static_cast<int>(view))
            m_tabs->setCurrentIndex(tab);
    }
}

views::ViewId FigurePane::view() const
{
    return static_cast<views::ViewId>(m_tabs->tabData(m_tabs->currentIndex()).toInt());
}

void FigurePane::refresh()
{
    updateReference();
    m_builder.request({view(), m_entries, verdictReference(), m_comparison});
}

void FigurePane::setComparison(const ComparisonState &state)
{
    m_comparison = state;
    if (view() == views::ViewId::Compare)
        refresh();
}

void FigurePane::setTheme(widgets::Theme theme)
{
    m_theme = theme;
    m_figures->setTheme(theme);
    m_values->setTheme(theme);
    m_live->setTheme(theme);
}

void FigurePane::show(const FigurePage &page)
{
    // A page of the tab that was left a moment ago; the one of this tab is being built.
    if (page.view != view())
        return;
    const bool isOther = page.view != m_page.view;
    if (isOther)
        keepPlace();
    m_page = page;
    m_comparisonBar->setFacts(page.comparison);
    m_comparisonBar->setVisible(!page.comparison.isNull());
    showFigures(page.figures);
    showLive();
    m_valuesTitle->setText(page.values.title);
    showValues(page.values);
    updateZoom();
    if (isOther)
        restorePlace();
    m_values->setAccessibleName(page.values.title.isEmpty() ? tr("Values") : page.values.title);
    emit pageShown(page.view);
}

void FigurePane::keepPlace()
{
    m_places[m_page.view] = {m_figures->scrollPosition(), m_values->verticalScrollBar()->value()};
}

void FigurePane::restorePlace()
{
    const Place place = m_places.value(m_page.view);
    m_figures->setScrollPosition(place.figures);
    m_values->verticalScrollBar()->setValue(place.values);
}

// Columns keep the width that a reader gave them, unless what they show now is wider: "pending" becomes "unavailable".
void FigurePane::showValues(const widgets::ValueTable &table)
{
    const bool sameColumns = std::ranges::equal(m_values->table().columns, table.columns, {}, &widgets::ValueColumn::id,
                                                &widgets::ValueColumn::id);
    m_values->setTable(table);
    const QAbstractItemView *items = m_values; // where a column's size hint is public
    const QHeaderView *header = m_values->horizontalHeader();
    for (int column = 0; column < header->count(); ++column) {
        const int needed = std::max(header->sectionSizeHint(column), items->sizeHintForColumn(column));
        const int width = sameColumns ? std::max(needed, m_values->columnWidth(column)) : needed;
        m_values->setColumnWidth(column, std::min(width, mostColumnWidth));
    }
}

void FigurePane::showFigures(const QList<widgets::Figure> &figures)
{
    m_figures->setFigures(figures);
    m_figures->setVisible(!figures.isEmpty());
}

QList<widgets::FigureView *> FigurePane::figureViews() const
{
    return m_figures->views();
}

void FigurePane::beginSamples()
{
    m_live->reset();
    m_isLive = true;
    showLive();
}

void FigurePane::appendSamples(const run::SampleBatch &batch)
{
    m_live->append(batch);
}

void FigurePane::endSamples()
{
    m_isLive = false;
    showLive();
}

QString FigurePane::hint() const
{
    if (m_isLoading && m_entries.isEmpty())
        return tr("Loading evidence…");
    if (!m_page.hint.isEmpty())
        return m_page.hint;
    return tr("Nothing is shown. Check a namespace in the evidence list, open one (Ctrl+O), or press Run.");
}

void FigurePane::setLoading(bool isLoading)
{
    m_isLoading = isLoading;
    showLive();
}

void FigurePane::showLive()
{
    const bool live = m_isLive && view() == views::ViewId::Samples;
    m_live->setVisible(live);
    m_nothing->setText(hint());
    m_nothing->setVisible(m_page.figures.isEmpty() && !live);
}

void FigurePane::copyValues()
{
    m_values->copy();
}

widgets::FigureView *FigurePane::focusedFigure() const
{
    const QList<widgets::FigureView *> figures = figureViews();
    const auto focused = std::ranges::find_if(figures, [](const auto *figure) { return figure->hasFocus(); });
    return focused != figures.end() ? *focused : figures.value(0);
}

void FigurePane::copyFigure()
{
    if (widgets::FigureView *figure = focusedFigure())
        figure->copyImage();
}

void FigurePane::zoomIn()
{
    if (widgets::FigureView *figure = focusedFigure())
        figure->zoomPlotIn();
}

void FigurePane::zoomOut()
{
    if (widgets::FigureView *figure = focusedFigure())
        figure->zoomPlotOut();
}

void FigurePane::showAllSamples()
{
    for (widgets::FigureView *figure : figureViews())
        figure->resetPlots();
}

void FigurePane::updateZoom()
{
    const bool hasPlots =
        std::ranges::any_of(m_page.figures, [](const widgets::Figure &figure) { return !figure.plots.isEmpty(); });
    for (QAction *action : {m_actions->zoomIn, m_actions->zoomOut, m_actions->showAllSamples})
        action->setEnabled(hasPlots);
}

} // namespace stagecraft::window
