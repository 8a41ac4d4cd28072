// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QScrollArea>

class QVBoxLayout;

namespace stagecraft::widgets {
class FigureView;
} // namespace stagecraft::widgets

namespace stagecraft::window {

// Figures below each other. One fills the area and scrolls itself; several have their whole height each and are
// scrolled together.
class FigureStack : public QScrollArea
{
    Q_OBJECT
public:
    explicit FigureStack(QWidget *parent = nullptr);

    void setFigures(const QList<widgets::Figure> &figures);
    void setTheme(widgets::Theme theme);
    QList<widgets::FigureView *> views() const; // those that show a figure

    int scrollPosition() const; // from the top, in pixels
    void setScrollPosition(int position);

signals:
    void copyValuesRequested();
    void exportRequested();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QScrollBar *usedBar() const;
    void addView();
    void fitHeights();

    QVBoxLayout *m_layout;
    QList<widgets::FigureView *> m_views; // kept for the next figures
    qsizetype m_shown = 0;
    widgets::Theme m_theme = widgets::Theme::Dark;
};

} // namespace stagecraft::window
