// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sessionsettings.h"
#include "theme.h"

class QApplication;

namespace stagecraft::window {

// Applies themes to the application and remembers how the desktop looked before the first one.
class WindowTheme
{
public:
    explicit WindowTheme(QApplication &application);

    void apply(ThemeChoice choice);
    widgets::Theme current() const { return m_current; }

private:
    QApplication &m_application;
    bool m_desktopIsDark;
    widgets::Theme m_current = widgets::Theme::Dark;
};

// What the window's own parts add to the theme: docks, tabs, header, message bar, lists.
QString windowStyleSheet(widgets::Theme theme);

} // namespace stagecraft::window
