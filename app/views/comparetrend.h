// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compareparts.h"
#include "viewrows.h"

// Several namespaces in a given order: each implementation of each operation over them. Internal to the views.
namespace stagecraft::views {

struct TrendRow
{
    QList<std::optional<evidence::ValueRow>> places; // of each namespace; absent where it has no such row
    // From the first namespace to the last; absent where either lacks the row.
    std::optional<evidence::ComparedRow> change;

    const evidence::ValueRow &any() const; // of the last namespace that has it
    bool isBySpan() const;                 // no namespace has a kernel time of it
    QStringList stages() const;            // along the row, each change once: "matmul/tiled", "matmul/k64"
    Metric metric() const { return isBySpan() ? Metric::Span : Metric::Kernel; }
    // Whether the value at the place is of another series than the one before it: another arithmetic or instrument.
    bool startsAnother(qsizetype place) const;
};

struct Trend
{
    QStringList names;
    QList<int> gpuBreaks; // places whose GPU is not that of the place before
    QList<TrendRow> rows; // largest change from the first to the last first, those without one last
    evidence::Comparison firstToLast;
    QStringList stepLines; // what differs from each namespace to the next: "mage-001 → mage-002 differ: driver: …"
};

// The rows of options.baselines and of the namespace, in this order, with the change from the first to the last. The
// baselines must outlive the call; there is at least one. Safe on any thread.
Trend trendOf(const evidence::Namespace &now, const ViewOptions &options);

// Where the values of every namespace of the trend come from.
QList<Origin> originsOf(const Trend &trend, const evidence::Namespace &now, const ViewOptions &options);

} // namespace stagecraft::views
