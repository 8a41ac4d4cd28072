// SPDX-License-Identifier: GPL-3.0-or-later
#include "logdock.h"

namespace stagecraft::window {

namespace {

widgets::LogLevel levelOf(const QString &name)
{
    if (name == QLatin1String("error"))
        return widgets::LogLevel::Error;
    if (name == QLatin1String("warning"))
        return widgets::LogLevel::Warning;
    return name == QLatin1String("info") ? widgets::LogLevel::Information : widgets::LogLevel::Detail;
}

} // namespace

LogDock::LogDock(QWidget *parent) : QDockWidget(tr("Log"), parent), m_view(new widgets::LogView(this))
{
    setObjectName(QStringLiteral("logDock"));
    setWidget(m_view);
}

void LogDock::append(const QString &level, const QString &text)
{
    m_view->append(levelOf(level), text);
}

void LogDock::setTheme(widgets::Theme theme)
{
    m_view->setTheme(theme);
}

QString LogDock::text() const
{
    return m_view->shownText();
}

} // namespace stagecraft::window
