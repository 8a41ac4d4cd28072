// SPDX-License-Identifier: GPL-3.0-or-later
#include "workersetup.h"

#include "implementationcatalogue.h"

#include <algorithm>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>

namespace stagecraft::run {

namespace {

QString externalWorker(const QString &name)
{
    return QStringLiteral("external/") + name;
}

} // namespace

const ExternalProgram *findExternal(const WorkerSetup &setup, const QString &name)
{
    const auto found = std::ranges::find(setup.externals, name, &ExternalProgram::name);
    return found == setup.externals.end() ? nullptr : &*found;
}

QString workerOf(const WorkerSetup &setup, const QString &implementation)
{
    if (const ImplementationEntry *entry = findImplementation(implementation))
        return entry->worker;
    return findExternal(setup, implementation) ? externalWorker(implementation) : QString();
}

QStringList knownImplementations(const WorkerSetup &setup)
{
    QStringList ids = implementationIds();
    for (const ExternalProgram &external : setup.externals)
        ids.append(external.name);
    return ids;
}

QStringList workersOf(const WorkerSetup &setup)
{
    QStringList workers = knownWorkers();
    for (const ExternalProgram &external : setup.externals)
        workers.append(externalWorker(external.name));
    return workers;
}

bool offersOperation(const WorkerSetup &setup, const QString &implementation, const QString &operation)
{
    const ImplementationEntry *entry = findImplementation(implementation);
    return entry ? entry->offers(operation) : findExternal(setup, implementation) != nullptr;
}

QString externalProblem(const ExternalProgram &external)
{
    static const QRegularExpression allowed(QStringLiteral("\\A[a-z0-9_-]{1,64}\\z"));
    if (!allowed.match(external.name).hasMatch())
        return QStringLiteral(
                   "“%1” cannot be the name of an external program: allowed are 1 to 64 of a-z, 0-9, - and _")
            .arg(external.name);
    if (findImplementation(external.name))
        return QStringLiteral("“%1” cannot be the name of an external program: Stagecraft has an implementation of "
                              "that name")
            .arg(external.name);
    if (external.program.isEmpty())
        return QStringLiteral("the external program %1 names no program to run").arg(external.name);
    return {};
}

QString setupProblem(const WorkerSetup &setup)
{
    QSet<QString> seen;
    for (const ExternalProgram &external : setup.externals) {
        if (const QString problem = externalProblem(external); !problem.isEmpty())
            return problem;
        if (seen.contains(external.name))
            return QStringLiteral("two external programs are called %1").arg(external.name);
        seen.insert(external.name);
    }
    return {};
}

ExternalProgram parseExternal(const QString &text)
{
    ExternalProgram external;
    external.name = text.section(QLatin1Char('='), 0, 0);
    const QString command = expandedHome(text.section(QLatin1Char('='), 1));
    if (QFileInfo(command).isFile()) {
        external.program = command;
        return external;
    }
    external.arguments = QProcess::splitCommand(command);
    if (!external.arguments.isEmpty())
        external.program = expandedHome(external.arguments.takeFirst());
    return external;
}

bool hasOpenQuote(QString command)
{
    // Three in a row are a quote that is meant (QProcess::splitCommand()).
    command.remove(QStringLiteral("\"\"\""));
    return command.count(QLatin1Char('"')) % 2 != 0;
}

QString expandedHome(const QString &path)
{
    return path.startsWith(QLatin1String("~/")) ? QDir::homePath() + path.mid(1) : path;
}

} // namespace stagecraft::run
