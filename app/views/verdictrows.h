// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verdict.h"
#include "viewrows.h"

// Every implementation against one reference, operation by operation and metric by metric. Internal to the views.
namespace stagecraft::views {

// One implementation against the reference in one metric.
struct VerdictRow
{
    evidence::ValueRow row; // of the implementation; without one where nothing but the reference was measured
    Metric metric = Metric::Kernel;
    std::optional<evidence::Verdict> verdict; // absent: the two cannot be compared
    QString
        outcome; // "faster", "slower", "undecided", "not comparable", or the name of the state that stands against it
    QString reason; // why it is neither faster nor slower
    QString nextStep;
    QList<evidence::Flag> flags; // of both, that concern the metric
};

struct VerdictGroup
{
    QString operation, title;
    QList<qint64> dims;
    QString cache, cacheWords; // the latter where it must be said
    QString reference, referenceLabel;
    QList<VerdictRow> kernel, span; // in the order of the implementations
};

// options.reference, or where it is empty this project's kernels, else the first implementation: of those that were
// measured, where any was.
QList<VerdictGroup> verdictGroups(const evidence::Namespace &evidence, const ViewOptions &options);

// Why there is no verdict to be had at all; empty where there may be.
QString verdictsUnavailable(const QList<VerdictGroup> &groups, const evidence::Namespace &evidence,
                            const ViewOptions &options);

int verdictDecimals(const ViewOptions &options); // of ratios

// `reading`: how to read what stands above. Then the rule of a verdict, and the origin.
QStringList verdictsFooter(const QString &reading, const QList<VerdictGroup> &groups,
                           const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
