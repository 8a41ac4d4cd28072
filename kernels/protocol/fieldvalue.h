// SPDX-License-Identifier: MIT
#pragma once

#include "protocolerror.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// One value of a message out of JSON, checked. `key` is the path so far; what is wrong is thrown with it.
namespace stagecraft::protocol {

[[noreturn]] inline void invalidValue(const std::string &key, const std::string &cause)
{
    throw ProtocolError(rpc::invalidParams, key, cause);
}

[[noreturn]] inline void wrongType(const std::string &key, const char *expected, const nlohmann::json &json)
{
    invalidValue(key, std::string("expected ") + expected + ", found " + json.type_name());
}

inline void readValue(const nlohmann::json &json, const std::string &key, bool &value)
{
    if (!json.is_boolean())
        wrongType(key, "a boolean", json);
    value = json.get<bool>();
}

inline void readValue(const nlohmann::json &json, const std::string &key, std::string &value)
{
    if (!json.is_string())
        wrongType(key, "a string", json);
    value = json.get<std::string>();
}

// Every integer of the vocabulary counts or numbers something, so none is negative.
template <std::integral Integer>
void readValue(const nlohmann::json &json, const std::string &key, Integer &value)
{
    if (!json.is_number_integer())
        wrongType(key, "a whole number", json);
    if (!json.is_number_unsigned() && json.get<std::int64_t>() < 0)
        invalidValue(key, "is negative: " + json.dump());
    const auto number = json.get<std::uint64_t>();
    constexpr auto maximum = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    if (number > maximum)
        invalidValue(key, "is above " + std::to_string(maximum) + ": " + json.dump());
    value = static_cast<Integer>(number);
}

inline void readValue(const nlohmann::json &json, const std::string &key, double &value)
{
    if (!json.is_number())
        wrongType(key, "a number", json);
    value = json.get<double>();
    if (!std::isfinite(value))
        invalidValue(key, "is not finite");
}

template <class T>
void readValue(const nlohmann::json &json, const std::string &key, std::optional<T> &value)
{
    value.reset();
    if (!json.is_null())
        readValue(json, key, value.emplace());
}

template <class T>
void readValue(const nlohmann::json &json, const std::string &key, std::map<std::string, T> &value)
{
    if (!json.is_object())
        wrongType(key, "an object", json);
    value.clear();
    for (const auto &[name, entry] : json.items())
        readValue(entry, key + "/" + name, value[name]);
}

inline void readValue(const nlohmann::json &json, const std::string &key, std::array<std::int64_t, 3> &value)
{
    if (!json.is_array() || json.size() != value.size())
        wrongType(key, "an array of three whole numbers", json);
    for (std::size_t i = 0; i < value.size(); ++i)
        readValue(json[i], key + "/" + std::to_string(i), value[i]);
}

// A message inside a message: its own from_json, with this key put before the one that it names.
template <class Message>
requires std::is_class_v<Message>
void readValue(const nlohmann::json &json, const std::string &key, Message &value)
{
    try {
        from_json(json, value);
    } catch (const ProtocolError &error) {
        throw ProtocolError(error.code(), error.key().empty() ? key : key + "/" + error.key(), error.cause());
    }
}

template <class T>
void readValue(const nlohmann::json &json, const std::string &key, std::vector<T> &value)
{
    if (!json.is_array())
        wrongType(key, "an array", json);
    value.assign(json.size(), {});
    for (std::size_t i = 0; i < value.size(); ++i)
        readValue(json[i], key + "/" + std::to_string(i), value[i]);
}

} // namespace stagecraft::protocol
