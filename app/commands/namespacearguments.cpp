// SPDX-License-Identifier: GPL-3.0-or-later
#include "namespacearguments.h"

#include "console.h"
#include "evidencereader.h"
#include "journal.h"

#include <QFileInfo>

namespace stagecraft::commands {

std::optional<QString> findNamespace(const QString &argument)
{
    if (QFileInfo::exists(argument))
        return argument;
    const QString bundled = evidence::bundledNames().contains(argument) ? evidence::bundledPath(argument) : QString();
    return bundled.isEmpty() ? std::nullopt : std::optional(bundled);
}

QString missingNamespace(const QString &argument)
{
    const QStringList bundled = evidence::bundledNames();
    const QString names =
        bundled.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(bundled.join(QStringLiteral(", ")));
    return QStringLiteral("'%1' is neither a file or directory nor the name of bundled evidence%2%3")
        .arg(argument, names, didYouMean(argument, bundled));
}

LoadedNamespaces loadNamespaces(const QStringList &arguments)
{
    LoadedNamespaces loaded;
    loaded.namespaces.reserve(static_cast<std::size_t>(arguments.size()));
    QList<const evidence::Namespace *> earlier; // stays valid: the vector never grows beyond what is reserved
    QStringList names;
    for (const QString &argument : arguments) {
        const std::optional<QString> path = findNamespace(argument);
        if (!path) {
            loaded.problem = missingNamespace(argument);
            return loaded;
        }
        const evidence::Namespace &evidence = loaded.namespaces.emplace_back(run::openNamespace(*path, earlier));
        earlier.append(&evidence);
        if (names.contains(evidence.name)) {
            loaded.problem = QStringLiteral("two namespaces are called %1, so their files would have the same names; "
                                            "rename a directory or export them apart")
                                 .arg(evidence.name);
            return loaded;
        }
        names.append(evidence.name);
    }
    return loaded;
}

QString problemLine(const evidence::Namespace &evidence, const evidence::Problem &problem)
{
    QString place = evidence.name;
    const bool ownFile = problem.file.isEmpty() || problem.file == evidence.name ||
                         problem.file == evidence.name + QStringLiteral(".json");
    if (!ownFile)
        place += QLatin1Char('/') + problem.file;
    else if (!problem.file.isEmpty())
        place = problem.file;
    if (!problem.pointer.isEmpty())
        place += QStringLiteral(": ") + problem.pointer;
    const QString lead = problem.fatal ? QString() : QStringLiteral("recorded: ");
    return QStringLiteral("%1: %2%3").arg(place, lead, problem.cause);
}

bool isOfUnfinishedRun(const evidence::Problem &problem)
{
    return problem.file == run::journalFileName();
}

} // namespace stagecraft::commands
