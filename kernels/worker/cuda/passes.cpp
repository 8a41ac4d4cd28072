// SPDX-License-Identifier: MIT
#include "passes.h"

#include "backend.h"
#include "capturefile.h"
#include "measuredspan.h"
#include "recorded.h"

namespace stagecraft::worker {

namespace {

// Waited for one by one, so that a cancellation takes effect and the queue cannot fill.
void warmUp(Workload &workload, const Gpu &gpu, int calls, const std::atomic<bool> &cancelRequested)
{
    for (int i = 0; i < calls && !cancelRequested; ++i) {
        workload.turn();
        workload.enqueue();
        gpu.wait();
    }
}

// For an instrument that somebody else has put into this process: it records from here to the end of the scope.
class ProfilerBracket
{
public:
    explicit ProfilerBracket(bool wanted) : m_open(wanted)
    {
        if (wanted)
            STAGECRAFT_CHECK(driver().profilerStart());
    }
    ~ProfilerBracket()
    {
        if (m_open)
            driver().profilerStop(); // no remedy; without its end the instrument says what it lacks
    }
    ProfilerBracket(const ProfilerBracket &) = delete;
    ProfilerBracket &operator=(const ProfilerBracket &) = delete;

private:
    bool m_open;
};

} // namespace

std::vector<float> outputPass(Workload &workload, const Gpu &gpu)
{
    const DeviceBuffer &output = workload.turn().output;
    output.poison();
    workload.poisonScratch();
    workload.enqueue();
    gpu.wait();
    std::vector<float> host(output.bytes() / sizeof(float));
    output.read(std::as_writable_bytes(std::span(host)));
    return host;
}

protocol::MeasureResult spanPass(Workload &workload, const Gpu &gpu, const protocol::MeasureParams &params,
                                 SampleSink &sink, const std::atomic<bool> &cancelRequested)
{
    const Event begin = createEvent();
    const Event end = createEvent();
    warmUp(workload, gpu, params.warmup, cancelRequested);
    const ProfilerBracket bracket(params.bracket);
    protocol::MeasureResult result;
    while (result.count < params.iterations && !cancelRequested) {
        workload.turn();
        STAGECRAFT_CHECK(driver().eventRecord(begin.get(), gpu.stream()));
        workload.enqueue();
        STAGECRAFT_CHECK(driver().eventRecord(end.get(), gpu.stream()));
        STAGECRAFT_CHECK(driver().eventSynchronize(end.get()));
        float milliseconds = 0;
        STAGECRAFT_CHECK(driver().eventElapsedTime(&milliseconds, begin.get(), end.get()));
        if (!sink.put(measuredSpan(1000.0 * static_cast<double>(milliseconds), "GPU's events")))
            break;
        ++result.count;
    }
    result.cancelled = result.count < params.iterations;
    return result;
}

protocol::CaptureResult capturePass(Workload &workload, const Gpu &gpu, int warmup, int iterations,
                                    capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested)
{
    warmUp(workload, gpu, warmup, cancelRequested);
    protocol::CaptureResult result;
    result.backend = "cupti";
    result.timestampMode = recorder.support().timestampMode;
    result.requestedIterations = iterations;
    Recorded recorded(recorder);
    int done = 0;
    for (; done < iterations && !cancelRequested; ++done) {
        workload.turn();
        recorder.setIteration(done);
        workload.enqueue();
        recorder.setIteration(-1);
        gpu.wait();
    }
    const capture::Recording recording = recorded.stop();
    for (const capture::CapturedKernel &kernel : recording.kernels)
        result.records.push_back(capture::kernelRecord(kernel));
    result.dropped = recording.dropped;
    result.invalid = recording.invalid;
    result.cancelled = done < iterations;
    return result;
}

} // namespace stagecraft::worker
