// SPDX-License-Identifier: MIT
#pragma once

#include "counterprofiler.h"
#include "cupticheck.h"

#include <cupti_profiler_host.h>

#include <cstdint>

// What CUPTI knows of a chip's metrics: which there are, what the GPU has to be told to count them, and their values
// from what it counted. It needs no GPU. For the per-major sources only.
namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE {

#define STAGECRAFT_EVALUATOR_FUNCTIONS(X)                                                                              \
    X(cuptiGetResultString)                                                                                            \
    X(cuptiProfilerHostInitialize)                                                                                     \
    X(cuptiProfilerHostDeinitialize)                                                                                   \
    X(cuptiProfilerHostConfigAddMetrics)                                                                               \
    X(cuptiProfilerHostGetMetricProperties)                                                                            \
    X(cuptiProfilerHostGetConfigImageSize)                                                                             \
    X(cuptiProfilerHostGetConfigImage)                                                                                 \
    X(cuptiProfilerHostGetNumOfPasses)                                                                                 \
    X(cuptiProfilerHostEvaluateToGpuValues)
STAGECRAFT_CUPTI_TABLE(EvaluatorTable, STAGECRAFT_EVALUATOR_FUNCTIONS)

using Image = std::vector<std::uint8_t>;

// CUPTI asks the loader for its library of metrics by name alone, which finds none, or another release's, where CUPTI
// came from a folder outside of the loader's search. Loaded first from that folder, it is found by its soname. Before
// the first use of CUPTI's profilers.
void loadMetricLibrary(const SharedLibrary &cupti);

// Of one chip and one set of metrics. All functions throw CaptureError.
class MetricEvaluator
{
public:
    // `chip` is CUPTI's name of it ("GH100"); `availability` the GPU's own image of what can be counted, empty where
    // there is no GPU: then everything that the chip has. Metrics that are not there are kept apart.
    MetricEvaluator(const SharedLibrary &library, std::string chip, Image availability,
                    const std::vector<std::string> &metrics);
    ~MetricEvaluator();
    MetricEvaluator(const MetricEvaluator &) = delete;
    MetricEvaluator &operator=(const MetricEvaluator &) = delete;

    const std::vector<protocol::Metric> &metrics() const { return m_metrics; }
    const std::vector<protocol::MissingMetric> &missing() const { return m_missing; }
    const std::vector<const char *> &names() const { return m_names; } // of the metrics, for CUPTI
    Image &config() { return m_config; }
    int passes() const { return m_passes; }

    // Of one range of a counter data image. A metric whose value is no finite number, or below 0, has none.
    std::map<std::string, double> evaluate(const Image &counterData, std::size_t range) const;

private:
    using Host = CUpti_Profiler_Host_Object;
    Host *create() const;
    void destroy(Host *host) const;
    std::string addProblem(Host *host, const std::vector<const char *> &names) const;
    void sort(const std::vector<std::string> &metrics);
    std::string unitOf(const char *metric) const;
    void makeConfig();

    EvaluatorTable m_cupti;
    std::string m_chip;
    Image m_availability, m_config;
    Host *m_host = nullptr;
    std::vector<protocol::Metric> m_metrics;
    std::vector<protocol::MissingMetric> m_missing;
    std::vector<const char *> m_names;
    int m_passes = 0;
};

} // namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE
