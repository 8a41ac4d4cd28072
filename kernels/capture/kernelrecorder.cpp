// SPDX-License-Identifier: MIT
#include "kernelrecorder.h"

#include "cuptisession.h"
#include "cuptivariants.h"

#include <algorithm>

namespace stagecraft::capture {

namespace {

std::string majorsBuilt()
{
    std::string text;
    for (const CuptiVariant &variant : builtVariants())
        text += (text.empty() ? "" : " and ") + std::to_string(variant.major);
    return text;
}

// Those whose records this build reads go first, so that one of them is used where several are installed.
std::vector<std::string> readableFirst(std::vector<std::string> sonames)
{
    const auto readable = [](const std::string &soname) {
        return std::ranges::any_of(builtVariants(), [&](const CuptiVariant &variant) {
            return soname.ends_with(".so." + std::to_string(variant.major));
        });
    };
    std::stable_partition(sonames.begin(), sonames.end(), readable);
    return sonames;
}

// cuptiGetVersion, whose signature every CUPTI since 4.0 shares; 0 where the library has none.
std::uint32_t apiVersion(const SharedLibrary &library)
{
    int (*getVersion)(std::uint32_t *) = nullptr;
    std::uint32_t version = 0;
    return library.bind(getVersion, "cuptiGetVersion") && getVersion(&version) == 0 ? version : 0;
}

} // namespace

KernelRecorder::KernelRecorder(const std::vector<std::string> &sonames)
{
    if (builtVariants().empty()) {
        m_support.reason = "this build has no support for kernel records: CUPTI's headers were not there";
        m_support.fix = "install the CUDA Toolkit 12 or 13 and build again";
        return;
    }
    const LibraryResult found =
        findLibrary({readableFirst(sonames), {}, "the CUDA Toolkit (its part CUPTI) or the wheel nvidia-cuda-cupti"});
    if (!found.library.loaded()) {
        m_support.reason = found.reason;
        m_support.fix = found.fix;
        return;
    }
    try {
        open(found);
    } catch (const CaptureError &error) {
        m_support.available = false;
        m_support.reason = error.what();
        m_support.fix = error.fix;
    }
}

KernelRecorder::~KernelRecorder() = default;

void KernelRecorder::open(const LibraryResult &found)
{
    const std::uint32_t version = apiVersion(found.library);
    const int major = cudaMajorOfCupti(version);
    m_support.libraryPath = found.library.path();
    m_support.version = "API " + std::to_string(version) + (major ? ", CUDA " + std::to_string(major) : "");
    const auto &variants = builtVariants();
    const auto fits = [major](const CuptiVariant &variant) { return variant.major == major; };
    const auto variant = std::find_if(variants.begin(), variants.end(), fits);
    if (variant == variants.end())
        throw CaptureError(
            {"this build reads the records of CUDA " + majorsBuilt() + ", the CUPTI here is " + m_support.version,
             "install the CUPTI of CUDA " + majorsBuilt() + ", or build with this one's headers"});
    m_library = found.library;
    m_variant = &*variant;
    m_session = variant->open(m_library);
    // Taken by the kernel's launch itself, in software; hardware event timestamps (Blackwell) are not asked for.
    m_support.timestampMode = serializesKernels() ? "default, kernels serialized" : "default";
    if (surroundings().wsl)
        m_support.timestampMode += " (WSL2)";
    m_support.available = true;
}

void KernelRecorder::requireSupport() const
{
    if (!m_support.available)
        throw CaptureError({m_support.reason, m_support.fix});
}

void KernelRecorder::watch(BracketWatcher &watcher)
{
    requireSupport();
    m_session->watch(watcher);
}

void KernelRecorder::rest()
{
    m_session->rest();
}

void KernelRecorder::start()
{
    requireSupport();
    m_session->start();
}

void KernelRecorder::setIteration(int iteration)
{
    m_session->setIteration(iteration);
}

Recording KernelRecorder::stop(Unmatched unmatched)
{
    RawRecording raw = m_session->stop();
    Recording recording = matchToIterations(std::move(raw.kernels), raw.calls, unmatched);
    recording.dropped = raw.dropped;
    return recording;
}

std::unique_ptr<CounterProfiler> KernelRecorder::openCounters() const
{
    requireSupport();
    return m_variant->openCounters(m_library);
}

std::unique_ptr<PcSampler> KernelRecorder::openSampler() const
{
    requireSupport();
    return m_variant->openSampler(m_library);
}

} // namespace stagecraft::capture
