// SPDX-License-Identifier: GPL-3.0-or-later
#include "contender.h"
#include "gpuchecks.h"
#include "inputs.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

namespace stagecraft::tests {

namespace {

namespace fs = std::filesystem;
using operations::Operation;

constexpr int warmup = 5, samples = 50, iterations = 20;

std::string micro(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f µs", value);
    return text;
}

double requireSpans(const Prepared &prepared)
{
    std::vector<double> spans;
    const auto collect = [&](const protocol::Notification &note) {
        if (note.method != protocol::method::samples)
            return;
        const auto batch = note.params.get<protocol::SamplesNote>();
        require(batch.first == static_cast<int>(spans.size()), "samples arrived out of order");
        spans.insert(spans.end(), batch.us.begin(), batch.us.end());
    };
    protocol::MeasureParams params;
    params.handle = prepared.result.handle;
    params.warmup = warmup;
    params.iterations = samples;
    const auto done = prepared.worker.call(protocol::method::measure, params, collect).get<protocol::MeasureResult>();
    require(done.count == samples && !done.cancelled, std::to_string(done.count) + " samples were reported");
    require(spans.size() == samples, std::to_string(spans.size()) + " samples arrived");
    require(std::ranges::all_of(spans, [](double us) { return us > 0; }), "a span is not positive");
    return std::accumulate(spans.begin(), spans.end(), 0.0) / samples;
}

void requireRecord(const protocol::KernelRecord &record, const protocol::Launch &launch)
{
    require(record.kernelName == launch.entry, "the record is of " + record.kernelName);
    require(record.grid == launch.grid && record.block == launch.block, "the record's grid or block differs");
    require(record.registersPerThread >= launch.resources.registers, "the record's registers differ");
    require(record.sharedMemBytes >= launch.resources.sharedBytes, "the record's shared memory differs");
}

// Kernel time per iteration, and how many launches make one.
std::pair<double, std::size_t> requireRecords(const Prepared &prepared, const Contender &contender)
{
    protocol::CaptureParams params;
    params.handle = prepared.result.handle;
    params.warmup = warmup;
    params.iterations = iterations;
    const auto capture = prepared.worker.call(protocol::method::capture, params).get<protocol::CaptureResult>();
    require(capture.dropped == 0 && capture.invalid == 0,
            std::to_string(capture.dropped) + " records dropped, " + std::to_string(capture.invalid) + " invalid");
    std::vector<std::size_t> perIteration(iterations, 0);
    double total = 0;
    for (const protocol::KernelRecord &record : capture.records) {
        const auto iteration = static_cast<std::size_t>(record.iteration);
        require(iteration < perIteration.size(), "a record is of iteration " + std::to_string(record.iteration));
        if (!prepared.result.launches.empty())
            requireRecord(record, prepared.result.launches.at(perIteration[iteration]));
        ++perIteration[iteration];
        total += record.durationUs;
    }
    const std::size_t launches = perIteration.front();
    require(launches > 0, "the first iteration has no record");
    require(std::ranges::count(perIteration, launches) == iterations, "launches vary between iterations");
    require(launches >= contender.leastLaunches && launches <= contender.mostLaunches,
            std::to_string(launches) + " launches");
    return {total / iterations, launches};
}

// What a library was given beside its inputs is part of what was measured.
void requireNote(const Prepared &prepared, const Contender &contender)
{
    static const std::map<std::string, std::string> word{
        {"cublas", "workspace"}, {"cublaslt", "workspace"}, {"cusparse", "buffer"}};
    const auto wanted = word.find(contender.implementation);
    require(wanted == word.end() || prepared.result.note.find(wanted->second) != std::string::npos,
            "its note does not state the library's memory: " + prepared.result.note);
}

std::string measured(WorkerProcess &worker, const Contender &contender, const fs::path &inputs)
{
    const Operation &operation = *contender.operation;
    const Prepared prepared(worker, contender, operation.defaultDims, inputs);
    requireNote(prepared, contender);
    const std::string error = requireCorrect(prepared, operation, operation.defaultDims);
    const double before = requireSpans(prepared);
    const auto [kernel, launches] = requireRecords(prepared, contender);
    const double after = requireSpans(prepared); // that recording leaves nothing behind is for the reader to see
    require(before > kernel, "the span " + micro(before) + " is below the kernel time " + micro(kernel));
    std::string resources;
    for (const protocol::Launch &launch : prepared.result.launches)
        resources += ", " + std::to_string(launch.resources.registers) + " registers, " +
                     std::to_string(launch.resources.sharedBytes) + " B shared, " +
                     std::to_string(launch.residentThreadsPerSm) + " threads per SM";
    return "kernel " + micro(kernel) + ", span " + micro(before) + " (" + micro(after) + " after recording), " +
           std::to_string(launches) + " launches, " + error + resources + "; " + prepared.result.note;
}

Contender stageContender(const stagefile::Stage &stage)
{
    Contender contender{operations::findOperation(stage.operation), "cuda", &stage};
    contender.leastLaunches = contender.mostLaunches = stage.launches.size();
    return contender;
}

Contender libraryContender(const std::string &operation, const std::string &implementation)
{
    Contender contender{operations::findOperation(operation), implementation};
    if (implementation == "cublas" && operation == "triangle")
        contender.leastLaunches = 4; // the layout changes are part of it
    return contender;
}

} // namespace

std::vector<Contender> contenders(const protocol::DescribeResult &description,
                                  const std::vector<stagefile::Stage> &stages)
{
    std::vector<Contender> all;
    for (const stagefile::Stage &stage : stages)
        all.push_back(stageContender(stage));
    for (const protocol::Implementation &implementation : description.implementations) {
        for (const std::string &operation : implementation.operations) {
            if (implementation.available)
                all.push_back(libraryContender(operation, implementation.id));
        }
    }
    return all;
}

void checkWork(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders,
               const fs::path &scratch)
{
    std::map<std::string, fs::path> defaults;
    for (const Operation &operation : operations::catalogue()) {
        defaults[operation.id] = scratch / operation.id;
        const auto inputs = operations::generateInputs(operation, operation.defaultDims, operations::defaultSeed);
        operations::writeInputDirectory(defaults[operation.id], inputs, warmup, iterations);
    }
    for (const Contender &contender : contenders) {
        list.run(contender.name(contender.operation->defaultDims),
                 [&] { return measured(worker, contender, defaults.at(contender.operation->id)); });
    }
}

} // namespace stagecraft::tests
