// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurestack.h"

#include "figureview.h"

#include <QScrollBar>
#include <QVBoxLayout>

namespace stagecraft::window {

FigureStack::FigureStack(QWidget *parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("figureStack"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(this);
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setWidget(content);
}

void FigureStack::setFigures(const QList<widgets::Figure> &figures)
{
    m_shown = figures.size();
    while (m_views.size() < m_shown)
        addView();
    for (qsizetype i = 0; i < m_views.size(); ++i) {
        m_views.at(i)->setVisible(i < m_shown);
        if (i < m_shown)
            m_views.at(i)->setFigure(figures.at(i));
    }
    // With several the bar is always there, so that a figure's width does not depend on the heights it leads to.
    setVerticalScrollBarPolicy(m_shown > 1 ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    fitHeights();
}

void FigureStack::fitHeights()
{
    for (widgets::FigureView *view : views()) {
        const int whole = view->verticalScrollBar()->maximum() + view->viewport()->height();
        const int height = m_shown > 1 ? whole : 0;
        if (view->minimumHeight() != height)
            view->setMinimumHeight(height);
    }
}

void FigureStack::addView()
{
    auto *view = new widgets::FigureView(widget());
    view->setTheme(m_theme);
    connect(view, &widgets::FigureView::copyValuesRequested, this, &FigureStack::copyValuesRequested);
    connect(view, &widgets::FigureView::exportRequested, this, &FigureStack::exportRequested);
    // Its height follows from its width, which it learns after the stack.
    connect(view->verticalScrollBar(), &QScrollBar::rangeChanged, this, &FigureStack::fitHeights, Qt::QueuedConnection);
    m_layout->addWidget(view, 1);
    m_views.append(view);
}

void FigureStack::setTheme(widgets::Theme theme)
{
    m_theme = theme;
    for (widgets::FigureView *view : std::as_const(m_views))
        view->setTheme(theme);
}

QList<widgets::FigureView *> FigureStack::views() const
{
    return m_views.first(m_shown);
}

QScrollBar *FigureStack::usedBar() const
{
    return m_shown == 1 ? m_views.first()->verticalScrollBar() : verticalScrollBar();
}

int FigureStack::scrollPosition() const
{
    return usedBar()->value();
}

void FigureStack::setScrollPosition(int position)
{
    m_layout->activate(); // the range follows from the figures that were set a moment ago
    usedBar()->setValue(position);
}

void FigureStack::resizeEvent(QResizeEvent *event)
{
    // A narrower figure is taller, a wider one lower: start anew from what each needs at the new width.
    for (widgets::FigureView *view : views())
        view->setMinimumHeight(0);
    QScrollArea::resizeEvent(event);
    fitHeights();
}

} // namespace stagecraft::window
