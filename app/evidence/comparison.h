// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"

// Two namespaces side by side, as pure functions (section 6 of the design): what became faster or slower, by how much,
// and how much of it the machine alone could be. Safe on any thread.
namespace stagecraft::evidence {

// Who is compared with whom where ids differ: mage's "rust" with this project's "cuda".
struct ImplementationPair
{
    QString base, now;
    bool operator==(const ImplementationPair &) const = default;
};

struct ComparisonOptions
{
    QList<ImplementationPair> pairs; // by hand; ids that both namespaces have are pairs unless one is named here
    // Ids of either namespace; empty: all. They choose what is shown, after everything was compared and judged: drift
    // and verdicts are the same with and without them.
    QStringList implementations;
    // The reader's correction of what is unchanged: exactly these operations, of every implementation; absent: as
    // the evidence says. Empty: none is.
    std::optional<QStringList> unchanged;
};

// The change of one value of a row (kernel time or span), new against base.
struct Change
{
    std::optional<double> base, now; // means, µs; absent where a state stands in place of the value
    std::optional<double> percent; // (now ÷ base − 1) × 100; absent where either is missing or they are not one series
    QString why;                   // without percent: which of them lacks it, or why they are never one series
};

enum class Drift
{
    Within,   // |percent| is at most the bound
    Beyond,   // it is more
    Unknown,  // no other operation is unchanged
    OtherGpu, // the percentage is between two GPUs: nothing drifted
    NoValue   // there is no percentage of kernel time
};
QString driftName(Drift drift); // "within drift", "beyond drift", "bound unknown", …

// One implementation of one operation with the same dims and cache state in both.
struct ComparedRow
{
    ValueRow base, now;
    Change kernel, span;
    bool isUnchanged = false; // nothing of it was changed between the two: what moved is the machine
    QString unchangedWhy;     // "same stage source", "other kernels", "said by the reader"
    bool makesBound = false;  // unchanged, and soundly measured on both sides: what moved here is drift
    QString leftOutWhy;       // of an unchanged row that makes no bound: "throttled in mage-003"
    // Largest |percent| of kernel time over the *other* operations of this implementation that make bounds. What a
    // namespace holds of single stages (cuda/ID) counts as of the implementation cuda; other dims or another cache
    // state are another operation.
    std::optional<double> bound;
    QStringList boundOperations; // that the bound is of
    Drift drift = Drift::NoValue;

    // What the row is judged by: the percentage of kernel time, or where the base has no kernel time that of the span,
    // for which no bound is known.
    bool isJudgedBySpan() const;
    // Judged by spans whose ranges of the round means overlap, or that have no range: one stall of the host may have
    // moved a mean, so that nothing is decided.
    bool isUndecided() const;
    const Change &judged() const { return isJudgedBySpan() ? span : kernel; }
    bool isSlowerBeyond(double percent) const; // more than that slower, and neither within drift nor undecided
};

// The drift of one implementation over all its unchanged operations, for a reader who sets it beside another's.
struct ImplementationDrift
{
    ImplementationPair pair;     // of the ids before any '/'
    std::optional<double> bound; // absent: none makes one, or the two GPUs differ
    QStringList operations;      // that make it
    QStringList leftOut;         // unchanged ones that do not, and why: "gelu (throttled in mage-003)"
    bool isBeside = false;       // of an implementation of which no row was asked for
};

// What differs between the two that a reader must see before any number: another GPU, driver, clocks, dims, protocol.
struct Difference
{
    QString what, base, now; // "GPU", "NVIDIA GeForce RTX 4090", "NVIDIA H200"; an empty side is "not recorded"
    QString consequence;     // what it means for the numbers; empty: none but the reader's caution
};

struct Comparison
{
    QString baseName, nowName;
    bool isAcrossGpus = false;  // both name a GPU, and not the same: values that are never one series
    QStringList gpuNotRecorded; // names of those that do not say which GPU they are of: it may be another
    QList<ComparedRow> rows;    // by |percent| of what each is judged by, largest first; those without one last
    QList<ValueRow> onlyBase, onlyNow;
    QList<ImplementationDrift> drifts; // of all implementations; those beside what was asked for last
    QList<Difference> differences;
};

// Pairs the rows of the two by operation, dims, cache state and implementation, and judges every change by what the
// unchanged ones of its implementation moved. Rows of one side alone are listed as such.
Comparison compare(const Namespace &base, const Namespace &now, const ComparisonOptions &options = {});

// What of the two differs, without their values. Nothing is said of what neither records.
QList<Difference> namespaceDifferences(const Namespace &base, const Namespace &now);

// "GPU: NVIDIA GeForce RTX 4090 → NVIDIA H200 (values of two GPUs …)"
QString differenceLine(const Difference &difference);
QString differenceSides(const Difference &difference); // "NVIDIA GeForce RTX 4090 → not recorded"

QString dimsText(const QList<qint64> &dims); // "1024x1024x1024"

// Both name a GPU, and not the same.
bool isAcrossGpus(const Namespace &base, const Namespace &now);

// Pairs of ids that only one side has and that may stand for the same: this project's kernels under both their names,
// PyTorch's, and where each side has just one more, those two if they measured one operation alike (an imported
// benchmark: before → after). What a dialog offers; compare() pairs nothing by itself but equal ids.
QList<ImplementationPair> likelyPairs(const Namespace &base, const Namespace &now);

} // namespace stagecraft::evidence
