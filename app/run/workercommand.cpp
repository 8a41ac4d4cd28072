// SPDX-License-Identifier: GPL-3.0-or-later
#include "workercommand.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace stagecraft::run {

namespace {

QString missingFix(const QString &worker)
{
    if (worker == QLatin1String("cuda")) {
        return QStringLiteral("it is built where a CUDA Toolkit 12 or 13 is installed, or with `packaging/run.sh "
                              "--cuda-wheels`: build again there");
    }
    return QStringLiteral("build or install Stagecraft again; the workers lie beside the program");
}

} // namespace

QString workerDirectory()
{
    const QString chosen = qEnvironmentVariable("STAGECRAFT_WORKER_DIRECTORY");
    return chosen.isEmpty() ? QCoreApplication::applicationDirPath() : chosen;
}

WorkerCommand workerCommand(const QString &worker, const WorkerSetup &setup)
{
    const QString name = QStringLiteral("stagecraft-worker-") + worker;
    WorkerCommand command;
    command.worker = worker;
    const QStringList &prefix = setup.prefix;
    if (!prefix.isEmpty()) {
        command.remote = true;
        command.program = prefix.first();
        command.arguments = prefix.mid(1) << name;
        QStringList shown = prefix;
        shown.first() = QFileInfo(prefix.first()).fileName();
        command.shown = (shown << name).join(QLatin1Char(' '));
        return command;
    }
    command.shown = name;
    const QFileInfo file(QDir(workerDirectory()), name);
    if (file.isExecutable() && file.isFile()) {
        command.program = file.absoluteFilePath();
    } else {
        command.problem = QStringLiteral("%1 is not part of this build").arg(name);
        command.fix = missingFix(worker);
    }
    return command;
}

} // namespace stagecraft::run
