// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settingsdialog.h"

#include <QObject>
#include <QPointer>

namespace stagecraft::window {

class Actions;
class RunDesk;
class SessionSettings;
class StageDesk;

// What happens between the Settings command and settings that are in force.
class SettingsDesk : public QObject
{
    Q_OBJECT
public:
    SettingsDesk(Actions &actions, SessionSettings &settings, RunDesk &runs, StageDesk &stages, QWidget *window);

    void begin(); // what is remembered comes into force
    void open(SettingsDialog::Page page);
    SettingsDialog *dialog() const { return m_dialog; } // nullptr while it is closed

private:
    SettingsValues remembered() const;
    void apply(const SettingsValues &values, bool again);

    SessionSettings &m_settings;
    RunDesk &m_runs;
    StageDesk &m_stages;
    QWidget *m_window;
    QPointer<SettingsDialog> m_dialog;
};

} // namespace stagecraft::window
