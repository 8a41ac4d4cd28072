// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureview.h"

#include "figureexport.h"
#include "figurelayout.h"
#include "plaintooltip.h"

#include <QAccessible>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr int kNarrow = 560;          // below this width the mobile layout reads better
constexpr int kLeastWidth = 280;      // below this the view scrolls sideways
constexpr double kStretch = 1.25;     // how far a layout widens before it is enlarged instead
constexpr double kMostEnlarged = 1.5; // text beyond this is no easier to read
constexpr double kClipboardScale = 2;

} // namespace

FigureView::FigureView(QWidget *parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    relayout();
}

void FigureView::setFigure(const Figure &figure)
{
    Figure next = figure;
    keepRanges(next);
    m_figure = std::move(next);
    m_drag.reset();
    setAccessibleName(figure.altText.isEmpty() ? figure.title
                                               : QStringLiteral("%1. %2").arg(figure.title, figure.altText));
    relayout();
}

void FigureView::setTheme(Theme theme)
{
    m_theme = theme;
    setPalette(themePalette(theme)); // of the scroll bars
    viewport()->update();
}

QSize FigureView::sizeHint() const
{
    return {740, 480};
}
QSize FigureView::minimumSizeHint() const
{
    return {kLeastWidth, 160};
}

// The description is laid out anew for the width at hand; the exported figure keeps the widths it was given.
void FigureView::relayout()
{
    const int available = std::max(kLeastWidth, viewport()->width());
    Figure fitted = m_figure;
    m_layout = available < kNarrow ? Layout::Mobile : Layout::Desktop;
    m_scale = std::clamp(available / (m_figure.desktopWidth * kStretch), 1.0, kMostEnlarged);
    fitted.mobileWidth = available;
    fitted.desktopWidth =
        std::min(static_cast<int>(available / m_scale), static_cast<int>(m_figure.desktopWidth * kStretch));
    m_scene = composeFigure(fitted, m_layout);
    m_hovered = m_hoveredPlot = -1;
    m_pick.reset();
    m_currentPlot = std::min(m_currentPlot, static_cast<int>(m_scene.plots.size()) - 1);
    m_current = std::min(m_current, static_cast<int>(m_scene.hits.size()) - 1);
    updateScrollBars();
    viewport()->update();
}

void FigureView::updateScrollBars()
{
    const QSizeF size = m_scene.size * m_scale;
    const QSize page = viewport()->size();
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(size.height())) - page.height()));
    verticalScrollBar()->setPageStep(page.height());
    verticalScrollBar()->setSingleStep(7 * kSpacing);
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(size.width()) - page.width()));
    horizontalScrollBar()->setPageStep(page.width());
}

QPointF FigureView::toFigure(const QPoint &position) const
{
    return QPointF(position.x() + horizontalScrollBar()->value(), position.y() + verticalScrollBar()->value()) /
           m_scale;
}

QRect FigureView::viewRect(const FigureHit &hit) const
{
    const QRectF scaled(hit.area.topLeft() * m_scale, hit.area.size() * m_scale);
    return scaled.translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value()).toAlignedRect();
}

int FigureView::hitAt(const QPoint &position) const
{
    const QPointF point = toFigure(position);
    const auto hit = std::find_if(m_scene.hits.begin(), m_scene.hits.end(),
                                  [&](const FigureHit &candidate) { return candidate.area.contains(point); });
    return hit == m_scene.hits.end() ? -1 : static_cast<int>(hit - m_scene.hits.begin());
}

// What the pointer reads: a bar's exact values, else a text that had to be shortened.
QString FigureView::readOut(const QPoint &position) const
{
    if (const int index = hitAt(position); index >= 0)
        return m_scene.hits[index].toolTip;
    const QPointF point = toFigure(position);
    for (const SceneText &text : m_scene.texts)
        if (text.text != text.full && text.area.contains(point))
            return text.full;
    return {};
}

bool FigureView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (plotAt(help->pos())) // read out already
            return true;
        QToolTip::showText(help->globalPos(), plainToolTip(readOut(help->pos())), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave) {
        setHovered(-1);
        hoverPlot({-1, -1});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void FigureView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    painter.fillRect(event->rect(), themeColors(m_theme).ground);
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    painter.scale(m_scale, m_scale);
    paintScene(painter, m_scene, m_theme);
    if (m_hovered >= 0) {
        QColor shade = themeColors(m_theme).ink;
        shade.setAlphaF(0.07F);
        painter.fillRect(m_scene.hits[m_hovered].area, shade);
    }
    if (m_current >= 0 && hasFocus()) {
        painter.setPen(QPen(themeColors(m_theme).accent, 1.5));
        painter.drawRect(m_scene.hits[m_current].area.adjusted(-3, 1, 3, -1));
    }
    paintPlotMarks(painter);
}

