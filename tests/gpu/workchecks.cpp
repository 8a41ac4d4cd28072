// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpuchecks.h"

#include "inputs.h"
#include "reference.h"
#include "stagefolder.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

namespace stagecraft::tests {

namespace {

namespace fs = std::filesystem;
using operations::Dims;
using operations::Operation;

constexpr int warmup = 5, samples = 50, iterations = 20;

// Tile tails, single rows and columns, more than one block with a rest, nothing to add up.
const std::map<std::string, std::vector<Dims>> oddDims{
    {"matmul", {{17, 19, 23}, {1, 1, 1}, {1, 33, 65}, {33, 1, 7}, {64, 48, 1}, {129, 127, 130}}},
    {"gelu", {{3, 257}, {1, 1}, {1, 1000}, {1000, 1}, {255, 3}}},
    {"layernorm", {{3, 257}, {1, 1}, {1, 1000}, {500, 1}, {2, 255}, {5, 4096}}},
    {"triangle", {{7, 5}, {1, 1}, {1, 64}, {33, 1}, {16, 33}}},
    {"neighbor", {{7, 9, 23}, {7, 9, 0}, {1, 1, 1}, {1, 64, 100}, {300, 1, 17}, {1000, 3, 5000}}},
};

// One implementation of one operation.
struct Contender
{
    const Operation *operation;
    std::string implementation, stage;
    std::size_t launches = 0; // per call; 0: not known beforehand

    std::string name(const Dims &dims) const
    {
        return (stage.empty() ? operation->id + " " + implementation : stage) + " " + operations::dimsText(dims);
    }
};

struct Prepared
{
    protocol::PrepareResult result;
    WorkerProcess &worker;

    Prepared(WorkerProcess &process, const Contender &contender, const Dims &dims, const fs::path &directory)
        : worker(process)
    {
        protocol::PrepareParams params;
        params.operation = contender.operation->id;
        params.dims = dims;
        params.seed = operations::defaultSeed;
        params.directory = directory.string();
        params.implementation = contender.implementation;
        params.stage = contender.stage;
        worker.call(protocol::method::prepare, params).get_to(result);
    }
    ~Prepared()
    {
        try {
            worker.call(protocol::method::release, {{"handle", result.handle}});
        } catch (const std::exception &) {
            // The check that comes next says what is wrong with the worker.
        }
    }
    Prepared(const Prepared &) = delete;
    Prepared &operator=(const Prepared &) = delete;
};

std::string scientific(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", value);
    return text;
}

std::string micro(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f µs", value);
    return text;
}

std::string requireCorrect(const Prepared &prepared, std::int64_t elements)
{
    protocol::CheckResult check;
    prepared.worker.call(protocol::method::check, {{"handle", prepared.result.handle}}).get_to(check);
    require(check.checkedElements == elements, std::to_string(check.checkedElements) + " elements were checked");
    require(check.passed, std::to_string(check.badElements) + " elements are wrong, the first is " +
                              std::to_string(check.firstBad.value_or(-1)));
    return "error " + scientific(check.relError.value_or(0));
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
    require(contender.launches == 0 || contender.launches == launches, std::to_string(launches) + " launches");
    return {total / iterations, launches};
}

void checkContender(Checklist &list, WorkerProcess &worker, const Contender &contender, const fs::path &defaults)
{
    const Operation &operation = *contender.operation;
    list.run(contender.name(operation.defaultDims), [&] {
        const Prepared prepared(worker, contender, operation.defaultDims, defaults);
        const std::string error =
            requireCorrect(prepared, operations::outputElements(operation, operation.defaultDims));
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
    });
    for (const Dims &dims : oddDims.at(operation.id)) {
        list.run(contender.name(dims), [&] {
            const Prepared prepared(worker, contender, dims, {});
            return requireCorrect(prepared, operations::outputElements(operation, dims));
        });
    }
}

std::vector<Contender> contenders(const protocol::DescribeResult &description, const fs::path &stages)
{
    std::vector<Contender> all;
    for (const stagefile::Stage &stage : stagefile::listStages(stages).stages)
        all.push_back({operations::findOperation(stage.operation), "cuda", stage.name(), stage.launches.size()});
    for (const protocol::Implementation &implementation : description.implementations) {
        for (const std::string &operation : implementation.operations) {
            if (implementation.available)
                all.push_back({operations::findOperation(operation), implementation.id, {}, 0});
        }
    }
    return all;
}

} // namespace

void checkWork(Checklist &list, WorkerProcess &worker, const protocol::DescribeResult &description,
               const fs::path &stages, const fs::path &scratch)
{
    std::map<std::string, fs::path> defaults;
    for (const Operation &operation : operations::catalogue()) {
        defaults[operation.id] = scratch / operation.id;
        const auto inputs = operations::generateInputs(operation, operation.defaultDims, operations::defaultSeed);
        operations::writeInputDirectory(defaults[operation.id], inputs, warmup, iterations);
    }
    for (const Contender &contender : contenders(description, stages))
        checkContender(list, worker, contender, defaults.at(contender.operation->id));
}

} // namespace stagecraft::tests
