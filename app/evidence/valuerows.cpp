// SPDX-License-Identifier: GPL-3.0-or-later
#include "valueparts.h"

#include "cachestate.h"
#include "filereaders.h"

#include <algorithm>
#include <tuple>

namespace stagecraft::evidence {

namespace {

struct Case
{
    QString operation;
    QList<qint64> dims;
    QString cache;
    QMap<QString, RowParts> implementations;
};

// Captures and results can lack their dims (mage's captures do): they belong to the operation's only case.
bool isOf(const Case &candidate, const QString &operation, const QList<qint64> &dims)
{
    return candidate.operation == operation && (dims.isEmpty() || candidate.dims.isEmpty() || candidate.dims == dims);
}

Case &caseFor(QList<Case> &cases, const QString &operation, const QList<qint64> &dims, const QString &cache)
{
    for (Case &candidate : cases) {
        if (isOf(candidate, operation, dims) && cacheState(candidate.cache) == cacheState(cache))
            return candidate;
    }
    cases.append({operation, dims, cache, {}});
    return cases.last();
}

QList<Case> collectCases(const Namespace &evidence)
{
    QList<Case> cases;
    for (const OperationResult &result : evidence.results) {
        Case &target = caseFor(cases, result.operation, result.dims, result.cache);
        for (const Round &round : result.rounds) {
            for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it)
                target.implementations[it.key()].spans.append({round.index, &it.value(), &round.gpuState});
        }
    }
    for (const Capture &capture : evidence.captures)
        caseFor(cases, capture.operation, capture.dims, captureCache(evidence, capture))
            .implementations[capture.language]
            .captures.append(&capture);
    return cases;
}

// mage's files name no arithmetic; theirs is FP32 throughout. In this project's own, what is not named is not known.
QString arithmeticOf(const ValueRow &row, const nlohmann::json &document)
{
    const bool isMages = document.is_object() && !document.contains("format");
    return row.arithmetic.isEmpty() && isMages ? QStringLiteral("fp32") : row.arithmetic;
}

// Floors are the GPU's: they say nothing of what the CPU computes. An external program may time its GPU work by the
// host's clock; that it runs on the GPU, its kernel records say.
void setFloor(ValueRow &row, const Namespace &evidence, const nlohmann::json &document)
{
    if (row.span.source == QLatin1String("host") && !row.kernel.estimate)
        return;
    const QString arithmetic = arithmeticOf(row, document);
    if (const auto floor = knownFloor(evidence, row.operation, row.dims, row.cache, arithmetic)) {
        row.floorUs = floor->us;
        row.floorWhat = floor->what;
        row.floorArithmetic = floor->arithmetic;
    }
}

// The one to worry about: a check that did not pass, else the largest error.
std::optional<Correctness> worstCorrectness(const RowParts &parts)
{
    std::optional<Correctness> worst;
    const auto key = [](const Correctness &c) { return std::tuple(!c.passed, c.maxAbsError.value_or(0)); };
    for (const RowParts::Span &span : parts.spans) {
        const auto &own = span.measurement->correctness;
        if (own && (!worst || key(*own) > key(*worst)))
            worst = own;
    }
    return worst;
}

// Times of an implementation that computes something else are no results, in whichever round that was seen and whatever
// was measured of it. What was not measured keeps its own state.
void failIncorrect(ValueRow &row, const RowParts &parts)
{
    const auto incorrect = std::find_if(parts.spans.begin(), parts.spans.end(), [](const RowParts::Span &span) {
        return span.measurement->correctness && !span.measurement->correctness->passed;
    });
    if (incorrect == parts.spans.end())
        return;
    const QString &own = incorrect->measurement->reason;
    const QString reason = own.isEmpty() ? QStringLiteral("the correctness check did not pass") : own;
    row.span = {std::nullopt, State::Failed, reason, row.span.source};
    for (Value *value : {&row.kernel, &row.launches}) {
        if (value->estimate)
            *value = {std::nullopt, State::Failed, reason, value->source};
    }
}

void describe(ValueRow &row, const RowParts &parts)
{
    QStringList notes;
    for (const RowParts::Span &span : parts.spans) {
        if (row.stage.isEmpty())
            row.stage = span.measurement->stage;
        if (row.arithmetic.isEmpty())
            row.arithmetic = span.measurement->arithmetic;
        if (const QString &note = span.measurement->note; !note.isEmpty() && !notes.contains(note))
            notes.append(note);
    }
    row.note = notes.join(QStringLiteral("; "));
    for (const Capture *capture : parts.captures) {
        if (row.stage.isEmpty())
            row.stage = capture->stage;
        for (const QString &name : capture->kernelNames) {
            if (!row.kernelNames.contains(name))
                row.kernelNames.append(name);
        }
        if (!row.firstKernel && !capture->records.isEmpty())
            row.firstKernel = capture->records.first();
    }
}

// Why there is no value at all, for a row whose file or entry is not there.
Value absent(const Namespace &evidence, const char *file, const QString &what)
{
    if (evidence.missing.contains(QLatin1String(file)))
        return {std::nullopt, State::Unavailable, QStringLiteral("%1 is not there").arg(QLatin1String(file)), {}};
    return {std::nullopt, State::NotRun, QStringLiteral("no %1 recorded").arg(what), {}};
}

ValueRow rowOf(const Namespace &evidence, const Case &entry, const QString &implementation)
{
    const RowParts parts = entry.implementations.value(implementation);
    ValueRow row;
    row.operation = entry.operation;
    row.operationTitle = operationLabel(entry.operation);
    row.dims = entry.dims;
    row.cache = entry.cache;
    row.implementation = implementation;
    describe(row, parts);
    row.span = parts.spans.isEmpty() ? absent(evidence, resultsFile, QStringLiteral("span")) : spanValue(parts);
    if (parts.captures.isEmpty()) {
        row.kernel = row.launches = absent(evidence, profilesFile, QStringLiteral("capture"));
    } else {
        row.kernel = kernelValue(parts);
        row.launches = launchesValue(parts);
        row.kernels = kernelCounts(parts);
    }
    failIncorrect(row, parts);
    row.correctness = worstCorrectness(parts);
    setFloor(row, evidence, evidence.resultsDocument);
    row.flags = rowFlags(parts, row);
    for (const RowParts::Span &span : parts.spans) {
        if (row.flags.contains(Flag::Throttled))
            row.throttleReasons += throttleReasons(*span.gpuState);
    }
    row.throttleReasons.removeDuplicates();
    return row;
}

Value summaryValue(std::optional<double> value, std::optional<double> low, std::optional<double> high, qint64 samples,
                   const QString &source)
{
    if (!value)
        return {std::nullopt, State::Unavailable, QStringLiteral("the summary does not record it"), source};
    Estimate estimate;
    estimate.mean = *value;
    estimate.low = low.value_or(*value);
    estimate.high = high.value_or(*value);
    estimate.samples = samples;
    return {estimate, State::Ok, {}, source};
}

ValueRow summaryRow(const Namespace &evidence, const SummaryRow &entry, const QString &implementation)
{
    const SummaryMeasurement measurement = entry.measurements.value(implementation);
    ValueRow row;
    row.operation = entry.operation;
    row.operationTitle = operationRank(entry.operation) < operationRank({}) || entry.label.isEmpty()
                             ? operationLabel(entry.operation)
                             : entry.label;
    row.dims = entry.dims;
    row.implementation = implementation;
    row.stage = measurement.stage;
    row.span = summaryValue(measurement.event, measurement.eventMin, measurement.eventMax, evidence.summary->samples,
                            QStringLiteral("event"));
    row.kernel = summaryValue(measurement.kernel, {}, {}, 0, evidence.captureBackend);
    row.launches = summaryValue(measurement.launches, {}, {}, 0, evidence.captureBackend);
    setFloor(row, evidence, evidence.summaryDocument);
    row.flags = rowFlags({}, row);
    return row;
}

QList<ValueRow> rowsOfSummary(const Namespace &evidence)
{
    QList<ValueRow> rows;
    for (const SummaryRow &entry : evidence.summary->rows) {
        for (const QString &implementation : implementationOrder(entry.measurements.keys()))
            rows.append(summaryRow(evidence, entry, implementation));
    }
    return rows;
}

// cuda/ID in the order of the progression's stages, attempts behind them; those that it does not have last.
QStringList inProgressionOrder(QStringList ids, const Namespace &evidence, const QString &operation)
{
    QStringList known;
    if (evidence.progression) {
        for (const OperationProgression &entry : evidence.progression->operations) {
            if (entry.operation != operation)
                continue;
            for (const ProgressionStage &stage : entry.stages)
                known.append(QStringLiteral("cuda/") + stage.id);
            for (const ProgressionAttempt &attempt : entry.attempts)
                known.append(QStringLiteral("cuda/") + attempt.id);
        }
    }
    const auto rank = [&known](const QString &id) {
        const qsizetype found = known.indexOf(id);
        return found < 0 ? known.size() : found;
    };
    const auto isStage = [](const QString &id) { return id.startsWith(QLatin1String("cuda/")); };
    // They stand together, so that sorting among themselves leaves the others alone.
    const auto first = std::find_if(ids.begin(), ids.end(), isStage);
    std::stable_sort(first, std::find_if_not(first, ids.end(), isStage),
                     [&rank](const QString &a, const QString &b) { return rank(a) < rank(b); });
    return ids;
}

QList<ValueRow> rowsOfSamples(const Namespace &evidence)
{
    QList<ValueRow> rows;
    const QList<Case> cases = collectCases(evidence);
    for (const Case &entry : cases) {
        for (const QString &implementation :
             inProgressionOrder(implementationOrder(entry.implementations.keys()), evidence, entry.operation))
            rows.append(rowOf(evidence, entry, implementation));
    }
    return rows;
}

} // namespace

