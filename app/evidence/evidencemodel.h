// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

// Evidence as plain values: what readers produce, writers store, statistics summarise and views draw. Qt Core only.
// Times are microseconds. An absent optional is "not recorded" and is never shown as 0.
namespace stagecraft::evidence {

// design: states of their own everywhere. Ok is the absence of any other.
enum class State
{
    Ok,
    Failed,
    Invalid,
    Throttled,
    Unavailable,
    Undecided,
    NotRun
};
QString stateName(State state); // "ok", "failed", …, "not run"
std::optional<State> stateFromName(const QString &name);

struct Correctness
{
    bool passed = false;
    std::optional<double> maxAbsError, relError, rtol, atol;
    std::optional<qint64> checkedElements;
    QString reference; // what it was compared with, "fp64"; empty in mage's files
};

// One implementation in one round of one operation.
struct Measurement
{
    QList<double> samplesUs; // spans in the order taken
    std::optional<double> eventMeanUs, eventMedianUs;
    std::optional<int> warmup, iterations;
    std::optional<Correctness> correctness;
    State state = State::Ok;
    QString reason;     // with any state but Ok
    QString stage;      // "matmul/tiled"; empty for libraries
    QString arithmetic; // "fp32"
    QString source;     // timing source of the spans: "event" or "host"
    QString note = {};  // what the worker says of how it computes: versions, workspace, tiles, what is outside the span
};

struct Round
{
    int index = 0;
    QStringList order;
    QString gpuState; // nvidia-smi's CSV text
    QMap<QString, Measurement> implementations;
    std::optional<int> run = {}; // from 0, where the whole protocol was repeated
};

struct OperationResult
{
    QString operation;
    QList<qint64> dims;
    QString cache; // "warm"; empty in mage's files
    std::optional<quint64> seed;
    QMap<QString, QString> inputSha256;
    QList<Round> rounds;
};

struct KernelRecord
{
    QString kernelName;
    double durationUs = 0;
    QString gridSize, blockSize; // "x,y,z" as the file has them
    std::optional<int> registersPerThread;
    std::optional<qint64> sharedMemBytes;
    std::optional<int> iteration = {}; // from 0; absent where the file does not say, as in mage's
};

struct Capture
{
    QString operation, language /* implementation id */, backend, status;
    QList<qint64> dims;
    QString cache;
    std::optional<int> round;
    int launches = 0, requestedIterations = 0;
    QStringList kernelNames;
    QList<KernelRecord> records;
    qint64 invalidRecords = 0; // zero, negative or missing times: counted, left out
    QString stage, reason;
    State state = State::Ok;
    QString timestampMode = {}; // of the process that was captured; empty where the file does not say
};

struct SummaryMeasurement
{
    std::optional<double> event, eventMin, eventMax, kernel, launches /* per iteration */;
    QString stage;
};

struct SummaryRow
{
    QString operation, label;
    QList<qint64> dims;
    QMap<QString, SummaryMeasurement> measurements;
};

struct Summary
{
    QString gpu;
    int rounds = 0, samples = 0;
    QList<SummaryRow> rows;
};

struct ProgressionStage
{
    QString id, label, title, change;
    std::optional<double> kernelUs, spanUs;
    QStringList retainedIn;
    QString origin;           // a namespace that must agree within 0.05 µs, or "documented"
    nlohmann::json resources; // see launchresources.h
    QString arithmetic = {};  // "fp32"; empty where the file does not say
    QString sourceSha256 = {};
    State state = State::Ok; // anything else: why there is no time, or none that may be drawn as a result
    QString reason = {};     // with any state but Ok
    // Why there is no kernel time where the span is a result; Ok where there is one, or the file does not say.
    State kernelState = State::Ok;
    QString kernelReason = {};
};
struct ProgressionStep
{
    QString title, metric;
    double value = 0;
};
struct ProgressionAttempt
{
    QString title, metric;
    double low = 0, high = 0; // equal for a single value; else the range, of the runs where it was measured in several
    QString comparedWith, evidence, verdict;
    std::optional<double> valueOfThat;
    QString id = {}, change = {};   // of an attempt that is a stage file
    QString comparedWithStage = {}; // "matmul/registers"
    nlohmann::json resources = {};  // see launchresources.h
    State state = State::Ok;        // anything else: low and high mean nothing, the reason says why
    QString reason = {};
    State kernelState = State::Ok; // as a stage's
    QString kernelReason = {};
    QString arithmetic = {}; // as a stage's
};
struct ProgressionExperiment
{
    QString title;
    nlohmann::json counts; // {COUNT: {LABEL: number, LABEL: number}}
    double predicted = 0, measured = 0;
    QString metric = {};        // of the measured ratio: "span", "kernel time"
    nlohmann::json values = {}; // {LABEL: µs}, of which measured is the ratio
    QString conclusion = {};
};
struct ProgressionAb
{
    QString title, metric;
    QList<double> runs;
    double mean = 0;
    QString stage = {};         // "layernorm/warp-per-row"
    QList<int> runNumbers = {}; // of each of runs, from 1; what lacks up to Namespace::runs was lost. Empty: unknown
};
struct OperationProgression
{
    QString operation;
    QList<ProgressionStage> stages;
    QList<ProgressionStep> steps;
    QList<ProgressionAttempt> attempts;
    QList<ProgressionExperiment> experiments;
    QList<ProgressionAb> ab;
    QList<qint64> dims = {}; // of a run's; empty where the file does not say
    QString cache = {};
};
struct Progression
{
    QList<OperationProgression> operations;
    std::optional<int> deviceSms, deviceMaxThreadsPerSm;
    QString deviceName = {}, deviceComputeCapability = {}; // "8.9"
    QStringList limits;
};

// The time that no implementation can beat, of the GPU that the namespace was measured on.
struct Floor
{
    QString operation;
    QString arithmetic; // "fp32", "3xtf32"; empty: of any
    QString cache;      // "cold"; empty: warm
    QString what;       // what was measured: "L2-warm copy of the same bytes"
    double us = 0;
    QList<qint64> dims = {}; // empty: of the only ones that the namespace has of the operation
};

// What a microbenchmark of floors found on that GPU: the fastest of its variants.
struct FloorMeasurement
{
    QString what; // "empty kernel", "copy of 12582912 bytes"
    QString unit; // "µs", "GB/s", "TFLOP/s"
    double value = 0;
    QString note = {}; // which variant it was
};

// Hardware counters of one kernel of a call, by metric, in the names of Nsight Compute. What the instrument gave no
// number for is not there.
struct CountedKernel
{
    QString kernelName;
    QString gridSize, blockSize; // "x,y,z", as a kernel record's
    std::optional<int> registersPerThread;
    std::optional<qint64> sharedMemBytes;
    QMap<QString, double> values;
};

// The counters of one call of an implementation, taken apart from all times.
struct CounterCapture
{
    QString operation, language /* implementation id */;
    QList<qint64> dims;
    QString cache, stage, arithmetic;
    QString backend, replayMode; // "cupti"; "kernel": each kernel was run `passes` times on the same arrays
    std::optional<int> passes;
    QMap<QString, QString> units;   // by metric; empty: a plain number
    QMap<QString, QString> lacking; // metrics that were asked for → why there are none
    QList<CountedKernel> kernels;   // in the order of their launches
    State state = State::Ok;        // anything else: why there are none
    QString reason;
};

// A contradiction or damage, named so that a person finds the place.
struct Problem
{
    QString file;      // relative to the namespace directory; never an absolute path
    QString pointer;   // JSON pointer; empty for a missing file or an empty directory
    QString cause;     // what is wrong and what is expected
    bool fatal = true; // false: a recorded state with its reason, listed but no contradiction
};

struct Namespace
{
    QString name;      // the directory's (or file's) name
    QString directory; // where it was read from, for saving beside it; never written into a file
    QString experimentId, utc, gpu, driver, cuda, platform, precision, timing, timestampMode, captureBackend;
    std::optional<int> roundsDeclared, iterationsPerRound, warmupPerRound; // rounds of all runs together
    std::optional<int> runs, roundsPerRun; // where the whole protocol was repeated, each time in fresh workers
    QMap<QString, QString> sourceSha256;   // file or "OP/ID" → hash
    QString gpuStateBefore, gpuStateAfter;
    QStringList excluded;
    QList<OperationResult> results;
    QList<Capture> captures;
    std::optional<Summary> summary;
    std::optional<Progression> progression;
    QList<Floor> floors;
    QList<FloorMeasurement> floorMeasurements;  // that the floors come from
    QStringList floorsMissing;                  // what could not be measured for them, and why, as sentences
    QString floorsBackend, floorsTimestampMode; // of their kernel records; empty where the file does not say
    QList<CounterCapture> counters;             // of the implementations that were asked for them
    QStringList missing;                        // files that are not there, so that a view can say which
    QStringList incomplete; // files whose text stops being readable: what they lack is lost, not left out
    QList<Problem> problems;
    // The documents as read, so that unknown keys survive writing.
    nlohmann::json resultsDocument, profilesDocument, summaryDocument, progressionDocument, floorsDocument,
        countersDocument;

    bool hasContradiction() const; // any fatal problem
};

} // namespace stagecraft::evidence
