// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

json measurementJson(const SummaryMeasurement &measurement)
{
    return {{"event", optionalJson(measurement.event)},        {"event_min", optionalJson(measurement.eventMin)},
            {"event_max", optionalJson(measurement.eventMax)}, {"kernel", optionalJson(measurement.kernel)},
            {"launches", optionalJson(measurement.launches)},  {"stage", textJson(measurement.stage)}};
}

json rowJson(const SummaryRow &row)
{
    json measurements = json::object();
    for (auto it = row.measurements.begin(); it != row.measurements.end(); ++it)
        measurements[it.key().toStdString()] = measurementJson(it.value());
    return {{"op", row.operation.toStdString()},
            {"label", textJson(row.label)},
            {"dims", dimsJson(row.dims)},
            {"measurements", measurements}};
}

} // namespace

json summaryJson(const Namespace &evidence)
{
    json rows = json::array();
    for (const SummaryRow &row : evidence.summary->rows)
        rows.push_back(rowJson(row));
    json document = {{"format", formatNumber},
                     {"gpu", textJson(evidence.summary->gpu)},
                     {"rounds", evidence.summary->rounds},
                     {"samples", evidence.summary->samples},
                     {"rows", rows}};
    // Where there are samples, their file says where they come from.
    if (evidence.results.isEmpty()) {
        document["utc"] = textJson(evidence.utc);
        document["driver"] = textJson(evidence.driver);
        document["cuda"] = textJson(evidence.cuda);
        document["platform"] = textJson(evidence.platform);
        document["precision"] = textJson(evidence.precision);
        document["timing"] = textJson(evidence.timing);
        document["timestamp_mode"] = textJson(evidence.timestampMode);
        document["backend"] = textJson(evidence.captureBackend);
    }
    return document;
}

json floorsJson(const Namespace &evidence)
{
    json floors = json::array();
    for (const Floor &floor : evidence.floors)
        floors.push_back({{"operation", floor.operation.toStdString()},
                          {"dims", dimsJson(floor.dims)},
                          {"arithmetic", textJson(floor.arithmetic)},
                          {"cache", textJson(floor.cache)},
                          {"what", textJson(floor.what)},
                          {"us", floor.us}});
    json measurements = json::array();
    for (const FloorMeasurement &measured : evidence.floorMeasurements)
        measurements.push_back({{"what", measured.what.toStdString()},
                                {"unit", measured.unit.toStdString()},
                                {"value", measured.value},
                                {"note", textJson(measured.note)}});
    return {{"format", formatNumber},
            {"gpu", textJson(evidence.gpu)},
            {"floors", floors},
            {"measurements", measurements.empty() ? json(nullptr) : measurements},
            {"missing", evidence.floorsMissing.isEmpty() ? json(nullptr) : textsJson(evidence.floorsMissing)},
            {"backend", textJson(evidence.floorsBackend)},
            {"timestamp_mode", textJson(evidence.floorsTimestampMode)}};
}

} // namespace stagecraft::evidence
