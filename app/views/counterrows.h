// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shortage.h"
#include "viewrows.h"

// Counted kernels with the times, ceilings and resources of the same namespace, and the answer of shortage.h. Internal
// to the views.
namespace stagecraft::views {

// A kernel of a call; or, with any state but Ok, why there are no counters of that implementation.
struct CounterRow
{
    QString operation;
    QList<qint64> dims;
    QString cache, implementation, stage, arithmetic;
    QString label;          // "tiled" of a stage, else the implementation's
    bool isAttempt = false; // its stage is one that a progression did not keep
    evidence::State state = evidence::State::Ok;
    QString reason;               // with any state but Ok
    QMap<QString, QString> units; // by metric
    evidence::CountedKernel kernel;
    int kernelNumber = 0, kernelCount = 1; // of the call; numbers are in the order of the launches
    std::optional<double> callUs;          // kernel time of the whole call
    std::optional<double> sharePercent;    // of callUs; absent where a kernel's time is not known
    evidence::KernelFacts facts;
    evidence::Shortage answer;
};

// In the order of evidence::valueRows(), the kernels of a call with the longest first. Where an implementation that is
// no stage's own ("cuda") ran a stage that is there under its own name too, it is left out unless `all` is set.
QList<CounterRow> counterRows(const evidence::Namespace &evidence, const ViewOptions &options, bool all = false);

// The stage that it is of, "matmul/tiled": a capture that was not taken records none, and its name says it. Empty of
// other implementations.
QString stageOf(const evidence::CounterCapture &capture);

// Rows of one operation with the same dims and cache stand together: whether `row` is of the same as `other`.
bool sameCase(const CounterRow &row, const CounterRow &other);

QString counterCaseTitle(const CounterRow &row);    // "Matrix multiplication"
QString counterCaseSubtitle(const CounterRow &row); // "1024 × 1024 × 1024, cold cache"
QString counterRowName(const CounterRow &row);      // "tiled", "cublas, kernel 2 of 3"

// Why there is nothing to show; empty where any row has counters.
QString countersUnavailable(const QList<CounterRow> &rows, const evidence::Namespace &evidence);

} // namespace stagecraft::views
