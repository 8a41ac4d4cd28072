// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "logview.h"

#include <QDockWidget>

namespace stagecraft::window {

// What workers and runs said.
class LogDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit LogDock(QWidget *parent = nullptr);

    // `level` as the runner and the workers name it: debug, info, warning, error.
    void append(const QString &level, const QString &text);
    void setTheme(widgets::Theme theme);
    QString text() const;

private:
    widgets::LogView *m_view;
};

} // namespace stagecraft::window
