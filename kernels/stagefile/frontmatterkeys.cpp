// SPDX-License-Identifier: MIT
#include "frontmatterkeys.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::stagefile {

namespace {

std::string joined(std::initializer_list<std::string_view> words)
{
    std::string text;
    for (const std::string_view word : words) {
        if (!text.empty())
            text += ", ";
        text += word;
    }
    return text;
}

std::string pointerStep(const std::string &pointer, const std::string &key)
{
    return (nlohmann::json::json_pointer(pointer) / key).to_string();
}

} // namespace

FrontMatterValue::FrontMatterValue(const nlohmann::json &value, std::string fileName, std::string pointer)
    : m_value(value), m_fileName(std::move(fileName)), m_pointer(std::move(pointer))
{
}

void FrontMatterValue::fail(const std::string &cause) const
{
    throw StageError(m_fileName + ": " + (m_pointer.empty() ? "/" : m_pointer) + ": " + cause);
}

void FrontMatterValue::expectObject() const
{
    if (!m_value.is_object())
        fail(std::string("is ") + m_value.type_name() + ", expected an object");
}

void FrontMatterValue::onlyKeys(std::initializer_list<std::string_view> known) const
{
    expectObject();
    for (const auto &[key, value] : m_value.items()) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            fail("unknown key \"" + key + "\"; known are " + joined(known));
    }
}

bool FrontMatterValue::has(const std::string &key) const
{
    expectObject();
    return m_value.contains(key);
}

FrontMatterValue FrontMatterValue::at(const std::string &key) const
{
    expectObject();
    const auto found = m_value.find(key);
    if (found == m_value.end())
        fail("the key \"" + key + "\" is missing");
    return {*found, m_fileName, pointerStep(m_pointer, key)};
}

std::vector<std::pair<std::string, FrontMatterValue>> FrontMatterValue::members() const
{
    expectObject();
    std::vector<std::pair<std::string, FrontMatterValue>> result;
    for (const auto &[key, value] : m_value.items())
        result.emplace_back(key, FrontMatterValue(value, m_fileName, pointerStep(m_pointer, key)));
    return result;
}

std::vector<FrontMatterValue> FrontMatterValue::items() const
{
    if (!m_value.is_array())
        fail(std::string("is ") + m_value.type_name() + ", expected an array");
    std::vector<FrontMatterValue> result;
    for (std::size_t i = 0; i < m_value.size(); ++i)
        result.emplace_back(m_value[i], m_fileName, m_pointer + "/" + std::to_string(i));
    return result;
}

std::string FrontMatterValue::text(bool mayBeEmpty) const
{
    if (!m_value.is_string())
        fail(std::string("is ") + m_value.type_name() + ", expected a string");
    auto value = m_value.get<std::string>();
    if (value.empty() && !mayBeEmpty)
        fail("is empty");
    return value;
}

std::int64_t FrontMatterValue::integer(std::int64_t low, std::int64_t high) const
{
    const std::string expected = "expected an integer from " + std::to_string(low) + " to " + std::to_string(high);
    if (!m_value.is_number_integer())
        fail(std::string("is ") + m_value.type_name() + ", " + expected);
    if (m_value.is_number_unsigned() && m_value.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
        fail("is " + m_value.dump() + ", " + expected);
    const auto value = m_value.get<std::int64_t>();
    if (value < low || value > high)
        fail("is " + m_value.dump() + ", " + expected);
    return value;
}

double FrontMatterValue::number() const
{
    if (!m_value.is_number() || !std::isfinite(m_value.get<double>()))
        fail(std::string("is ") + m_value.type_name() + ", expected a finite number");
    return m_value.get<double>();
}

std::string FrontMatterValue::textOr(const std::string &key, const std::string &otherwise) const
{
    return has(key) ? at(key).text(true) : otherwise;
}

} // namespace stagecraft::stagefile
