// SPDX-License-Identifier: MIT
#include "capturenode.h"

#include "capturefile.h"
#include "messagejson.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::capture {

namespace {

using nlohmann::json;

constexpr auto iterationKey = "iteration"; // of a protocol::KernelRecord

} // namespace

void CaptureNode::fail(const std::string &cause) const
{
    throw CaptureFileError(m_file, m_pointer, cause);
}

CaptureNode CaptureNode::at(const char *name) const
{
    if (!has(name))
        CaptureNode(m_value, m_pointer + "/" + name, m_file).fail("is missing");
    return {m_value[name], m_pointer + "/" + name, m_file};
}

const CaptureNode &CaptureNode::object() const
{
    if (!m_value.is_object())
        fail(std::string("expected an object, found ") + m_value.type_name());
    return *this;
}

std::vector<CaptureNode> CaptureNode::elements() const
{
    if (!m_value.is_array())
        fail(std::string("expected an array, found ") + m_value.type_name());
    std::vector<CaptureNode> nodes;
    nodes.reserve(m_value.size());
    for (std::size_t i = 0; i < m_value.size(); ++i)
        nodes.emplace_back(m_value[i], m_pointer + "/" + std::to_string(i), m_file);
    return nodes;
}

std::vector<std::pair<std::string, CaptureNode>> CaptureNode::members() const
{
    object();
    std::vector<std::pair<std::string, CaptureNode>> nodes;
    nodes.reserve(m_value.size());
    for (auto member = m_value.begin(); member != m_value.end(); ++member)
        nodes.emplace_back(member.key(), CaptureNode(member.value(), m_pointer + "/" + member.key(), m_file));
    return nodes;
}

std::string CaptureNode::text() const
{
    if (!m_value.is_string())
        fail(std::string("expected a string, found ") + m_value.type_name());
    return m_value.get<std::string>();
}

std::string CaptureNode::word() const
{
    constexpr std::size_t longest = 64;
    const auto isPrintable = [](char letter) { return letter >= ' ' && letter <= '~'; };
    std::string value = text();
    if (value.empty() || value.size() > longest || !std::ranges::all_of(value, isPrintable))
        fail("expected 1 to " + std::to_string(longest) + " printable ASCII characters");
    return value;
}

bool CaptureNode::truth() const
{
    if (!m_value.is_boolean())
        fail(std::string("expected a boolean, found ") + m_value.type_name());
    return m_value.get<bool>();
}

std::int64_t CaptureNode::count() const
{
    if (!m_value.is_number_integer())
        fail(std::string("expected a whole number, found ") + m_value.type_name());
    if (!m_value.is_number_unsigned())
        fail("is negative: " + m_value.dump());
    // Beyond it a reader that knows only doubles no longer tells whole numbers apart.
    constexpr auto largest = std::uint64_t{1} << 53;
    const auto number = m_value.get<std::uint64_t>();
    if (number > largest)
        fail("is too large: " + m_value.dump());
    return static_cast<std::int64_t>(number);
}

double CaptureNode::amount() const
{
    if (!m_value.is_number())
        fail(std::string("expected a number, found ") + m_value.type_name());
    const auto number = m_value.get<double>();
    if (!std::isfinite(number))
        fail("is not finite");
    if (number < 0)
        fail("is negative: " + m_value.dump());
    return number;
}

bool CaptureNode::isUnmarked() const
{
    return m_value.is_number_integer() && m_value == unmarkedIteration;
}

// The protocol's own reader counts iterations from 0, so it gets a mark that it knows in place of "unmarked".
protocol::KernelRecord CaptureNode::record() const
{
    const bool unmarked = object().has(iterationKey) && at(iterationKey).isUnmarked();
    if (unmarked)
        m_value[iterationKey] = 0;
    try {
        auto record = m_value.get<protocol::KernelRecord>();
        if (unmarked)
            record.iteration = unmarkedIteration;
        return record;
    } catch (const protocol::ProtocolError &error) {
        throw CaptureFileError(m_file, m_pointer + "/" + error.key(), error.cause());
    }
}

} // namespace stagecraft::capture
