// SPDX-License-Identifier: MIT
// Compiled once per CUPTI major, as cuptisession.cpp.
#include "counterprofiler.h"
#include "sharedlibrary.h"

#include <memory>

#define STAGECRAFT_JOIN_(a, b) a##b
#define STAGECRAFT_JOIN(a, b) STAGECRAFT_JOIN_(a, b)

#if __has_include(<cupti_range_profiler.h>)

#include "cuptireturn.h"
#include "currentcontext.h"
#include "metricevaluator.h"

#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <optional>

namespace stagecraft::capture {

namespace STAGECRAFT_CUPTI_NAMESPACE {

namespace {

#define STAGECRAFT_COUNTER_FUNCTIONS(X)                                                                                \
    X(cuptiGetResultString)                                                                                            \
    X(cuptiProfilerInitialize)                                                                                         \
    X(cuptiProfilerDeInitialize)                                                                                       \
    X(cuptiProfilerDeviceSupported)                                                                                    \
    X(cuptiProfilerGetCounterAvailability)                                                                             \
    X(cuptiDeviceGetChipName)                                                                                          \
    X(cuptiRangeProfilerEnable)                                                                                        \
    X(cuptiRangeProfilerDisable)                                                                                       \
    X(cuptiRangeProfilerGetCounterDataSize)                                                                            \
    X(cuptiRangeProfilerCounterDataImageInitialize)                                                                    \
    X(cuptiRangeProfilerSetConfig)                                                                                     \
    X(cuptiRangeProfilerStart)                                                                                         \
    X(cuptiRangeProfilerStop)                                                                                          \
    X(cuptiRangeProfilerDecodeData)                                                                                    \
    X(cuptiRangeProfilerGetCounterDataInfo)
STAGECRAFT_CUPTI_TABLE(CounterTable, STAGECRAFT_COUNTER_FUNCTIONS)

class Counters final : public CounterProfiler
{
public:
    explicit Counters(const SharedLibrary &library) : m_library(library), m_cupti(library), m_return(library)
    {
        loadMetricLibrary(library);
    }
    ~Counters() override { end(); }

    void start(const std::vector<std::string> &metrics) override
    {
        try {
            begin(metrics);
        } catch (...) {
            end();
            throw;
        }
    }

    CounterReading stop() override
    {
        try {
            CounterReading reading = read();
            end();
            return reading;
        } catch (...) {
            end();
            throw;
        }
    }

private:
    void begin(const std::vector<std::string> &metrics)
    {
        const CurrentContext current = currentContext();
        initialize();
        requireSupport(current.device);
        m_evaluator.emplace(m_library, chipName(current.device), availability(current.context), metrics);
        CUpti_RangeProfiler_Enable_Params enable{};
        enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
        enable.ctx = current.context;
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerEnable, &enable);
        m_profiler = enable.pRangeProfilerObject;
        makeCounterData();
        configure();
        CUpti_RangeProfiler_Start_Params start{};
        start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
        start.pRangeProfilerObject = m_profiler;
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerStart, &start);
    }

    void initialize()
    {
        CUpti_Profiler_Initialize_Params params{};
        params.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
        const CUptiResult result = m_return.call([&] { return m_cupti.cuptiProfilerInitialize(&params); });
        if (result != CUPTI_SUCCESS)
            refuse(m_cupti, result, "cuptiProfilerInitialize");
        m_initialized = true;
    }

    // What the GPU and where it runs allow; permissions show only when counting starts.
    void requireSupport(CUdevice device) const
    {
        CUpti_Profiler_DeviceSupported_Params params{};
        params.structSize = CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE;
        params.cuDevice = device;
        params.api = CUPTI_PROFILER_RANGE_PROFILING;
        STAGECRAFT_CUPTI_CHECK(cuptiProfilerDeviceSupported, &params);
        if (params.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
            return;
        const auto lacks = [](CUpti_Profiler_Support_Level level) {
            return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED || level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
        };
        throw CaptureError(explainUncounted({lacks(params.architecture), lacks(params.sli), lacks(params.vGpu),
                                             lacks(params.confidentialCompute), lacks(params.cmp), lacks(params.wsl)}));
    }

    std::string chipName(CUdevice device) const
    {
        CUpti_Device_GetChipName_Params params{};
        params.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
        params.deviceIndex = static_cast<std::size_t>(device);
        STAGECRAFT_CUPTI_CHECK(cuptiDeviceGetChipName, &params);
        return params.pChipName;
    }

    Image availability(CUcontext context) const
    {
        CUpti_Profiler_GetCounterAvailability_Params params{};
        params.structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE;
        params.ctx = context;
        STAGECRAFT_CUPTI_CHECK(cuptiProfilerGetCounterAvailability, &params);
        Image image(params.counterAvailabilityImageSize);
        params.pCounterAvailabilityImage = image.data();
        STAGECRAFT_CUPTI_CHECK(cuptiProfilerGetCounterAvailability, &params);
        return image;
    }

    void makeCounterData()
    {
        std::vector<const char *> names = m_evaluator->names();
        CUpti_RangeProfiler_GetCounterDataSize_Params size{};
        size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
        size.pRangeProfilerObject = m_profiler;
        size.pMetricNames = names.data();
        size.numMetrics = names.size();
        size.maxNumOfRanges = maximumCountedKernels;
        size.maxNumRangeTreeNodes = maximumCountedKernels;
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerGetCounterDataSize, &size);
        m_counterData.assign(size.counterDataSize, 0);
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params initialize{};
        initialize.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
        initialize.pRangeProfilerObject = m_profiler;
        initialize.counterDataSize = m_counterData.size();
        initialize.pCounterData = m_counterData.data();
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerCounterDataImageInitialize, &initialize);
    }

