// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagedesk.h"

#include "actions.h"
#include "architectures.h"
#include "compiletable.h"
#include "logdock.h"
#include "machinecodepanel.h"
#include "planmodel.h"
#include "sessionsettings.h"
#include "stageeditors.h"
#include "stagemarks.h"
#include "stageresults.h"
#include "stagetreemodel.h"
#include "stageworkbench.h"

#include <QAction>
#include <QDir>
#include <QListWidget>

namespace stagecraft::window {

StageDesk::StageDesk(const StageParts &parts, SessionSettings &settings, const QString &runsDirectory, QObject *parent)
    : QObject(parent),
      m_parts(parts),
      m_settings(settings),
      m_runsDirectory(runsDirectory),
      m_measurer(*parts.runs, m_compilations, runsDirectory),
      m_files(*parts.workbench, *parts.tree, *parts.actions, settings, parts.window),
      m_machineCode(*parts.workbench->machineCode(), *parts.workbench->editors(), *parts.runs)
{
    connect(&m_files.library(), &StageLibrary::catalogueChanged, this, &StageDesk::takeCatalogue);
    connect(&m_files.library(), &StageLibrary::fileChanged, this, &StageDesk::takeFile);
    connect(&m_files, &StageFileDesk::opened, this, &StageDesk::compileCurrent);
    connect(&m_compilations, &StageCompilations::compiled, this, &StageDesk::takeCompilation);
    connect(&m_measurer, &StageMeasurer::changed, this, &StageDesk::takeSave);
    connect(m_parts.runs, &RunDesk::surveyed, this, &StageDesk::setGpu);
    connect(m_parts.plan, &PlanModel::planChanged, this, &StageDesk::takeDims);
    connect(m_parts.workbench->results(), &StageResults::architectureChosen, this, &StageDesk::compileCurrent);
    connect(&m_machineCode, &MachineCodeDesk::settled, this, &StageDesk::shown);
    connectActions();
    m_parts.actions->machineCode->setChecked(settings.machineCodeShown());
    takeDims();
    show();
}

void StageDesk::connectActions()
{
    const Actions &actions = *m_parts.actions;
    StageEditors *editors = m_parts.workbench->editors();
    StageResults *results = m_parts.workbench->results();
    connect(actions.compileStage, &QAction::triggered, this, [this] {
        m_compilations.forgetUnavailable();
        compileCurrent();
    });
    connect(actions.measureStage, &QAction::triggered, this, &StageDesk::measureCurrent);
    connect(actions.nextMessage, &QAction::triggered, this, [editors] {
        if (editors->current())
            editors->current()->nextMessage();
    });
    connect(actions.previousMessage, &QAction::triggered, this, [editors] {
        if (editors->current())
            editors->current()->previousMessage();
    });
    connect(results, &StageResults::messageActivated, this, [editors](int line) {
        if (!editors->current())
            return;
        editors->current()->goToLine(line);
        editors->current()->setFocus(Qt::OtherFocusReason);
    });
    connect(actions.machineCode, &QAction::toggled, this, [this](bool shown) {
        m_settings.setMachineCodeShown(shown);
        m_parts.workbench->machineCode()->setVisible(shown);
        m_machineCode.setShown(shown && m_active);
    });
    connect(&actions, &Actions::compileForChosen, results, &StageResults::chooseArchitecture);
}

void StageDesk::activate()
{
    m_active = true;
    m_machineCode.setShown(m_parts.actions->machineCode->isChecked());
    if (!m_files.id().isEmpty()) {
        compileCurrent();
        return;
    }
    const QList<run::CatalogueStage> &stages = m_files.library().catalogue().stages;
    if (!stages.isEmpty())
        m_parts.workbench->select(stages.first().operation(), stages.first().id());
}

void StageDesk::setWorkerPrefix(const QStringList &prefix)
{
    m_compilations.setWorkerPrefix(prefix);
    m_machineCode.setWorkerPrefix(prefix);
    compileCurrent();
}

void StageDesk::setPython(const QString &python)
{
    m_machineCode.setPython(python);
}

bool StageDesk::isSettled() const
{
    const StageLibrary &library = m_files.library();
    const bool nothingToShow = !library.isReading() && library.catalogue().stages.isEmpty();
    return (m_files.current() || nothingToShow) && !m_compilations.isBusy() && !m_measurer.isBusy() &&
           !m_machineCode.isBusy();
}

void StageDesk::shutDown()
{
    m_measurer.drop();
}

void StageDesk::setGpu()
{
    QString architecture;
    for (const DeviceChoice &device : m_parts.runs->availability().devices()) {
        if (device.index == m_parts.runs->plan().device)
            architecture = run::architectureOf(device.computeCapability);
    }
    m_parts.workbench->results()->setGpuArchitecture(architecture);
    m_compilations.forgetUnavailable();
    show();
}

const run::CatalogueStage *StageDesk::after(const stagefile::Stage &stage) const
{
    if (stage.after.empty())
        return nullptr;
    const StageLibrary &library = m_files.library();
    const run::CatalogueStage *found =
        library.catalogue().find(QString::fromStdString(stage.operation), QString::fromStdString(stage.after));
    return found && library.mayRun(*found) ? found : nullptr;
}

void StageDesk::takeCatalogue()
{
    const StageLibrary &library = m_files.library();
    QList<run::CatalogueStage> mayRun;
    for (const run::CatalogueStage &stage : library.catalogue().stages) {
        if (library.mayRun(stage))
            mayRun.append(stage);
        mark(stage);
    }
    m_parts.plan->setStages(mayRun);
    if (m_active && m_files.id().isEmpty())
        activate();
    else
        compileCurrent();
}

StageSave StageDesk::saveOf(const run::CatalogueStage &stage) const
{
    StageSave save;
    save.stage = stage.stage;
    if (const run::CatalogueStage *before = after(stage.stage))
        save.after = before->stage;
    save.dims = m_parts.plan->dims(stage.operation());
    // What else is chosen to be compiled for is only shown: it says nothing of this GPU.
    const StageResults *results = m_parts.workbench->results();
    save.architecture = results->gpuArchitecture().isEmpty() ? results->mainArchitecture() : results->gpuArchitecture();
    return save;
}

// A file of the user's has another text: this is a save, whoever wrote it.
void StageDesk::takeFile(const QString &path)
{
    const StageLibrary &library = m_files.library();
    if (!library.isTrusted())
        return;
    for (const run::CatalogueStage &stage : library.catalogue().stages) {
        if (stage.own && stage.path == path)
            return m_measurer.submit(saveOf(stage));
    }
    for (const run::StageProblem &problem : library.catalogue().problems) {
        if (problem.path != path || problem.operation.isEmpty())
            continue;
        StageSave save;
        save.stage.operation = problem.operation.toStdString();
        save.stage.id = problem.id.toStdString();
        save.dims = m_parts.plan->dims(problem.operation);
        m_measurer.submitInvalid(save, problem.text);
    }
}

void StageDesk::measureCurrent()
{
    const run::CatalogueStage *stage = m_files.current();
    if (!stage || !m_files.library().mayRun(*stage))
        return;
    StageSave save = saveOf(*stage);
    save.again = true;
    m_measurer.submit(save);
}

void StageDesk::compileCurrent()
{
    const run::CatalogueStage *stage = m_files.current();
    if (m_active && stage && m_files.library().mayRun(*stage))
        compile(*stage);
    show();
}

void StageDesk::compile(const run::CatalogueStage &stage)
{
    const QStringList architectures = m_parts.workbench->results()->architectures();
    if (const run::CatalogueStage *before = after(stage.stage))
        m_compilations.request(before->stage, architectures);
    m_compilations.request(stage.stage, architectures);
}

void StageDesk::takeCompilation(const run::StageCompilation &compilation)
{
    const QString name = QStringLiteral("%1/%2").arg(compilation.operation, compilation.id);
    if (compilation.state == run::StageCompilation::Compiled)
        m_parts.log->append(QStringLiteral("debug"), tr("%1 is compiled for %2.").arg(name, compilation.architecture));
    else
        m_parts.log->append(compilation.state == run::StageCompilation::Failed ? QStringLiteral("error")
                                                                               : QStringLiteral("warning"),
                            tr("%1 is not compiled for %2: %3. What to do: %4")
                                .arg(name, compilation.architecture, compilation.reason, compilation.fix));
    if (!compilation.log.trimmed().isEmpty())
        m_parts.log->append(QStringLiteral("debug"), compilation.log.trimmed());
    if (const run::CatalogueStage *stage = m_files.library().catalogue().find(compilation.operation, compilation.id))
        mark(*stage);
    show();
}

// The plan's dims are those that stages are compiled and measured with.
void StageDesk::takeDims()
{
    bool changed = false;
    for (const operations::Operation &operation : operations::catalogue()) {
        const QString id = QString::fromStdString(operation.id);
        changed = m_compilations.setDims(id, m_parts.plan->dims(id)) || changed;
    }
    if (!changed)
        return;
    for (const run::CatalogueStage &stage : m_files.library().catalogue().stages)
        mark(stage);
    compileCurrent();
}

// Times of one GPU are no series with another's: each has a session of its own.
void StageDesk::listSession(const QString &device)
{
    if (!m_devices.contains(device))
        m_devices.append(device);
    const qsizetype number = m_devices.indexOf(device) + 1;
    QList<StageSave> saves;
    std::ranges::copy_if(m_measurer.saves(), std::back_inserter(saves),
                         [&](const StageSave &save) { return save.settled && save.device == device; });
    evidence::Namespace session = sessionEvidence(saves, m_measurer.lastRun(device).data());
    if (number > 1)
        session.name += QStringLiteral(" %1").arg(number);
    const QString path = QDir(m_runsDirectory).filePath(session.name);
    const int known = m_parts.evidence->rowOf(path);
    const int row = m_parts.evidence->put(NamespacePointer(new evidence::Namespace(session)), path,
                                          EvidenceListModel::Origin::ThisRun, known < 0);
    if (known >= 0)
        return;
    m_parts.evidence->showOnly(row);
    emit sessionListed(row);
}

void StageDesk::takeSave(int index)
{
    const StageSave &save = m_measurer.saves().at(index);
    if (const run::CatalogueStage *stage = m_files.library().catalogue().find(save.operation(), save.id()))
        mark(*stage);
    if (save.settled) {
        listSession(save.device);
        m_parts.log->append(save.state == evidence::State::Ok ? QStringLiteral("info") : QStringLiteral("warning"),
                            tr("%1/%2, %3: %4. %5")
                                .arg(save.operation(), save.id(), save.label(), save.word,
                                     save.state == evidence::State::Ok ? save.verdictText : save.reason)
                                .trimmed());
    }
    show();
}

void StageDesk::mark(const run::CatalogueStage &stage)
{
    const StageMark mark = stageMark(stage.stage, m_measurer.latest(stage.operation(), stage.id()),
                                     m_parts.workbench->results()->mainArchitecture(), m_compilations);
    m_parts.tree->setMark(stage.operation(), stage.id(), mark);
}

void StageDesk::show()
{
    const run::CatalogueStage *stage = m_files.current();
    const bool mayRun = stage && m_files.library().mayRun(*stage);
    m_parts.actions->compileStage->setEnabled(mayRun);
    m_parts.actions->measureStage->setEnabled(mayRun);
    StageResults *results = m_parts.workbench->results();
    results->setHistory(historyTable(m_measurer.saves(), m_files.operation(), m_files.id()));
    if (stage)
        showStage(*stage);
    else
        showProblem();
    showMachineCode(stage);
    emit shown();
}

void StageDesk::showMachineCode(const run::CatalogueStage *stage)
{
    MachineCodeDesk::Wish wish;
    wish.architecture = m_parts.workbench->results()->mainArchitecture();
    if (stage) {
        wish.stage = stage->stage;
        wish.dims = m_parts.plan->dims(stage->operation());
        wish.refusal = m_files.library().mayRun(*stage)
                           ? m_compilations.misfit(stage->stage, wish.architecture, wish.dims)
                           : tr("The folder is not trusted: nothing of it is compiled.");
    } else if (!m_files.id().isEmpty()) {
        wish.refusal = tr("This file is no valid stage: it is not compiled.");
    }
    m_machineCode.show(wish);
}

void StageDesk::showProblem()
{
    StageResults *results = m_parts.workbench->results();
    results->setCompiled({});
    const QList<run::StageProblem> &problems = m_files.library().catalogue().problems;
    const auto problem = std::ranges::find_if(problems, [this](const run::StageProblem &candidate) {
        return candidate.operation == m_files.operation() && candidate.id == m_files.id();
    });
    if (problem == problems.end()) {
        results->setSummary(QString(), QString(), false);
        results->setMessages({});
        return;
    }
    results->setSummary(tr("not a stage: not compiled or run"), problem->text, true);
    const auto messages = problemMessages(problem->text, m_files.library().text(problem->path));
    results->setMessages(messages);
    widgets::SourceView *view = m_parts.workbench->editors()->view(problem->path);
    if (view && !view->isModified() && view->messages() != messages)
        view->setMessages(messages);
}

void StageDesk::showStage(const run::CatalogueStage &stage)
{
    StageResults *results = m_parts.workbench->results();
    const run::CatalogueStage *before = after(stage.stage);
    const stagefile::Stage *base = before ? &before->stage : nullptr;
    const StageSave *save = m_measurer.latest(stage.operation(), stage.id());
    const StageSummary summary = stageSummary(stage.stage, base, save, results->mainArchitecture(), m_compilations);
    const auto messages = compileMessagesOf(stage.stage, results->architectures(), m_compilations);
    const run::StageCompilation *compilation = m_compilations.find(stage.stage, results->mainArchitecture());
    const bool told = compilation && compilation->state == run::StageCompilation::Failed && !messages.isEmpty();
    const bool mayRun = m_files.library().mayRun(stage);
    results->setSummary(mayRun ? summary.text : tr("not compiled: the folder is not trusted"),
                        mayRun && !told ? summary.detail : QString(), mayRun && summary.bad);
    results->setCompiled(compileTable(stage.stage, base, results->architectures(), m_compilations));
    results->setMessages(messages);
    // While somebody types, the marks move with their lines; they are set anew when the text is known again.
    widgets::SourceView *view = m_parts.workbench->editors()->view(stage.path);
    if (view && !view->isModified() && view->messages() != messages)
        view->setMessages(messages);
}

} // namespace stagecraft::window
