// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkcommand.h"

#include "commandparser.h"
#include "commandtable.h"
#include "console.h"
#include "journal.h"
#include "namespacearguments.h"
#include "statistics.h"

#include <algorithm>

namespace stagecraft::commands {
namespace {

CommandSyntax checkSyntax()
{
    return {QStringLiteral("check"),
            {QStringLiteral("NAMESPACE…")},
            QStringLiteral("Reads each NAMESPACE (a directory of evidence, a summary file, or the name of bundled "
                           "evidence) and names everything in it that contradicts the format or itself: a line each "
                           "with file, JSON pointer and cause, then a line that sums up. Recorded states with the same "
                           "reason share a line."),
            {},
            {{QStringLiteral("What is checked"),
              QStringLiteral("Sample counts against rounds × iterations, finite and non-negative times, correctness "
                             "flags, kernel records against launches, whole launches per iteration, and the values of "
                             "a progression against the namespaces that it names. Where a text does not parse, the "
                             "pointer says how far reading came.")},
             {QStringLiteral("Exit status"),
              QStringLiteral("0: no contradiction; a recorded state with its reason (failed, unavailable, …) is listed "
                             "and is none. 1: a contradiction, a run that did not end (what its journal holds is "
                             "named), or nothing to read. 2: wrong usage.")}},
            {QStringLiteral("stagecraft check out/h"), QStringLiteral("stagecraft check mage-001 mage-002 mage-003")}};
}

QString counted(qsizetype count, const QString &one, const QString &many)
{
    return QStringLiteral("%1 %2").arg(QString::number(count), count == 1 ? one : many);
}

// "5 operations, 3 implementations": what was sound enough to be read.
QString contents(const evidence::Namespace &evidence)
{
    QStringList operations, implementations;
    for (const evidence::ValueRow &row : evidence::valueRows(evidence)) {
        operations.append(row.operation);
        implementations.append(row.implementation);
    }
    operations.removeDuplicates();
    implementations.removeDuplicates();
    return counted(operations.size(), QStringLiteral("operation"), QStringLiteral("operations")) +
           QStringLiteral(", ") +
           counted(implementations.size(), QStringLiteral("implementation"), QStringLiteral("implementations"));
}

bool isUnfinished(const evidence::Namespace &evidence)
{
    return std::any_of(evidence.problems.begin(), evidence.problems.end(), isOfUnfinishedRun);
}

QString summaryLine(const evidence::Namespace &evidence)
{
    const auto contradictions = std::count_if(evidence.problems.begin(), evidence.problems.end(),
                                              [](const evidence::Problem &problem) { return problem.fatal; });
    const qsizetype recorded = evidence.problems.size() - contradictions;
    QString verdict = isUnfinished(evidence) ? QStringLiteral("a run that did not end")
                      : contradictions == 0
                          ? QStringLiteral("sound")
                          : counted(contradictions, QStringLiteral("contradiction"), QStringLiteral("contradictions"));
    if (recorded > 0)
        verdict += QStringLiteral(", ") +
                   counted(recorded, QStringLiteral("recorded state"), QStringLiteral("recorded states"));
    return QStringLiteral("%1: %2; %3").arg(evidence.name, verdict, contents(evidence));
}

// Recorded states tend to come once per round with one reason; every contradiction has a line of its own.
void printProblems(const evidence::Namespace &evidence)
{
    const QList<evidence::Problem> &problems = evidence.problems;
    for (qsizetype i = 0; i < problems.size(); ++i) {
        const auto same = [&](const evidence::Problem &other) {
            return !other.fatal && other.file == problems[i].file && other.cause == problems[i].cause;
        };
        if (!problems[i].fatal && std::any_of(problems.begin(), problems.begin() + i, same))
            continue;
        const auto alike = problems[i].fatal ? 1 : std::count_if(problems.begin() + i, problems.end(), same);
        const QString more = alike > 1 ? QStringLiteral(" (and %1 more like it)").arg(alike - 1) : QString();
        printLine(problemLine(evidence, problems[i]) + more);
    }
}

bool check(const QString &argument)
{
    const evidence::Namespace evidence = run::openNamespace(findNamespace(argument).value_or(argument));
    printProblems(evidence);
    printLine(summaryLine(evidence));
    return !evidence.hasContradiction() && !isUnfinished(evidence);
}

} // namespace

int runCheckCommand(const QStringList &arguments)
{
    CommandParser parser(checkSyntax());
    if (const std::optional<int> status = parser.parse(arguments))
        return *status;
    if (parser.positional().isEmpty())
        return parser.usageError(QStringLiteral("name at least one NAMESPACE"));
    int status = ExitDone;
    for (const QString &argument : parser.positional())
        if (!check(argument))
            status = ExitFailed;
    return status;
}

} // namespace stagecraft::commands
