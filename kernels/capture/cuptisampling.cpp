// SPDX-License-Identifier: MIT
// Compiled once per CUPTI major, as cuptisession.cpp.
#include "pcsampler.h"

#include "cuptireturn.h"
#include "currentcontext.h"

#include <cupti_pcsampling.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string_view>

#define STAGECRAFT_JOIN_(a, b) a##b
#define STAGECRAFT_JOIN(a, b) STAGECRAFT_JOIN_(a, b)

namespace stagecraft::capture {

namespace STAGECRAFT_CUPTI_NAMESPACE {

namespace {

#define STAGECRAFT_SAMPLING_FUNCTIONS(X)                                                                               \
    X(cuptiGetResultString)                                                                                            \
    X(cuptiPCSamplingEnable)                                                                                           \
    X(cuptiPCSamplingDisable)                                                                                          \
    X(cuptiPCSamplingGetNumStallReasons)                                                                               \
    X(cuptiPCSamplingGetStallReasons)                                                                                  \
    X(cuptiPCSamplingSetConfigurationAttribute)                                                                        \
    X(cuptiPCSamplingStart)                                                                                            \
    X(cuptiPCSamplingStop)
STAGECRAFT_CUPTI_TABLE(SamplingTable, STAGECRAFT_SAMPLING_FUNCTIONS)

// Instructions of all modules that are loaded meanwhile; the longest stage has some 5000.
constexpr std::size_t mostInstructions = 1u << 15;

struct StallReason
{
    std::uint32_t index = 0;
    std::string name; // "long_scoreboard"
};

// CUPTI counts each reason twice, over all samples and over those in which the scheduler issued nothing, and has two
// sums among its reasons. Only the first of each is kept.
std::string plainName(std::string_view name)
{
    constexpr std::string_view begin = "smsp__pcsamp_warps_issue_stalled_", end = "_not_issued";
    if (!name.starts_with(begin) || name.ends_with(end))
        return {};
    return std::string(name.substr(begin.size()));
}

// What CUPTI fills: instructions, each with room for its reasons. The functions' names inside are left to CUPTI:
// records share them, those of other instruments too, so that nobody can tell when the last one is read.
class SampleBuffer
{
public:
    explicit SampleBuffer(std::size_t reasons) : m_reasons(mostInstructions * reasons), m_instructions(mostInstructions)
    {
        for (std::size_t i = 0; i < mostInstructions; ++i) {
            m_instructions[i].size = sizeof(CUpti_PCSamplingPCData);
            m_instructions[i].stallReason = &m_reasons[i * reasons];
        }
        m_data.size = sizeof(CUpti_PCSamplingData);
        m_data.collectNumPcs = mostInstructions;
        m_data.pPcData = m_instructions.data();
    }
    SampleBuffer(const SampleBuffer &) = delete;
    SampleBuffer &operator=(const SampleBuffer &) = delete;

    CUpti_PCSamplingData &data() { return m_data; }

private:
    std::vector<CUpti_PCSamplingStallReason> m_reasons;
    std::vector<CUpti_PCSamplingPCData> m_instructions;
    CUpti_PCSamplingData m_data{};
};

class Sampler final : public PcSampler
{
public:
    explicit Sampler(const SharedLibrary &library) : m_cupti(library), m_return(library) {}
    ~Sampler() override { end(); }

    void start() override
    {
        m_context = currentContext().context;
        try {
            begin();
        } catch (...) {
            end();
            throw;
        }
    }

    protocol::SampleResult stop() override
    {
        try {
            CUpti_PCSamplingStopParams params{};
            params.size = CUpti_PCSamplingStopParamsSize;
            params.ctx = m_context;
            STAGECRAFT_CUPTI_CHECK(cuptiPCSamplingStop, &params);
            protocol::SampleResult result = found();
            end();
            return result;
        } catch (...) {
            end();
            throw;
        }
    }

private:
    void begin()
    {
        CUpti_PCSamplingEnableParams enable{};
        enable.size = CUpti_PCSamplingEnableParamsSize;
        enable.ctx = m_context;
        const CUptiResult result = m_return.call([&] { return m_cupti.cuptiPCSamplingEnable(&enable); });
        if (result != CUPTI_SUCCESS)
            refuse(m_cupti, result, "cuptiPCSamplingEnable");
        m_enabled = true;
        readReasons();
        m_buffer = std::make_unique<SampleBuffer>(m_reasons.size());
        configure();
        CUpti_PCSamplingStartParams params{};
        params.size = CUpti_PCSamplingStartParamsSize;
        params.ctx = m_context;
        STAGECRAFT_CUPTI_CHECK(cuptiPCSamplingStart, &params);
    }

