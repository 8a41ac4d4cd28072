// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"

// What valueRows() is put together from. Internal to this library.
namespace stagecraft::evidence {

// The recorded measurements of one row, one entry per round, in file order.
struct RowParts
{
    struct Span
    {
        int round;
        const Measurement *measurement;
        const QString *gpuState;
    };
    QList<Span> spans;
    QList<const Capture *> captures;
};

// The cache state of a capture, which mage's do not name: then warm, as of everything that says nothing, but where the
// operation was measured in other states only, that of its first result.
QString captureCache(const Namespace &evidence, const Capture &capture);

int operationRank(const QString &id); // position in the catalogue's order; unknown ones after all others

Value spanValue(const RowParts &parts);
Value kernelValue(const RowParts &parts);
Value launchesValue(const RowParts &parts);
QList<KernelCount> kernelCounts(const RowParts &parts);

// Kernel time of each captured iteration, µs: by the iteration that every record names, else consecutive records, as
// many as launches per iteration. Empty where that is no whole number or where records are missing.
QList<double> iterationTimes(const Capture &capture);

// Records of each iteration; empty where not every record names one below requestedIterations.
QList<int> launchesByIteration(const Capture &capture);

// The active reasons in nvidia-smi's CSV text of a round that slow the clocks ("software power cap", …), each once.
// Idle and requested application clocks are none.
QStringList throttleReasons(const QString &gpuState);

// What two rows may be compared by. A file that names no arithmetic, as mage's, is taken for FP32.
QString arithmeticOf(const ValueRow &row);

QList<Flag> rowFlags(const RowParts &parts, const ValueRow &row);

} // namespace stagecraft::evidence
