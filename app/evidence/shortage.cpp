// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortageparts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft::evidence {

namespace {

constexpr double nanosecondsPerMicrosecond = 1000;
constexpr double full = 100; // percent

struct UnitMetrics
{
    Limit unit;
    std::array<const char *, 2> metrics;
    bool bothCount = false; // two ends of one queue: the busier one; else the second stands in for the first
};
constexpr std::array<UnitMetrics, kUnitCount> unitMetrics{{
    {Limit::IssueSlots, {"smsp__issue_active.avg.pct_of_peak_sustained_elapsed", nullptr}},
    {Limit::LoadStoreUnit,
     {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed",
      "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed"},
     true},
    {Limit::SharedBandwidth, {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", nullptr}},
    {Limit::FmaPipe,
     {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
      "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed"}},
    {Limit::AluPipe, {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", nullptr}},
    {Limit::XuPipe, {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", nullptr}},
    {Limit::TensorPipe, {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", nullptr}},
    {Limit::L2Bandwidth, {"lts__throughput.avg.pct_of_peak_sustained_elapsed", nullptr}},
    {Limit::DramBandwidth, {"dram__throughput.avg.pct_of_peak_sustained_elapsed", nullptr}},
}};

// Reasons for which a warp did not issue; that it was chosen, or could have been, is none.
constexpr std::array stallReasons{"long_scoreboard",
                                  "short_scoreboard",
                                  "barrier",
                                  "mio_throttle",
                                  "lg_throttle",
                                  "math_pipe_throttle",
                                  "wait",
                                  "gmma",
                                  "drain",
                                  "membar",
                                  "branch_resolving",
                                  "dispatch_stall",
                                  "imc_miss",
                                  "no_instruction"};

std::optional<double> stallRatio(const CountedKernel &kernel, const char *reason)
{
    const std::string name = std::string("smsp__average_warps_issue_stalled_") + reason + "_per_issue_active.ratio";
    return counted(kernel, name.c_str());
}

std::optional<double> ofMeasured(Limit unit, const CountedKernel &kernel, const KernelFacts &facts)
{
    const bool isL2 = unit == Limit::L2Bandwidth;
    if (!facts.kernelUs || !(isL2 || unit == Limit::DramBandwidth))
        return std::nullopt;
    const auto bytes = isL2 ? l2Bytes(kernel) : dramBytes(kernel), rate = isL2 ? facts.l2Rate : facts.dramRate;
    return bytes && rate ? std::optional(full * *bytes / *facts.kernelUs / gigabytesPerSecond / *rate) : std::nullopt;
}

UnitUse unitUse(const UnitMetrics &metrics, const CountedKernel &kernel, const KernelFacts &facts)
{
    UnitUse use{.unit = metrics.unit, .percent = {}, .ofMeasured = {}, .metric = {}};
    for (const char *metric : metrics.metrics) {
        const auto value = metric ? counted(kernel, metric) : std::nullopt;
        if (!value || (use.percent && !(metrics.bothCount && *value > *use.percent)))
            continue;
        use.percent = value;
        use.metric = QString::fromLatin1(metric);
    }
    use.ofMeasured = ofMeasured(metrics.unit, kernel, facts);
    return use;
}

// Of the time that warps were resident, which is at least what the known reasons add up to.
QList<Stall> stallsOf(const CountedKernel &kernel)
{
    const auto warps = counted(kernel, "smsp__warps_active.avg.per_cycle_active"),
               issued = counted(kernel, "smsp__issue_active.avg.per_cycle_active");
    double known = stallRatio(kernel, "selected").value_or(0) + stallRatio(kernel, "not_selected").value_or(0);
    for (const char *reason : stallReasons)
        known += stallRatio(kernel, reason).value_or(0);
    const double resident = warps && issued && *issued > 0 ? std::max(known, *warps / *issued) : known;
    QList<Stall> stalls;
    for (const char *reason : stallReasons)
        if (const auto ratio = stallRatio(kernel, reason); ratio && resident > 0)
            stalls.append(
                {QString::fromLatin1(reason).replace(QLatin1Char('_'), QLatin1Char(' ')), full * *ratio / resident});
    std::ranges::stable_sort(stalls, std::greater(), &Stall::percent);
    return stalls;
}

// The part of the counted cycles in which an SM, on the mean, held a warp.
std::optional<double> activePart(const CountedKernel &kernel)
{
    const auto active = counted(kernel, "sm__cycles_active.avg"), elapsed = counted(kernel, "sm__cycles_elapsed.max");
    return active && elapsed && *elapsed > 0 && *active > 0 ? std::optional(std::min(1.0, *active / *elapsed))
                                                            : std::nullopt;
}

} // namespace

std::optional<double> UnitUse::level() const
{
    const auto believed = ofMeasured && *ofMeasured <= kBelievedRatePercent ? ofMeasured : std::nullopt;
    return percent && believed ? std::optional(std::max(*percent, *believed)) : percent ? percent : believed;
}

std::optional<double> countedUs(const CountedKernel &kernel)
{
    const auto time = counted(kernel, "gpu__time_duration.sum");
    return time && *time > 0 ? std::optional(*time / nanosecondsPerMicrosecond) : std::nullopt;
}

double whileActive(const UnitUse &use, const Shares &shares)
{
    const double counters = std::min(full, use.percent.value_or(0) / shares.activePart);
    return use.level() ? std::max(counters, use.level().value_or(0)) : 0;
}

// The counted run takes longer than the timed one, before and after the kernel: what it took more is not the tail's.
Shares timeShares(const CountedKernel &kernel, const KernelFacts &facts)
{
    Shares shares;
    const auto part = activePart(kernel);
    const auto counting = countedUs(kernel), time = facts.kernelUs ? facts.kernelUs : counting;
    shares.activePart = part.value_or(1);
    if (time && facts.emptyKernelUs)
        shares.ramp = std::min(full, full * *facts.emptyKernelUs / *time);
    if (part && counting && time) {
        const double idle = (1 - *part) * *counting - std::max(0.0, *counting - *time);
        shares.idle = std::clamp(full * idle / *time, 0.0, full);
        if (shares.ramp)
            shares.tail = std::max(0.0, *shares.idle - *shares.ramp);
    }
    const double unsplit = shares.ramp ? 0 : shares.idle.value_or(0);
    shares.working = std::max(0.0, full - shares.ramp.value_or(0) - shares.tail.value_or(0) - unsplit);
    return shares;
}

double busyShare(const UnitUse &use, const Shares &shares)
{
    const double counters = std::min(full, use.percent.value_or(0) / shares.activePart) * shares.working / full;
    const double measured = use.level() && use.ofMeasured == use.level() ? *use.ofMeasured : 0;
    return std::min(shares.working, std::max(counters, measured));
}

Shortage shortage(const CountedKernel &kernel, const KernelFacts &facts)
{
    Shortage answer;
    for (const UnitMetrics &metrics : unitMetrics)
        if (UnitUse use = unitUse(metrics, kernel, facts); use.level())
            answer.units.append(use);
    answer.stalls = stallsOf(kernel);
    const Shares shares = timeShares(kernel, facts);
    answer.rampPercent = shares.ramp;
    answer.tailPercent = shares.tail;
    for (const UnitUse &use : answer.units)
        answer.busyPercent = std::max(answer.busyPercent.value_or(0), busyShare(use, shares));
    if (answer.busyPercent)
        answer.waitingPercent = std::max(0.0, shares.working - *answer.busyPercent);
    decide(answer, kernel, facts, shares);
    answer.remarks = shortageRemarks(answer, kernel, facts);
    return answer;
}

} // namespace stagecraft::evidence
