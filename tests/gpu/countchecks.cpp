// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpuchecks.h"
#include "inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

// Hardware counters and samples: in a worker of their own, since nothing is timed in a process in which they ran.
namespace stagecraft::tests {

namespace {

constexpr auto sharedReads = "shared reads per multiply-add";
constexpr auto allSharedReads = "all shared reads per multiply-add"; // with those outside of the loop
// Not those that are predicated off, which sm_90's compiler puts before asynchronous copies.
constexpr auto sharedLoads = "smsp__inst_executed_op_shared_ld_pred_on_any.sum";
constexpr auto multiplyAdds = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr double warpThreads = 32, withinDeclared = 0.01;
constexpr int sampledCalls = 20;

double valueOf(const protocol::CountedKernel &kernel, const std::string &metric)
{
    const auto found = kernel.values.find(metric);
    require(found != kernel.values.end(), metric + " has no value");
    return found->second;
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.5f", value);
    return text;
}

// Of a stage with one launch: what it declares to read per multiply-add against what the GPU has counted.
std::string declaredReads(WorkerProcess &worker, const Contender &contender)
{
    const Prepared prepared(worker, contender, contender.operation->defaultDims, {});
    protocol::CountersParams params;
    params.handle = prepared.result.handle;
    params.warmup = 2;
    const auto counted = worker.call(protocol::method::counters, params).get<protocol::CountersResult>();
    require(counted.kernels.size() == prepared.result.launches.size(),
            std::to_string(counted.kernels.size()) + " kernels were counted");
    const protocol::CountedKernel &kernel = counted.kernels.front();
    require(kernel.kernelName == prepared.result.launches.front().entry, "the kernel is " + kernel.kernelName);
    const double reads = valueOf(kernel, sharedLoads) * warpThreads / valueOf(kernel, multiplyAdds);
    const auto &counts = contender.stage->counts;
    const double declared = counts.at(counts.contains(allSharedReads) ? allSharedReads : sharedReads);
    const std::string text = number(reads) + " shared reads per multiply-add counted, " + number(declared) +
                             " declared, " + std::to_string(counted.passes) + " passes, " +
                             std::to_string(counted.missing.size()) + " metrics missing";
    require(std::abs(reads / declared - 1) <= withinDeclared, text);
    return text;
}

std::string sampled(WorkerProcess &worker, const Contender &contender)
{
    protocol::SampleParams params;
    params.prepare.operation = contender.operation->id;
    params.prepare.dims = contender.operation->defaultDims;
    params.prepare.seed = operations::defaultSeed;
    params.prepare.implementation = "cuda";
    params.prepare.stage = contender.stage->name();
    params.iterations = sampledCalls;
    const auto result = worker.call(protocol::method::sample, params).get<protocol::SampleResult>();
    require(result.kernels.size() == contender.stage->launches.size(),
            std::to_string(result.kernels.size()) + " kernels were sampled");
    require(result.kernels.front().entry == contender.stage->launches.front().entry, "another kernel was sampled");
    require(result.kernels.front().instructions.size() > 1, "samples are of one instruction or none");
    return std::to_string(result.samples) + " samples of " +
           std::to_string(result.kernels.front().instructions.size()) + " instructions, " +
           std::to_string(result.dropped) + " dropped";
}

} // namespace

void checkCounters(Checklist &list, const WorkerCommand &command, const std::vector<Contender> &contenders,
                   const stagefile::GpuFacts &gpu)
{
    WorkerProcess worker(command);
    list.run("hardware counters", [&] {
        const auto description =
            worker.call(protocol::method::describe, nlohmann::json{{"device", 0}, {"counters", true}})
                .get<protocol::DescribeResult>();
        require(description.counters.has_value(), "describe says nothing of them");
        if (!description.counters->available)
            throw CheckSkipped(description.counters->reason + " [to do: " + description.counters->fix + "]");
        return std::string();
    });
    if (list.records().back().outcome != Outcome::Passed)
        return;
    for (const Contender &contender : contenders) {
        if (!contender.stage || !contender.stage->counts.contains(sharedReads) ||
            stagefile::misfit(*contender.stage, contender.operation->defaultDims, gpu))
            continue;
        list.run(contender.stage->name() + ", counted", [&] { return declaredReads(worker, contender); });
        list.run(contender.stage->name() + ", sampled", [&] { return sampled(worker, contender); });
    }
}

} // namespace stagecraft::tests
