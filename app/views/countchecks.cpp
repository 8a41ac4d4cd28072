// SPDX-License-Identifier: GPL-3.0-or-later
#include "countchecks.h"

#include "cachestate.h"
#include "counterrows.h"
#include "launchresources.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft::views {

using evidence::CounterCapture;
using evidence::OperationProgression;

namespace {

constexpr double lanes = 32; // threads of a warp, for which instructions are counted
constexpr double bytesPerSector = 32;

constexpr auto ffma = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr auto sharedLoads = "smsp__inst_executed_op_shared_ld_pred_on_any.sum"; // see evidence::sharedLoads()
constexpr auto globalLoads = "smsp__inst_executed_op_global_ld.sum";

enum class Per
{
    MultiplyAdd,          // that was executed in FP32
    OperationMultiplyAdd, // of the operation's definition, two floating-point operations each
    Output
};

struct Countable
{
    const char *what;
    const char *metric;
    double scale; // of the metric's count
    Per per;
    bool isOfTheUnit = false; // of loads and stores that pass the load/store unit, as those of the copy engine do not
};
constexpr auto allOfThem = "all "; // before a name: with what stands outside of the loop, which hardware counts too
constexpr std::array<Countable, 8> countables{{
    {"shared reads per multiply-add", sharedLoads, lanes, Per::MultiplyAdd},
    {"all shared reads per multiply-add", sharedLoads, lanes, Per::MultiplyAdd},
    {"global reads per multiply-add", globalLoads, lanes, Per::MultiplyAdd},
    {"reads per output", globalLoads, lanes, Per::Output},
    {"special function instructions per output", "smsp__inst_executed_pipe_xu.sum", lanes, Per::Output},
    {"bytes read per output", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", bytesPerSector, Per::Output, true},
    {"bytes written per output", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", bytesPerSector, Per::Output, true},
    {"tensor products per multiply-add", "sm__ops_path_tensor_src_tf32_dst_fp32.sum", 0.5, Per::OperationMultiplyAdd},
}};

// Elements of the result; nullopt for operations that are not known here.
std::optional<double> outputsOf(const QString &operation, const QList<qint64> &dims)
{
    const auto dim = [&dims](qsizetype i) { return static_cast<double>(dims.value(i)); };
    if (operation == QLatin1String("matmul") && dims.size() == 3)
        return dim(0) * dim(1);
    if (operation == QLatin1String("triangle") && dims.size() == 2)
        return dim(0) * dim(0) * dim(1);
    const bool areRows = operation == QLatin1String("gelu") || operation == QLatin1String("layernorm") ||
                         operation == QLatin1String("neighbor");
    return areRows && dims.size() >= 2 ? std::optional(dim(0) * dim(1)) : std::nullopt;
}

std::optional<double> multiplyAddsOf(const QString &operation, const QList<qint64> &dims)
{
    const auto outputs = outputsOf(operation, dims);
    if (outputs && operation == QLatin1String("matmul"))
        return *outputs * static_cast<double>(dims[2]);
    if (outputs && operation == QLatin1String("triangle"))
        return *outputs * static_cast<double>(dims[0]);
    return std::nullopt;
}

// Of all kernels of the call.
std::optional<double> sumOf(const CounterCapture &capture, const char *metric)
{
    double sum = 0;
    for (const evidence::CountedKernel &kernel : capture.kernels) {
        const auto value = evidence::counted(kernel, metric);
        if (!value)
            return std::nullopt;
        sum += *value;
    }
    return sum;
}

std::optional<evidence::SharedLoads> sharedLoadsOf(const CounterCapture &capture)
{
    evidence::SharedLoads sum;
    for (const evidence::CountedKernel &kernel : capture.kernels) {
        const auto loads = evidence::sharedLoads(kernel);
        if (!loads)
            return std::nullopt;
        sum.count += loads->count;
        sum.withEmptyOnes = sum.withEmptyOnes || loads->withEmptyOnes;
    }
    return sum;
}

// Of all kernels of the call; sets whether empty reads are among it.
std::optional<double> countOf(const CounterCapture &capture, const Countable &countable, bool &withEmptyReads)
{
    if (countable.metric != sharedLoads)
        return sumOf(capture, countable.metric);
    const auto loads = sharedLoadsOf(capture);
    withEmptyReads = loads && loads->withEmptyOnes;
    return loads ? std::optional(loads->count) : std::nullopt;
}

class Checker
{
public:
    Checker(const evidence::Namespace &evidence, const ViewOptions &options) : m_evidence(evidence), m_options(options)
    {
    }

    QList<CountCheck> checks() const
    {
        QList<CountCheck> found;
        if (!m_evidence.progression)
            return found;
        for (const OperationProgression &operation : m_evidence.progression->operations) {
            for (const evidence::ProgressionStage &stage : operation.stages)
                found += checksOf(operation, stage.id, stage.resources);
            for (const evidence::ProgressionAttempt &attempt : operation.attempts)
                found += checksOf(operation, attempt.id, attempt.resources);
        }
        return found;
    }

private:
    QList<CountCheck> checksOf(const OperationProgression &operation, const QString &id,
                               const nlohmann::json &resources) const
    {
        QList<CountCheck> found;
        if (!isAskedFor(id, m_options))
            return found;
        const QMap<QString, double> declared = evidence::stageCounts(resources);
        for (const Countable &countable : countables) {
            const auto entry = declared.constFind(QString::fromUtf8(countable.what));
            if (entry == declared.constEnd() || declared.contains(QLatin1String(allOfThem) + entry.key()))
                continue;
            CountCheck check;
            check.operation = operation.operation;
            check.stage = id;
            check.dims = knownDims(operation.operation, operation.dims, m_evidence);
            check.what = entry.key();
            check.declared = *entry;
            check.besideTheCopyEngine = countable.isOfTheUnit;
            count(check, countable, operation.cache);
            found.append(check);
        }
        return found;
    }

    // One with counters, where there are several.
    const CounterCapture *captureOf(const CountCheck &check, const QString &cache) const
    {
        const CounterCapture *found = nullptr;
        for (const CounterCapture &capture : m_evidence.counters) {
            const bool isOfStage = capture.operation == check.operation &&
                                   stageOf(capture) == check.operation + QLatin1Char('/') + check.stage &&
                                   knownDims(capture.operation, capture.dims, m_evidence) == check.dims &&
                                   evidence::cacheState(capture.cache) == evidence::cacheState(cache);
            if (isOfStage && (!found || (found->state != evidence::State::Ok && capture.state == evidence::State::Ok)))
                found = &capture;
        }
        return found;
    }

    void count(CountCheck &check, const Countable &countable, const QString &cache) const
    {
        const CounterCapture *capture = captureOf(check, cache);
        if (capture && capture->state == evidence::State::Ok && !capture->kernels.isEmpty()) {
            const auto counted = countOf(*capture, countable, check.withEmptyReads);
            divide(check, counted, perOf(countable.per, *capture, check), countable);
            return;
        }
        const bool isRefused = capture && capture->state != evidence::State::Ok;
        check.state = isRefused ? capture->state : evidence::State::Unavailable;
        if (!capture)
            check.reason = QStringLiteral("no hardware counters of this stage are recorded");
        else
            check.reason = capture->reason.isEmpty() ? QStringLiteral("no kernel was counted") : capture->reason;
    }

    static std::optional<double> perOf(Per per, const CounterCapture &capture, const CountCheck &check)
    {
        switch (per) {
        case Per::MultiplyAdd:
            return sumOf(capture, ffma);
        case Per::OperationMultiplyAdd:
            return multiplyAddsOf(check.operation, check.dims);
        case Per::Output:
            break;
        }
        return outputsOf(check.operation, check.dims);
    }

    static void divide(CountCheck &check, const std::optional<double> &counted, const std::optional<double> &per,
                       const Countable &countable)
    {
        if (!counted)
            check.reason = QStringLiteral("%1 was not counted").arg(QString::fromUtf8(countable.metric));
        else if (!per || !(*per > 0))
            check.reason = QStringLiteral("what it is counted per is not known, or none was executed");
        else
            check.counted = countable.scale * *counted / *per;
    }

    const evidence::Namespace &m_evidence;
    const ViewOptions &m_options;
};

} // namespace

QStringList confirmableCounts()
{
    QStringList names;
    for (const Countable &countable : countables)
        names.append(QString::fromUtf8(countable.what));
    return names;
}

std::optional<double> CountCheck::deviationPercent() const
{
    return counted && declared > 0 ? std::optional(100 * (*counted / declared - 1)) : std::nullopt;
}

bool CountCheck::differs() const
{
    const auto deviation = deviationPercent();
    return deviation && std::abs(*deviation) > kMostDeviationPercent && !isUndecided();
}

QString CountCheck::doubt() const
{
    const double deviation = deviationPercent().value_or(0);
    if (withEmptyReads && deviation > kMostDeviationPercent)
        return QStringLiteral("counted with reads that are predicated off");
    if (besideTheCopyEngine && deviation < -kMostDeviationPercent)
        return QStringLiteral("what the copy engine moves is not among the loads and stores that are counted");
    return {};
}

bool CountCheck::agrees() const
{
    return deviationPercent() && !differs() && !isUndecided();
}

bool isAskedFor(const QString &stage, const ViewOptions &options)
{
    const QStringList &asked = options.implementations;
    return asked.isEmpty() || std::ranges::any_of(asked, [&stage](const QString &id) {
               return isOwn(id) && (!id.contains(QLatin1Char('/')) || id.section(QLatin1Char('/'), 1) == stage);
           });
}

QList<CountCheck> countChecks(const evidence::Namespace &evidence, const ViewOptions &options)
{
    return Checker(evidence, options).checks();
}

} // namespace stagecraft::views
