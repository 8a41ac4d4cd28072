// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingsdesk.h"

#include "actions.h"
#include "helpwindow.h"
#include "rundesk.h"
#include "sessionsettings.h"
#include "stagedesk.h"

#include <QAction>

namespace stagecraft::window {

namespace {

// Without what cannot be used: Settings show why.
run::WorkerSetup usable(run::WorkerSetup workers)
{
    const QList<run::ExternalProgram> all = std::exchange(workers.externals, {});
    for (const run::ExternalProgram &external : all) {
        workers.externals.append(external);
        if (!run::setupProblem(workers).isEmpty())
            workers.externals.removeLast();
    }
    return workers;
}

} // namespace

SettingsDesk::SettingsDesk(Actions &actions, SessionSettings &settings, RunDesk &runs, StageDesk &stages,
                           QWidget *window)
    : QObject(window), m_settings(settings), m_runs(runs), m_stages(stages), m_window(window)
{
    connect(actions.settings, &QAction::triggered, this, [this] { open(SettingsDialog::PythonPage); });
    connect(actions.chooseEditor, &QAction::triggered, this, [this] { open(SettingsDialog::StagesPage); });
    const auto setMayAsk = [this](bool may) {
        if (m_dialog)
            m_dialog->setMayAsk(may);
    };
    connect(&m_runs, &RunDesk::started, this, [setMayAsk] { setMayAsk(false); });
    connect(&m_runs, &RunDesk::finished, this, [setMayAsk] { setMayAsk(true); });
}

void SettingsDesk::begin()
{
    m_stages.setPython(m_settings.workers().python);
    m_stages.setWorkerPrefix(m_settings.workers().prefix);
    m_runs.setWorkers(usable(m_settings.workers()));
    if (!m_runs.isSurveying())
        m_runs.survey();
}

SettingsValues SettingsDesk::remembered() const
{
    return {m_settings.workers(), m_settings.stagesFolder(), m_settings.editorCommand()};
}

void SettingsDesk::open(SettingsDialog::Page page)
{
    if (!m_dialog) {
        m_dialog = new SettingsDialog(remembered(), m_window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &SettingsDialog::applied, this, &SettingsDesk::apply);
        connect(m_dialog, &SettingsDialog::askingChanged, &m_runs, &RunDesk::setQuestionOpen);
        connect(m_dialog, &SettingsDialog::logged, &m_runs, &RunDesk::log);
        connect(m_dialog, &QDialog::finished, this, [this] { m_runs.setQuestionOpen(false); });
        m_dialog->setDevice(m_runs.plan().device);
        m_dialog->setMayAsk(!m_runs.isRunning());
        m_dialog->begin(m_runs.availability().report(QStringLiteral("python")));
        connect(m_dialog, &SettingsDialog::helpRequested, this,
                [this] { showHelp(m_window, QStringLiteral("external-programs.md")); });
    }
    m_dialog->showPage(page);
    m_dialog->open();
}

void SettingsDesk::apply(const SettingsValues &values, bool again)
{
    const SettingsValues before = remembered();
    m_settings.setWorkers(values.workers);
    m_settings.setEditorCommand(values.editorCommand);
    if (values.stagesFolder != before.stagesFolder)
        m_stages.files().chooseFolder(values.stagesFolder);
    m_stages.setPython(values.workers.python);
    m_stages.setWorkerPrefix(values.workers.prefix);
    if (values.workers != before.workers)
        m_runs.setWorkers(values.workers);
    else if (again && !m_runs.isRunning())
        m_runs.survey();
}

} // namespace stagecraft::window
