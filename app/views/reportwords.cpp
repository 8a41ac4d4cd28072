// SPDX-License-Identifier: GPL-3.0-or-later
#include "reportwords.h"

#include "captions.h"
#include "implementationnotes.h"

#include <algorithm>

namespace stagecraft::views {

namespace {

using evidence::Namespace;
using evidence::ValueRow;

// Keys of provenance() that a reader looks for, and so is told of when they are not recorded.
const QStringList &expectedFacts()
{
    static const QStringList keys{QStringLiteral("GPU"), QStringLiteral("Driver"), QStringLiteral("CUDA"),
                                  QStringLiteral("Measured"), QStringLiteral("Instrument")};
    return keys;
}

void addCount(QStringList &parts, std::optional<int> count, const QString &words)
{
    if (count)
        parts.append(words.arg(*count));
}

QString protocol(const Namespace &evidence)
{
    QStringList parts;
    addCount(parts, evidence.runs, QStringLiteral("runs in fresh workers: %1"));
    addCount(parts, evidence.roundsDeclared, QStringLiteral("rounds: %1"));
    addCount(parts, evidence.iterationsPerRound, QStringLiteral("spans a round: %1"));
    addCount(parts, evidence.warmupPerRound, QStringLiteral("warm-up calls a round: %1"));
    if (parts.isEmpty() && evidence.summary)
        parts = {QStringLiteral("rounds: %1").arg(evidence.summary->rounds),
                 QStringLiteral("spans in all: %1").arg(evidence.summary->samples)};
    return parts.isEmpty() ? QStringLiteral("not recorded") : parts.join(QStringLiteral(", "));
}

QString number(double value)
{
    return QString::number(value, 'g', 6);
}

// The gate before any timing, in the words of the first row that records it: one run has one gate.
QString correctnessWords(const QList<ValueRow> &rows)
{
    const auto checked = std::find_if(rows.begin(), rows.end(), [](const ValueRow &row) {
        return row.correctness && row.correctness->atol && row.correctness->rtol;
    });
    if (checked == rows.end())
        return QStringLiteral("Correctness: how outputs were checked is not recorded in this evidence.");
    const evidence::Correctness &gate = *checked->correctness;
    return QStringLiteral("Correctness: outputs were checked before their times count; every element had to be finite "
                          "and within %1 + %2 × |reference| of the reference%3.")
        .arg(number(*gate.atol), number(*gate.rtol),
             gate.reference.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(gate.reference));
}

} // namespace

QList<QPair<QString, QString>> reportFacts(const Namespace &evidence, const ViewOptions &options)
{
    QList<QPair<QString, QString>> facts;
    const QList<QPair<QString, QString>> recorded = provenance(evidence, QString(), options);
    for (const QString &key : expectedFacts()) {
        const auto found =
            std::find_if(recorded.begin(), recorded.end(), [&](const auto &pair) { return pair.first == key; });
        facts.append({key, found == recorded.end() ? QStringLiteral("not recorded") : found->second});
    }
    facts.append({QStringLiteral("Protocol"), protocol(evidence)});
    // Each implementation's own note stands with the method, the program at the foot of the page, the mode of the
    // timestamps with the instrument.
    static const QStringList elsewhere{QStringLiteral("Implementations"), QStringLiteral("Software"),
                                       QStringLiteral("Namespace"), QStringLiteral("Timing"),
                                       QStringLiteral("Timestamp mode")};
    for (const auto &pair : recorded)
        if (!expectedFacts().contains(pair.first) && !elsewhere.contains(pair.first))
            facts.append(pair);
    return facts;
}

QStringList reportMethod(const Namespace &evidence, const QList<ValueRow> &rows)
{
    QStringList items;
    for (const Metric metric : {Metric::Kernel, Metric::Span, Metric::Launches})
        if (std::any_of(rows.begin(), rows.end(),
                        [metric](const ValueRow &row) { return drawable(metricValue(row, metric)); }))
            items.append(metricCaption(metric, evidence, rows));
    if (!evidence.timing.isEmpty())
        items.append(QStringLiteral("As the evidence states it: %1.").arg(evidence.timing));
    if (!rows.isEmpty())
        items.append(correctnessWords(rows));
    const QMap<QString, QStringList> notes = implementationNotes(evidence);
    for (const QString &id : evidence::implementationOrder(notes.keys()))
        items.append(QStringLiteral("%1: %2").arg(evidence::implementationLabel(id),
                                                  notes.value(id).join(QStringLiteral("; "))));
    return items;
}

QStringList reportLimits(const Namespace &evidence)
{
    QStringList items;
    if (evidence.progression)
        items += evidence.progression->limits;
    for (const QString &excluded : evidence.excluded)
        items.append(QStringLiteral("Excluded: ") + excluded);
    items += evidence.floorsMissing;
    if (!evidence.missing.isEmpty())
        items.append(QStringLiteral("Files that are not there: ") + evidence.missing.join(QStringLiteral(", ")));
    if (!evidence.incomplete.isEmpty())
        items.append(QStringLiteral("Files whose text ends early: ") + evidence.incomplete.join(QStringLiteral(", ")));
    return items;
}

QStringList reportProblems(const Namespace &evidence)
{
    QStringList items;
    for (const evidence::Problem &problem : evidence.problems) {
        const QString place = QStringList{problem.file, problem.pointer}.join(QLatin1Char(' ')).trimmed();
        items.append(QStringLiteral("%1%2: %3")
                         .arg(problem.fatal ? QString() : QStringLiteral("recorded: "), place, problem.cause));
    }
    return items;
}

} // namespace stagecraft::views
