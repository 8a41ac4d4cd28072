// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

// What identifies an element of a list; the keys that an element has must agree.
constexpr std::array<const char *, 13> identityKeys{"op",     "operation",  "language",    "dims", "cache",
                                                    "index",  "round",      "kernel_name", "id",   "title",
                                                    "metric", "arithmetic", "what"};

// Objects whose keys are data rather than format.
constexpr std::array<std::string_view, 9> dataObjects{"implementations", "measurements", "sha256",
                                                      "source_sha256",   "resources",    "counts",
                                                      "values",          "metrics",      "lacking"};

bool sameThing(const json &a, const json &b)
{
    const auto value = [](const json &object, const char *key) {
        const auto found = object.find(key);
        return found == object.end() ? json(nullptr) : *found;
    };
    return a.is_object() && b.is_object() &&
           std::all_of(identityKeys.begin(), identityKeys.end(),
                       [&](const char *key) { return value(a, key) == value(b, key); });
}

const json *counterpart(const json &list, std::size_t index, const json &element)
{
    if (!list.is_array())
        return nullptr;
    if (index < list.size() && sameThing(list[index], element))
        return &list[index];
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const json &other) { return sameThing(other, element); });
    return found == list.end() ? nullptr : &*found;
}

json merged(json fresh, const json *previous, bool keysAreData)
{
    if (fresh.is_array()) {
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            if (!fresh[i].is_structured())
                continue;
            const json *old = previous ? counterpart(*previous, i, fresh[i]) : nullptr;
            fresh[i] = merged(std::move(fresh[i]), old, false);
        }
        return fresh;
    }
    if (!fresh.is_object()) {
        // The same number keeps its spelling (1 or 1.0), so that rewriting a file changes what has changed.
        const bool sameNumber = previous && previous->is_number() && fresh.is_number() && *previous == fresh;
        return sameNumber ? *previous : fresh;
    }
    json result = json::object();
    if (previous && previous->is_object() && !keysAreData) {
        for (const auto &[key, value] : previous->items()) {
            if (!fresh.contains(key))
                result[key] = value;
        }
    }
    for (auto &[key, value] : fresh.items()) {
        if (value.is_null())
            continue;
        const json *old = previous && previous->is_object() && previous->contains(key) ? &(*previous)[key] : nullptr;
        const bool isData = std::find(dataObjects.begin(), dataObjects.end(), key) != dataObjects.end();
        result[key] = merged(std::move(value), old, isData);
    }
    return result;
}

} // namespace

json withUnknownKeys(json fresh, const json &previous)
{
    return merged(std::move(fresh), &previous, false);
}

} // namespace stagecraft::evidence
