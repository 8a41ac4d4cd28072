// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// What the program and a worker say to each other: JSON-RPC 2.0, one message a line. The structs here are the whole
// vocabulary; to_json and from_json (messagejson.h) check types, so a message from an untrusted worker is either a
// valid struct or a ProtocolError that names the key. JSON keys are snake_case of the field names. Free of Qt and CUDA.
namespace stagecraft::protocol {

inline constexpr int version = 1;
inline constexpr std::size_t maximumLineBytes = 64u << 20;

// Method names.
namespace method {
inline constexpr auto hello = "hello";       // notification, the worker's first line
inline constexpr auto describe = "describe"; // DescribeParams → DescribeResult
inline constexpr auto compile = "compile";   // CompileParams → CompileResult
inline constexpr auto prepare = "prepare";   // PrepareParams → PrepareResult
inline constexpr auto check = "check";       // CheckParams → CheckResult
inline constexpr auto measure = "measure";   // MeasureParams → MeasureResult, with samples notifications on the way
inline constexpr auto samples = "samples";   // notification, SamplesNote
inline constexpr auto capture = "capture";   // CaptureParams → CaptureResult
inline constexpr auto floors = "floors";     // FloorsParams → FloorsResult
inline constexpr auto counters = "counters"; // CountersParams → CountersResult
inline constexpr auto sample = "sample";     // SampleParams → SampleResult
inline constexpr auto cancel = "cancel";     // notification: ends the measure, capture … in progress soon
inline constexpr auto release = "release";   // {handle} → {}
inline constexpr auto shutdown = "shutdown"; // {} → {}, then the worker ends
inline constexpr auto log = "log";           // notification, LogNote
} // namespace method

// JSON-RPC error codes of this project.
namespace error {
inline constexpr int unavailable = -32001; // the implementation or library is not there; data.reason, data.fix
inline constexpr int failed = -32002;      // compiling, launching or running failed; data.reason, data.fix
inline constexpr int invalid = -32003;     // inputs, dims or handle are not valid
inline constexpr int cancelled = -32004;
} // namespace error

struct Hello
{
    int protocol = version;
    std::string worker /* "cuda", "host", "python" */;
    std::string workerVersion;
};

struct Device
{
    int index = 0;
    std::string name, uuid, computeCapability /* "9.0" */, driverVersion;
    int smCount = 0, maxThreadsPerSm = 0;
    std::int64_t memoryBytes = 0, l2Bytes = 0;
};

struct Library
{
    std::string name, path, version;
    bool available = false;
    std::string reason, fix;
    std::string note = {}; // e.g. the architectures that a compiler knows
};

struct Implementation
{
    std::string id;                      // "cuda", "cublas", "host"
    std::vector<std::string> operations; // that it can do
    bool available = false;
    std::string reason, fix; // why not, and what to do
    std::string arithmetic = "fp32";
    std::string timingSource; // of its spans: "event" or "host"
    std::string note;         // e.g. library, threads, workspace
};

struct CaptureSupport
{
    bool available = false;
    std::string backend /* "cupti" */, timestampMode, reason, fix;
};

struct SelfTest
{
    bool passed = false;
    std::string reason;
    std::optional<double> kernelUs;
};

struct DescribeResult
{
    int protocol = version;
    std::string worker, workerVersion, platform; // platform: operating system and CPU model
    std::vector<Device> devices;
    std::vector<Library> libraries;
    std::vector<Implementation> implementations;
    CaptureSupport capture;
    SelfTest selfTest;
    std::optional<CaptureSupport> counters = {}; // where the params ask for it
};

struct DescribeParams
{
    int device = 0;
    bool leaveProfiler = false; // the GPU's profiler is another program's: capture is then unavailable
    // Whether hardware counters are to be had is found by counting one kernel, which leaves traces in the process: not
    // for a worker that measures times.
    bool counters = false;
};

struct CompileParams
{
    std::string operation, stage, architecture /* "sm_90a" */;
    std::vector<std::int64_t> dims;
    std::string source = {}; // the stage file's text; empty: the worker's own file of that name
    std::string cubin = {};  // the file to write the machine code to; empty: none
    std::string ptx = {};    // the same of the PTX that it was made from
};

struct KernelResources
{
    std::string entry;
    int registers = 0, barriers = 0;
    std::int64_t sharedBytes = 0, localBytes = 0, spillBytes = 0;
};

// A source that does not compile is an error reply whose `log` holds the compiler's words.
struct CompileResult
{
    std::string log;
    std::vector<KernelResources> kernels; // one per launch of the stage, in order; shared bytes with the dynamic ones
};

struct PrepareParams
{
    std::string operation;
    std::vector<std::int64_t> dims;
    std::uint64_t seed = 0;
    std::map<std::string, std::string> sha256; // file name → hash that the inputs must have; empty: not checked
    std::string directory;                     // input directory; empty: generate here
    std::string implementation;                // "cuda", "cublas", "host"
    std::string stage;                         // "OP/ID" or empty: the implementation's own choice
    std::string source; // the stage file's text, with a stage; empty: the worker's own file of that name
    int device = 0;
    std::string cache = {};      // "cold": calls rotate through copies that exceed the L2 twice; empty: "warm"
    std::string arithmetic = {}; // "fp32": cuda chooses among stages of exact FP32 only; empty: among all
};

struct HandleParams // of release
{
    std::int64_t handle = 0;
};

// `round` only names the range that a profiler shows around the check.
struct CheckParams
{
    std::int64_t handle = 0;
    int round = 0;
    std::string output = {}; // the file to write the result to, as little-endian float32; empty: none
};

// One kernel launch of a prepared handle, as it will be made.
struct Launch
{
    std::string entry;
    std::array<std::int64_t, 3> grid{}, block{};
    KernelResources resources;
    int residentThreadsPerSm = 0;
};

struct PrepareResult
{
    std::int64_t handle = 0;
    std::string stage;        // "matmul/tiled"; empty for libraries
    std::string sourceSha256; // of the stage file
    std::string arithmetic, timingSource, note;
    std::vector<Launch> launches; // empty where a library decides
};

struct CheckResult
{
    bool passed = false;
    std::optional<double> maxAbsError, relError; // absent where no element was finite
    double rtol = 0, atol = 0;
    std::int64_t checkedElements = 0, badElements = 0;
    std::optional<std::int64_t> firstBad;
    std::optional<double> firstBadValue /* absent if not finite */, firstBadReference;
    std::string reference; // what was compared with, "fp64"
};

struct MeasureParams
{
    std::int64_t handle = 0;
    int round = 0, warmup = 0, iterations = 0;
    // The timed part stands between cuProfilerStart and cuProfilerStop, for an instrument that somebody else has put
    // into the worker's process; the samples are then not spans to report.
    bool bracket = false;
};
struct SamplesNote
{
    std::int64_t handle = 0;
    int first = 0;
    std::vector<double> us;
};
struct MeasureResult
{
    int count = 0;
    bool cancelled = false;
};

struct CaptureParams
{
    std::int64_t handle = 0;
    int round = 0, warmup = 0, iterations = 0;
};

struct KernelRecord
{
    std::string kernelName;
    double durationUs = 0;
    int iteration = 0; // which requested iteration launched it, by correlation id
    std::array<std::int64_t, 3> grid{}, block{};
    int registersPerThread = 0;
    std::int64_t sharedMemBytes = 0, localBytesPerThread = 0;
};

struct CaptureResult
{
    std::string backend, timestampMode;
    int requestedIterations = 0;
    std::vector<KernelRecord> records;
    std::int64_t dropped = 0; // records that the instrument lost
    std::int64_t invalid = 0; // records with zero, negative or missing times, left out of records
    bool cancelled = false;
};

// Hardware counters of each kernel of one call, in a pass of its own that gives no times: the call is made once, each
// of its kernels is run as often as the metrics need.
struct CountersParams
{
    std::int64_t handle = 0;
    int warmup = 0;
    std::vector<std::string> metrics = {}; // their names, as Nsight Compute has them; empty: the worker's own set
};

struct Metric
{
    std::string name; // "smsp__inst_executed.sum"
    std::string unit; // of the instrument's words, "instruction", "percent"; empty: none
};

struct MissingMetric
{
    std::string name, reason;
};

struct CountedKernel
{
    std::string kernelName;
    std::array<std::int64_t, 3> grid{}, block{};
    int registersPerThread = 0;
    std::int64_t sharedMemBytes = 0;
    std::map<std::string, double> values; // by metric; what the instrument gave no number for is not there
};

struct CountersResult
{
    std::string backend;    // "cupti"
    std::string replayMode; // "kernel": each kernel is run again on the same arrays, restored before
    int passes = 0;         // how often each kernel was run
    std::vector<Metric> metrics;
    std::vector<MissingMetric> missing; // metrics asked for that this GPU does not have
    std::vector<CountedKernel> kernels; // in the order of their launches
    bool cancelled = false;
};

// Where the warps of a stage's kernels are, and what they wait for, by samples of their program counters. The stage is
// prepared anew for it and released afterwards: only code that is loaded while the instrument is on can be sampled.
struct SampleParams
{
    PrepareParams prepare; // with a stage
    int iterations = 1;    // calls that are sampled
    std::string cubin;     // the file to write the machine code to whose addresses the samples have; empty: none
};

// What was found at one instruction. The reasons are the instrument's: "long_scoreboard", "not_selected", and
// "selected" for a warp that was just issued.
struct SampledInstruction
{
    std::int64_t address = 0; // in bytes from the kernel's begin
    std::map<std::string, std::int64_t> samples;
};

struct SampledKernel
{
    std::string entry;
    std::vector<SampledInstruction> instructions; // by address; those without a sample are not there
};

struct SampleResult
{
    std::int64_t periodCycles = 0; // of each SM, between two samples
    std::int64_t samples = 0;      // of all kernels of the stage
    std::int64_t dropped = 0;      // that the hardware could not keep
    std::vector<SampledKernel> kernels;
};

struct FloorsOperation
{
    std::string operation;
    std::vector<std::int64_t> dims;
};

struct FloorsParams
{
    int device = 0;
    std::string cache = {}; // "cold" or empty: "warm", as in PrepareParams
    std::vector<FloorsOperation> operations;
};

// What a microbenchmark found: the fastest of its variants, by kernel records.
struct FloorMeasurement
{
    std::string what; // "copy of 12582912 bytes"
    std::string unit; // "µs", "GB/s", "TFLOP/s"
    double value = 0;
    std::string note; // which variant it was
};

// The time that no implementation of the operation can beat.
struct OperationFloor
{
    std::string operation;
    std::vector<std::int64_t> dims;
    std::string arithmetic; // "fp32", "3xtf32"; empty: any
    std::string cache;      // "warm", "cold"
    std::string what;       // what was measured, and the formula where there is one
    double us = 0;
};

struct FloorsResult
{
    std::string backend, timestampMode; // of the kernel records
    std::vector<FloorMeasurement> measurements;
    std::vector<OperationFloor> floors;
    std::vector<std::string> missing; // what could not be measured, and why, as sentences
};

struct LogNote
{
    std::string level /* "info", "warning", "error" */, text;
};

} // namespace stagecraft::protocol
