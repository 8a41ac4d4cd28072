// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

void readFloor(const JsonNode &node, Namespace &evidence)
{
    if (!node.requireObject())
        return;
    Floor floor;
    floor.operation = node.requiredText("operation");
    floor.arithmetic = node.text("arithmetic");
    floor.cache = node.text("cache");
    floor.what = node.text("what");
    floor.dims = readDims(node);
    if (const auto us = node.requiredAmount("us")) {
        floor.us = *us;
        evidence.floors.append(floor);
    }
}

} // namespace

// A bare list, or an object that carries `format` beside the list `floors`.
void readFloors(const JsonNode &root, Namespace &evidence)
{
    if (root.isArray()) {
        for (std::size_t i = 0; i < root.size(); ++i)
            readFloor(root.element(i), evidence);
    } else if (!root.member("floors").isArray()) {
        root.contradiction("floors", QStringLiteral("There is no list of floors."));
    } else {
        root.eachElement("floors", [&evidence](const JsonNode &floor) { readFloor(floor, evidence); });
    }
}

} // namespace stagecraft::evidence
