// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the made-up libcupti that samples: each kernel that runs meanwhile has samples at 0x20 and at 0x10, in
// that order, five that wait for long_scoreboard and two that are selected at each. A kernel named "overflow" fills the
// hardware's buffer.
#include "fakecuptistate.h"

#include <array>
#include <cstring>
#include <cupti_pcsampling.h>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Reason
{
    std::uint32_t index;
    const char *name;
};

// Each is counted twice, and there are sums among them.
constexpr Reason reasons[]{{3, "smsp__pcsamp_warps_issue_stalled_long_scoreboard"},
                           {4, "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued"},
                           {7, "smsp__pcsamp_sample_buffer_full"},
                           {9, "smsp__pcsamp_warps_issue_stalled_selected"}};

struct Sampler
{
    CUcontext context = nullptr; // where it is enabled
    bool started = false;
    CUpti_PCSamplingData *data = nullptr;
    std::vector<std::string> kernels;
};

Sampler &sampler()
{
    static Sampler instance;
    return instance;
}

#define FAKE_ANSWER(function)                                                                                          \
    if (const CUptiResult result = fakecupti::answer(#function); result != CUPTI_SUCCESS)                              \
    return result

#define FAKE_REQUIRE(condition)                                                                                        \
    if (!(condition))                                                                                                  \
    return CUPTI_ERROR_INVALID_PARAMETER

bool isOurs(CUcontext context)
{
    return context && context == sampler().context;
}

void addSamples(std::string &kernel, std::uint64_t offset)
{
    CUpti_PCSamplingPCData &record = sampler().data->pPcData[sampler().data->totalNumPcs++];
    record.functionName = kernel.data();
    record.pcOffset = offset;
    record.stallReasonCount = 2;
    record.stallReason[0] = {3, 5};
    record.stallReason[1] = {9, 2};
}

} // namespace

void fakecupti::sampleKernel(const char *name)
{
    if (sampler().started)
        sampler().kernels.emplace_back(name);
}

int fakecupti::samplingActive()
{
    return sampler().context ? 512 : 0;
}

extern "C" {

CUptiResult CUPTIAPI cuptiPCSamplingEnable(CUpti_PCSamplingEnableParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingEnable);
    if (fakecupti::isGone())
        return CUPTI_ERROR_NOT_INITIALIZED;
    FAKE_REQUIRE(params->ctx && !sampler().context);
    sampler().context = params->ctx;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingDisable(CUpti_PCSamplingDisableParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingDisable);
    FAKE_REQUIRE(isOurs(params->ctx));
    sampler() = {};
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingGetNumStallReasons(CUpti_PCSamplingGetNumStallReasonsParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingGetNumStallReasons);
    FAKE_REQUIRE(isOurs(params->ctx));
    *params->numStallReasons = std::size(reasons);
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingGetStallReasons(CUpti_PCSamplingGetStallReasonsParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingGetStallReasons);
    FAKE_REQUIRE(isOurs(params->ctx) && params->numStallReasons == std::size(reasons));
    for (std::size_t i = 0; i < std::size(reasons); ++i) {
        params->stallReasonIndex[i] = reasons[i].index;
        std::strcpy(params->stallReasons[i], reasons[i].name);
    }
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingSetConfigurationAttribute(CUpti_PCSamplingConfigurationInfoParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingSetConfigurationAttribute);
    FAKE_REQUIRE(isOurs(params->ctx) && !sampler().started);
    bool hasPeriod = false, hasReasons = false;
    for (std::size_t i = 0; i < params->numAttributes; ++i) {
        const CUpti_PCSamplingConfigurationInfo &setting = params->pPCSamplingConfigurationInfo[i];
        if (setting.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD)
            hasPeriod = setting.attributeData.samplingPeriodData.samplingPeriod == 8; // 256 cycles
        if (setting.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON)
            hasReasons = setting.attributeData.stallReasonData.stallReasonCount == 2 &&
                         setting.attributeData.stallReasonData.pStallReasonIndex[1] == 9;
        if (setting.attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
            sampler().data =
                static_cast<CUpti_PCSamplingData *>(setting.attributeData.samplingDataBufferData.samplingDataBuffer);
    }
    FAKE_REQUIRE(hasPeriod && hasReasons && sampler().data && sampler().data->collectNumPcs > 0);
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiPCSamplingStart(CUpti_PCSamplingStartParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingStart);
    FAKE_REQUIRE(isOurs(params->ctx) && sampler().data);
    sampler().started = true;
    return CUPTI_SUCCESS;
}

// Fills the buffer, as the real one does in continuous mode.
CUptiResult CUPTIAPI cuptiPCSamplingStop(CUpti_PCSamplingStopParams *params)
{
    FAKE_ANSWER(cuptiPCSamplingStop);
    FAKE_REQUIRE(isOurs(params->ctx) && sampler().started);
    sampler().started = false;
    sampler().data->droppedSamples = fakecupti::takeDropped();
    for (std::string &kernel : sampler().kernels) {
        sampler().data->hardwareBufferFull = sampler().data->hardwareBufferFull || kernel == "overflow";
        for (const std::uint64_t offset : {0x20u, 0x10u})
            addSamples(kernel, offset);
    }
    return CUPTI_SUCCESS;
}
}
