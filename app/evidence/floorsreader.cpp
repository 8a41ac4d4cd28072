// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"
#include "printabletext.h"

namespace stagecraft::evidence {

namespace {

// A nanosecond to eleven days, as of samples: no kernel takes less, and what takes longer was not measured.
constexpr double shortestUs = 1e-3, longestUs = 1e12;

void readFloor(const JsonNode &node, Namespace &evidence)
{
    if (!node.requireObject())
        return;
    Floor floor;
    floor.operation = node.requiredText("operation");
    floor.arithmetic = node.text("arithmetic");
    floor.cache = node.text("cache");
    floor.what = printable(node.text("what"));
    floor.dims = readDims(node);
    const auto us = node.requiredAmount("us");
    if (us && *us > 0 && (*us < shortestUs || *us > longestUs)) { // 0 is told with what the file declares
        node.contradiction(
            "us", QStringLiteral("%1 µs is no time of a kernel: 0.001 to 1e12 are possible. It is not used.").arg(*us));
    } else if (us) {
        floor.us = *us;
        evidence.floors.append(floor);
    }
}

// Far beyond what a benchmark says; a file that holds more is none of a benchmark.
constexpr std::size_t mostEntries = 1000;
constexpr qsizetype longestText = 4000;

bool isBounded(const JsonNode &root, const char *key)
{
    const std::size_t count = root.member(key).isArray() ? root.member(key).size() : 0;
    if (count > mostEntries)
        root.contradiction(key,
                           QStringLiteral("There are %1 entries, and %2 is the most.").arg(count).arg(mostEntries));
    return count <= mostEntries;
}

void readMeasurement(const JsonNode &node, Namespace &evidence)
{
    if (!node.requireObject())
        return;
    FloorMeasurement measured;
    measured.what = node.requiredText("what").left(longestText);
    measured.unit = node.text("unit").left(longestText);
    measured.note = node.text("note").left(longestText);
    if (const auto value = node.requiredAmount("value")) {
        measured.value = *value;
        evidence.floorMeasurements.append(measured);
    }
}

// How the floors came about, and what is missing among them. Files from before these keys have neither.
void readBenchmark(const JsonNode &root, Namespace &evidence)
{
    if (isBounded(root, "measurements"))
        root.eachElement("measurements", [&evidence](const JsonNode &node) { readMeasurement(node, evidence); });
    if (isBounded(root, "missing"))
        for (const QString &sentence : root.texts("missing"))
            evidence.floorsMissing.append(sentence.left(longestText));
    evidence.floorsBackend = root.text("backend").left(longestText);
    evidence.floorsTimestampMode = root.text("timestamp_mode").left(longestText);
}

} // namespace

// A bare list, or an object that carries `format` beside the list `floors`.
void readFloors(const JsonNode &root, Namespace &evidence)
{
    if (root.isArray()) {
        for (std::size_t i = 0; i < root.size(); ++i)
            readFloor(root.element(i), evidence);
        return;
    }
    if (!root.member("floors").isArray()) {
        root.contradiction("floors", QStringLiteral("There is no list of floors."));
    } else {
        root.eachElement("floors", [&evidence](const JsonNode &floor) { readFloor(floor, evidence); });
    }
    readBenchmark(root, evidence);
}

} // namespace stagecraft::evidence
