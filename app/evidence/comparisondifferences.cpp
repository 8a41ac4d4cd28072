// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonparts.h"
#include "recordedtext.h"

#include <algorithm>

namespace stagecraft::evidence {

namespace {

constexpr qsizetype shownHash = 12; // digits that tell two sources apart

// Two texts, and what it means where they differ; nothing where neither is recorded.
class Differences
{
public:
    void add(const QString &what, const QString &base, const QString &now, const QString &consequence = {},
             const QString &ifNotRecorded = {})
    {
        const bool areKnown = !base.isEmpty() && !now.isEmpty(); // what one does not record may be the same
        if (base != now)
            m_list.append({what, base, now, areKnown ? consequence : ifNotRecorded});
    }
    QList<Difference> take() { return std::move(m_list); }

private:
    QList<Difference> m_list;
};

QString number(const std::optional<int> &value)
{
    return value ? QString::number(*value) : QString();
}

QString allDims(const QList<QList<qint64>> &all)
{
    QStringList texts;
    for (const QList<qint64> &dims : all)
        texts.append(dimsText(dims));
    texts.sort();
    return texts.join(QStringLiteral(", "));
}

QStringList gpuStates(const Namespace &evidence)
{
    QStringList states{evidence.gpuStateBefore, evidence.gpuStateAfter};
    for (const OperationResult &result : evidence.results)
        for (const Round &round : result.rounds)
            states.append(round.gpuState);
    return states;
}

QStringList operationsOf(const Namespace &evidence)
{
    QStringList operations;
    for (const OperationResult &result : evidence.results)
        operations.append(result.operation);
    for (const Capture &capture : evidence.captures)
        operations.append(capture.operation);
    if (evidence.summary)
        for (const SummaryRow &row : evidence.summary->rows)
            operations.append(row.operation);
    operations.removeDuplicates();
    return operations;
}

// How a namespace was measured: rounds of a summary are declared there.
std::optional<int> roundsOf(const Namespace &evidence)
{
    return evidence.roundsDeclared || !evidence.summary ? evidence.roundsDeclared
                                                        : std::optional(evidence.summary->rounds);
}

QString captureIterations(const Namespace &evidence)
{
    QStringList counts;
    for (const Capture &capture : evidence.captures)
        if (const QString count = QString::number(capture.requestedIterations);
            capture.requestedIterations > 0 && !counts.contains(count))
            counts.append(count);
    return counts.join(QStringLiteral(", "));
}

void addMachine(Differences &differences, const Namespace &base, const Namespace &now)
{
    differences.add(QStringLiteral("GPU"), gpuOf(base), gpuOf(now),
                    QStringLiteral("values of two GPUs are never one series: no change below is drift, and none is "
                                   "judged"),
                    QStringLiteral("if it is another, no change below is drift"));
    differences.add(QStringLiteral("clocks"), clocksText(gpuStates(base)), clocksText(gpuStates(now)),
                    QStringLiteral("times follow the clocks"));
    differences.add(QStringLiteral("driver"), recordedDriver(base), recordedDriver(now));
    differences.add(QStringLiteral("CUDA"), base.cuda, now.cuda,
                    QStringLiteral("the kernels were compiled by another "
                                   "version"));
    differences.add(QStringLiteral("platform"), base.platform, now.platform);
    differences.add(QStringLiteral("precision"), base.precision, now.precision);
}

void addInstrument(Differences &differences, const Namespace &base, const Namespace &now)
{
    differences.add(QStringLiteral("kernel records from"), base.captureBackend, now.captureBackend,
                    QStringLiteral("kernel times of two instruments are never one series"));
    differences.add(QStringLiteral("timestamp mode"), base.timestampMode, now.timestampMode);
    differences.add(QStringLiteral("timing"), base.timing, now.timing);
}

void addProtocol(Differences &differences, const Namespace &base, const Namespace &now)
{
    differences.add(QStringLiteral("rounds"), number(roundsOf(base)), number(roundsOf(now)));
    differences.add(QStringLiteral("runs"), number(base.runs), number(now.runs));
    differences.add(QStringLiteral("spans per round"), number(base.iterationsPerRound), number(now.iterationsPerRound));
    differences.add(QStringLiteral("captured iterations"), captureIterations(base), captureIterations(now));
    differences.add(QStringLiteral("warm-up calls"), number(base.warmupPerRound), number(now.warmupPerRound));
    differences.add(QStringLiteral("left out"), base.excluded.join(QStringLiteral("; ")),
                    now.excluded.join(QStringLiteral("; ")));
}

void addDims(Differences &differences, const Namespace &base, const Namespace &now)
{
    const QStringList ofBase = operationsOf(base);
    const QSet<QString> others(ofBase.begin(), ofBase.end());
    for (const QString &operation : operationsOf(now))
        if (others.contains(operation))
            differences.add(QStringLiteral("dims of ") + operation, allDims(measuredDims(base, operation)),
                            allDims(measuredDims(now, operation)),
                            QStringLiteral("only what both measured is compared"));
}

QString seedText(const OperationResult &result)
{
    return result.seed ? QString::number(*result.seed) : QString();
}

QString bytesText(const OperationResult &result)
{
    QStringList files;
    for (auto it = result.inputSha256.begin(); it != result.inputSha256.end(); ++it)
        files.append(QStringLiteral("%1 %2").arg(it.key(), it->left(8)));
    return files.join(QStringLiteral(", "));
}

bool areSameInputs(const OperationResult &base, const OperationResult &now)
{
    if (base.inputSha256.isEmpty() || now.inputSha256.isEmpty())
        return !base.seed || !now.seed || base.seed == now.seed;
    return base.inputSha256 == now.inputSha256;
}

// Of results with the same dims; other dims have other inputs anyway.
void addInputs(Differences &differences, const Namespace &base, const Namespace &now)
{
    QSet<QString> told;
    QHash<QString, QList<const OperationResult *>> ofOperation;
    for (const OperationResult &before : base.results)
        ofOperation[before.operation].append(&before);
    for (const OperationResult &after : now.results)
        for (const OperationResult *before : ofOperation.value(after.operation)) {
            if (before->dims != after.dims || told.contains(after.operation) || areSameInputs(*before, after))
                continue;
            told.insert(after.operation);
            const bool isSeed = seedText(*before) != seedText(after);
            differences.add((isSeed ? QStringLiteral("seed of ") : QStringLiteral("inputs of ")) + after.operation,
                            isSeed ? seedText(*before) : bytesText(*before),
                            isSeed ? seedText(after) : bytesText(after),
                            QStringLiteral("they computed on other numbers"));
        }
}

// Of stages and files that both name; one that only one of them has is a row's matter.
void addSources(Differences &differences, const Namespace &base, const Namespace &now)
{
    for (auto it = now.sourceSha256.begin(); it != now.sourceSha256.end(); ++it) {
        const QString before = base.sourceSha256.value(it.key());
        if (!before.isEmpty() && before != it.value())
            differences.add(QStringLiteral("source of ") + it.key(), before.left(shownHash), it->left(shownHash),
                            QStringLiteral("edited in between"));
    }
}

QString recorded(const QString &text)
{
    return text.isEmpty() ? QStringLiteral("not recorded") : text;
}

} // namespace

QString gpuOf(const Namespace &evidence)
{
    return !evidence.gpu.isEmpty() || !evidence.summary ? evidence.gpu : evidence.summary->gpu;
}

QString dimsText(const QList<qint64> &dims)
{
    QStringList parts;
    for (const qint64 dim : dims)
        parts.append(QString::number(dim));
    return parts.join(QLatin1Char('x'));
}

QString differenceSides(const Difference &difference)
{
    return QStringLiteral("%1 → %2").arg(recorded(difference.base), recorded(difference.now));
}

QString differenceLine(const Difference &difference)
{
    const QString line = QStringLiteral("%1: %2").arg(difference.what, differenceSides(difference));
    return difference.consequence.isEmpty() ? line : QStringLiteral("%1 (%2)").arg(line, difference.consequence);
}

bool isAcrossGpus(const Namespace &base, const Namespace &now)
{
    const QString before = gpuOf(base), after = gpuOf(now);
    return !before.isEmpty() && !after.isEmpty() && before != after;
}

QList<Difference> namespaceDifferences(const Namespace &base, const Namespace &now)
{
    Differences differences;
    addMachine(differences, base, now);
    addInstrument(differences, base, now);
    addProtocol(differences, base, now);
    addDims(differences, base, now);
    addInputs(differences, base, now);
    addSources(differences, base, now);
    return differences.take();
}

} // namespace stagecraft::evidence
