// SPDX-License-Identifier: GPL-3.0-or-later
#include "workercommand.h"

#include "publictext.h"

#include <algorithm>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace stagecraft::run {

namespace {

const QString externalPrefix = QStringLiteral("external/");

QString missingFix(const QString &worker)
{
    if (worker == QLatin1String("cuda")) {
        return QStringLiteral("it is built where a CUDA Toolkit 12 or 13 is installed, or with `packaging/run.sh "
                              "--cuda-wheels`: build again there");
    }
    return QStringLiteral("build or install Stagecraft again; the workers lie beside the program");
}

void setProblem(WorkerCommand &command, const QString &problem, const QString &fix)
{
    command.problem = problem;
    command.fix = fix;
}

// The worker that is an executable of its own, in this build.
void startOwn(WorkerCommand &command, const QString &name)
{
    const QFileInfo file(QDir(workerDirectory()), name);
    if (file.isExecutable() && file.isFile())
        command.program = file.absoluteFilePath();
    else
        setProblem(command, QStringLiteral("%1 is not part of this build").arg(name), missingFix(command.worker));
}

// A file by its path, else what the PATH has of that name; empty where neither is there. Links are not followed: a
// virtual environment's interpreter is what it is by its place.
QString executablePath(const QString &program)
{
    const QFileInfo file(program);
    return file.isFile() ? file.absoluteFilePath() : QStandardPaths::findExecutable(program);
}

QString interpreterName(const WorkerSetup &setup)
{
    const QString chosen = setup.python.isEmpty() ? qEnvironmentVariable("STAGECRAFT_PYTHON") : setup.python;
    return chosen.isEmpty() ? QStringLiteral("python3") : chosen;
}

QString workerScript()
{
    const QString named = qEnvironmentVariable("STAGECRAFT_RESOURCES");
    const QString directory = named.isEmpty()
                                  ? QCoreApplication::applicationDirPath() + QStringLiteral("/../share/stagecraft")
                                  : QDir(named).absolutePath();
    const QString script = QDir::cleanPath(directory + QStringLiteral("/python/worker.py"));
    return QFileInfo(script).isFile() ? script : QString();
}

void startPython(WorkerCommand &command, const WorkerSetup &setup)
{
    const QString interpreter = interpreterName(setup);
    // As in a shell, a name alone is none of a file here.
    const QString path = interpreter.contains(QLatin1Char('/')) ? executablePath(interpreter)
                                                                : QStandardPaths::findExecutable(interpreter);
    const QString script = workerScript();
    command.shown = QFileInfo(interpreter).fileName() + QStringLiteral(" worker.py");
    if (script.isEmpty()) {
        setProblem(command, QStringLiteral("worker.py is not among the program's files"),
                   QStringLiteral("build or install Stagecraft again, or correct STAGECRAFT_RESOURCES"));
    } else if (path.isEmpty()) {
        setProblem(command, QStringLiteral("the Python interpreter %1 is not there").arg(interpreter),
                   QStringLiteral("name one with --python PATH, or in the window's Settings"));
    } else if (!QFileInfo(path).isExecutable()) {
        setProblem(command, QStringLiteral("the Python interpreter %1 may not be executed").arg(interpreter),
                   QStringLiteral("name the interpreter's own file with --python PATH, or in the window's Settings"));
    } else {
        command.program = path;
        command.arguments = {script};
    }
}

// The external program's worker: the program as it is started, which is looked for where the worker runs.
void startExternal(WorkerCommand &command, const ExternalProgram &external)
{
    startOwn(command, QStringLiteral("stagecraft-worker-external"));
    const QString path = executablePath(external.program);
    if (command.problem.isEmpty() && path.isEmpty()) {
        setProblem(command, QStringLiteral("the external program %1 is not there").arg(external.program),
                   QStringLiteral("name a file, or a command on the PATH: --external %1=PROGRAM").arg(external.name));
    } else if (command.problem.isEmpty() && !QFileInfo(path).isExecutable()) {
        setProblem(command, QStringLiteral("the external program %1 may not be executed").arg(external.program),
                   QStringLiteral("make it executable (chmod +x), or name what starts it first: --external "
                                  "%1=\"python3 PROGRAM\"")
                       .arg(external.name));
    }
    command.arguments = QStringList{external.name, path} + external.arguments;
}

// What follows the prefix: names that the other end has on its PATH.
QStringList remoteCommand(const QString &worker, const WorkerSetup &setup, const ExternalProgram *external)
{
    if (external)
        return QStringList{QStringLiteral("stagecraft-worker-external"), external->name, external->program} +
               external->arguments;
    QStringList words = {QStringLiteral("stagecraft-worker-") + worker};
    if (worker == QLatin1String("python") && !setup.python.isEmpty())
        words.append(setup.python);
    return words;
}

} // namespace

QString workerDirectory()
{
    const QString chosen = qEnvironmentVariable("STAGECRAFT_WORKER_DIRECTORY");
    return chosen.isEmpty() ? QCoreApplication::applicationDirPath() : chosen;
}

WorkerCommand workerCommand(const QString &worker, const WorkerSetup &setup)
{
    const ExternalProgram *external =
        worker.startsWith(externalPrefix) ? findExternal(setup, worker.mid(externalPrefix.size())) : nullptr;
    WorkerCommand command;
    command.worker = worker;
    command.shown = QStringLiteral("stagecraft-worker-") + worker;
    if (external)
        command.shown = QStringLiteral("stagecraft-worker-external %1 %2")
                            .arg(external->name, QFileInfo(external->program).fileName());
    if (!setup.prefix.isEmpty()) {
        command.remote = true;
        command.program = setup.prefix.first();
        command.arguments = setup.prefix.mid(1) + remoteCommand(worker, setup, external);
        QStringList shown = setup.prefix;
        shown.first() = QFileInfo(shown.first()).fileName();
        command.shown = (shown << command.shown).join(QLatin1Char(' '));
    } else if (external) {
        startExternal(command, *external);
    } else if (worker == QLatin1String("python")) {
        startPython(command, setup);
    } else {
        startOwn(command, command.shown);
    }
    command.shown = publicText(command.shown);
    return command;
}

QString withoutPlaces(QString text, const WorkerSetup &setup)
{
    QStringList programs = {interpreterName(setup)};
    for (const ExternalProgram &external : setup.externals)
        programs.append(external.program);
    // Longer ones first: one may begin another.
    std::ranges::sort(programs, std::ranges::greater(), &QString::size);
    for (const QString &program : std::as_const(programs)) {
        if (program.contains(QLatin1Char('/')))
            text.replace(program, QFileInfo(program).fileName());
    }
    return text;
}

} // namespace stagecraft::run
