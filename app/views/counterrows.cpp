// SPDX-License-Identifier: GPL-3.0-or-later
#include "counterrows.h"

#include "cachestate.h"
#include "progressionvalues.h"
#include "resourcerows.h"
#include "valueparts.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Capture;
using evidence::CountedKernel;
using evidence::CounterCapture;
using evidence::KernelRecord;
using evidence::State;

namespace {

bool isSame(const KernelRecord &record, const CountedKernel &kernel)
{
    return record.kernelName == kernel.kernelName && record.gridSize == kernel.gridSize &&
           record.blockSize == kernel.blockSize;
}

class Collector
{
public:
    Collector(const evidence::Namespace &evidence, const ViewOptions &options)
        : m_evidence(evidence),
          m_options(options),
          m_values(evidence::valueRows(evidence)),
          m_facts(smFacts(evidence)),
          m_ceilings(evidence::rateCeilings(evidence.floorMeasurements)),
          m_empty(evidence::floorMeasurement(evidence.floorMeasurements, QStringLiteral("empty kernel")))
    {
    }

    QList<CounterRow> collect(bool all)
    {
        QList<const CounterCapture *> captures;
        for (const CounterCapture &capture : m_evidence.counters)
            if (isShown(capture) && (all || !isTwin(capture)))
                captures.append(&capture);
        std::ranges::stable_sort(captures, {}, [this](const CounterCapture *capture) { return rankOf(*capture); });
        QList<CounterRow> rows;
        for (const CounterCapture *capture : captures)
            rows += rowsOf(*capture);
        return rows;
    }

private:
    bool isShown(const CounterCapture &capture) const
    {
        return m_options.implementations.isEmpty() || m_options.implementations.contains(capture.language);
    }

    QList<qint64> dimsOf(const QString &operation, const QList<qint64> &dims) const
    {
        return knownDims(operation, dims, m_evidence);
    }

    bool sameCaseAs(const CounterCapture &capture, const QString &operation, const QList<qint64> &dims,
                    const QString &cache) const
    {
        return capture.operation == operation && dimsOf(capture.operation, capture.dims) == dimsOf(operation, dims) &&
               evidence::cacheState(capture.cache) == evidence::cacheState(cache);
    }

    // Of two captures of one stage the counted one stays; where both or neither are, the stage under its own name.
    bool isTwin(const CounterCapture &capture) const
    {
        const QString stage = stageOf(capture);
        const bool hasOwnName = capture.language.contains(QLatin1Char('/'));
        return !stage.isEmpty() && std::ranges::any_of(m_evidence.counters, [&](const CounterCapture &other) {
            if (stageOf(other) != stage || other.language == capture.language || !isShown(other) ||
                !sameCaseAs(other, capture.operation, capture.dims, capture.cache))
                return false;
            const bool counted = capture.state == State::Ok, otherCounted = other.state == State::Ok;
            return counted == otherCounted ? !hasOwnName : otherCounted;
        });
    }

    const evidence::ValueRow *valueOf(const CounterCapture &capture) const
    {
        const auto found = std::ranges::find_if(m_values, [&](const evidence::ValueRow &row) {
            return row.implementation == capture.language && sameCaseAs(capture, row.operation, row.dims, row.cache);
        });
        return found == m_values.end() ? nullptr : &*found;
    }

    qsizetype rankOf(const CounterCapture &capture) const
    {
        const evidence::ValueRow *row = valueOf(capture);
        return row ? row - m_values.constData() : m_values.size();
    }

    // Of one launch: the mean of all records of kernels like it. One that is not among those that were recorded, as
    // where a tuner chose another, has none.
    std::optional<double> kernelUs(const CounterCapture &capture, const CountedKernel &kernel) const
    {
        double sum = 0;
        qsizetype count = 0;
        for (const Capture &timed : m_evidence.captures) {
            const bool measured = timed.state == State::Ok || timed.state == State::Throttled;
            if (!measured || timed.language != capture.language ||
                !sameCaseAs(capture, timed.operation, timed.dims, evidence::captureCache(m_evidence, timed)))
                continue;
            for (const KernelRecord &record : timed.records)
                if (isSame(record, kernel)) {
                    sum += record.durationUs;
                    ++count;
                }
        }
        return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
    }

