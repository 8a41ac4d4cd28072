// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QToolButton;

namespace stagecraft::window {

// A dock's title line in the window's look: its name, a button to float it and one to hide it. The dock can still be
// moved by dragging the line.
class DockTitle : public QWidget
{
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget *dock);

private:
    QToolButton *createButton(const QString &icon, const QString &toolTip);
};

} // namespace stagecraft::window
