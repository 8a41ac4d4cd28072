// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract.h"
#include "gpuchecks.h"

#include <algorithm>

namespace stagecraft::tests {

namespace {

namespace fs = std::filesystem;
using operations::Dims;
using stagefile::GpuFacts;
using stagefile::Stage;
using Stages = std::vector<Stage>;

constexpr std::chrono::milliseconds orderlyEndLimit{60'000}; // a watching tool takes its time

Stages stagesOf(const Stages &stages, const std::string &operation)
{
    Stages own;
    std::ranges::copy_if(stages, std::back_inserter(own),
                         [&](const Stage &stage) { return stage.operation == operation; });
    return own;
}

// A stage that does not fit is refused, not replaced: the reason is the front matter's.
std::string requireRefusal(WorkerProcess &worker, const Contender &contender, const Dims &dims, int code,
                           const std::string &reason)
{
    try {
        const Prepared prepared(worker, contender, dims, {});
    } catch (const Refused &refused) {
        require(refused.code == code, "refused with code " + std::to_string(refused.code) + ": " + refused.reason);
        require(refused.reason.find(reason) != std::string::npos, "refused otherwise: " + refused.reason);
        require(!refused.fix.empty(), "the refusal does not say what to do");
        return "refused: " + refused.reason;
    }
    throw CheckFailed("accepted, though " + reason);
}

// `cuda` runs the last retained stage that fits, and its note names each later one that it passed over.
std::string requireChoice(const protocol::PrepareResult &result, const Stages &stages, const Dims &dims,
                          const GpuFacts &gpu)
{
    const Stage *expected = stagefile::lastRetained(stages, dims, gpu);
    require(expected != nullptr, "no stage fits");
    require(result.stage == expected->name(),
            result.stage + " was run, " + expected->name() + " is the last that fits");
    for (auto later = stages.rbegin(); &*later != expected; ++later) {
        if (later->status == stagefile::Status::Retained)
            require(result.note.find(later->name()) != std::string::npos, later->name() + " was passed over silently");
    }
    return ", by " + result.stage;
}

std::string correctOrRefused(WorkerProcess &worker, const Contender &contender, const Dims &dims,
                             const fs::path &directory)
{
    try {
        const Prepared prepared(worker, contender, dims, directory);
        return requireCorrect(prepared, *contender.operation, dims);
    } catch (const Refused &refused) {
        require(refused.code == protocol::error::unavailable && !refused.fix.empty(), refused.what());
        return "refused: " + refused.reason;
    }
}

std::string held(WorkerProcess &worker, const Contender &contender, const Dims &dims, const Stages &stages,
                 const GpuFacts &gpu)
{
    if (contender.stage) {
        if (const auto problem = stagefile::gpuMisfit(*contender.stage, gpu))
            return requireRefusal(worker, contender, dims, protocol::error::unavailable, *problem);
        if (const auto problem = stagefile::dimsMisfit(*contender.stage, dims, gpu.smCount))
            return requireRefusal(worker, contender, dims, protocol::error::invalid, *problem);
    }
    if (contender.isForeign())
        return correctOrRefused(worker, contender, dims, {});
    const Prepared prepared(worker, contender, dims, {});
    const std::string error = requireCorrect(prepared, *contender.operation, dims);
    return error + (contender.stage ? "" : requireChoice(prepared.result, stages, dims, gpu));
}

void checkMadeInputs(Checklist &list, WorkerProcess &worker, const Contender &contender, const GpuFacts &gpu,
                     const std::vector<MadeInputs> &made, const fs::path &scratch)
{
    for (std::size_t i = 0; i < made.size(); ++i) {
        const operations::InputSet &inputs = made[i].inputs;
        if (inputs.operation != contender.operation->id ||
            (contender.stage && stagefile::misfit(*contender.stage, inputs.dims, gpu)))
            continue;
        list.run(contender.name(inputs.dims) + ", " + made[i].what, [&] {
            const fs::path directory = scratch / ("made-" + std::to_string(i));
            operations::writeInputDirectory(directory, inputs, 1, 1);
            if (contender.isForeign())
                return correctOrRefused(worker, contender, inputs.dims, directory);
            const Prepared prepared(worker, contender, inputs.dims, directory);
            return requireCorrect(prepared, *contender.operation, inputs.dims);
        });
    }
}

// Three of the dims: little work, some, and the most.
std::vector<Dims> fewOf(const std::vector<Dims> &all)
{
    std::vector<Dims> few;
    for (const std::size_t index : {std::size_t{1}, all.size() / 2, all.size() - 1}) {
        if (index < all.size() && std::ranges::find(few, all[index]) == few.end())
            few.push_back(all[index]);
    }
    return few;
}

// Of the contract's dims those that a contender takes, where its front matter says so.
std::vector<Dims> fittingDims(const Contender &contender)
{
    std::vector<Dims> fitting;
    std::ranges::copy_if(contractDims(contender.operation->id), std::back_inserter(fitting), [&](const Dims &dims) {
        return !contender.stage || !stagefile::dimsMisfit(*contender.stage, dims, 1);
    });
    return fitting;
}

std::string once(WorkerProcess &worker, const Contender &contender, const Dims &dims)
{
    try {
        const Prepared prepared(worker, contender, dims, {});
        return requireCorrect(prepared, *contender.operation, dims);
    } catch (const Refused &refused) {
        if (refused.code == protocol::error::unavailable)
            throw CheckSkipped(refused.reason);
        throw;
    }
}

} // namespace

void checkContract(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders,
                   const Stages &stages, const GpuFacts &gpu, const fs::path &scratch)
{
    const std::vector<MadeInputs> made = madeInputs();
    for (const Contender &contender : contenders) {
        const Stages own = stagesOf(stages, contender.operation->id);
        for (const Dims &dims : contractDims(contender.operation->id))
            list.run(contender.name(dims), [&] { return held(worker, contender, dims, own, gpu); });
        checkMadeInputs(list, worker, contender, gpu, made, scratch);
    }
}

void checkFewDims(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders)
{
    for (const Contender &contender : contenders) {
        for (const Dims &dims : fewOf(fittingDims(contender)))
            list.run(contender.name(dims), [&] { return once(worker, contender, dims); });
    }
}

void checkEnd(Checklist &list, WorkerProcess &worker)
{
    list.run("the worker ends", [&] {
        worker.call(protocol::method::shutdown, nlohmann::json::object());
        worker.waitForEnd(orderlyEndLimit);
        return std::string();
    });
}

} // namespace stagecraft::tests
