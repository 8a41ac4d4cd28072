// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

// What is this kernel short of? From hardware counters of one kernel to the answer, as pure functions. Figures and
// reasons of the rule stand in resources/help/counters.md too; a test keeps the two alike.
//
// The rule divides the kernel's time into shares that add up to 100 %:
//   launch ramp   the time of an empty kernel on the same GPU: nothing that the kernel does can remove it
//   tail          the rest of the time in which a multiprocessor (SM), on average, held no warp
//   busy          SMs held warps, and the busiest unit worked: its percent of peak ÷ the share of the counted cycles in
//                 which SMs were active, of what ramp and tail leave
//   waiting       SMs held warps, and the busiest unit was idle: latency that the resident warps do not hide
// The largest of the four is the answer, where it leads the next one by the margin and passes its test: a unit must be
// busy enough, and waiting must be by few eligible warps with one leading reason.
namespace stagecraft::evidence {

// What a kernel can be short of. Units (IssueSlots to DramBandwidth) have a percent of their peak.
enum class Limit
{
    IssueSlots,      // of the warp schedulers, one instruction a clock each
    LoadStoreUnit,   // its instruction queue: the LSU pipe, or requests into the L1
    SharedBandwidth, // wavefronts of the L1's data stage: shared memory and L1 hits
    FmaPipe,
    AluPipe,
    XuPipe, // special functions and conversions
    TensorPipe,
    L2Bandwidth,
    DramBandwidth,
    ResidentWarps, // latency is not hidden, and few warps are resident
    Latency,       // latency is not hidden although warps are resident
    LaunchRamp,
    Tail,
    Undecided
};
QString limitId(Limit limit);   // "fma-pipe", "not-decided": for programs
QString limitName(Limit limit); // "FMA pipe", "not decided"

inline constexpr int kUnitCount = static_cast<int>(Limit::DramBandwidth) + 1;

// Thresholds.

// From this share of its peak on, while SMs hold warps, a unit can be the answer. Below it a kernel spends more time on
// waiting than queues at a unit explain; Nsight Compute calls a kernel latency-bound below the same figure.
inline constexpr double kBusyPercent = 60;
// From here on a unit is said to be at its limit: arbitration, bank and row conflicts leave hardly any kernel more.
inline constexpr double kSaturatedPercent = 80;
// Percentage points by which the answer must lead the next. Two collections of the same launch differ by 1 to 2 points
// in kernels of a few µs, so a smaller lead may turn round.
inline constexpr double kMarginPoints = 5;
// Of the time that warps are resident: what the leading stall reason must take to be named as the cause of waiting.
inline constexpr double kStallPercent = 30;
// Warps per scheduler and clock that could issue. With fewer than one the scheduler often finds none.
inline constexpr double kEligibleWarps = 1;
// Resident warps of the most that an SM holds; below it more residency is a remedy, above it latency is the word.
inline constexpr double kFewWarpsPercent = 50;
// A rate above this share of the fastest copy is not of the same bytes, and is left out of the rule.
inline constexpr double kBelievedRatePercent = 110;
// Time under counters ÷ kernel time from which on it is told: such percentages are of a slower run.
inline constexpr double kSlowerRun = 1.25;
// Wavefronts of one shared memory instruction below which fewer instructions would help; from it on, fewer bytes.
inline constexpr double kWideWavefronts = 1.5;

// What the rule needs besides the counters. What is absent is not known, and said where it matters.
struct KernelFacts
{
    std::optional<double> kernelUs;         // from capture records, never from the counted run
    std::optional<double> emptyKernelUs;    // floors benchmark
    std::optional<double> l2Rate, dramRate; // GB/s of the fastest warm copy or read; see rateCeilings()
    std::optional<double> waves;            // blocks of the grid ÷ blocks that all SMs hold at once
    std::optional<qint64> blocks;           // of the grid
    std::optional<int> sms;                 // of the GPU
};

// The highest rates that streams of the floors benchmark reached, GB/s: of the smallest and of the largest arrays. Both
// absent where there are no streams; dram is absent where all arrays have one size.
struct RateCeilings
{
    std::optional<double> l2, dram;
    QString l2What, dramWhat; // "warm copy of 12582912 bytes"
};
RateCeilings rateCeilings(const QList<FloorMeasurement> &measurements);

// A microbenchmark's value by its name ("empty kernel", "FP32 multiply-add peak"); nullopt where it was not measured.
std::optional<double> floorMeasurement(const QList<FloorMeasurement> &measurements, const QString &what);

// How much of a unit's peak was used.
struct UnitUse
{
    Limit unit = Limit::Undecided;
    std::optional<double> percent;       // of the peak that the hardware could sustain, over the counted run
    std::optional<double> ofMeasured;    // of the fastest copy's rate, over the kernel time; L2 and DRAM only
    QString metric;                      // percent's name in Nsight Compute
    std::optional<double> level() const; // the larger of the two, where the second is believed
};

// One reason why warps did not issue: its share of the time that warps were resident.
struct Stall
{
    QString reason; // "long scoreboard"
    double percent = 0;
};

struct Shortage
{
    Limit limit = Limit::Undecided;
    QStringList figures;                // the two or three that say so, as they are printed
    std::optional<Limit> next;          // the unit or share that comes next
    std::optional<double> marginPoints; // the answer's figure less the next one's
    QString reason;                     // where the limit is not decided: why not
    QStringList remarks;                // what to know of the figures: a slower run, what is not known

    QList<UnitUse> units; // all that were counted, in the order of Limit
    std::optional<double> rampPercent, tailPercent, busyPercent, waitingPercent; // of the kernel time
    QList<Stall> stalls;                                                         // largest first
};
Shortage shortage(const CountedKernel &kernel, const KernelFacts &facts);

// "Short of the FMA pipe: …; next the issue slots, 4.3 points below." One sentence, remarks behind it as further ones.
QString shortageSentence(const Shortage &answer);

// What a kernel did, from its counters: nullopt where one of them is lacking.
std::optional<double> counted(const CountedKernel &kernel, const char *metric);

// Loads from shared memory, of warps. sm_90's compiler puts empty ones before asynchronous copies, which no thread
// takes part in; where hardware did not count the others apart, those are among them.
struct SharedLoads
{
    double count = 0;
    bool withEmptyOnes = false; // or may be
};
std::optional<SharedLoads> sharedLoads(const CountedKernel &kernel);

// 2·FFMA + FADD + FMUL, and those of tensor cores, which count a multiply-add as two operations. In split TF32 three
// products stand for one, so a third of the latter counts: the figure then compares with that of exact FP32.
std::optional<double> floatingOperations(const CountedKernel &kernel, const QString &arithmetic);

// Between L2 and SMs, where those sectors were counted apart, else all that the L2 moved: on a GPU whose L2 has two
// halves the latter holds the traffic between them too.
std::optional<double> l2Bytes(const CountedKernel &kernel);
bool l2BytesAreOfSms(const CountedKernel &kernel); // false: all that the L2 moved, or nothing was counted
std::optional<double> dramBytes(const CountedKernel &kernel);

} // namespace stagecraft::evidence
