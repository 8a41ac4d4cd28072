// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the made-up libcupti that counts: the Range Profiler and what knows the metrics. A library without it is
// an older CUPTI. It counts what no GPU does: the metric at place m of kernel k, both from 0, is 1000 (k + 1) + m.
#include "fakecupti.h"
#include "fakecuptistate.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

struct CUpti_Profiler_Host_Object
{
    std::vector<std::string> metrics;
    bool spoilt = false; // takes no more after a metric that is not there
};

struct CUpti_RangeProfiler_Object
{
    CUcontext context = nullptr;
};

namespace {

constexpr std::size_t availabilityBytes = 24, configBytes = 32, counterDataBytes = 64;
constexpr std::uint8_t availabilityMark = 0xA1, configMark = 0xC0, counterDataMark = 0xCD;
constexpr std::size_t countPlace = 8; // in an image: of the metrics, of the ranges

struct Profiler
{
    bool initialized = false, started = false;
    CUpti_RangeProfiler_Object *object = nullptr;
    std::uint8_t *counterData = nullptr; // that was configured
    std::uint64_t kernels = 0;
    int hosts = 0; // objects that are not given back
    std::string lacks;
    std::string calls;
};

Profiler &profiler()
{
    static Profiler instance;
    return instance;
}

CUptiResult called(const char *function)
{
    profiler().calls += std::string(profiler().calls.empty() ? "" : " ") + function;
    return fakecupti::answer(function);
}

#define FAKE_CALLED(function)                                                                                          \
    if (const CUptiResult result = called(#function); result != CUPTI_SUCCESS)                                         \
    return result

#define FAKE_REQUIRE(condition)                                                                                        \
    if (!(condition))                                                                                                  \
    return CUPTI_ERROR_INVALID_PARAMETER

void putCount(std::uint8_t *image, std::uint64_t count)
{
    std::memcpy(image + countPlace, &count, sizeof count);
}

std::uint64_t countOf(const std::uint8_t *image)
{
    std::uint64_t count = 0;
    std::memcpy(&count, image + countPlace, sizeof count);
    return count;
}

bool isKnown(std::string_view metric)
{
    return !metric.starts_with("absent__");
}

double valueOf(std::string_view metric, std::size_t range, std::size_t place)
{
    if (metric.starts_with("nan__"))
        return std::numeric_limits<double>::quiet_NaN();
    const auto value = static_cast<double>(1000 * (range + 1) + place);
    return metric.starts_with("negative__") ? -value : value;
}

CUpti_Profiler_Support_Level levelOf(const char *what)
{
    return profiler().lacks == what ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED : CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
}

bool isOurs(const CUpti_RangeProfiler_Object *object)
{
    return object && object == profiler().object;
}

} // namespace

void fakecupti::countKernel()
{
    if (profiler().started)
        ++profiler().kernels;
}

int fakecupti::countersActive()
{
    const Profiler &now = profiler();
    return (now.initialized ? 32 : 0) | (now.object ? 64 : 0) | (now.started ? 128 : 0) | (now.hosts > 0 ? 256 : 0);
}

void fakecupti::endCounters()
{
    profiler().initialized = profiler().started = false;
}

extern "C" {

void fakeCuptiLack(const char *what)
{
    profiler().lacks = what ? what : "";
}

const char *fakeCuptiTakeCalls(void)
{
    static std::string calls;
    calls = std::exchange(profiler().calls, {});
    return calls.c_str();
}

CUptiResult CUPTIAPI cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *)
{
    FAKE_CALLED(cuptiProfilerInitialize);
    if (fakecupti::isGone())
        return CUPTI_ERROR_NOT_INITIALIZED;
    profiler().initialized = true;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params *)
{
    FAKE_CALLED(cuptiProfilerDeInitialize);
    profiler().initialized = false;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params *params)
{
    FAKE_CALLED(cuptiProfilerDeviceSupported);
    FAKE_REQUIRE(params->api == CUPTI_PROFILER_RANGE_PROFILING);
    if (const char *lacks = std::getenv("STAGECRAFT_FAKE_CUPTI_LACKS"))
        profiler().lacks = lacks;
    params->architecture = levelOf("architecture");
    params->sli = levelOf("sli");
    params->vGpu = levelOf("vGpu");
    params->confidentialCompute = levelOf("confidentialCompute");
    params->cmp = levelOf("cmp");
    params->wsl = levelOf("wsl");
    params->isSupported =
        profiler().lacks.empty() ? CUPTI_PROFILER_CONFIGURATION_SUPPORTED : CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *params)
{
    FAKE_CALLED(cuptiProfilerGetCounterAvailability);
    FAKE_REQUIRE(params->ctx && profiler().initialized);
    if (params->pCounterAvailabilityImage)
        std::memset(params->pCounterAvailabilityImage, availabilityMark, availabilityBytes);
    params->counterAvailabilityImageSize = availabilityBytes;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params)
{
    FAKE_CALLED(cuptiDeviceGetChipName);
    params->pChipName = "GF0";
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostInitialize);
    FAKE_REQUIRE(params->profilerType == CUPTI_PROFILER_TYPE_RANGE_PROFILER);
    FAKE_REQUIRE(params->pChipName == std::string_view("GF0") && params->pCounterAvailabilityImage &&
                 params->pCounterAvailabilityImage[0] == availabilityMark);
    params->pHostObject = new CUpti_Profiler_Host_Object;
    ++profiler().hosts;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostDeinitialize);
    delete params->pHostObject;
    --profiler().hosts;
    return CUPTI_SUCCESS;
}

