// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "counterrows.h"

// What figure and table of the roofline read alike. Internal to the views.
namespace stagecraft::views {

// All kernels of one call together.
struct RooflinePoint
{
    QString operation;
    QList<qint64> dims;
    QString cache, implementation, stage, arithmetic, label;
    std::optional<double> kernelUs;                 // of the call, from the ordinary rounds
    std::optional<double> flop, l2Bytes, dramBytes; // of the call; absent where one kernel's are not known
    bool l2IsOfSms = true; // false: with what the L2 moved besides, since the SMs' part was not counted apart
    evidence::State state = evidence::State::Ok;
    QString reason; // why there is no point

    std::optional<double> teraflops() const;   // flop ÷ kernelUs
    std::optional<double> perL2Byte() const;   // flop ÷ l2Bytes
    std::optional<double> perDramByte() const; // nullopt too where DRAM gives hardly any of the bytes
    QString dramLack() const;                  // why there is no perDramByte(); empty where there is
};
QList<RooflinePoint> rooflinePoints(const evidence::Namespace &evidence, const ViewOptions &options, bool all = false);

// Below this part of the L2's bytes those of DRAM say nothing of the kernel, but of what the caches still held.
inline constexpr double kLeastDramPart = 0.01;

struct RooflineCeilings
{
    std::optional<double> fp32, splitTf32; // TFLOP/s; the latter a third of the TF32 peak
    evidence::RateCeilings rates;
};
RooflineCeilings rooflineCeilings(const evidence::Namespace &evidence);

// Why there is no roofline; empty where there is one.
QString rooflineUnavailable(const QList<RooflinePoint> &points, const evidence::Namespace &evidence,
                            const ViewOptions &options);

} // namespace stagecraft::views
