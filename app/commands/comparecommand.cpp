// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparecommand.h"

#include "commandtable.h"
#include "compareoptions.h"
#include "compareoutput.h"
#include "console.h"
#include "namespacearguments.h"

#include <QCoreApplication>

namespace stagecraft::commands {
namespace {

using Namespaces = std::vector<evidence::Namespace>;

bool reportContradictions(const Namespaces &namespaces)
{
    bool contradicted = false;
    for (const evidence::Namespace &evidence : namespaces)
        for (const evidence::Problem &problem : evidence.problems)
            if (problem.fatal || isOfUnfinishedRun(problem)) {
                complainLine(problemLine(evidence, problem));
                contradicted = contradicted || problem.fatal;
            }
    return contradicted;
}

QList<const evidence::Namespace *> pointersTo(const Namespaces &namespaces)
{
    QList<const evidence::Namespace *> pointers;
    for (const evidence::Namespace &evidence : namespaces)
        pointers.append(&evidence);
    return pointers;
}

views::ViewOptions viewOptions(const Namespaces &namespaces, const CompareOptions &options)
{
    views::ViewOptions view;
    view.decimals = options.decimals;
    view.implementations = options.comparison.implementations;
    view.pairs = options.comparison.pairs;
    view.unchanged = options.comparison.unchanged;
    view.programVersion = QCoreApplication::applicationVersion();
    view.baselines = pointersTo(namespaces);
    view.baselines.removeLast();
    return view;
}

} // namespace

int runCompareCommand(const QStringList &arguments)
{
    CommandParser parser(compareSyntax());
    if (const std::optional<int> status = parser.parse(arguments))
        return *status;
    const std::optional<CompareOptions> options = readCompareOptions(parser);
    if (!options)
        return ExitUsage;
    const LoadedNamespaces loaded = loadNamesakes(options->namespaces);
    if (!loaded.problem.isEmpty())
        return parser.usageError(loaded.problem);
    if (const QString problem = comparisonProblem(pointersTo(loaded.namespaces), options->comparison);
        !problem.isEmpty())
        return parser.usageError(problem);
    const bool contradicted = reportContradictions(loaded.namespaces);
    ComparePrint print{loaded.namespaces.back(), viewOptions(loaded.namespaces, *options),
                       evidence::compare(loaded.namespaces.front(), loaded.namespaces.back(), options->comparison),
                       evidence::likelyPairs(loaded.namespaces.front(), loaded.namespaces.back()), std::nullopt};
    if (options->gatePercent)
        print.gate = evidence::judgeGate(print.comparison, *options->gatePercent);
    printComparison(print, options->format);
    return contradicted || (print.gate && !print.gate->passed) ? ExitFailed : ExitDone;
}

} // namespace stagecraft::commands
