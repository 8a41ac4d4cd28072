// SPDX-License-Identifier: GPL-3.0-or-later
#include "compareoutput.h"

#include "console.h"
#include "figureexport.h"
#include "texttable.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace stagecraft::commands {

namespace {

using evidence::Comparison;

QString headingOf(const ComparePrint &print)
{
    return QStringLiteral("%1 (base) → %2 (new)").arg(print.comparison.baseName, print.comparison.nowName);
}

// "GPU: A → B (what that means)"
QStringList differenceLines(const Comparison &comparison)
{
    QStringList lines;
    for (const evidence::Difference &difference : comparison.differences)
        lines.append(evidence::differenceLine(difference));
    return lines.isEmpty() ? QStringList{QStringLiteral("nothing that is recorded")} : lines;
}

QStringList pairLines(const ComparePrint &print)
{
    QStringList lines;
    const auto isPaired = [&print](const evidence::ImplementationPair &likely) {
        const auto &pairs = print.options.pairs;
        return std::any_of(pairs.begin(), pairs.end(), [&likely](const evidence::ImplementationPair &pair) {
            return pair.base == likely.base || pair.now == likely.now;
        });
    };
    for (const evidence::ImplementationPair &pair : print.likelyPairs)
        if (!isPaired(pair))
            lines.append(QStringLiteral("%1 in %2 and %3 in %4 may be the same: --pair %1=%3")
                             .arg(pair.base, print.comparison.baseName, pair.now, print.comparison.nowName));
    return lines;
}

QStringList gateLines(const ComparePrint &print)
{
    QStringList lines;
    if (!print.gate)
        return lines;
    for (const QString &text : print.gate->remarks + print.gate->failures + QStringList{print.gate->summary})
        lines.append(QStringLiteral("gate: ") + text);
    return lines;
}

// Without the differences, which stand above it.
widgets::ValueTable tableOf(const ComparePrint &print, views::Audience audience)
{
    views::ViewOptions options = print.options;
    options.audience = audience;
    widgets::ValueTable table = views::buildTable(views::ViewId::Compare, print.now, options);
    const QStringList differences = differenceLines(print.comparison);
    table.footer.removeIf([&differences](const QString &line) {
        const QString lead = QStringLiteral("Differs: ");
        return line.startsWith(lead) && differences.contains(line.mid(lead.size()));
    });
    return table;
}

void printLines(const QStringList &lines)
{
    for (const QString &line : lines)
        printLine(line);
}

void printText(const ComparePrint &print)
{
    printLines({headingOf(print), QString(), QStringLiteral("What differs besides:")});
    for (const QString &line : differenceLines(print.comparison))
        printLine(QStringLiteral("  ") + line);
    printLine(QString());
    printLines(textTable(tableOf(print, views::Audience::People)));
    const QStringList closing = pairLines(print) + gateLines(print);
    if (!closing.isEmpty())
        printLine(QString());
    printLines(closing);
}

void printMarkdown(const ComparePrint &print)
{
    printLine(QStringLiteral("## %1\n\nWhat differs besides:\n").arg(headingOf(print)));
    for (const QString &line : differenceLines(print.comparison))
        printLine(QStringLiteral("- ") + line);
    printLine(QString());
    printDocument(widgets::toMarkdown(tableOf(print, views::Audience::People)));
    for (const QString &line : pairLines(print) + gateLines(print))
        printLine(QStringLiteral("\n%1").arg(line));
}

void printCsv(const ComparePrint &print)
{
    for (const QString &line : differenceLines(print.comparison))
        complainLine(QStringLiteral("differs: ") + line);
    printDocument(widgets::toCsv(tableOf(print, views::Audience::Programs)));
    for (const QString &line : pairLines(print) + gateLines(print))
        complainLine(line);
}

QJsonArray differencesJson(const Comparison &comparison)
{
    QJsonArray array;
    for (const evidence::Difference &difference : comparison.differences)
        array.append(QJsonObject{{QStringLiteral("what"), difference.what},
                                 {QStringLiteral("base"), difference.base},
                                 {QStringLiteral("new"), difference.now},
                                 {QStringLiteral("consequence"), difference.consequence}});
    return array;
}

QJsonArray driftJson(const Comparison &comparison)
{
    QJsonArray array;
    for (const evidence::ImplementationDrift &drift : comparison.drifts)
        array.append(QJsonObject{
            {QStringLiteral("base"), drift.pair.base},
            {QStringLiteral("new"), drift.pair.now},
            {QStringLiteral("bound_percent"), drift.bound ? QJsonValue(*drift.bound) : QJsonValue(QJsonValue::Null)},
            {QStringLiteral("unchanged"), QJsonArray::fromStringList(drift.operations)},
            {QStringLiteral("left_out"), QJsonArray::fromStringList(drift.leftOut)}});
    return array;
}

void printJson(const ComparePrint &print)
{
    QJsonObject object = QJsonDocument::fromJson(widgets::toJson(tableOf(print, views::Audience::Programs))).object();
    object.insert(QStringLiteral("base"), print.comparison.baseName);
    object.insert(QStringLiteral("new"), print.comparison.nowName);
    object.insert(QStringLiteral("across_gpus"), print.comparison.isAcrossGpus);
    object.insert(QStringLiteral("gpu_not_recorded"), QJsonArray::fromStringList(print.comparison.gpuNotRecorded));
    object.insert(QStringLiteral("differences"), differencesJson(print.comparison));
    object.insert(QStringLiteral("drift"), driftJson(print.comparison));
    if (print.gate)
        object.insert(QStringLiteral("gate"),
                      QJsonObject{{QStringLiteral("passed"), print.gate->passed},
                                  {QStringLiteral("failures"), QJsonArray::fromStringList(print.gate->failures)},
                                  {QStringLiteral("remarks"), QJsonArray::fromStringList(print.gate->remarks)}});
    printDocument(QJsonDocument(object).toJson(QJsonDocument::Indented));
}

} // namespace

void printComparison(const ComparePrint &print, CompareFormat format)
{
    switch (format) {
    case CompareFormat::Text:
        return printText(print);
    case CompareFormat::Markdown:
        return printMarkdown(print);
    case CompareFormat::Csv:
        return printCsv(print);
    case CompareFormat::Json:
        return printJson(print);
    }
}

} // namespace stagecraft::commands