// As the real one: a metric that is not there spoils the object for good.
CUptiResult CUPTIAPI cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostConfigAddMetrics);
    CUpti_Profiler_Host_Object &host = *params->pHostObject;
    for (std::size_t i = 0; i < params->numMetrics; ++i) {
        host.spoilt = host.spoilt || !isKnown(params->ppMetricNames[i]);
        host.metrics.emplace_back(params->ppMetricNames[i]);
    }
    return host.spoilt ? CUPTI_ERROR_INVALID_METRIC_NAME : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostGetMetricProperties);
    params->pDimUnit = std::string_view(params->pMetricName).ends_with(".pct") ? "percent" : "inst";
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostGetConfigImageSize);
    params->configImageSize = configBytes;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostGetConfigImage);
    FAKE_REQUIRE(params->configImageSize == configBytes);
    std::memset(params->pConfigImage, configMark, configBytes);
    putCount(params->pConfigImage, params->pHostObject->metrics.size());
    return CUPTI_SUCCESS;
}

// Four metrics a pass.
CUptiResult CUPTIAPI cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostGetNumOfPasses);
    FAKE_REQUIRE(params->configImageSize == configBytes && params->pConfigImage[0] == configMark);
    params->numOfPasses = (countOf(params->pConfigImage) + 3) / 4;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params)
{
    FAKE_CALLED(cuptiProfilerHostEvaluateToGpuValues);
    FAKE_REQUIRE(params->counterDataImageSize == counterDataBytes &&
                 params->rangeIndex < countOf(params->pCounterDataImage));
    for (std::size_t i = 0; i < params->numMetrics; ++i)
        params->pMetricValues[i] = valueOf(params->ppMetricNames[i], params->rangeIndex, i);
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerEnable);
    FAKE_REQUIRE(params->ctx && profiler().initialized && !profiler().object);
    profiler().object = params->pRangeProfilerObject = new CUpti_RangeProfiler_Object{params->ctx};
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerDisable);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject));
    delete std::exchange(profiler().object, nullptr);
    profiler().counterData = nullptr;
    profiler().started = false;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerGetCounterDataSize);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject) && params->numMetrics > 0 && params->maxNumOfRanges > 0 &&
                 params->maxNumRangeTreeNodes >= params->maxNumOfRanges);
    params->counterDataSize = counterDataBytes;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI
cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerCounterDataImageInitialize);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject) && params->counterDataSize == counterDataBytes);
    std::memset(params->pCounterData, counterDataMark, counterDataBytes);
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerSetConfig);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject) && params->configSize == configBytes &&
                 params->pConfig[0] == configMark && params->counterDataImageSize == counterDataBytes &&
                 params->pCounterDataImage[0] == counterDataMark);
    FAKE_REQUIRE(params->range == CUPTI_AutoRange && params->replayMode == CUPTI_KernelReplay &&
                 params->maxRangesPerPass > 0 && params->numNestingLevels == 1);
    profiler().counterData = params->pCounterDataImage;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerStart);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject) && profiler().counterData);
    profiler().started = true;
    profiler().kernels = 0;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerStop);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject) && profiler().started);
    profiler().started = false;
    params->isAllPassSubmitted = 1;
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerDecodeData);
    FAKE_REQUIRE(isOurs(params->pRangeProfilerObject) && !profiler().started);
    putCount(profiler().counterData, profiler().kernels);
    params->numOfRangeDropped = fakecupti::takeDropped();
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *params)
{
    FAKE_CALLED(cuptiRangeProfilerGetCounterDataInfo);
    FAKE_REQUIRE(params->counterDataImageSize == counterDataBytes && params->pCounterDataImage[0] == counterDataMark);
    params->numTotalRanges = countOf(params->pCounterDataImage);
    return CUPTI_SUCCESS;
}
}
