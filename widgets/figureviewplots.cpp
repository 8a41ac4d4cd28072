// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureview.h"
#include "plaintooltip.h"

#include <QAccessible>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

// How a figure view moves through the samples of its plots.
namespace stagecraft::widgets {

namespace {

constexpr double kZoomPerStep = 0.8; // of a wheel's notch or a key
constexpr double kPanPerStep = 0.1;  // of what is drawn
constexpr double kNotch = 120;       // eighths of a degree
constexpr qint64 kScrollPause = 400; // ms after which the wheel zooms where it scrolled before
constexpr double kPickRadius = 4;

QString nameOf(const FigurePlot &plot)
{
    return plot.title + QLatin1Char('\n') + plot.subtitle;
}

} // namespace

void FigureView::keepRanges(Figure &figure) const
{
    for (FigurePlot &plot : figure.plots) {
        for (const FigurePlot &before : m_figure.plots)
            if (!plot.range && before.range && nameOf(before) == nameOf(plot))
                plot.range = before.range;
    }
}

QRect FigureView::viewRect(const ScenePlot &plot) const
{
    const QRectF scaled(plot.area.topLeft() * m_scale, plot.area.size() * m_scale);
    return scaled.translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value()).toAlignedRect();
}

const ScenePlot *FigureView::plotAt(const QPoint &position) const
{
    const QPointF point = toFigure(position);
    for (const ScenePlot &plot : m_scene.plots)
        if (plot.count > 0 && plot.area.contains(point))
            return &plot;
    return nullptr;
}

std::optional<PlotRange> FigureView::plotRange(int plot) const
{
    return m_figure.plots[plot].range;
}

void FigureView::setPlotRange(int plot, const std::optional<PlotRange> &range)
{
    if (m_figure.plots[plot].range == range)
        return;
    m_figure.plots[plot].range = range;
    relayout();
    const QString words = rangeWords(m_figure.plots[plot]);
    if (plot == m_currentPlot) {
        setAccessibleDescription(words.isEmpty() ? tr("all samples") : words);
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }
    emit plotRangeChanged(plot, words);
}

void FigureView::setCurrentPlot(int plot)
{
    m_currentPlot = plot;
    viewport()->update();
}

void FigureView::zoomPlot(int plot, double factor, double at)
{
    setPlotRange(plot, zoomedRange(m_figure.plots[plot], factor, at));
}

void FigureView::panCurrentPlot(double share)
{
    const FigurePlot &plot = m_figure.plots[m_currentPlot];
    const PlotRange shown = shownRange(plot);
    const double step = std::max(1.0, std::abs(share) * static_cast<double>(shown.last - shown.first));
    if (plot.range)
        setPlotRange(m_currentPlot, pannedRange(plot, std::copysign(step, share)));
}

void FigureView::zoomPlotIn()
{
    setCurrentPlot(std::max(m_currentPlot, m_scene.plots.isEmpty() ? -1 : 0));
    if (m_currentPlot < 0)
        return;
    const PlotRange shown = shownRange(m_figure.plots[m_currentPlot]);
    zoomPlot(m_currentPlot, kZoomPerStep, static_cast<double>(shown.first + shown.last) / 2);
}

void FigureView::zoomPlotOut()
{
    if (m_currentPlot < 0)
        return;
    const PlotRange shown = shownRange(m_figure.plots[m_currentPlot]);
    zoomPlot(m_currentPlot, 1 / kZoomPerStep, static_cast<double>(shown.first + shown.last) / 2);
}

void FigureView::resetPlots()
{
    for (int plot = 0; plot < m_figure.plots.size(); ++plot)
        setPlotRange(plot, std::nullopt);
}

void FigureView::fitPlotValues()
{
    setCurrentPlot(std::max(m_currentPlot, m_scene.plots.isEmpty() ? -1 : 0));
    if (m_currentPlot >= 0)
        setPlotRange(m_currentPlot, refittedRange(m_figure.plots[m_currentPlot]));
}

bool FigureView::handlePlotKey(int key)
{
    const int last = static_cast<int>(m_scene.plots.size()) - 1;
    if (last < 0)
        return false;
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        setCurrentPlot(std::clamp(m_currentPlot + (key == Qt::Key_Down ? 1 : -1), 0, last));
        showCurrentPlot();
        return true;
    }
    setCurrentPlot(std::max(m_currentPlot, 0));
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift
        zoomPlotIn();
        return true;
    case Qt::Key_Minus:
        zoomPlotOut();
        return true;
    case Qt::Key_Left:
        panCurrentPlot(-kPanPerStep);
        return true;
    case Qt::Key_Right:
        panCurrentPlot(kPanPerStep);
        return true;
    case Qt::Key_Home:
        panCurrentPlot(-static_cast<double>(m_scene.plots[m_currentPlot].count));
        return true;
    case Qt::Key_End:
        panCurrentPlot(static_cast<double>(m_scene.plots[m_currentPlot].count));
        return true;
    case Qt::Key_F:
        fitPlotValues();
        return true;
    case Qt::Key_0:
    case Qt::Key_Escape:
        setPlotRange(m_currentPlot, std::nullopt);
        return true;
    default:
        return false;
    }
}

