// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shortage.h"

// The parts of the rule of shortage.h: reading the counters, deciding, saying so. Internal to the evidence.
namespace stagecraft::evidence {

inline constexpr double gigabytesPerSecond = 1000; // bytes per µs

// Of the kernel time, in percent; absent where it cannot be told.
struct Shares
{
    double activePart = 1;                  // of the counted cycles in which an SM held a warp, on the mean
    std::optional<double> ramp, tail, idle; // idle: both together, as the counters have it
    double working = 100;                   // what ramp and tail leave
};
Shares timeShares(const CountedKernel &kernel, const KernelFacts &facts);

double whileActive(const UnitUse &use, const Shares &shares); // percent of peak while SMs held warps
double busyShare(const UnitUse &use, const Shares &shares);   // of the kernel time

std::optional<double> countedUs(const CountedKernel &kernel); // its time under counters

// Sets limit, figures, next, margin and reason.
void decide(Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts, const Shares &shares);

// The two or three figures that say why the limit is the answer.
QStringList shortageFigures(const Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts);
QStringList shortageRemarks(const Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts);

QString percentText(double percent);                            // "75.3 %"
const UnitUse *useOf(const QList<UnitUse> &units, Limit limit); // nullptr where it was not counted

} // namespace stagecraft::evidence