    std::optional<double> callUs(const CounterCapture &capture) const
    {
        const evidence::ValueRow *row = valueOf(capture);
        const evidence::Estimate *estimate = row ? drawable(row->kernel) : nullptr;
        return estimate ? std::optional(estimate->mean) : std::nullopt;
    }

    // What the progression records of this launch of the stage, else what the counted launch itself says.
    evidence::LaunchResources launchOf(const CounterCapture &capture, const CountedKernel &kernel) const
    {
        if (m_evidence.progression)
            for (const evidence::OperationProgression &operation : m_evidence.progression->operations) {
                if (!sameCaseAs(capture, operation.operation, operation.dims, operation.cache))
                    continue;
                for (const evidence::ProgressionStage &stage : operation.stages)
                    if (capture.stage == operation.operation + QLatin1Char('/') + stage.id)
                        return recordedLaunch(stage.resources, kernel);
                for (const evidence::ProgressionAttempt &attempt : operation.attempts)
                    if (capture.stage == operation.operation + QLatin1Char('/') + attempt.id)
                        return recordedLaunch(attempt.resources, kernel);
            }
        return countedLaunch(kernel);
    }

    static evidence::LaunchResources recordedLaunch(const nlohmann::json &resources, const CountedKernel &kernel)
    {
        for (const evidence::LaunchResources &launch : evidence::launchResources(resources))
            if (launch.entry == kernel.kernelName && launch.grid == kernel.gridSize)
                return launch;
        return countedLaunch(kernel);
    }

    static evidence::LaunchResources countedLaunch(const CountedKernel &kernel)
    {
        nlohmann::json object{{"entry", kernel.kernelName.toStdString()},
                              {"grid", kernel.gridSize.toStdString()},
                              {"block", kernel.blockSize.toStdString()}};
        if (kernel.registersPerThread)
            object["registers_per_thread"] = *kernel.registersPerThread;
        if (kernel.sharedMemBytes)
            object["shared_mem_bytes"] = *kernel.sharedMemBytes;
        return evidence::launchResources(object).value(0);
    }

    evidence::KernelFacts factsOf(const CounterCapture &capture, const CountedKernel &kernel) const
    {
        const evidence::LaunchResources launch = launchOf(capture, kernel);
        const Residency fit = residency(launch, m_facts);
        evidence::KernelFacts facts;
        facts.kernelUs = kernelUs(capture, kernel);
        facts.emptyKernelUs = m_empty;
        facts.l2Rate = m_ceilings.l2;
        facts.dramRate = m_ceilings.dram;
        facts.waves = fit.waves;
        facts.blocks = launch.blocks;
        facts.sms = m_facts.sms;
        return facts;
    }

    bool isAttempt(const CounterCapture &capture) const
    {
        return m_evidence.progression &&
               std::ranges::any_of(m_evidence.progression->operations, [&](const auto &operation) {
                   return operation.operation == capture.operation &&
                          std::ranges::any_of(operation.attempts, [&](const evidence::ProgressionAttempt &attempt) {
                              return stageOf(capture) == operation.operation + QLatin1Char('/') + attempt.id;
                          });
               });
    }

    CounterRow emptyRow(const CounterCapture &capture) const
    {
        CounterRow row;
        row.operation = capture.operation;
        row.dims = dimsOf(capture.operation, capture.dims);
        row.cache = capture.cache;
        row.implementation = capture.language;
        row.stage = stageOf(capture);
        row.arithmetic = capture.arithmetic;
        row.label = row.stage.isEmpty() ? evidence::implementationLabel(capture.language)
                                        : row.stage.section(QLatin1Char('/'), 1);
        row.label = withArithmetic(row.label, capture.arithmetic);
        row.isAttempt = isAttempt(capture);
        row.units = capture.units;
        row.callUs = callUs(capture);
        return row;
    }

