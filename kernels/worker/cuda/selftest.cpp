// SPDX-License-Identifier: MIT
#include "selftest.h"

#include "counterpass.h"
#include "frontmatter.h"
#include "passes.h"
#include "reference.h"
#include "stagecompiler.h"
#include "stageworkload.h"

#include <array>

namespace stagecraft::worker {

namespace {

constexpr auto kernelText = R"(/* stage
{"title": "Self-test", "status": "retained",
 "launches": [{"entry": "stagecraft_self_test", "block": 32, "grid": [{"cover": ["rows", "width"], "by": 32}]}]}
*/
#include "stagecraft.cuh"
extern "C" __global__ void stagecraft_self_test(STAGE_ARGS)
{
    const int i = threadIdx.x;
    out[i] = a[i] + b[i];
}
)";

constexpr std::int64_t elements = 32;
constexpr auto instructions = "smsp__inst_executed.sum";

// The test's own arrays: a = 1, 2, 3, …, b = 0.5, out = a + b.
struct TestArrays
{
    std::array<float, elements> a{}, b{};
    std::vector<double> expected;
    std::vector<DeviceArrays> device{1};

    TestArrays()
    {
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = static_cast<float>(i + 1);
            b[i] = 0.5f;
            expected.push_back(static_cast<double>(i) + 1.5);
        }
        device[0].inputs.emplace_back(std::as_bytes(std::span(a)));
        device[0].inputs.emplace_back(std::as_bytes(std::span(b)));
        device[0].output = DeviceBuffer(sizeof a);
    }
};

std::unique_ptr<Workload> testWorkload(const Gpu &gpu, const TestArrays &arrays)
{
    return prepareStage(stagefile::parseStage("gelu", "self-test", kernelText), {1, elements}, gpu, arrays.device);
}

void recordLaunch(Workload &workload, const Gpu &gpu, capture::KernelRecorder &recorder, SelfTestOutcome &outcome)
{
    try {
        const std::atomic<bool> never{false};
        const protocol::CaptureResult captured = capturePass(workload, gpu, 1, 1, recorder, never);
        if (captured.records.size() == 1) {
            outcome.result.kernelUs = captured.records.front().durationUs;
            return;
        }
        outcome.captureReason = "one launch gave " + std::to_string(captured.records.size()) + " kernel records (" +
                                std::to_string(captured.invalid) + " invalid, " + std::to_string(captured.dropped) +
                                " dropped)";
        outcome.captureFix = "check that no other profiler uses this GPU, and that libcupti fits the driver";
    } catch (const capture::CaptureError &error) {
        outcome.captureReason = error.what();
        outcome.captureFix = error.fix;
    } catch (const WorkerError &error) {
        outcome.captureReason = error.what();
        outcome.captureFix = error.fix;
    }
}

} // namespace

SelfTestOutcome runSelfTest(const Gpu &gpu, capture::KernelRecorder *recorder)
{
    SelfTestOutcome outcome;
    try {
        TestArrays arrays;
        const auto workload = testWorkload(gpu, arrays);
        outcome.result.passed = operations::compare(outputPass(*workload, gpu), arrays.expected).passed;
        if (!outcome.result.passed)
            outcome.result.reason = "the kernel ran, but its output is wrong";
        if (recorder)
            recordLaunch(*workload, gpu, *recorder, outcome);
    } catch (const WorkerError &error) {
        outcome.result.reason = std::string(error.what()) + "; " + error.fix;
        outcome.captureReason = "the self-test's kernel did not run: " + std::string(error.what());
        outcome.captureFix = error.fix;
    }
    return outcome;
}

protocol::CaptureSupport findCounters(const Gpu &gpu, capture::KernelRecorder &recorder)
{
    protocol::CaptureSupport support;
    const auto lack = [&support](const std::string &reason, const std::string &fix) {
        support.reason = reason;
        support.fix = fix;
    };
    try {
        TestArrays arrays;
        const auto workload = testWorkload(gpu, arrays);
        const std::atomic<bool> never{false};
        const protocol::CountersResult counted = counterPass(*workload, gpu, {0, 1, {instructions}}, recorder, never);
        support.available = counted.kernels.size() == 1 && counted.kernels.front().values.contains(instructions) &&
                            counted.kernels.front().values.at(instructions) > 0;
        if (support.available)
            support.backend = counted.backend;
        else
            lack("the instructions of a kernel were counted as 0, or not at all",
                 "check that no other profiler uses this GPU, and that libcupti fits the driver");
    } catch (const capture::CaptureError &error) {
        lack(error.what(), error.fix);
    } catch (const WorkerError &error) {
        lack(error.what(), error.fix);
    }
    return support;
}

} // namespace stagecraft::worker
