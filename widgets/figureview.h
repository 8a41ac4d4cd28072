// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurescene.h"

#include <QAbstractScrollArea>

class QHelpEvent;

namespace stagecraft::widgets {

// Shows a figure at the width there is: the mobile layout where the view is narrow, else the desktop layout with as
// many columns as fit, enlarged once the view is much wider than the figure was designed for. Bars answer to the
// pointer (read-out, highlighted row) and to the arrow keys. GUI thread only.
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

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void copyImage(); // the figure as designed, at twice its width, to the clipboard

signals:
    void copyValuesRequested();
    void exportRequested();

protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
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

    Figure m_figure;
    Theme m_theme = Theme::Dark;
    FigureScene m_scene;
    Layout m_layout = Layout::Desktop;
    double m_scale = 1;
    int m_hovered = -1, m_current = -1;
};

} // namespace stagecraft::widgets
