// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <concepts>
#include <type_traits>

// The keys of every message, each once, for reading and writing alike: an Io has required(key, field) and
// optional(key, field). Included by messagejson.cpp only.
namespace stagecraft::protocol {

template <class T, class Message>
concept Of = std::same_as<std::remove_const_t<T>, Message>;

void fields(auto &io, Of<Hello> auto &m)
{
    io.required("protocol", m.protocol);
    io.required("worker", m.worker);
    io.optional("worker_version", m.workerVersion);
}

void fields(auto &io, Of<Device> auto &m)
{
    io.required("index", m.index);
    io.required("name", m.name);
    io.optional("uuid", m.uuid);
    io.optional("compute_capability", m.computeCapability);
    io.optional("driver_version", m.driverVersion);
    io.optional("sm_count", m.smCount);
    io.optional("max_threads_per_sm", m.maxThreadsPerSm);
    io.optional("memory_bytes", m.memoryBytes);
    io.optional("l2_bytes", m.l2Bytes);
}

void fields(auto &io, Of<Library> auto &m)
{
    io.required("name", m.name);
    io.optional("path", m.path);
    io.optional("version", m.version);
    io.required("available", m.available);
    io.optional("reason", m.reason);
    io.optional("fix", m.fix);
    io.optional("note", m.note);
}

void fields(auto &io, Of<Implementation> auto &m)
{
    io.required("id", m.id);
    io.required("operations", m.operations);
    io.required("available", m.available);
    io.optional("reason", m.reason);
    io.optional("fix", m.fix);
    io.optional("arithmetic", m.arithmetic);
    io.optional("timing_source", m.timingSource);
    io.optional("note", m.note);
}

void fields(auto &io, Of<CaptureSupport> auto &m)
{
    io.required("available", m.available);
    io.optional("backend", m.backend);
    io.optional("timestamp_mode", m.timestampMode);
    io.optional("reason", m.reason);
    io.optional("fix", m.fix);
}

void fields(auto &io, Of<SelfTest> auto &m)
{
    io.required("passed", m.passed);
    io.optional("reason", m.reason);
    io.optional("kernel_us", m.kernelUs);
}

void fields(auto &io, Of<DescribeParams> auto &m)
{
    io.optional("device", m.device);
    io.optional("leave_profiler", m.leaveProfiler);
    io.optional("counters", m.counters);
}

void fields(auto &io, Of<DescribeResult> auto &m)
{
    io.required("protocol", m.protocol);
    io.required("worker", m.worker);
    io.optional("worker_version", m.workerVersion);
    io.optional("platform", m.platform);
    io.required("devices", m.devices);
    io.required("libraries", m.libraries);
    io.required("implementations", m.implementations);
    io.required("capture", m.capture);
    io.required("self_test", m.selfTest);
    io.optional("counters", m.counters);
}

void fields(auto &io, Of<CompileParams> auto &m)
{
    io.required("operation", m.operation);
    io.required("stage", m.stage);
    io.required("architecture", m.architecture);
    io.required("dims", m.dims);
    io.optional("source", m.source);
    io.optional("cubin", m.cubin);
    io.optional("ptx", m.ptx);
}

void fields(auto &io, Of<KernelResources> auto &m)
{
    io.required("entry", m.entry);
    io.optional("registers", m.registers);
    io.optional("barriers", m.barriers);
    io.optional("shared_bytes", m.sharedBytes);
    io.optional("local_bytes", m.localBytes);
    io.optional("spill_bytes", m.spillBytes);
}

void fields(auto &io, Of<CompileResult> auto &m)
{
    io.optional("log", m.log);
    io.required("kernels", m.kernels);
}

void fields(auto &io, Of<PrepareParams> auto &m)
{
    io.required("operation", m.operation);
    io.required("dims", m.dims);
    io.required("seed", m.seed);
    io.optional("sha256", m.sha256);
    io.optional("directory", m.directory);
    io.required("implementation", m.implementation);
    io.optional("stage", m.stage);
    io.optional("source", m.source);
    io.optional("device", m.device);
    io.optional("cache", m.cache);
    io.optional("arithmetic", m.arithmetic);
}

void fields(auto &io, Of<HandleParams> auto &m)
{
    io.required("handle", m.handle);
}

void fields(auto &io, Of<CheckParams> auto &m)
{
    io.required("handle", m.handle);
    io.optional("round", m.round);
    io.optional("output", m.output);
}

void fields(auto &io, Of<Launch> auto &m)
{
    io.required("entry", m.entry);
    io.required("grid", m.grid);
    io.required("block", m.block);
    io.required("resources", m.resources);
    io.optional("resident_threads_per_sm", m.residentThreadsPerSm);
}

void fields(auto &io, Of<PrepareResult> auto &m)
{
    io.required("handle", m.handle);
    io.optional("stage", m.stage);
    io.optional("source_sha256", m.sourceSha256);
    io.optional("arithmetic", m.arithmetic);
    io.required("timing_source", m.timingSource);
    io.optional("note", m.note);
    io.required("launches", m.launches);
}

void fields(auto &io, Of<CheckResult> auto &m)
{
    io.required("passed", m.passed);
    io.optional("max_abs_error", m.maxAbsError);
    io.optional("rel_error", m.relError);
    io.required("rtol", m.rtol);
    io.required("atol", m.atol);
    io.required("checked_elements", m.checkedElements);
    io.required("bad_elements", m.badElements);
    io.optional("first_bad", m.firstBad);
    io.optional("first_bad_value", m.firstBadValue);
    io.optional("first_bad_reference", m.firstBadReference);
    io.required("reference", m.reference);
}

void fields(auto &io, Of<MeasureParams> auto &m)
{
    io.required("handle", m.handle);
    io.optional("round", m.round);
    io.required("warmup", m.warmup);
    io.required("iterations", m.iterations);
    io.optional("bracket", m.bracket);
}

void fields(auto &io, Of<SamplesNote> auto &m)
{
    io.required("handle", m.handle);
    io.required("first", m.first);
    io.required("us", m.us);
}

void fields(auto &io, Of<MeasureResult> auto &m)
{
    io.required("count", m.count);
    io.required("cancelled", m.cancelled);
}

void fields(auto &io, Of<CaptureParams> auto &m)
{
    io.required("handle", m.handle);
    io.optional("round", m.round);
    io.required("warmup", m.warmup);
    io.required("iterations", m.iterations);
}

void fields(auto &io, Of<KernelRecord> auto &m)
{
    io.required("kernel_name", m.kernelName);
    io.required("duration_us", m.durationUs);
    io.required("iteration", m.iteration);
    io.required("grid", m.grid);
    io.required("block", m.block);
    io.optional("registers_per_thread", m.registersPerThread);
    io.optional("shared_mem_bytes", m.sharedMemBytes);
    io.optional("local_bytes_per_thread", m.localBytesPerThread);
}

void fields(auto &io, Of<CaptureResult> auto &m)
{
    io.required("backend", m.backend);
    io.optional("timestamp_mode", m.timestampMode);
    io.required("requested_iterations", m.requestedIterations);
    io.required("records", m.records);
    io.optional("dropped", m.dropped);
    io.optional("invalid", m.invalid);
    io.required("cancelled", m.cancelled);
}

void fields(auto &io, Of<CountersParams> auto &m)
{
    io.required("handle", m.handle);
    io.required("warmup", m.warmup);
    io.optional("metrics", m.metrics);
}

void fields(auto &io, Of<Metric> auto &m)
{
    io.required("name", m.name);
    io.optional("unit", m.unit);
}

void fields(auto &io, Of<MissingMetric> auto &m)
{
    io.required("name", m.name);
    io.required("reason", m.reason);
}

void fields(auto &io, Of<CountedKernel> auto &m)
{
    io.required("kernel_name", m.kernelName);
    io.required("grid", m.grid);
    io.required("block", m.block);
    io.optional("registers_per_thread", m.registersPerThread);
    io.optional("shared_mem_bytes", m.sharedMemBytes);
    io.required("values", m.values);
}

void fields(auto &io, Of<CountersResult> auto &m)
{
    io.required("backend", m.backend);
    io.optional("replay_mode", m.replayMode);
    io.required("passes", m.passes);
    io.required("metrics", m.metrics);
    io.optional("missing", m.missing);
    io.required("kernels", m.kernels);
    io.optional("cancelled", m.cancelled);
}

void fields(auto &io, Of<SampleParams> auto &m)
{
    io.required("prepare", m.prepare);
    io.required("iterations", m.iterations);
    io.optional("cubin", m.cubin);
}

void fields(auto &io, Of<SampledInstruction> auto &m)
{
    io.required("address", m.address);
    io.required("samples", m.samples);
}

void fields(auto &io, Of<SampledKernel> auto &m)
{
    io.required("entry", m.entry);
    io.required("instructions", m.instructions);
}

void fields(auto &io, Of<SampleResult> auto &m)
{
    io.required("period_cycles", m.periodCycles);
    io.required("samples", m.samples);
    io.optional("dropped", m.dropped);
    io.required("kernels", m.kernels);
}

void fields(auto &io, Of<FloorsOperation> auto &m)
{
    io.required("operation", m.operation);
    io.required("dims", m.dims);
}

void fields(auto &io, Of<FloorsParams> auto &m)
{
    io.optional("device", m.device);
    io.optional("cache", m.cache);
    io.required("operations", m.operations);
}

void fields(auto &io, Of<FloorMeasurement> auto &m)
{
    io.required("what", m.what);
    io.required("unit", m.unit);
    io.required("value", m.value);
    io.optional("note", m.note);
}

void fields(auto &io, Of<OperationFloor> auto &m)
{
    io.required("operation", m.operation);
    io.required("dims", m.dims);
    io.optional("arithmetic", m.arithmetic);
    io.required("cache", m.cache);
    io.required("what", m.what);
    io.required("us", m.us);
}

void fields(auto &io, Of<FloorsResult> auto &m)
{
    io.required("backend", m.backend);
    io.optional("timestamp_mode", m.timestampMode);
    io.required("measurements", m.measurements);
    io.required("floors", m.floors);
    io.optional("missing", m.missing);
}

void fields(auto &io, Of<LogNote> auto &m)
{
    io.required("level", m.level);
    io.required("text", m.text);
}

} // namespace stagecraft::protocol
