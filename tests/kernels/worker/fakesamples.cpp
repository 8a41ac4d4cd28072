// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakebackend.h"
#include "faketrace.h"

#include <csignal>
#include <fstream>
#include <unistd.h>

using namespace stagecraft::protocol;
using stagecraft::worker::WorkerError;

namespace {

// At two instructions that any kernel has, and one far behind its end.
SampledKernel madeUp(const std::string &entry)
{
    SampledKernel kernel{entry, {}};
    kernel.instructions.push_back({0, {{"selected", 20}, {"not_selected", 5}}});
    kernel.instructions.push_back({16, {{"long_scoreboard", 50}, {"selected", 10}, {"wait", 5}}});
    kernel.instructions.push_back({1 << 24, {{"barrier", 10}}});
    return kernel;
}

} // namespace

SampleResult FakeBackend::sample(const SampleParams &params)
{
    const FakeTrace trace(m_options, "sample", params.prepare.implementation);
    Prepared prepared{params.prepare.operation, params.prepare.implementation};
    prepared.stage = FakeStage::parse(params.prepare.operation, params.prepare.stage, params.prepare.source);
    if (does("sample-refused", prepared))
        throw WorkerError(error::unavailable, "the made-up driver refuses sampling", "ask it nicely");
    while (does("hang-in-sample", prepared))
        pause();
    if (does("kill-in-sample", prepared))
        std::raise(SIGKILL);
    if (!params.cubin.empty())
        std::ofstream(params.cubin) << "fake machine code of " << params.prepare.stage;
    SampleResult result;
    result.periodCycles = 256;
    for (const auto &launch : prepared.stage->stage.launches) {
        result.kernels.push_back(madeUp(launch.entry));
        result.samples += 100;
    }
    if (does("sample-nonsense", prepared))
        result.kernels.front().instructions.front().samples["wait"] = -1;
    return result;
}
