// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "machinecodedesk.h"
#include "stagefiledesk.h"
#include "stagemeasurer.h"

namespace stagecraft::window {

class LogDock;
class PlanModel;
class StageTreeModel;
class StageWorkbench;

// The parts of the window that stages speak to.
struct StageParts
{
    QWidget *window = nullptr;
    Actions *actions = nullptr;
    StageWorkbench *workbench = nullptr;
    StageTreeModel *tree = nullptr;
    PlanModel *plan = nullptr;
    EvidenceListModel *evidence = nullptr;
    RunDesk *runs = nullptr;
    LogDock *log = nullptr;
};

// What happens on the stages page: the chosen stage is compiled, each save of the user's is compiled, checked and
// measured, and all of it is shown there, in the plan and as evidence of this session.
class StageDesk : public QObject
{
    Q_OBJECT
public:
    StageDesk(const StageParts &parts, SessionSettings &settings, const QString &runsDirectory,
              QObject *parent = nullptr);

    StageFileDesk &files() { return m_files; }
    const StageMeasurer &measurer() const { return m_measurer; }
    const StageCompilations &compilations() const { return m_compilations; }

    // Whether the page shows a stage (where there is one) and nothing about it is still being found out.
    bool isSettled() const;

    const MachineCodeDesk &machineCode() const { return m_machineCode; }

    void setWorkerPrefix(const QStringList &prefix); // of the compiler's worker
    void setPython(const QString &python);           // whose wheels may hold tools

    void activate(); // the page is shown: a stage is chosen, and compiled
    void shutDown(); // what waits is dropped

signals:
    void sessionListed(int row); // a session has its place in the evidence list
    void shown();                // the page shows what is known now

private:
    void connectActions();
    void takeCatalogue();
    void takeFile(const QString &path);
    void takeCompilation(const run::StageCompilation &compilation);
    void takeDims();
    void takeSave(int index);
    void listSession(const QString &device);
    void setGpu();
    void compileCurrent();
    void measureCurrent();
    void compile(const run::CatalogueStage &stage);
    const run::CatalogueStage *after(const stagefile::Stage &stage) const;
    StageSave saveOf(const run::CatalogueStage &stage) const;
    void show();
    void showProblem();
    void showStage(const run::CatalogueStage &stage);
    void showMachineCode(const run::CatalogueStage *stage);
    void mark(const run::CatalogueStage &stage);

    StageParts m_parts;
    SessionSettings &m_settings;
    QString m_runsDirectory;
    QStringList m_devices; // that have a session of their own in the evidence list
    bool m_active = false;
    StageCompilations m_compilations;
    StageMeasurer m_measurer;
    StageFileDesk m_files;
    MachineCodeDesk m_machineCode;
};

} // namespace stagecraft::window