    QList<CounterRow> rowsOf(const CounterCapture &capture) const
    {
        CounterRow row = emptyRow(capture);
        if (capture.state != State::Ok || capture.kernels.isEmpty()) {
            row.state = capture.state == State::Ok ? State::Unavailable : capture.state;
            row.reason = capture.reason.isEmpty() ? QStringLiteral("no kernel was counted") : capture.reason;
            return {row};
        }
        QList<CounterRow> rows;
        for (const CountedKernel &kernel : capture.kernels) {
            row.kernel = kernel;
            row.kernelNumber = static_cast<int>(rows.size());
            row.kernelCount = static_cast<int>(capture.kernels.size());
            row.facts = factsOf(capture, kernel);
            row.answer = evidence::shortage(kernel, row.facts);
            rows.append(row);
        }
        addShares(rows);
        std::ranges::stable_sort(rows, std::greater(),
                                 [](const CounterRow &entry) { return entry.facts.kernelUs.value_or(0); });
        return rows;
    }

    static void addShares(QList<CounterRow> &rows)
    {
        double sum = 0;
        for (const CounterRow &row : rows) {
            if (!row.facts.kernelUs)
                return;
            sum += *row.facts.kernelUs;
        }
        for (CounterRow &row : rows)
            if (sum > 0)
                row.sharePercent = 100 * *row.facts.kernelUs / sum;
    }

    const evidence::Namespace &m_evidence;
    const ViewOptions &m_options;
    const QList<evidence::ValueRow> m_values;
    const SmFacts m_facts;
    const evidence::RateCeilings m_ceilings;
    const std::optional<double> m_empty;
};

} // namespace

QList<CounterRow> counterRows(const evidence::Namespace &evidence, const ViewOptions &options, bool all)
{
    return evidence.counters.isEmpty() ? QList<CounterRow>() : Collector(evidence, options).collect(all);
}

QString stageOf(const CounterCapture &capture)
{
    const QString own = capture.language.section(QLatin1Char('/'), 1);
    return !capture.stage.isEmpty() || own.isEmpty() ? capture.stage : capture.operation + QLatin1Char('/') + own;
}

bool sameCase(const CounterRow &row, const CounterRow &other)
{
    return row.operation == other.operation && row.dims == other.dims &&
           evidence::cacheState(row.cache) == evidence::cacheState(other.cache);
}

QString counterCaseTitle(const CounterRow &row)
{
    return evidence::operationLabel(row.operation);
}

QString counterCaseSubtitle(const CounterRow &row)
{
    QStringList parts{dimsLabel(row.dims), cacheWords(row.cache, false)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString counterRowName(const CounterRow &row)
{
    return row.kernelCount > 1
               ? QStringLiteral("%1, kernel %2 of %3").arg(row.label).arg(row.kernelNumber + 1).arg(row.kernelCount)
               : row.label;
}

QString countersUnavailable(const QList<CounterRow> &rows, const evidence::Namespace &evidence)
{
    if (evidence.counters.isEmpty())
        return QStringLiteral(
                   "%1 records no hardware counters (comparison-counters.json); a run takes them with --counters")
            .arg(evidence.name);
    if (rows.isEmpty())
        return QStringLiteral("%1 records no hardware counters of these implementations").arg(evidence.name);
    QStringList reasons;
    for (const CounterRow &row : rows) {
        if (row.state == State::Ok)
            return {};
        if (!reasons.contains(row.reason))
            reasons.append(row.reason);
    }
    return QStringLiteral("%1 has no hardware counters: %2").arg(evidence.name, reasons.join(QStringLiteral("; ")));
}

} // namespace stagecraft::views
