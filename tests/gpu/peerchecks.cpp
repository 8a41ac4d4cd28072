// SPDX-License-Identifier: GPL-3.0-or-later
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

const std::vector<std::string> peers{"pytorch", "pytorch-compile", "triton", "triton-tuned"};
// Of which odd dims are checked too: the others take seconds to compile or to tune for each.
const std::vector<std::string> quickPeers{"pytorch", "triton"};

// Eager PyTorch's launches for a call, as they were found on an H200 and an RTX 4090.
const std::map<std::string, std::size_t> eagerLaunches{
    {"matmul", 1}, {"gelu", 2}, {"layernorm", 1}, {"triangle", 3}, {"neighbor", 4}};

Contender peerContender(const Operation &operation, const std::string &implementation)
{
    Contender contender{&operation, implementation};
    if (implementation == "pytorch")
        contender.leastLaunches = contender.mostLaunches = eagerLaunches.at(operation.id);
    return contender;
}

std::vector<Contender> allOperations(const std::vector<std::string> &implementations)
{
    std::vector<Contender> all;
    for (const std::string &implementation : implementations) {
        for (const Operation &operation : operations::catalogue())
            all.push_back(peerContender(operation, implementation));
    }
    return all;
}

// What can be used; what cannot is listed with its reason.
std::vector<std::string> available(Checklist &list, const protocol::DescribeResult &description)
{
    std::vector<std::string> ids;
    for (const std::string &id : peers) {
        list.run("implementation " + id, [&] {
            const auto found = std::ranges::find(description.implementations, id, &protocol::Implementation::id);
            require(found != description.implementations.end(), "the Python worker does not name it");
            if (!found->available)
                throw CheckSkipped(found->reason + " [to do: " + found->fix + "]");
            require(found->operations.size() == operations::catalogue().size(), "it lacks operations");
            ids.push_back(id);
            return found->note;
        });
    }
    return ids;
}

double meanSpan(const WorkerCommand &command, const fs::path &inputs)
{
    WorkerProcess worker(command);
    const Operation &operation = *operations::findOperation("gelu");
    const Prepared prepared(worker, {&operation, "pytorch"}, operation.defaultDims, inputs);
    std::vector<double> spans;
    protocol::MeasureParams params;
    params.handle = prepared.result.handle;
    params.warmup = 25;
    params.iterations = 200;
    worker.call(protocol::method::measure, params, [&](const protocol::Notification &note) {
        if (note.method != protocol::method::samples)
            return;
        const auto batch = note.params.get<protocol::SamplesNote>();
        spans.insert(spans.end(), batch.us.begin(), batch.us.end());
    });
    require(!spans.empty(), "no sample arrived");
    return std::accumulate(spans.begin(), spans.end(), 0.0) / static_cast<double>(spans.size());
}

// The library is in every process that can be captured, also while its spans are taken; what that costs is for the
// reader to see, since a bound would depend on the machine.
std::string spansWithAndWithoutCapture(const WorkerCommand &python, const fs::path &inputs)
{
    WorkerCommand without = python;
    without.environment.emplace_back("STAGECRAFT_CAPTURE", "off");
    const double first = meanSpan(without, inputs), with = meanSpan(python, inputs), second = meanSpan(without, inputs);
    char text[128];
    std::snprintf(text, sizeof text, "PyTorch's gelu: %.2f µs with it, %.2f and %.2f µs without it", with, first,
                  second);
    return text;
}

} // namespace

void checkPeers(Checklist &list, const WorkerCommand &python, const fs::path &scratch)
{
    WorkerProcess worker(python);
    protocol::DescribeResult description;
    list.run("the Python worker describes itself", [&] {
        worker.call(protocol::method::describe, {{"device", 0}}).get_to(description);
        return description.platform;
    });
    const std::vector<std::string> ids = available(list, description);
    if (ids.empty())
        return;
    list.run("kernel records in Python", [&] {
        require(description.capture.available,
                description.capture.reason + " [to do: " + description.capture.fix + "]");
        return description.capture.backend + ", timestamps " + description.capture.timestampMode;
    });
    checkWork(list, worker, allOperations(ids), scratch);
    std::vector<std::string> quick;
    std::ranges::copy_if(quickPeers, std::back_inserter(quick),
                         [&](const std::string &id) { return std::ranges::find(ids, id) != ids.end(); });
    checkFewDims(list, worker, allOperations(quick));
    checkEnd(list, worker);
    list.run("spans with and without the capture library",
             [&] { return spansWithAndWithoutCapture(python, scratch / "gelu"); });
}

} // namespace stagecraft::tests
