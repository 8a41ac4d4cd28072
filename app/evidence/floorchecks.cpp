// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "declarationchecks.h"
#include "filereaders.h"

#include "statistics.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace stagecraft::evidence {

namespace {

using Places = std::map<std::array<std::string, 5>, std::string>;

std::string dimsAt(const JsonNode &node)
{
    const JsonNode dims = node.member("dims");
    return dims.exists() ? dims.value()->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) : std::string();
}

// Two of the same contradict each other, or one of them is idle. Bounds of the same work differ in what was measured.
void checkOnce(const JsonNode &node, Places &places)
{
    const auto text = [&node](const char *key) { return stringAt(node.member(key)).toStdString(); };
    const std::string cache = cacheState(stringAt(node.member("cache"))).toStdString();
    const auto [place, isNew] =
        places.try_emplace({text("operation"), dimsAt(node), cache, text("arithmetic"), text("what")}, node.pointer());
    if (!isNew)
        node.contradiction(QStringLiteral("%1 is already the floor of the same operation, dims, arithmetic and cache "
                                          "state.")
                               .arg(QString::fromStdString(place->second)));
}

// Where only a summary is there, nothing tells.
bool isOfNothing(const JsonNode &node, const Namespace &evidence)
{
    const QString operation = stringAt(node.member("operation")), cache = stringAt(node.member("cache"));
    const std::string dims = dimsAt(node);
    const auto isOf = [&](const auto &measured) {
        const auto &own = measured.dims;
        return measured.operation == operation && cacheState(measured.cache) == cacheState(cache) &&
               (dims.empty() || own.isEmpty() ||
                nlohmann::json(std::vector<qint64>(own.begin(), own.end())).dump() == dims);
    };
    const bool isMeasured = std::ranges::any_of(evidence.results, isOf) ||
                            std::ranges::any_of(evidence.captures, isOf) ||
                            (evidence.progression && std::ranges::any_of(evidence.progression->operations, isOf));
    return !isMeasured && !evidence.results.isEmpty() && !evidence.incomplete.contains(QLatin1String(resultsFile));
}

// Floors are of one GPU: those of another bound nothing here. Files from before this key have none.
void checkGpu(const JsonNode &root, Namespace &evidence)
{
    const QString gpu = stringAt(root.member("gpu"));
    if (gpu.isEmpty() || evidence.gpu.isEmpty() || gpu == evidence.gpu)
        return;
    root.contradiction("gpu", QStringLiteral("%1 stands here, but the results are of %2: these floors are not used.")
                                  .arg(excerpt(gpu), excerpt(evidence.gpu)));
    evidence.floors.clear();
}

void checkFloor(const JsonNode &node, const Namespace &evidence)
{
    if (!node.isObject())
        return;
    const QString operation = stringAt(node.member("operation"));
    checkOperationName(node, "operation");
    checkWord(node.member("cache"), "warm", "cold");
    if (node.member("dims").exists())
        checkDimsCount(node, operation);
    else if (const qsizetype measured = measuredDims(evidence, operation).size(); measured > 1)
        node.log().note(node.pointer(), QStringLiteral("This floor names no dims, but the namespace holds %1 sets of "
                                                       "those of %2: it is not used.")
                                            .arg(measured)
                                            .arg(operation));
    if (isOfNothing(node, evidence))
        node.log().note(node.pointer(), QStringLiteral("This floor is of nothing measured here: it is not used."));
    if (const JsonNode us = node.member("us"); us.isNumber() && us.value()->get<double>() == 0)
        us.contradiction(QStringLiteral("A floor of 0 µs is none: leave it out where it is unknown."));
}

} // namespace

void checkFloorDeclarations(const JsonNode &root, Namespace &evidence)
{
    Places places;
    const auto check = [&](const JsonNode &node) {
        checkFloor(node, evidence);
        checkOnce(node, places);
    };
    if (root.isArray()) {
        for (std::size_t i = 0; i < root.size(); ++i)
            check(root.element(i));
    } else if (root.member("floors").isArray()) {
        root.eachElement("floors", check);
        checkGpu(root, evidence);
    }
}

} // namespace stagecraft::evidence
