// SPDX-License-Identifier: GPL-3.0-or-later
#include "runrecord.h"

#include "measuredgpu.h"
#include "measurementtext.h"
#include "messageevidence.h"
#include "publictext.h"
#include "statistics.h"

#include <algorithm>
#include <QSet>
#include <span>
#include <stdexcept>

namespace stagecraft::run {

using evidence::Capture;
using evidence::Measurement;
using evidence::State;

namespace {

// What was measured, or has its reason, keeps it.
void closePending(auto &entry, State state, const QString &reason)
{
    if (!isPending(entry))
        return;
    entry.state = state;
    entry.reason = reason;
}

void failMeasured(auto &entry, const QString &reason)
{
    if (entry.state != State::Ok)
        return;
    entry.state = State::Failed;
    entry.reason = reason;
}

// No state of its own: it was right when it was prepared, and nothing says that it is no longer.
void noteUnchecked(Measurement &entry, const QString &reason)
{
    const QString text = QStringLiteral("not checked again after the rounds: ") + reason;
    entry.note += entry.note.isEmpty() ? text : QStringLiteral("; ") + text;
}

void addText(QString &target, const std::string &text)
{
    if (target.isEmpty())
        target = publicText(text);
}

} // namespace

void RunRecord::apply(const RunEvent &event)
{
    std::visit([this](const auto &value) { on(value); }, event);
}

void RunRecord::on(const RunStarted &event)
{
    if (const QString problem = planContentProblem(event.plan); !problem.isEmpty())
        throw std::invalid_argument(problem.toStdString());
    if (!m_plan.operations.isEmpty())
        throw std::invalid_argument("the run starts a second time");
    m_plan = event.plan;
    m_evidence.name = m_evidence.experimentId = event.name;
    m_evidence.utc = event.utc;
    m_evidence.precision = QStringLiteral("FP32");
    m_evidence.roundsDeclared = totalRounds(m_plan);
    if (m_plan.runs > 1) {
        m_evidence.runs = m_plan.runs;
        m_evidence.roundsPerRun = m_plan.rounds;
    }
    m_progression.start(m_plan, event.name);
    m_evidence.iterationsPerRound = m_plan.iterations;
    m_evidence.warmupPerRound = m_plan.warmup;
    for (const PlannedOperation &planned : m_plan.operations) {
        evidence::OperationResult result;
        result.operation = planned.operation;
        result.dims = planned.dims;
        result.cache = m_plan.cache;
        result.seed = m_plan.seed;
        m_firstCapture.append(m_evidence.captures.size());
        for (int index = 0; index < totalRounds(m_plan); ++index) {
            result.rounds.append(plannedRound(m_plan, planned, index));
            for (const QString &implementation : result.rounds.last().order)
                m_evidence.captures.append(plannedCapture(m_plan, planned, index, implementation));
        }
        m_evidence.results.append(result);
        m_firstCounters.append(m_evidence.counters.size());
        if (m_plan.counters)
            for (const QString &implementation : planned.implementations)
                m_evidence.counters.append(plannedCounters(m_plan, planned, implementation));
    }
}

// Several workers describe the same GPU: the first one's words stand, others add what it did not say.
void RunRecord::on(const WorkerDescribed &event)
{
    const protocol::DescribeResult &description = event.description;
    const protocol::Device *gpu = measuredGpu(description, m_plan.device);
    // Where both a CPU and a GPU worker take part, the GPU's machine is the one that the evidence is about.
    if (m_evidence.platform.isEmpty() || (gpu && m_evidence.gpu.isEmpty()))
        m_evidence.platform = publicText(description.platform);
    if (gpu) {
        if (m_evidence.gpu.isEmpty() || gpu->maxThreadsPerSm > 0)
            m_progression.describe(*gpu);
        addText(m_evidence.gpu, gpu->name);
        addText(m_evidence.driver, gpu->driverVersion);
    }
    for (const protocol::Library &library : description.libraries) {
        if (library.available && library.name == "NVRTC")
            m_evidence.cuda = publicText(library.version); // of the compiler of this project's own kernels
        else if (library.available && library.name == "CUDA of PyTorch")
            addText(m_evidence.cuda, library.version);
    }
}

void RunRecord::on(const InputsMade &event)
{
    evidence::OperationResult &operation = result(event.operation);
    for (const auto &[file, hash] : event.sha256)
        operation.inputSha256.insert(QString::fromStdString(file), QString::fromStdString(hash));
}

void RunRecord::on(const ImplementationPrepared &event)
{
    const QString stage = QString::fromStdString(event.result.stage);
    if (!stage.isEmpty() && !event.result.sourceSha256.empty())
        m_evidence.sourceSha256.insert(stage, QString::fromStdString(event.result.sourceSha256));
    const QString source = QString::fromStdString(event.result.timingSource);
    noteTimingSource(source);
    m_progression.prepared(event.operation, event.implementation, event.result);
    // The workers of a later run prepare and check it themselves, if they come to it.
    const int endOfRun = (event.fromRound / m_plan.rounds + 1) * m_plan.rounds;
    for (int round = event.fromRound; round < qMin(endOfRun, totalRounds(m_plan)); ++round) {
        Measurement &entry = measurement(event.operation, round, event.implementation);
        if (Capture &records = capture(event.operation, round, event.implementation); isPending(records))
            records.stage = stage;
        if (!isPending(entry))
            continue; // by a worker before this one, whose words stand
        entry.correctness = correctness(event.check);
        entry.stage = stage;
        entry.arithmetic = QString::fromStdString(event.result.arithmetic);
        entry.source = source;
        entry.note = publicText(event.result.note);
    }
}

void RunRecord::on(const ImplementationClosed &event)
{
    m_progression.changed(event.operation, event.implementation);
    for (int round = event.fromRound; round < qMin(event.toRound, totalRounds(m_plan)); ++round) {
        closePending(measurement(event.operation, round, event.implementation), event.state, event.reason);
        closePending(capture(event.operation, round, event.implementation), event.state, event.reason);
    }
}

// What was measured stays in the file, beside the reason why it is no result; a state of its own keeps its reason.
void RunRecord::on(const ResultChanged &event)
{
    m_progression.changed(event.operation, event.implementation);
    for (int round = event.fromRound; round < qMin(event.toRound, totalRounds(m_plan)); ++round) {
        Measurement &entry = measurement(event.operation, round, event.implementation);
        if (entry.state == State::Ok && event.check)
            entry.correctness = correctness(*event.check);
        failMeasured(entry, event.reason);
        failMeasured(capture(event.operation, round, event.implementation), event.reason);
    }
}

void RunRecord::on(const CheckedAgain &event)
{
    for (int round = event.fromRound; round < qMin(event.toRound, totalRounds(m_plan)); ++round) {
        Measurement &entry = measurement(event.operation, round, event.implementation);
        m_checkedAgain.emplace(event.operation, round, event.implementation);
        if (entry.state == State::Ok && !event.reason.isEmpty())
            noteUnchecked(entry, event.reason);
    }
}

void RunRecord::on(const SpansMeasured &event)
{
    Measurement &entry = measurement(event.operation, event.round, event.implementation);
    m_progression.changed(event.operation, event.implementation);
    entry.samplesUs = event.samplesUs;
    entry.state = event.state;
    entry.reason = event.reason;
    entry.warmup = m_plan.warmup;
    entry.iterations = m_plan.iterations;
    if (event.state != State::Ok || event.samplesUs.isEmpty())
        return;
    const std::span<const double> samples(event.samplesUs.constData(),
                                          static_cast<std::size_t>(event.samplesUs.size()));
    entry.eventMeanUs = evidence::mean(samples);
    entry.eventMedianUs = evidence::median(samples);
}

void RunRecord::on(const KernelsCaptured &event)
{
    Capture &entry = capture(event.operation, event.round, event.implementation);
    m_progression.changed(event.operation, event.implementation);
    entry.state = event.state;
    entry.reason = event.reason;
    entry.backend = publicText(event.result.backend);
    entry.timestampMode = publicText(event.result.timestampMode);
    entry.invalidRecords = event.result.invalid;
    entry.launches = static_cast<int>(event.result.records.size()) + static_cast<int>(event.result.invalid);
    entry.records.clear();
    entry.kernelNames.clear();
    if (!event.result.records.empty()) {
        addText(m_evidence.captureBackend, event.result.backend);
        addText(m_evidence.timestampMode, event.result.timestampMode);
    }
    QSet<QString> seen;
    for (const protocol::KernelRecord &record : event.result.records) {
        entry.records.append(kernelRecord(record));
        const QString &name = entry.records.last().kernelName;
        if (!seen.contains(name)) {
            seen.insert(name);
            entry.kernelNames.append(name);
        }
    }
    if (event.state == State::Ok)
        entry.status = QStringLiteral("ok");
}

void RunRecord::on(const GpuStateRead &event)
{
    if (event.when == GpuStateRead::Before) {
        m_evidence.gpuStateBefore = event.text;
    } else if (event.when == GpuStateRead::After) {
        m_evidence.gpuStateAfter = event.text;
    } else {
        auto &rounds = result(event.operation).rounds;
        if (event.round < 0 || event.round >= rounds.size())
            throw std::out_of_range("round");
        rounds[event.round].gpuState = event.text;
    }
}

void RunRecord::on(const FloorsMeasured &event)
{
    m_evidence.floors.clear();
    m_evidence.floorMeasurements.clear();
    m_evidence.floorsMissing.clear();
    m_evidence.floorsBackend = publicText(event.result.backend);
    m_evidence.floorsTimestampMode = publicText(event.result.timestampMode);
    for (const protocol::FloorMeasurement &measured : event.result.measurements)
        if (measured.value >= 0) // which a reader insists on
            m_evidence.floorMeasurements.append(
                {publicText(measured.what), publicText(measured.unit), measured.value, publicText(measured.note)});
    for (const std::string &sentence : event.result.missing)
        m_evidence.floorsMissing.append(publicText(sentence));
    for (const protocol::OperationFloor &floor : event.result.floors) {
        const QList<qint64> dims(floor.dims.begin(), floor.dims.end());
        const auto wanted = [&](const PlannedOperation &planned) {
            return planned.operation == QString::fromStdString(floor.operation) && planned.dims == dims;
        };
        const evidence::Floor own{QString::fromStdString(floor.operation),
                                  publicText(floor.arithmetic),
                                  m_plan.cache,
                                  publicText(floor.what),
                                  floor.us,
                                  dims};
        const bool isThere = std::ranges::any_of(m_evidence.floors, [&own](const evidence::Floor &other) {
            return other.operation == own.operation && other.dims == own.dims && other.arithmetic == own.arithmetic;
        });
        if (!isThere && std::ranges::any_of(m_plan.operations, wanted) &&
            m_plan.cache == QString::fromStdString(floor.cache))
            m_evidence.floors.append(own);
    }
}

void RunRecord::on(const CountersTaken &event)
{
    evidence::CounterCapture &entry = counters(event.operation, event.implementation);
    entry.state = event.state;
    entry.reason = event.reason;
    entry.stage = publicText(event.stage);
    entry.arithmetic = publicText(event.arithmetic);
    entry.backend = publicText(event.result.backend);
    entry.replayMode = publicText(event.result.replayMode);
    entry.passes = event.state == State::Ok ? std::optional(event.result.passes) : std::nullopt;
    entry.units.clear();
    entry.lacking.clear();
    entry.kernels.clear();
    for (const protocol::Metric &metric : event.result.metrics)
        entry.units.insert(QString::fromStdString(metric.name), publicText(metric.unit));
    for (const protocol::MissingMetric &missing : event.result.missing)
        entry.lacking.insert(QString::fromStdString(missing.name), publicText(missing.reason));
    for (const protocol::CountedKernel &kernel : event.result.kernels)
        entry.kernels.append(countedKernel(kernel));
}

void RunRecord::on(const RunEnded &event)
{
    m_ended = true;
    closeUnfinished(event.cancelled ? QStringLiteral("the run was cancelled") : QStringLiteral("the run ended"));
}

void RunRecord::closeUnfinished(const QString &event)
{
    const QString unmeasured = event + QStringLiteral(" before it was measured");
    for (int operation = 0; operation < m_evidence.results.size(); ++operation) {
        auto &rounds = m_evidence.results[operation].rounds;
        for (int round = 0; round < rounds.size(); ++round) {
            for (auto it = rounds[round].implementations.begin(); it != rounds[round].implementations.end(); ++it) {
                if (it->state == State::Ok && !m_checkedAgain.contains({operation, round, it.key()}))
                    noteUnchecked(*it, event + QStringLiteral(" before"));
                closePending(*it, State::NotRun, unmeasured);
            }
        }
    }
    for (Capture &entry : m_evidence.captures)
        closePending(entry, State::NotRun, unmeasured);
    for (evidence::CounterCapture &entry : m_evidence.counters)
        closePending(entry, State::NotRun, event + QStringLiteral(" before they were taken"));
    m_progression.allChanged();
}

const evidence::Namespace &RunRecord::evidence()
{
    m_progression.update(m_evidence);
    return m_evidence;
}

evidence::OperationResult &RunRecord::result(int operation)
{
    if (operation < 0 || operation >= m_evidence.results.size())
        throw std::out_of_range("operation");
    return m_evidence.results[operation];
}

Measurement &RunRecord::measurement(int operation, int round, const QString &implementation)
{
    auto &rounds = result(operation).rounds;
    if (round < 0 || round >= rounds.size())
        throw std::out_of_range("round");
    const auto found = rounds[round].implementations.find(implementation);
    if (found == rounds[round].implementations.end())
        throw std::out_of_range("implementation");
    return *found;
}

Capture &RunRecord::capture(int operation, int round, const QString &implementation)
{
    const auto &rounds = result(operation).rounds;
    if (round < 0 || round >= rounds.size())
        throw std::out_of_range("round");
    const QStringList &order = rounds[round].order; // in which the captures are
    const qsizetype position = order.indexOf(implementation);
    if (position < 0)
        throw std::out_of_range("implementation");
    return m_evidence.captures[m_firstCapture[operation] + round * order.size() + position];
}

evidence::CounterCapture &RunRecord::counters(int operation, const QString &implementation)
{
    const qsizetype first = m_firstCounters.value(operation, -1);
    const qsizetype position = first < 0 ? -1 : m_plan.operations[operation].implementations.indexOf(implementation);
    if (position < 0 || first + position >= m_evidence.counters.size())
        throw std::out_of_range("counters");
    return m_evidence.counters[first + position];
}

void RunRecord::noteTimingSource(const QString &source)
{
    static const QString event = QStringLiteral("one CUDA-event interval around each call, warmed, inputs resident, "
                                                "synchronised per sample");
    static const QString host = QStringLiteral("steady host clock around each call, warmed");
    const QString text = source == QLatin1String("event") ? event : source == QLatin1String("host") ? host : source;
    if (text.isEmpty() || m_evidence.timing.contains(text))
        return;
    m_evidence.timing += m_evidence.timing.isEmpty() ? text : QStringLiteral("; ") + text;
}

int failureCount(const evidence::Namespace &evidence)
{
    const auto failed = [](State state) { return state == State::Failed || state == State::Invalid; };
    int count = 0;
    for (const evidence::OperationResult &operation : evidence.results) {
        for (const evidence::Round &round : operation.rounds) {
            for (const Measurement &entry : round.implementations)
                count += failed(entry.state) || entry.state == State::Unavailable;
        }
    }
    for (const Capture &entry : evidence.captures) {
        const bool ownFailure =
            failed(entry.state) && std::ranges::none_of(evidence.results, [&](const auto &operation) {
                return operation.operation == entry.operation && operation.dims == entry.dims && entry.round &&
                       failed(operation.rounds.value(*entry.round).implementations.value(entry.language).state);
            });
        count += ownFailure;
    }
    return count;
}

} // namespace stagecraft::run
