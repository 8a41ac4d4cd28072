// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plotnavigation.h"

#include <QAbstractScrollArea>
#include <QElapsedTimer>

class QHelpEvent;
class QMenu;

namespace stagecraft::widgets {

// Shows a figure at the width there is: the mobile layout where the view is narrow, else the desktop layout with as
// many columns as fit, enlarged once the view is much wider than the figure was designed for. Bars answer to the
// pointer (read-out, highlighted row) and to the arrow keys. Plots of samples too: the wheel zooms at the pointer,
// dragging or Shift and the wheel moves through the samples, a double click shows all again; + − 0 and the arrow keys
// do so for the current plot, F fits the value scale to what is drawn. GUI thread only.
class FigureView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit FigureView(QWidget *parent = nullptr);

    void setFigure(const Figure &figure);
    const Figure &figure() const { return m_figure; }
    void setTheme(Theme theme);
    Theme theme() const { return m_theme; }

    Layout layoutUsed() const { return m_layout; }
    double scale() const { return m_scale; }     // view pixels per figure unit
    int currentBar() const { return m_current; } // index into hits(), −1: none
    const QList<FigureHit> &hits() const { return m_scene.hits; }
    QRect viewRect(const FigureHit &hit) const; // of the bar's row, in viewport coordinates

    const QList<ScenePlot> &plots() const { return m_scene.plots; } // in figure units
    QRect viewRect(const ScenePlot &plot) const;                    // of its samples, in viewport coordinates
    int currentPlot() const { return m_currentPlot; }               // that keys are for; −1: none
    // Of the figure's plot of this number; absent: all samples. A new figure keeps the ranges of plots of the same
    // name.
    std::optional<PlotRange> plotRange(int plot) const;
    void setPlotRange(int plot, const std::optional<PlotRange> &range);
    std::optional<SamplePick> hoveredSample() const { return m_pick; } // in the plot below the pointer

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void copyImage(); // the figure as designed, at twice its width, to the clipboard

    void zoomPlotIn(); // the current plot, around its middle
    void zoomPlotOut();
    void resetPlots();    // all samples of all plots
    void fitPlotValues(); // of the current plot: its value scale to what is drawn, or from zero again

signals:
    void plotRangeChanged(int plot, const QString &words); // words: "samples 101 to 200 of 500, round 2"; empty: all
    void copyValuesRequested();
    void exportRequested();

protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void relayout();
    void updateScrollBars();
    QPointF toFigure(const QPoint &position) const;
    int hitAt(const QPoint &position) const;
    QString readOut(const QPoint &position) const;
    void setHovered(int index);
    void setCurrent(int index);
    int neighbourInNextPanel(int step) const;
    void showCurrent();
    void keepRanges(Figure &figure) const;
    const ScenePlot *plotAt(const QPoint &position) const;
    void setCurrentPlot(int plot);
    void showCurrentPlot();
    void zoomPlot(int plot, double factor, double at);
    void panCurrentPlot(double share);
    bool handlePlotKey(int key);
    void beginDrag(const ScenePlot &plot, const QPoint &position);
    void dragPlot(const QPoint &position);
    void addPlotActions(QMenu &menu, int plot);
    void hoverPlot(const QPoint &position);
    void paintPlotMarks(QPainter &painter);

    Figure m_figure;
    Theme m_theme = Theme::Dark;
    FigureScene m_scene;
    Layout m_layout = Layout::Desktop;
    double m_scale = 1;
    int m_hovered = -1, m_current = -1;
    int m_currentPlot = -1, m_hoveredPlot = -1;
    std::optional<SamplePick> m_pick;
    struct Drag
    {
        int plot;
        QPoint from;
        PlotRange range;
    };
    std::optional<Drag> m_drag;
    QElapsedTimer m_sinceScrolling; // by the wheel
};

} // namespace stagecraft::widgets