    // Every kernel is a range, and CUPTI runs it again by itself.
    void configure()
    {
        CUpti_RangeProfiler_SetConfig_Params params{};
        params.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
        params.pRangeProfilerObject = m_profiler;
        params.configSize = m_evaluator->config().size();
        params.pConfig = m_evaluator->config().data();
        params.counterDataImageSize = m_counterData.size();
        params.pCounterDataImage = m_counterData.data();
        params.range = CUPTI_AutoRange;
        params.replayMode = CUPTI_KernelReplay;
        params.maxRangesPerPass = maximumCountedKernels;
        params.numNestingLevels = 1;
        params.minNestingLevel = 1;
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerSetConfig, &params);
    }

    CounterReading read()
    {
        CUpti_RangeProfiler_Stop_Params stop{};
        stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
        stop.pRangeProfilerObject = m_profiler;
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerStop, &stop);
        if (!stop.isAllPassSubmitted)
            throw CaptureError({"not all passes of the kernels were run", "count a smaller call, or fewer metrics"});
        CUpti_RangeProfiler_DecodeData_Params decode{};
        decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
        decode.pRangeProfilerObject = m_profiler;
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerDecodeData, &decode);
        if (decode.numOfRangeDropped > 0)
            throw CaptureError({"counters of " + std::to_string(decode.numOfRangeDropped) + " kernels were lost; " +
                                    std::to_string(maximumCountedKernels) + " kernels of one call can be counted",
                                "count a smaller call"});
        return evaluated();
    }

    CounterReading evaluated() const
    {
        CUpti_RangeProfiler_GetCounterDataInfo_Params info{};
        info.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
        info.pCounterDataImage = m_counterData.data();
        info.counterDataImageSize = m_counterData.size();
        STAGECRAFT_CUPTI_CHECK(cuptiRangeProfilerGetCounterDataInfo, &info);
        CounterReading reading{m_evaluator->passes(), m_evaluator->metrics(), m_evaluator->missing(), {}};
        for (std::size_t range = 0; range < info.numTotalRanges; ++range)
            reading.kernels.push_back(m_evaluator->evaluate(m_counterData, range));
        return reading;
    }

    // Undoes begin() as far as it came. Failures have no remedy and would hide the first error.
    void end()
    {
        if (m_profiler) {
            CUpti_RangeProfiler_Disable_Params disable{};
            disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
            disable.pRangeProfilerObject = m_profiler;
            m_cupti.cuptiRangeProfilerDisable(&disable);
        }
        m_profiler = nullptr;
        if (m_initialized) {
            CUpti_Profiler_DeInitialize_Params deinitialize{};
            deinitialize.structSize = CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE;
            m_cupti.cuptiProfilerDeInitialize(&deinitialize);
        }
        m_initialized = false;
        m_return.leave();
        m_evaluator.reset();
    }

    SharedLibrary m_library;
    CounterTable m_cupti;
    CuptiReturn m_return;
    std::optional<MetricEvaluator> m_evaluator;
    Image m_counterData;
    CUpti_RangeProfiler_Object *m_profiler = nullptr;
    bool m_initialized = false;
};

} // namespace

} // namespace STAGECRAFT_CUPTI_NAMESPACE

std::unique_ptr<CounterProfiler> STAGECRAFT_JOIN(openCounters, STAGECRAFT_CUPTI_MAJOR)(const SharedLibrary &library)
{
    return std::make_unique<STAGECRAFT_CUPTI_NAMESPACE::Counters>(library);
}

} // namespace stagecraft::capture

#else // CUDA 12 before the Range Profiler API: kernel records are built all the same

namespace stagecraft::capture {

std::unique_ptr<CounterProfiler> STAGECRAFT_JOIN(openCounters, STAGECRAFT_CUPTI_MAJOR)(const SharedLibrary &)
{
    throw CaptureError({"this build has no support for hardware counters: CUPTI's headers have no Range Profiler",
                        "build with the headers of CUDA 12.6 or newer"});
}

} // namespace stagecraft::capture

#endif
