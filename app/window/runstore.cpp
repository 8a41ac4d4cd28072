// SPDX-License-Identifier: GPL-3.0-or-later
#include "runstore.h"

#include "evidencewriter.h"
#include "outputdirectory.h"

#include <QDir>
#include <QStandardPaths>

namespace stagecraft::window {

QString runsDirectory()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/runs");
}

QString newRunDirectory(const QString &runs, const QDateTime &now)
{
    const QString name = QStringLiteral("run-") + now.toUTC().toString(QStringLiteral("yyyyMMdd'T'HHmmss'Z'"));
    const QDir directory(runs);
    QString candidate = name;
    for (int i = 2; directory.exists(candidate); ++i)
        candidate = QStringLiteral("%1-%2").arg(name).arg(i);
    return directory.filePath(candidate);
}

QString copyRun(const evidence::Namespace &evidence, const QString &directory)
{
    const QString problem = run::outputProblem(directory);
    return problem.isEmpty() ? evidence::writeNamespace(evidence, directory) : problem;
}

} // namespace stagecraft::window
