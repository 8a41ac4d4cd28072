// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <span>

// Section 6 of the design as pure functions: from evidence to the numbers that figures, tables and exports show.
namespace stagecraft::evidence {

struct Estimate
{
    double mean = 0;              // mean of all samples
    std::optional<double> median; // absent in summaries
    double low = 0, high = 0;     // range of the round means, not a confidence interval
    // Empty in summaries. A median is NaN where the round's kernels cannot be told apart by iteration.
    QList<double> roundMeans, roundMedians;
    qint64 samples = 0;           // spans, or captured iterations; 0 where a summary does not say
    int lostRounds = 0;           // begun, but without a sound measurement: not in the numbers above
    QList<int> roundIndices = {}; // of roundMeans; empty where the rounds have no numbers
};

// An estimate, or the state and reason for its absence.
struct Value
{
    std::optional<Estimate> estimate;
    State state = State::NotRun; // Ok exactly when estimate is set and may be drawn as a result
    QString reason;              // also beside an estimate: why rounds are missing from it
    QString source;              // "event", "host", "cupti", "nsys"
};

enum class Flag
{
    SpanBelowKernel,
    FasterThanFloor, // by more than floorTolerance
    LaunchesVary,
    FewSamples,
    Throttled,
    RoundsMissing // the value is over fewer rounds than were begun; its reason says how many and why
};
// By how much of a floor, which is a measurement too, a time may be below it without a flag.
inline constexpr double floorTolerance = 0.02;

QString flagText(Flag flag);  // a short sentence for a tooltip or an export
QString flagLabel(Flag flag); // one to three words for a chart

// A kernel of an implementation, by its name: the one that computes, and helpers such as fills and copies.
struct KernelCount
{
    QString name;
    std::optional<double> perIteration; // launches, mean over the captures; absent where records were left out
};

// One row of the value tables: one implementation of one operation with these dims and cache.
struct ValueRow
{
    QString operation, operationTitle;
    QList<qint64> dims;
    QString cache, implementation, stage, arithmetic;
    Value span, kernel;
    Value launches; // per iteration; low and high differ where launches vary
    QStringList kernelNames;
    QList<KernelCount> kernels; // in the order in which they were first launched; of captures that are results
    std::optional<KernelRecord> firstKernel; // resources of the first captured kernel
    std::optional<Correctness> correctness;
    std::optional<double> floorUs;      // the highest that is known; absent: unknown
    QString floorWhat, floorArithmetic; // of that floor; its arithmetic is empty where it stands for any
    QString note;                       // what its worker says of how it computes; each saying once where rounds differ
    QList<Flag> flags;
    QStringList throttleReasons; // with Flag::Throttled, where the GPU's state names them: "software power cap"
};

// Operations in catalogue order, implementations in the order of implementationOrder().
QList<ValueRow> valueRows(const Namespace &evidence);

// One of these rows, of a namespace with samples: what a run computes anew after each measurement.
ValueRow valueRow(const Namespace &evidence, const OperationResult &result, const QString &implementation);

// The highest floor that is known of this operation, dims, cache state (empty: warm) and arithmetic; nullopt: unknown.
// Without dims of its own a floor is of the only ones that the namespace holds of the operation.
std::optional<Floor> knownFloor(const Namespace &evidence, const QString &operation, const QList<qint64> &dims,
                                const QString &cache, const QString &arithmetic);

// The sets of dims that the namespace names of an operation, each once.
QList<QList<qint64>> measuredDims(const Namespace &evidence, const QString &operation);

// Peers first, then this project's kernels: python/pytorch…, triton…, libraries, host, rust/cuda; others
// alphabetically. "cuda/ID" stand behind "cuda", alphabetically; in valueRows() as the namespace's progression has
// them.
QStringList implementationOrder(QStringList ids);
QString implementationLabel(const QString &id); // "PyTorch", "Triton", "cuBLAS", "Rust", "CUDA", …
QString operationLabel(const QString &id);      // "Matrix multiplication"; the id itself where unknown

// Of each run that has a round, by its number from 0: the mean of its rounds' means. Rounds are numbered through all
// runs; empty where they have no numbers.
QMap<int, double> runMeans(const Estimate &estimate, int roundsPerRun);

double mean(std::span<const double> values);   // NaN for none
double median(std::span<const double> values); // NaN for none

} // namespace stagecraft::evidence
