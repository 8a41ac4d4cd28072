// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchresources.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

constexpr double largestExactCount = 9007199254740992.0; // that a double holds exactly

const json *member(const json &object, const char *key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nullptr : &*found;
}

QString textOf(const json &object, const char *key)
{
    const json *value = member(object, key);
    return value && value->is_string() ? QString::fromStdString(value->get_ref<const std::string &>()) : QString();
}

template <typename Count>
std::optional<Count> countOf(const json &object, const char *key)
{
    const json *value = member(object, key);
    const double number = value && value->is_number() ? value->get<double>() : -1;
    const double largest = std::min(largestExactCount, static_cast<double>(std::numeric_limits<Count>::max()));
    if (!(number >= 0 && number <= largest && std::floor(number) == number))
        return std::nullopt;
    return static_cast<Count>(number);
}

// Of "x,y,z"; nullopt where it is something else, or no launch can have so many.
std::optional<qint64> product(const QString &extents)
{
    double result = extents.isEmpty() ? 0 : 1;
    for (const QString &part : extents.split(QLatin1Char(','))) {
        bool isNumber = false;
        result *= static_cast<double>(part.trimmed().toUInt(&isNumber));
        if (!isNumber)
            return std::nullopt;
    }
    return result >= 1 && result <= largestExactCount ? std::optional(static_cast<qint64>(result)) : std::nullopt;
}

LaunchResources launchOf(const json &object)
{
    LaunchResources launch;
    launch.entry = textOf(object, "entry");
    launch.grid = textOf(object, "grid");
    launch.block = textOf(object, "block");
    launch.blocks = countOf<qint64>(object, "blocks");
    if (!launch.blocks)
        launch.blocks = product(launch.grid);
    launch.threadsPerBlock = countOf<qint64>(object, "threads_per_block");
    if (!launch.threadsPerBlock)
        launch.threadsPerBlock = product(launch.block);
    launch.registersPerThread = countOf<int>(object, "registers_per_thread");
    launch.barriers = countOf<int>(object, "barriers");
    launch.residentThreadsPerSm = countOf<int>(object, "resident_threads_per_sm");
    launch.sharedMemBytes = countOf<qint64>(object, "shared_mem_bytes");
    launch.localBytes = countOf<qint64>(object, "local_bytes");
    launch.spillBytes = countOf<qint64>(object, "spill_bytes");
    return launch;
}

bool isRecorded(const LaunchResources &launch)
{
    return !launch.entry.isEmpty() || launch.blocks || launch.threadsPerBlock || launch.registersPerThread ||
           launch.barriers || launch.residentThreadsPerSm || launch.sharedMemBytes || launch.localBytes ||
           launch.spillBytes;
}

json launchJson(const LaunchResources &launch)
{
    json object = json::object();
    const auto setText = [&](const char *key, const QString &text) {
        if (!text.isEmpty())
            object[key] = text.toStdString();
    };
    const auto setCount = [&](const char *key, const auto &count) {
        if (count)
            object[key] = *count;
    };
    setText("entry", launch.entry);
    setText("grid", launch.grid);
    setText("block", launch.block);
    setCount("blocks", launch.blocks);
    setCount("threads_per_block", launch.threadsPerBlock);
    setCount("registers_per_thread", launch.registersPerThread);
    setCount("shared_mem_bytes", launch.sharedMemBytes);
    setCount("local_bytes", launch.localBytes);
    setCount("spill_bytes", launch.spillBytes);
    setCount("barriers", launch.barriers);
    setCount("resident_threads_per_sm", launch.residentThreadsPerSm);
    return object;
}

} // namespace

QList<LaunchResources> launchResources(const json &resources)
{
    QList<LaunchResources> launches;
    if (const json *list = member(resources, "launches"); list && list->is_array()) {
        for (const json &object : *list)
            launches.append(launchOf(object));
        return launches;
    }
    if (const LaunchResources only = launchOf(resources); isRecorded(only))
        launches.append(only);
    return launches;
}

json launchResourcesJson(const QList<LaunchResources> &launches)
{
    if (launches.size() == 1)
        return launchJson(launches.first());
    json list = json::array();
    for (const LaunchResources &launch : launches)
        list.push_back(launchJson(launch));
    return list.empty() ? json::object() : json{{"launches", list}};
}

QMap<QString, double> stageCounts(const json &resources)
{
    QMap<QString, double> counts;
    const json *object = member(resources, "counts");
    if (!object || !object->is_object())
        return counts;
    for (const auto &[key, value] : object->items()) {
        const double number = value.is_number() ? value.get<double>() : -1;
        if (std::isfinite(number) && number >= 0)
            counts.insert(QString::fromStdString(key), number);
    }
    return counts;
}

} // namespace stagecraft::evidence
