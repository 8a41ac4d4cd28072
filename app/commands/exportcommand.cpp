// SPDX-License-Identifier: GPL-3.0-or-later
#include "exportcommand.h"

#include "commandtable.h"
#include "compareoptions.h"
#include "console.h"
#include "evidencewriter.h"
#include "exportoptions.h"
#include "namespacearguments.h"
#include "outputdirectory.h"
#include "statistics.h"

#include <QCoreApplication>
#include <QDir>

namespace stagecraft::commands {
namespace {

// An implementation that no namespace has is a mistyped one; one that some lack is their view's "unavailable".
QString implementationProblem(const QString &option, const std::vector<evidence::Namespace> &namespaces,
                              const QStringList &wanted)
{
    QStringList present;
    for (const evidence::Namespace &evidence : namespaces)
        for (const evidence::ValueRow &row : evidence::valueRows(evidence))
            present.append(row.implementation);
    present = evidence::implementationOrder(present);
    for (const QString &id : wanted)
        if (!present.contains(id))
            return QStringLiteral("%1: no namespace has '%2'%3; there are %4")
                .arg(option, id, didYouMean(id, present), present.join(QStringLiteral(", ")));
    return {};
}

QString pairingProblem(const LoadedNamespaces &loaded, const LoadedNamespaces &baselines, const ExportOptions &options)
{
    QList<const evidence::Namespace *> all;
    for (const LoadedNamespaces *some : {&baselines, &loaded})
        for (const evidence::Namespace &evidence : some->namespaces)
            all.append(&evidence);
    return comparisonProblem(all, {options.request.options.pairs, {}, options.request.options.unchanged});
}

QStringList referenceOf(const ExportOptions &options)
{
    const QString reference = options.request.options.reference;
    return reference.isEmpty() ? QStringList() : QStringList{reference};
}

void reportUnfinishedRuns(const std::vector<evidence::Namespace> &namespaces)
{
    for (const evidence::Namespace &evidence : namespaces)
        for (const evidence::Problem &problem : evidence.problems)
            if (isOfUnfinishedRun(problem))
                complainLine(problemLine(evidence, problem));
}

bool reportContradictions(const std::vector<evidence::Namespace> &namespaces)
{
    bool contradicted = false;
    for (const evidence::Namespace &evidence : namespaces)
        for (const evidence::Problem &problem : evidence.problems)
            if (problem.fatal) {
                complainLine(problemLine(evidence, problem));
                contradicted = true;
            }
    return contradicted;
}

bool writeViews(const ExportOptions &options, const LoadedNamespaces &loaded, const LoadedNamespaces &baselines)
{
    views::ExportRequest request = options.request;
    if (request.formats.isEmpty())
        return true;
    for (const evidence::Namespace &evidence : loaded.namespaces)
        request.namespaces.append(&evidence);
    for (const evidence::Namespace &evidence : baselines.namespaces)
        request.options.baselines.append(&evidence);
    request.options.programVersion = QCoreApplication::applicationVersion();
    const QDir directory(request.directory);
    const views::ExportResult result =
        views::writeExport(request, [&](const QString &file) { printLine(directory.filePath(file)); });
    for (const QString &error : result.errors)
        complainLine(QStringLiteral("stagecraft export: ") + error);
    return result.errors.isEmpty();
}

QString mageDirectory(const ExportOptions &options, const evidence::Namespace &evidence)
{
    return QDir(options.request.directory).filePath(evidence.name);
}

// Said before anything is written. mage's form is a namespace, so it goes where a run's may: never over evidence, least
// of all over its own source.
QString mageProblem(const ExportOptions &options, const std::vector<evidence::Namespace> &namespaces)
{
    if (!options.mage)
        return {};
    for (const evidence::Namespace &evidence : namespaces) {
        if (evidence.results.isEmpty() && evidence.captures.isEmpty())
            return QStringLiteral("--format mage: %1 has neither samples nor kernel records, which mage's form holds; "
                                  "leave mage out of --format")
                .arg(evidence.name);
        const QString problem = run::outputProblem(mageDirectory(options, evidence));
        if (!problem.isEmpty())
            return QStringLiteral("%1 as mage goes into a directory of its name in --output. %2")
                .arg(evidence.name, problem);
    }
    return {};
}

// The evidence as far as it is of these implementations; all of it where none is named.
evidence::Namespace evidenceOf(const evidence::Namespace &evidence, const QStringList &implementations)
{
    evidence::Namespace chosen = evidence;
    if (implementations.isEmpty())
        return chosen;
    const auto isOther = [&](const QString &id) { return !implementations.contains(id); };
    for (evidence::OperationResult &result : chosen.results) {
        for (evidence::Round &round : result.rounds) {
            round.order.removeIf(isOther);
            round.implementations.removeIf([&](const auto &entry) { return isOther(entry.key()); });
        }
    }
    chosen.captures.removeIf([&](const evidence::Capture &capture) { return isOther(capture.language); });
    return chosen;
}

bool writeMageForms(const ExportOptions &options, const LoadedNamespaces &loaded)
{
    bool written = true;
    for (const evidence::Namespace &evidence : loaded.namespaces) {
        const QString directory = mageDirectory(options, evidence);
        QStringList excluded;
        const QString error = evidence::writeMage(evidenceOf(evidence, options.request.options.implementations),
                                                  options.map, directory, excluded);
        for (const QString &text : std::as_const(excluded))
            complainLine(QStringLiteral("stagecraft export: %1 as mage leaves out %2").arg(evidence.name, text));
        if (error.isEmpty())
            printLine(directory);
        else
            complainLine(QStringLiteral("stagecraft export: %1 as mage: %2").arg(evidence.name, error));
        written = written && error.isEmpty();
    }
    return written;
}

} // namespace

int runExportCommand(const QStringList &arguments)
{
    CommandParser parser(exportSyntax());
    if (const std::optional<int> status = parser.parse(arguments))
        return *status;
    const std::optional<ExportOptions> options = readExportOptions(parser);
    if (!options)
        return ExitUsage;
    const LoadedNamespaces loaded = loadNamespaces(options->namespaces);
    const LoadedNamespaces baselines = loadNamespaces(options->baselines);
    for (const QString &problem :
         {loaded.problem, baselines.problem.isEmpty() ? QString() : QStringLiteral("--baseline: ") + baselines.problem,
          implementationProblem(QStringLiteral("--implementation"), loaded.namespaces,
                                options->request.options.implementations),
          implementationProblem(QStringLiteral("--reference"), loaded.namespaces, referenceOf(*options)),
          implementationProblem(QStringLiteral("--map"), loaded.namespaces, options->map.keys()),
          pairingProblem(loaded, baselines, *options), mageProblem(*options, loaded.namespaces)})
        if (!problem.isEmpty())
            return parser.usageError(problem);
    reportUnfinishedRuns(loaded.namespaces);
    reportUnfinishedRuns(baselines.namespaces);
    bool done = writeViews(*options, loaded, baselines);
    done = (!options->mage || writeMageForms(*options, loaded)) && done;
    const bool contradicted = reportContradictions(loaded.namespaces);
    return done && !contradicted ? ExitDone : ExitFailed;
}

} // namespace stagecraft::commands