void FigureView::resizeEvent(QResizeEvent *)
{
    relayout();
}

void FigureView::mouseMoveEvent(QMouseEvent *event)
{
    m_sinceScrolling.invalidate();
    if (m_drag) {
        dragPlot(event->pos());
        return;
    }
    setHovered(hitAt(event->pos()));
    hoverPlot(event->pos());
}

void FigureView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    setCurrent(hitAt(event->pos()));
    if (const ScenePlot *plot = plotAt(event->pos()))
        beginDrag(*plot, event->pos());
}

void FigureView::setHovered(int index)
{
    if (m_hovered == index)
        return;
    m_hovered = index;
    viewport()->update();
}

// Screen readers hear the bar's values as the description of the figure.
void FigureView::setCurrent(int index)
{
    m_current = index;
    setAccessibleDescription(index >= 0 ? m_scene.hits[index].toolTip : QString());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    viewport()->update();
}

// The bar of the same rank in the next (or previous) panel that has one.
int FigureView::neighbourInNextPanel(int step) const
{
    const FigureHit &from = m_scene.hits[m_current];
    const auto place = [](const FigureHit &hit) { return std::pair(hit.rowIndex, hit.panelIndex); };
    int index = m_current;
    while (index >= 0 && index < m_scene.hits.size() && place(m_scene.hits[index]) == place(from))
        index += step;
    if (index < 0 || index >= m_scene.hits.size())
        return m_current;
    const auto panel = place(m_scene.hits[index]);
    int best = index;
    for (int i = index; i >= 0 && i < m_scene.hits.size() && place(m_scene.hits[i]) == panel; i += step)
        if (std::abs(m_scene.hits[i].barIndex - from.barIndex) < std::abs(m_scene.hits[best].barIndex - from.barIndex))
            best = i;
    return best;
}

void FigureView::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_scene.hits.size()) - 1;
    if (event->matches(QKeySequence::Copy)) {
        copyImage();
        return;
    }
    if (last < 0 && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) && handlePlotKey(event->key()))
        return;
    if (last < 0 || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    int next = m_current;
    switch (event->key()) {
    case Qt::Key_Down:
        next = std::min(m_current + 1, last);
        break;
    case Qt::Key_Up:
        next = std::max(m_current - 1, 0);
        break;
    case Qt::Key_Right:
        next = m_current < 0 ? 0 : neighbourInNextPanel(1);
        break;
    case Qt::Key_Left:
        next = m_current < 0 ? 0 : neighbourInNextPanel(-1);
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = last;
        break;
    case Qt::Key_Escape:
        next = -1;
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    setCurrent(next);
    showCurrent();
}

void FigureView::showCurrent()
{
    if (m_current < 0) {
        QToolTip::hideText();
        return;
    }
    const QRect before = viewRect(m_scene.hits[m_current]);
    const int margin = 4 * kSpacing;
    QScrollBar *bar = verticalScrollBar();
    if (before.top() < margin)
        bar->setValue(bar->value() + before.top() - margin);
    else if (before.bottom() > viewport()->height() - margin)
        bar->setValue(bar->value() + before.bottom() - viewport()->height() + margin);
    const QRect now = viewRect(m_scene.hits[m_current]);
    QToolTip::showText(viewport()->mapToGlobal(now.bottomLeft()), plainToolTip(m_scene.hits[m_current].toolTip),
                       viewport());
}

void FigureView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void FigureView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void FigureView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    if (const ScenePlot *plot = plotAt(event->pos()))
        addPlotActions(menu, plot->plot);
    menu.addAction(tr("Copy Image"), QKeySequence::Copy, this, &FigureView::copyImage);
    menu.addAction(tr("Copy Values"), this, &FigureView::copyValuesRequested);
    menu.addAction(tr("Export…"), this, &FigureView::exportRequested);
    menu.exec(event->globalPos());
}

void FigureView::copyImage()
{
    QGuiApplication::clipboard()->setMimeData(
        figureMimeData(m_figure, Layout::Desktop, m_theme, kClipboardScale).release()); // the clipboard takes it over
}

} // namespace stagecraft::widgets
