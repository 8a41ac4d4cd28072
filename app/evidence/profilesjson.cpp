// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

json recordJson(const KernelRecord &record)
{
    return {{"kernel_name", record.kernelName.toStdString()},
            {"duration_us", record.durationUs},
            {"grid_size", textJson(record.gridSize)},
            {"block_size", textJson(record.blockSize)},
            {"registers_per_thread", optionalJson(record.registersPerThread)},
            {"shared_mem_bytes", optionalJson(record.sharedMemBytes)},
            {"iteration", optionalJson(record.iteration)}};
}

json captureJson(const Capture &capture)
{
    json records = json::array();
    for (const KernelRecord &record : capture.records)
        records.push_back(recordJson(record));
    json object = {{"operation", capture.operation.toStdString()},
                   {"language", capture.language.toStdString()},
                   {"backend", textJson(capture.backend)},
                   {"timestamp_mode", textJson(capture.timestampMode)},
                   {"dims", dimsJson(capture.dims)},
                   {"cache", textJson(capture.cache)},
                   {"round", optionalJson(capture.round)},
                   {"stage", textJson(capture.stage)},
                   {"launches", capture.launches},
                   {"requested_iterations", capture.requestedIterations},
                   {"kernel_names", textsJson(capture.kernelNames)},
                   {"status", textJson(capture.status)},
                   {"invalid_records", capture.invalidRecords > 0 ? json(capture.invalidRecords) : json(nullptr)},
                   {"kernel_metrics", records}};
    setState(object, capture.state, capture.reason);
    return object;
}

} // namespace

json profilesJson(const Namespace &evidence)
{
    json captures = json::array();
    for (const Capture &capture : evidence.captures)
        captures.push_back(captureJson(capture));
    return {{"format", formatNumber},
            {"experiment_id", textJson(evidence.experimentId)},
            {"backend", textJson(evidence.captureBackend)},
            {"timestamp_mode", textJson(evidence.timestampMode)},
            {"captures", captures}};
}

} // namespace stagecraft::evidence
