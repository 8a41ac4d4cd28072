// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

json metricsJson(const QMap<QString, QString> &units)
{
    json metrics = json::object();
    for (auto it = units.begin(); it != units.end(); ++it)
        metrics[it.key().toStdString()] = {{"unit", textJson(it.value())}};
    return metrics.empty() ? json(nullptr) : metrics;
}

json kernelJson(const CountedKernel &kernel)
{
    json values = json::object();
    for (auto it = kernel.values.begin(); it != kernel.values.end(); ++it)
        values[it.key().toStdString()] = it.value();
    return {{"kernel_name", kernel.kernelName.toStdString()},
            {"grid_size", textJson(kernel.gridSize)},
            {"block_size", textJson(kernel.blockSize)},
            {"registers_per_thread", optionalJson(kernel.registersPerThread)},
            {"shared_mem_bytes", optionalJson(kernel.sharedMemBytes)},
            {"values", values}};
}

json captureJson(const CounterCapture &capture)
{
    json kernels = json::array();
    for (const CountedKernel &kernel : capture.kernels)
        kernels.push_back(kernelJson(kernel));
    json object = {{"operation", capture.operation.toStdString()},
                   {"language", capture.language.toStdString()},
                   {"dims", dimsJson(capture.dims)},
                   {"cache", textJson(capture.cache)},
                   {"stage", textJson(capture.stage)},
                   {"arithmetic", textJson(capture.arithmetic)},
                   {"backend", textJson(capture.backend)},
                   {"replay_mode", textJson(capture.replayMode)},
                   {"passes", optionalJson(capture.passes)},
                   {"metrics", metricsJson(capture.units)},
                   {"lacking", textMapJson(capture.lacking)},
                   {"kernels", kernels}};
    setState(object, capture.state, capture.reason);
    return object;
}

} // namespace

json countersJson(const Namespace &evidence)
{
    json captures = json::array();
    for (const CounterCapture &capture : evidence.counters)
        captures.push_back(captureJson(capture));
    return {{"format", formatNumber}, {"experiment_id", textJson(evidence.experimentId)}, {"captures", captures}};
}

} // namespace stagecraft::evidence
