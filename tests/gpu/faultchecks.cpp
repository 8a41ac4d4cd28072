// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpuchecks.h"

#include "inputs.h"

#include <fstream>

namespace stagecraft::tests {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds endLimit{1000}; // after the end of input, even with a kernel running

// A folder of resources with one stage of gelu, made of a kernel's body.
fs::path resourcesWith(const fs::path &scratch, const fs::path &stages, const std::string &id, const std::string &body)
{
    const fs::path resources = scratch / ("resources-" + id);
    fs::create_directories(resources / "stages/gelu");
    fs::copy_file(stages / "stagecraft.cuh", resources / "stages/stagecraft.cuh", fs::copy_options::overwrite_existing);
    std::ofstream(resources / "stages/gelu" / (id + ".cu"))
        << R"(/* stage {"title": "t", "status": "retained", "launches": [{"entry": "f", "block": 32, )"
        << R"("grid": [{"cover": ["rows", "width"], "by": 32}]}]} */
#include "stagecraft.cuh"
extern "C" __global__ void f(STAGE_ARGS)
{
)" << body
        << "\n}\n";
    return resources;
}

protocol::PrepareParams gelu(const std::string &implementation = "cuda")
{
    protocol::PrepareParams params;
    params.operation = "gelu";
    params.dims = {4, 8};
    params.seed = operations::defaultSeed;
    params.implementation = implementation;
    return params;
}

std::int64_t prepare(WorkerProcess &worker, const protocol::PrepareParams &params)
{
    return worker.call(protocol::method::prepare, params).get<protocol::PrepareResult>().handle;
}

Refused refusalOf(WorkerProcess &worker, std::string_view method, const nlohmann::json &params)
{
    try {
        worker.call(method, params);
    } catch (const Refused &refused) {
        return refused;
    }
    throw CheckFailed("it was accepted");
}

std::string inputsThatDiffer(const WorkerCommand &command)
{
    WorkerProcess worker(command);
    protocol::PrepareParams params = gelu();
    params.sha256 = {{"b.bin", std::string(64, '0')}};
    const Refused refused = refusalOf(worker, protocol::method::prepare, params);
    require(refused.code == protocol::error::invalid, refused.what());
    require(refused.reason.find("b.bin") != std::string::npos, refused.what());
    return refused.reason.substr(0, 60) + "…";
}

std::string implementationsThatAreNotThere(const WorkerCommand &command)
{
    WorkerProcess worker(command);
    const Refused cublas = refusalOf(worker, protocol::method::prepare, gelu("cublas"));
    require(cublas.code == protocol::error::unavailable, cublas.what());
    protocol::PrepareParams params = gelu();
    params.device = 99;
    const Refused device = refusalOf(worker, protocol::method::prepare, params);
    require(device.code == protocol::error::invalid, device.what());
    return cublas.reason + "; " + device.reason;
}

std::string cancellation(const WorkerCommand &command)
{
    WorkerProcess worker(command);
    protocol::MeasureParams params;
    params.handle = prepare(worker, gelu());
    params.iterations = 10'000'000;
    bool asked = false;
    const auto cancelOnce = [&](const protocol::Notification &note) {
        if (note.method == protocol::method::samples && !asked)
            worker.notify(protocol::method::cancel, nlohmann::json::object());
        asked = true;
    };
    const auto done = worker.call(protocol::method::measure, params, cancelOnce).get<protocol::MeasureResult>();
    require(done.cancelled && done.count > 0 && done.count < params.iterations, std::to_string(done.count));
    require(worker.call(protocol::method::check, {{"handle", params.handle}}).at("passed"), "wrong afterwards");
    return "after " + std::to_string(done.count) + " samples";
}

std::string outputsNeverWritten(const WorkerCommand &command, const fs::path &resources)
{
    WorkerProcess worker(command, resources.string());
    const auto handle = prepare(worker, gelu());
    const auto check = worker.call(protocol::method::check, {{"handle", handle}}).get<protocol::CheckResult>();
    require(!check.passed && check.badElements == 32, std::to_string(check.badElements) + " bad elements");
    require(check.firstBad == 0 && !check.firstBadValue && !check.maxAbsError, "the NaN is not reported as one");
    return "all 32 elements are refused";
}

std::string sourceErrors(const WorkerCommand &command, const fs::path &resources)
{
    WorkerProcess worker(command, resources.string());
    const Refused refused = refusalOf(worker, protocol::method::prepare, gelu());
    require(refused.code == protocol::error::failed, refused.what());
    require(refused.reason.find("undeclared_name") != std::string::npos, refused.what());
    return refused.reason.substr(0, refused.reason.find('\n'));
}

std::string illegalAddress(const WorkerCommand &command, const fs::path &resources)
{
    WorkerProcess worker(command, resources.string());
    const auto handle = prepare(worker, gelu());
    const Refused refused = refusalOf(worker, protocol::method::check, {{"handle", handle}});
    require(refused.code == protocol::error::failed, refused.what());
    require(refused.reason.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos, refused.what());
    require(!refused.fix.empty(), "it does not say what to do");
    const auto took = worker.waitForEnd(endLimit);
    return refused.reason + "; gone after " + std::to_string(took.count()) + " ms";
}

std::string endlessKernel(const WorkerCommand &command, const fs::path &resources)
{
    WorkerProcess worker(command, resources.string());
    const auto handle = prepare(worker, gelu());
    worker.send(protocol::method::check, {{"handle", handle}});
    worker.closeInput();
    const auto took = worker.waitForEnd(endLimit);
    return "gone " + std::to_string(took.count()) + " ms after the end of input";
}

} // namespace

void checkFaults(Checklist &list, const WorkerCommand &command, const fs::path &stages, const fs::path &scratch)
{
    const auto with = [&](const std::string &id, const std::string &body) {
        return resourcesWith(scratch, stages, id, body);
    };
    list.run("inputs that differ are refused", [&] { return inputsThatDiffer(command); });
    list.run("what is not there is refused", [&] { return implementationsThatAreNotThere(command); });
    list.run("a measurement is cancelled", [&] { return cancellation(command); });
    list.run("an output that is not written fails its check",
             [&] { return outputsNeverWritten(command, with("silent", "")); });
    list.run("a source error is reported",
             [&] { return sourceErrors(command, with("broken", "undeclared_name = 1;")); });
    list.run("an illegal address costs the worker only", [&] {
        return illegalAddress(command, with("illegal", "*reinterpret_cast<volatile float *>(8) = 1.0f;"));
    });
    list.run("an endless kernel does not keep the worker",
             [&] { return endlessKernel(command, with("endless", "for (volatile int i = 0;; ++i) {}")); });
}

} // namespace stagecraft::tests
