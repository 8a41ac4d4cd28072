// SPDX-License-Identifier: GPL-3.0-or-later
#include "countchecks.h"

#include "cachestate.h"
#include "launchresources.h"
#include "shortage.h"
#include "viewrows.h"

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
// Without those that are predicated off: sm_90's compiler puts empty reads before asynchronous copies.
constexpr auto sharedLoads = "smsp__inst_executed_op_shared_ld_pred_on_any.sum";
constexpr auto allSharedLoads = "smsp__inst_executed_op_shared_ld.sum";
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
    const char *instead = nullptr; // a metric to take where that one was not counted
};
constexpr auto allOfThem = "all "; // before a name: with what stands outside of the loop, which hardware counts too
constexpr std::array<Countable, 9> countables{{
    {"shared reads per multiply-add", sharedLoads, lanes, Per::MultiplyAdd, allSharedLoads},
    {"all shared reads per multiply-add", sharedLoads, lanes, Per::MultiplyAdd, allSharedLoads},
    {"global reads per multiply-add", globalLoads, lanes, Per::MultiplyAdd},
    {"reads per multiply-add", globalLoads, lanes, Per::MultiplyAdd},
    {"reads per output", globalLoads, lanes, Per::Output},
    {"special function instructions per output", "smsp__inst_executed_pipe_xu.sum", lanes, Per::Output},
    {"bytes read per output", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", bytesPerSector, Per::Output},
    {"bytes written per output", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", bytesPerSector, Per::Output},
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

std::optional<double> countOf(const CounterCapture &capture, const Countable &countable)
{
    const auto count = sumOf(capture, countable.metric);
    return count || !countable.instead ? count : sumOf(capture, countable.instead);
}

class Checker
{
public:
    explicit Checker(const evidence::Namespace &evidence) : m_evidence(evidence) {}

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
            count(check, countable, operation.cache);
            found.append(check);
        }
        return found;
    }

    const CounterCapture *captureOf(const CountCheck &check, const QString &cache) const
    {
        const auto found = std::ranges::find_if(m_evidence.counters, [&](const CounterCapture &capture) {
            return capture.operation == check.operation &&
                   capture.stage == check.operation + QLatin1Char('/') + check.stage &&
                   knownDims(capture.operation, capture.dims, m_evidence) == check.dims &&
                   evidence::cacheState(capture.cache) == evidence::cacheState(cache);
        });
        return found == m_evidence.counters.end() ? nullptr : &*found;
    }

    void count(CountCheck &check, const Countable &countable, const QString &cache) const
    {
        const CounterCapture *capture = captureOf(check, cache);
        if (!capture)
            check.reason = QStringLiteral("no hardware counters of this stage are recorded");
        else if (capture->state != evidence::State::Ok || capture->kernels.isEmpty())
            check.reason = capture->reason.isEmpty() ? QStringLiteral("no kernel was counted") : capture->reason;
        else
            divide(check, countOf(*capture, countable), perOf(countable.per, *capture, check), countable);
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
    return deviation && std::abs(*deviation) > kMostDeviationPercent;
}

QList<CountCheck> countChecks(const evidence::Namespace &evidence)
{
    return Checker(evidence).checks();
}

} // namespace stagecraft::views