QString captureCache(const Namespace &evidence, const Capture &capture)
{
    if (!capture.cache.isEmpty())
        return capture.cache;
    QStringList states;
    for (const OperationResult &result : evidence.results) {
        if (isOf({result.operation, result.dims, {}, {}}, capture.operation, capture.dims))
            states.append(cacheState(result.cache));
    }
    return states.isEmpty() || states.contains(cacheState({})) ? QString() : states.first();
}

ValueRow valueRow(const Namespace &evidence, const OperationResult &result, const QString &implementation)
{
    Case entry{result.operation, result.dims, result.cache, {}};
    RowParts &parts = entry.implementations[implementation];
    for (const Round &round : result.rounds) {
        const auto found = round.implementations.find(implementation);
        if (found != round.implementations.end())
            parts.spans.append({round.index, &found.value(), &round.gpuState});
    }
    for (const Capture &capture : evidence.captures) {
        if (capture.language == implementation && isOf(entry, capture.operation, capture.dims) &&
            cacheState(entry.cache) == cacheState(captureCache(evidence, capture)))
            parts.captures.append(&capture);
    }
    return rowOf(evidence, entry, implementation);
}

QList<ValueRow> valueRows(const Namespace &evidence)
{
    QList<ValueRow> rows;
    if (!evidence.results.isEmpty() || !evidence.captures.isEmpty())
        rows = rowsOfSamples(evidence);
    else if (evidence.summary)
        rows = rowsOfSummary(evidence);
    // Cases of one operation stay in file order.
    std::stable_sort(rows.begin(), rows.end(), [](const ValueRow &a, const ValueRow &b) {
        return std::tuple(operationRank(a.operation), a.operation) <
               std::tuple(operationRank(b.operation), b.operation);
    });
    return rows;
}

} // namespace stagecraft::evidence