    void readReasons()
    {
        std::size_t count = 0;
        CUpti_PCSamplingGetNumStallReasonsParams number{};
        number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
        number.ctx = m_context;
        number.numStallReasons = &count;
        STAGECRAFT_CUPTI_CHECK(cuptiPCSamplingGetNumStallReasons, &number);
        std::vector<std::uint32_t> indices(count);
        std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
        std::vector<char *> names;
        for (auto &text : texts)
            names.push_back(text.data());
        CUpti_PCSamplingGetStallReasonsParams params{};
        params.size = CUpti_PCSamplingGetStallReasonsParamsSize;
        params.ctx = m_context;
        params.numStallReasons = count;
        params.stallReasonIndex = indices.data();
        params.stallReasons = names.data();
        STAGECRAFT_CUPTI_CHECK(cuptiPCSamplingGetStallReasons, &params);
        m_reasons.clear();
        for (std::size_t i = 0; i < count; ++i) {
            if (std::string name = plainName(names[i]); !name.empty())
                m_reasons.push_back({indices[i], std::move(name)});
        }
    }

    void configure()
    {
        std::vector<std::uint32_t> wanted;
        for (const StallReason &reason : m_reasons)
            wanted.push_back(reason.index);
        std::array<CUpti_PCSamplingConfigurationInfo, 5> settings{};
        settings[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
        settings[0].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
        settings[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
        settings[1].attributeData.samplingPeriodData.samplingPeriod =
            static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(samplingPeriodCycles)));
        settings[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON;
        settings[2].attributeData.stallReasonData = {wanted.size(), wanted.data()};
        settings[3].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
        settings[3].attributeData.samplingDataBufferData.samplingDataBuffer = &m_buffer->data();
        settings[4].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL;
        settings[4].attributeData.enableStartStopControlData.enableStartStopControl = true;
        CUpti_PCSamplingConfigurationInfoParams params{};
        params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
        params.ctx = m_context;
        params.numAttributes = settings.size();
        params.pPCSamplingConfigurationInfo = settings.data();
        STAGECRAFT_CUPTI_CHECK(cuptiPCSamplingSetConfigurationAttribute, &params);
    }

    protocol::SampleResult found() const
    {
        const CUpti_PCSamplingData &data = m_buffer->data();
        if (data.hardwareBufferFull || data.remainingNumPcs > 0)
            throw CaptureError({"the samples were more than their buffer holds", "sample fewer calls"});
        protocol::SampleResult result;
        result.periodCycles = samplingPeriodCycles;
        result.dropped = static_cast<std::int64_t>(data.droppedSamples);
        for (std::size_t i = 0; i < data.totalNumPcs; ++i)
            add(data.pPcData[i], result);
        for (protocol::SampledKernel &kernel : result.kernels)
            std::ranges::sort(kernel.instructions, {}, &protocol::SampledInstruction::address);
        return result;
    }

    void add(const CUpti_PCSamplingPCData &from, protocol::SampleResult &result) const
    {
        protocol::SampledInstruction instruction{static_cast<std::int64_t>(from.pcOffset), {}};
        for (std::size_t i = 0; i < from.stallReasonCount; ++i) {
            const CUpti_PCSamplingStallReason &counted = from.stallReason[i];
            const auto reason = std::ranges::find(m_reasons, counted.pcSamplingStallReasonIndex, &StallReason::index);
            if (reason == m_reasons.end() || counted.samples == 0)
                continue;
            instruction.samples[reason->name] += counted.samples;
            result.samples += counted.samples;
        }
        const std::string entry = from.functionName ? from.functionName : "";
        auto kernel = std::ranges::find(result.kernels, entry, &protocol::SampledKernel::entry);
        if (kernel == result.kernels.end())
            kernel = result.kernels.insert(kernel, {entry, {}});
        if (!instruction.samples.empty())
            kernel->instructions.push_back(std::move(instruction));
    }

    // Failures have no remedy and would hide the first error.
    void end()
    {
        if (m_enabled) {
            CUpti_PCSamplingDisableParams params{};
            params.size = CUpti_PCSamplingDisableParamsSize;
            params.ctx = m_context;
            m_cupti.cuptiPCSamplingDisable(&params);
        }
        m_enabled = false;
        m_return.leave();
        m_buffer.reset();
    }

    SamplingTable m_cupti;
    CuptiReturn m_return;
    CUcontext m_context = nullptr;
    std::vector<StallReason> m_reasons;
    std::unique_ptr<SampleBuffer> m_buffer;
    bool m_enabled = false;
};

} // namespace

} // namespace STAGECRAFT_CUPTI_NAMESPACE

std::unique_ptr<PcSampler> STAGECRAFT_JOIN(openSampler, STAGECRAFT_CUPTI_MAJOR)(const SharedLibrary &library)
{
    return std::make_unique<STAGECRAFT_CUPTI_NAMESPACE::Sampler>(library);
}

} // namespace stagecraft::capture
