// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"

#include <QSet>

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
    QStringList implementations;     // of the new namespace; empty: all
    // The reader's correction of what is unchanged: exactly these operations, of every implementation; absent: as
    // the evidence says.
    std::optional<QStringList> unchanged;
};

// The change of one value of a row (kernel time or span), new against base.
struct Change
{
    std::optional<double> base, now; // means, µs; absent where a state stands in place of the value
    std::optional<double> percent;   // (now ÷ base − 1) × 100; absent where either is missing or they are not one series
    QString why;                     // without percent: which of them lacks it, or why they are never one series
};

enum class Drift
{
    Within,  // |percent| is at most the bound
    Beyond,  // it is more
    Unknown, // no other operation is unchanged
    NoValue  // there is no kernel time to compare
};
QString driftName(Drift drift); // "within drift", "beyond drift", "bound unknown", …

// One implementation of one operation with the same dims and cache state in both.
struct ComparedRow
{
    ValueRow base, now;
    Change kernel, span;
    bool isUnchanged = false;    // nothing of it was changed between the two: what moved is the machine
    QString unchangedWhy;        // "same stage source", "other kernels", "said by the reader"
    std::optional<double> bound; // largest |percent| of kernel time over the other unchanged operations of this pair
    QStringList boundOperations; // that the bound is of
    Drift drift = Drift::NoValue;
    bool isSlowerBeyond(double percent) const; // more than that slower, and not within drift
};

// The drift of one implementation over all its unchanged operations, for a reader who sets it beside another's.
struct ImplementationDrift
{
    ImplementationPair pair;
    std::optional<double> bound; // absent: none is unchanged
    QStringList operations;
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
    QList<ComparedRow> rows; // by |percent| of kernel time (of span where there is none), largest first
    QList<ValueRow> onlyBase, onlyNow;
    QList<ImplementationDrift> drifts;
    QList<Difference> differences;
};

Comparison compare(const Namespace &base, const Namespace &now, const ComparisonOptions &options = {});

// What of the two differs, without their values.
QList<Difference> namespaceDifferences(const Namespace &base, const Namespace &now);

// Pairs of ids that only one side has and that stand for the same: this project's kernels under both their names, and
// PyTorch's. What a dialog offers; compare() pairs nothing by itself but equal ids.
QList<ImplementationPair> likelyPairs(const Namespace &base, const Namespace &now);

} // namespace stagecraft::evidence
