// SPDX-License-Identifier: MIT
#include "capturecounters.h"

#include "metriclist.h"

#include <set>

namespace stagecraft::capture {

namespace {

using nlohmann::json;

namespace key {
constexpr auto passes = "passes";
constexpr auto replayMode = "replay_mode";
constexpr auto metrics = "metrics";
constexpr auto missing = "missing";
constexpr auto kernels = "kernels";
constexpr auto name = "name";
constexpr auto unit = "unit";
constexpr auto reason = "reason";
} // namespace key

constexpr std::int64_t mostPasses = 10'000;
constexpr double largestValue = 1e30; // counters have 64 bits, rates and ratios less

json metricJson(const protocol::Metric &metric)
{
    json out = {{key::name, metric.name}};
    if (!metric.unit.empty())
        out[key::unit] = metric.unit;
    return out;
}

std::string readName(const CaptureNode &node)
{
    std::string name = node.text();
    if (!isMetricName(name))
        node.fail("is no name of a metric");
    return name;
}

std::vector<CaptureNode> atMost(const CaptureNode &node, std::size_t most)
{
    std::vector<CaptureNode> elements = node.elements();
    if (elements.size() > most)
        node.fail("holds " + std::to_string(elements.size()) + " entries, of which there are at most " +
                  std::to_string(most));
    return elements;
}

std::string readReason(const CaptureNode &node)
{
    constexpr std::size_t longest = 1000;
    std::string reason = node.text();
    if (reason.size() > longest)
        node.fail("is longer than " + std::to_string(longest) + " bytes");
    return reason;
}

std::map<std::string, double> readKernel(const CaptureNode &node, const std::set<std::string> &known)
{
    std::map<std::string, double> values;
    for (const auto &[metric, value] : node.members()) {
        if (!known.contains(metric))
            node.fail("holds a value of no metric that is listed"); // whose name may be anything
        const double number = value.amount();
        if (number > largestValue)
            value.fail("is above 1e30, which nothing counts to");
        values.emplace(metric, number);
    }
    return values;
}

} // namespace

json countersJson(const CounterReading &reading)
{
    json metrics = json::array(), missing = json::array(), kernels = json::array();
    for (const protocol::Metric &metric : reading.metrics)
        metrics.push_back(metricJson(metric));
    for (const protocol::MissingMetric &metric : reading.missing)
        missing.push_back({{key::name, metric.name}, {key::reason, metric.reason}});
    for (const auto &values : reading.kernels)
        kernels.push_back(values);
    return {{key::passes, reading.passes},
            {key::replayMode, replayMode},
            {key::metrics, std::move(metrics)},
            {key::missing, std::move(missing)},
            {key::kernels, std::move(kernels)}};
}

CounterReading readCounters(const CaptureNode &node)
{
    CounterReading reading;
    const std::int64_t passes = node.object().at(key::passes).count();
    if (passes < 1 || passes > mostPasses)
        node.at(key::passes).fail("is not from 1 to " + std::to_string(mostPasses) + ": " + std::to_string(passes));
    reading.passes = static_cast<int>(passes);
    if (node.at(key::replayMode).text() != replayMode)
        node.at(key::replayMode).fail(std::string("is not \"") + replayMode + "\"");
    std::set<std::string> known;
    for (const CaptureNode &metric : atMost(node.at(key::metrics), maximumMetrics)) {
        reading.metrics.push_back({readName(metric.object().at(key::name)),
                                   metric.has(key::unit) ? metric.at(key::unit).word() : std::string()});
        if (!known.insert(reading.metrics.back().name).second)
            metric.at(key::name).fail("comes twice");
    }
    for (const CaptureNode &metric : atMost(node.at(key::missing), maximumMetrics))
        reading.missing.push_back({readName(metric.object().at(key::name)), readReason(metric.at(key::reason))});
    for (const CaptureNode &kernel : atMost(node.at(key::kernels), maximumCountedKernels))
        reading.kernels.push_back(readKernel(kernel, known));
    return reading;
}

} // namespace stagecraft::capture