void FigureView::showCurrentPlot()
{
    const QRect place = viewRect(m_scene.plots[m_currentPlot]);
    const int margin = 12 * kSpacing; // its title
    QScrollBar *bar = verticalScrollBar();
    if (place.top() < margin)
        bar->setValue(bar->value() + place.top() - margin);
    else if (place.bottom() > viewport()->height() - margin)
        bar->setValue(bar->value() + place.bottom() - viewport()->height() + margin);
}

void FigureView::beginDrag(const ScenePlot &plot, const QPoint &position)
{
    setCurrentPlot(plot.plot);
    m_drag = Drag{plot.plot, position, shownRange(m_figure.plots[plot.plot])};
}

void FigureView::dragPlot(const QPoint &position)
{
    const ScenePlot &place = m_scene.plots[m_drag->plot];
    FigurePlot from = m_figure.plots[m_drag->plot];
    if (!from.range)
        return; // everything is drawn: there is nowhere to move
    from.range = m_drag->range;
    const double perPixel =
        static_cast<double>(m_drag->range.last - m_drag->range.first) / (place.area.width() * m_scale);
    viewport()->setCursor(Qt::ClosedHandCursor);
    setPlotRange(m_drag->plot, pannedRange(from, (m_drag->from.x() - position.x()) * perPixel));
}

void FigureView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_drag.reset();
    viewport()->unsetCursor();
}

void FigureView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const ScenePlot *plot = plotAt(event->pos()))
        setPlotRange(plot->plot, std::nullopt);
}

// Over the samples the wheel zooms, elsewhere it scrolls; once it scrolls it goes on doing so, whatever comes below the
// pointer, and so it does where there is nothing more to zoom out of.
void FigureView::wheelEvent(QWheelEvent *event)
{
    const QPoint position = event->position().toPoint();
    const ScenePlot *place = plotAt(position);
    const bool isSideways =
        event->modifiers() & Qt::ShiftModifier || std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y());
    const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / kNotch;
    const bool isScrolling = m_sinceScrolling.isValid() && m_sinceScrolling.elapsed() < kScrollPause;
    const bool isAll = place && !m_figure.plots[place->plot].range;
    if (!place || isScrolling || notches == 0 || (isAll && (isSideways || notches < 0))) {
        m_sinceScrolling.start();
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
    const int plot = place->plot;
    setCurrentPlot(plot);
    if (isSideways) {
        panCurrentPlot(-notches * kPanPerStep);
    } else {
        zoomPlot(plot, std::pow(kZoomPerStep, notches), place->indexAt(toFigure(position).x()));
    }
    hoverPlot(position);
}

void FigureView::hoverPlot(const QPoint &position)
{
    const ScenePlot *place = plotAt(position);
    const auto pick = place ? nearestSample(m_figure.plots[place->plot], *place, toFigure(position)) : std::nullopt;
    const int plot = place ? place->plot : -1;
    if (pick == m_pick && plot == m_hoveredPlot)
        return;
    m_pick = pick;
    if (pick)
        QToolTip::showText(viewport()->mapToGlobal(position + QPoint(0, 8)),
                           plainToolTip(sampleReadOut(m_figure.plots[plot], *pick)), viewport());
    else if (m_hoveredPlot >= 0)
        QToolTip::hideText();
    m_hoveredPlot = plot;
    viewport()->update();
}

// A ring around the sample that is read out, and a line to its number on the axis; the plot that keys are for.
void FigureView::paintPlotMarks(QPainter &painter)
{
    const ThemeColors &colors = themeColors(m_theme);
    if (m_currentPlot >= 0 && hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.drawRect(m_scene.plots[m_currentPlot].area.adjusted(-1.5, -kSpacing - 1.5, 1.5, 1.5));
    }
    if (!m_pick || m_hoveredPlot < 0)
        return;
    const ScenePlot &place = m_scene.plots[m_hoveredPlot];
    const FigureSeries &series = m_figure.plots[m_hoveredPlot].series[m_pick->series];
    const QPointF at = place.place(static_cast<double>(m_pick->index), series.values[m_pick->index]);
    painter.setPen(QPen(colors.muted, 1, Qt::DotLine));
    painter.drawLine(QPointF(at.x(), place.area.top()), QPointF(at.x(), place.area.bottom()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(colors.ground);
    painter.setPen(QPen(roleColor(series.color, m_theme), 2));
    painter.drawEllipse(at, kPickRadius, kPickRadius);
    painter.setBrush(Qt::NoBrush);
}

void FigureView::addPlotActions(QMenu &menu, int plot)
{
    setCurrentPlot(plot);
    menu.addAction(tr("Zoom In"), QKeySequence(Qt::Key_Plus), this, &FigureView::zoomPlotIn);
    menu.addAction(tr("Zoom Out"), QKeySequence(Qt::Key_Minus), this, &FigureView::zoomPlotOut);
    QAction *fit = menu.addAction(tr("Fit Values"), QKeySequence(Qt::Key_F), this, &FigureView::fitPlotValues);
    fit->setCheckable(true);
    fit->setChecked(shownRange(m_figure.plots[plot]).fitsValues);
    menu.addAction(tr("Show All Samples"), QKeySequence(Qt::Key_0), this, &FigureView::resetPlots);
    menu.addSeparator();
}

} // namespace stagecraft::widgets
