// SPDX-License-Identifier: MIT
// Compiled once per CUPTI major, as cuptisession.cpp; empty where its headers are older than the Range Profiler.
#if __has_include(<cupti_range_profiler.h>)
#include "metricevaluator.h"

#include <cmath>

namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE {

void loadMetricLibrary(const SharedLibrary &cupti)
{
    SharedLibrary::load("libnvperf_host.so", std::filesystem::path(cupti.path()).parent_path());
}

MetricEvaluator::MetricEvaluator(const SharedLibrary &library, std::string chip, Image availability,
                                 const std::vector<std::string> &metrics)
    : m_cupti(library), m_chip(std::move(chip)), m_availability(std::move(availability))
{
    m_host = create();
    try {
        sort(metrics);
        makeConfig();
    } catch (...) {
        destroy(m_host);
        throw;
    }
}

MetricEvaluator::~MetricEvaluator()
{
    destroy(m_host);
}

MetricEvaluator::Host *MetricEvaluator::create() const
{
    CUpti_Profiler_Host_Initialize_Params params{};
    params.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = m_chip.c_str();
    params.pCounterAvailabilityImage = m_availability.empty() ? nullptr : m_availability.data();
    STAGECRAFT_CUPTI_CHECK(cuptiProfilerHostInitialize, &params);
    return params.pHostObject;
}

// A failure has no remedy.
void MetricEvaluator::destroy(Host *host) const
{
    CUpti_Profiler_Host_Deinitialize_Params params{};
    params.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
    params.pHostObject = host;
    m_cupti.cuptiProfilerHostDeinitialize(&params);
}

// Empty when they were added. Metrics are added at once: each further call adds passes of its own, where metrics of one
// call share them.
std::string MetricEvaluator::addProblem(Host *host, const std::vector<const char *> &names) const
{
    std::vector<const char *> list = names; // CUPTI's parameter is not const
    CUpti_Profiler_Host_ConfigAddMetrics_Params params{};
    params.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
    params.pHostObject = host;
    params.ppMetricNames = list.data();
    params.numMetrics = list.size();
    const CUptiResult result = m_cupti.cuptiProfilerHostConfigAddMetrics(&params);
    return result == CUPTI_SUCCESS ? std::string() : resultName(m_cupti.cuptiGetResultString, result);
}

// Each is tried by itself, on an object of its own: one that is not there spoils all others of its call, and after a
// failure an object takes no more.
void MetricEvaluator::sort(const std::vector<std::string> &metrics)
{
    for (const std::string &name : metrics) {
        Host *const trial = create();
        const std::string problem = addProblem(trial, {name.c_str()});
        destroy(trial);
        if (problem.empty())
            m_metrics.push_back({name, unitOf(name.c_str())});
        else
            m_missing.push_back({name, "CUPTI does not count it on " + m_chip + " (" + problem + ")"});
    }
    if (m_metrics.empty())
        throw CaptureError({"none of the " + std::to_string(metrics.size()) + " metrics can be counted on " + m_chip,
                            "ask for metrics that Nsight Compute lists for this GPU (ncu --query-metrics)"});
    for (const protocol::Metric &metric : m_metrics)
        m_names.push_back(metric.name.c_str());
}

// Empty where CUPTI knows none: a ratio has none.
std::string MetricEvaluator::unitOf(const char *metric) const
{
    CUpti_Profiler_Host_GetMetricProperties_Params params{};
    params.structSize = CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE;
    params.pHostObject = m_host;
    params.pMetricName = metric;
    const bool known = m_cupti.cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS && params.pDimUnit;
    return known ? params.pDimUnit : std::string();
}

void MetricEvaluator::makeConfig()
{
    if (const std::string problem = addProblem(m_host, m_names); !problem.empty())
        throw CaptureError(
            {"the metrics cannot be counted together on " + m_chip + " (" + problem + ")", "ask for fewer of them"});
    CUpti_Profiler_Host_GetConfigImageSize_Params size{};
    size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
    size.pHostObject = m_host;
    STAGECRAFT_CUPTI_CHECK(cuptiProfilerHostGetConfigImageSize, &size);
    m_config.resize(size.configImageSize);
    CUpti_Profiler_Host_GetConfigImage_Params image{};
    image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
    image.pHostObject = m_host;
    image.configImageSize = m_config.size();
    image.pConfigImage = m_config.data();
    STAGECRAFT_CUPTI_CHECK(cuptiProfilerHostGetConfigImage, &image);
    CUpti_Profiler_Host_GetNumOfPasses_Params passes{};
    passes.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
    passes.configImageSize = m_config.size();
    passes.pConfigImage = m_config.data();
    STAGECRAFT_CUPTI_CHECK(cuptiProfilerHostGetNumOfPasses, &passes);
    m_passes = static_cast<int>(passes.numOfPasses);
}

std::map<std::string, double> MetricEvaluator::evaluate(const Image &counterData, std::size_t range) const
{
    std::vector<const char *> names = m_names;
    std::vector<double> numbers(names.size());
    CUpti_Profiler_Host_EvaluateToGpuValues_Params params{};
    params.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
    params.pHostObject = m_host;
    params.pCounterDataImage = counterData.data();
    params.counterDataImageSize = counterData.size();
    params.rangeIndex = range;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = numbers.data();
    STAGECRAFT_CUPTI_CHECK(cuptiProfilerHostEvaluateToGpuValues, &params);
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (std::isfinite(numbers[i]) && numbers[i] >= 0)
            values.emplace(m_metrics[i].name, numbers[i]);
    }
    return values;
}

} // namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE
#endif
