// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

#include <cmath>

namespace stagecraft::evidence {

namespace {

void checkMeasurement(const JsonNode &node, const SummaryMeasurement &measurement)
{
    if (!measurement.event && !measurement.kernel)
        node.contradiction(QStringLiteral("A span (event) or a kernel time (kernel) is expected."));
    if (measurement.event && measurement.eventMin && *measurement.eventMin > *measurement.event)
        node.contradiction("event_min", QStringLiteral("The smallest round mean is above the mean (event)."));
    if (measurement.event && measurement.eventMax && *measurement.eventMax < *measurement.event)
        node.contradiction("event_max", QStringLiteral("The largest round mean is below the mean (event)."));
    if (measurement.launches &&
        (*measurement.launches <= 0 || std::floor(*measurement.launches) != *measurement.launches))
        node.contradiction("launches", QStringLiteral("Launches per iteration are a whole number above 0."));
}

SummaryMeasurement readMeasurement(const JsonNode &node)
{
    SummaryMeasurement measurement;
    if (!node.requireObject())
        return measurement;
    measurement.event = node.amount("event");
    measurement.eventMin = node.amount("event_min");
    measurement.eventMax = node.amount("event_max");
    measurement.kernel = node.amount("kernel");
    measurement.launches = node.amount("launches");
    measurement.stage = node.text("stage");
    checkMeasurement(node, measurement);
    return measurement;
}

SummaryRow readRow(const JsonNode &node)
{
    SummaryRow row;
    if (!node.requireObject())
        return row;
    row.operation = node.requiredText("op");
    row.label = node.text("label");
    row.dims = readDims(node);
    node.eachMember("measurements", [&row](const QString &id, const JsonNode &measurement) {
        row.measurements.insert(id, readMeasurement(measurement));
    });
    return row;
}

void checkCounts(const JsonNode &root, const Summary &summary)
{
    if (summary.rounds <= 0)
        root.contradiction("rounds", QStringLiteral("A number of rounds above 0 is expected."));
    if (summary.samples <= 0)
        root.contradiction("samples", QStringLiteral("A number of samples above 0 is expected."));
    else if (summary.rounds > 0 && summary.samples % summary.rounds != 0)
        root.contradiction(
            "samples",
            QStringLiteral("%1 samples do not divide into %2 rounds.").arg(summary.samples).arg(summary.rounds));
}

} // namespace

void readSummary(const JsonNode &root, Namespace &evidence)
{
    if (!root.requireObject())
        return;
    if (!root.member("rows").isArray()) {
        root.contradiction("rows", QStringLiteral("There is no list of rows: this is no summary of evidence."));
        return;
    }
    Summary summary;
    summary.gpu = root.text("gpu");
    summary.rounds = root.smallCount("rounds").value_or(0);
    summary.samples = root.smallCount("samples").value_or(0);
    checkCounts(root, summary);
    root.eachElement("rows", [&summary](const JsonNode &row) { summary.rows.append(readRow(row)); });
    if (evidence.gpu.isEmpty())
        evidence.gpu = summary.gpu;
    for (const auto &[key, target] :
         std::initializer_list<std::pair<const char *, QString *>>{{"driver", &evidence.driver},
                                                                   {"cuda", &evidence.cuda},
                                                                   {"utc", &evidence.utc},
                                                                   {"platform", &evidence.platform},
                                                                   {"precision", &evidence.precision},
                                                                   {"timing", &evidence.timing},
                                                                   {"timestamp_mode", &evidence.timestampMode},
                                                                   {"backend", &evidence.captureBackend}}) {
        if (target->isEmpty())
            readText(root, key, *target);
    }
    evidence.summary = summary;
}

} // namespace stagecraft::evidence
