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

namespace {

LoadedNamespaces readAll(const QStringList &arguments)
{
    LoadedNamespaces loaded;
    loaded.namespaces.reserve(static_cast<std::size_t>(arguments.size()));
    QList<const evidence::Namespace *> earlier; // stays valid: the vector never grows beyond what is reserved
    for (const QString &argument : arguments) {
        const std::optional<QString> path = findNamespace(argument);
        if (!path) {
            loaded.problem = missingNamespace(argument);
            return loaded;
        }
        earlier.append(&loaded.namespaces.emplace_back(run::openNamespace(*path, earlier)));
    }
    return loaded;
}

QStringList namesOf(const LoadedNamespaces &loaded)
{
    QStringList names;
    for (const evidence::Namespace &evidence : loaded.namespaces)
        names.append(evidence.name);
    return names;
}

// The folder that a namespace's directory, or its file, lies in.
QString folderOf(const evidence::Namespace &evidence)
{
    const QFileInfo place(evidence.directory);
    return place.fileName() == evidence.name ? QFileInfo(place.absolutePath()).fileName() : place.fileName();
}

} // namespace

LoadedNamespaces loadNamespaces(const QStringList &arguments)
{
    LoadedNamespaces loaded = readAll(arguments);
    const QStringList names = namesOf(loaded);
    for (const QString &name : names)
        if (loaded.problem.isEmpty() && names.count(name) > 1)
            loaded.problem = QStringLiteral("two namespaces are called %1, so their files would have the same names; "
                                            "rename a directory or export them apart")
                                 .arg(name);
    return loaded;
}

LoadedNamespaces loadNamesakes(const QStringList &arguments)
{
    LoadedNamespaces loaded = readAll(arguments);
    const QStringList given = namesOf(loaded);
    for (evidence::Namespace &evidence : loaded.namespaces)
        if (given.count(evidence.name) > 1)
            evidence.name = folderOf(evidence) + QLatin1Char('/') + evidence.name;
    const QStringList names = namesOf(loaded);
    for (std::size_t i = 0; i < loaded.namespaces.size(); ++i) {
        const QString &name = names[static_cast<qsizetype>(i)];
        if (names.count(name) > 1)
            loaded.namespaces[i].name +=
                QStringLiteral(" (%1)").arg(names.first(static_cast<qsizetype>(i) + 1).count(name));
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
