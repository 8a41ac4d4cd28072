// SPDX-License-Identifier: MIT
#include "capturefile.h"

#include "messagejson.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stagecraft::capture {

namespace {

using nlohmann::json;

namespace key {
constexpr auto format = "format";
constexpr auto pid = "pid";
constexpr auto process = "process";
constexpr auto cupti = "cupti";
constexpr auto brackets = "brackets";
constexpr auto backend = "backend";
constexpr auto timestampMode = "timestamp_mode";
constexpr auto records = "records";
constexpr auto iteration = "iteration"; // of a protocol::KernelRecord
constexpr auto dropped = "dropped";
constexpr auto invalid = "invalid";
constexpr auto unterminated = "unterminated";
constexpr auto unavailable = "unavailable";
constexpr auto reason = "reason";
constexpr auto fix = "fix";
} // namespace key

json bracketJson(const CaptureBracket &bracket)
{
    json out = json::object();
    if (bracket.unavailable) {
        out[key::unavailable] = {{key::reason, bracket.unavailable->reason}, {key::fix, bracket.unavailable->fix}};
    } else {
        out[key::backend] = bracket.backend;
        out[key::timestampMode] = bracket.timestampMode;
        out[key::records] = bracket.records;
        out[key::dropped] = bracket.dropped;
        out[key::invalid] = bracket.invalid;
    }
    if (bracket.unterminated)
        out[key::unterminated] = true;
    return out;
}

// A value of the document and where it stands there.
class Node
{
public:
    Node(json &value, std::string pointer, const std::string &file)
        : m_value(value), m_pointer(std::move(pointer)), m_file(file)
    {
    }

    [[noreturn]] void fail(const std::string &cause) const { throw CaptureFileError(m_file, m_pointer, cause); }

    bool has(const char *name) const { return m_value.contains(name); }

    Node at(const char *name) const
    {
        if (!has(name))
            Node(m_value, m_pointer + "/" + name, m_file).fail("is missing");
        return {m_value[name], m_pointer + "/" + name, m_file};
    }

    const Node &object() const
    {
        if (!m_value.is_object())
            fail(std::string("expected an object, found ") + m_value.type_name());
        return *this;
    }

    std::vector<Node> elements() const
    {
        if (!m_value.is_array())
            fail(std::string("expected an array, found ") + m_value.type_name());
        std::vector<Node> nodes;
        nodes.reserve(m_value.size());
        for (std::size_t i = 0; i < m_value.size(); ++i)
            nodes.emplace_back(m_value[i], m_pointer + "/" + std::to_string(i), m_file);
        return nodes;
    }

    std::string text() const
    {
        if (!m_value.is_string())
            fail(std::string("expected a string, found ") + m_value.type_name());
        return m_value.get<std::string>();
    }

    // It goes into evidence and onto screens as it is.
    std::string word() const
    {
        constexpr std::size_t longest = 64;
        const auto isPrintable = [](char letter) { return letter >= ' ' && letter <= '~'; };
        std::string value = text();
        if (value.empty() || value.size() > longest || !std::ranges::all_of(value, isPrintable))
            fail("expected 1 to " + std::to_string(longest) + " printable ASCII characters");
        return value;
    }

    bool truth() const
    {
        if (!m_value.is_boolean())
            fail(std::string("expected a boolean, found ") + m_value.type_name());
        return m_value.get<bool>();
    }

    std::int64_t count() const
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

    // The protocol's own reader counts iterations from 0, so it gets a mark that it knows in place of "unmarked".
    protocol::KernelRecord record() const
    {
        const bool unmarked = object().has(key::iteration) && at(key::iteration).isUnmarked();
        if (unmarked)
            m_value[key::iteration] = 0;
        try {
            auto record = m_value.get<protocol::KernelRecord>();
            if (unmarked)
                record.iteration = unmarkedIteration;
            return record;
        } catch (const protocol::ProtocolError &error) {
            throw CaptureFileError(m_file, m_pointer + "/" + error.key(), error.cause());
        }
    }

private:
    bool isUnmarked() const { return m_value.is_number_integer() && m_value == unmarkedIteration; }

    json &m_value;
    std::string m_pointer;
    const std::string &m_file;
};

constexpr auto onlyBackend = "cupti";

CaptureBracket readBracket(const Node &node)
{
    CaptureBracket bracket;
    node.object();
    if (node.has(key::unterminated))
        bracket.unterminated = node.at(key::unterminated).truth();
    if (node.has(key::unavailable)) {
        const Node refusal = node.at(key::unavailable).object();
        bracket.unavailable = Refusal{refusal.at(key::reason).text(), refusal.at(key::fix).text()};
        return bracket;
    }
    bracket.backend = node.at(key::backend).text();
    if (bracket.backend != onlyBackend)
        node.at(key::backend).fail(std::string("is not \"") + onlyBackend + "\"");
    bracket.timestampMode = node.at(key::timestampMode).word();
    bracket.dropped = node.at(key::dropped).count();
    bracket.invalid = node.at(key::invalid).count();
    for (const Node &record : node.at(key::records).elements())
        bracket.records.push_back(record.record());
    return bracket;
}

// Of nesting: more than any version of the format will need. Text that only opens brackets would fill the memory.
constexpr int deepest = 16;

json parsed(std::string_view text, const std::string &name)
{
    const auto shallow = [&](int depth, json::parse_event_t, json &) {
        if (depth > deepest)
            throw CaptureFileError(name, {}, "is nested deeper than any capture file");
        return true;
    };
    try {
        return json::parse(text, shallow);
    } catch (const json::parse_error &error) {
        throw CaptureFileError(name, {}, "is not valid JSON at byte " + std::to_string(error.byte));
    } catch (const json::exception &) {
        throw CaptureFileError(name, {}, "holds a number that is beyond every range");
    }
}

} // namespace

CaptureFileError::CaptureFileError(std::string file, std::string pointer, std::string cause)
    : std::runtime_error(file + ": " + (pointer.empty() ? "" : pointer + " ") + cause),
      m_file(std::move(file)),
      m_pointer(std::move(pointer)),
      m_cause(std::move(cause))
{
}

void appendBracket(std::vector<CaptureBracket> &brackets, CaptureBracket bracket, std::size_t maximum)
{
    for (const CaptureBracket &earlier : brackets)
        maximum -= std::min(maximum, earlier.records.size());
    if (bracket.records.size() > maximum) {
        bracket.dropped += static_cast<std::int64_t>(bracket.records.size() - maximum);
        bracket.records.resize(maximum);
    }
    brackets.push_back(std::move(bracket));
}

std::string captureText(const CaptureFile &file)
{
    json out = {{key::format, captureFormat}, {key::pid, file.pid}, {key::process, file.process}};
    if (!file.cupti.empty())
        out[key::cupti] = file.cupti;
    out[key::brackets] = json::array();
    for (const CaptureBracket &bracket : file.brackets)
        out[key::brackets].push_back(bracketJson(bracket));
    // A kernel's or program's name need not be UTF-8.
    return out.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

CaptureFile parseCapture(std::string_view text, const std::string &name)
{
    json document = parsed(text, name);
    const Node root(document, {}, name);
    if (const auto format = root.object().at(key::format).count(); format != captureFormat)
        root.at(key::format)
            .fail("is " + std::to_string(format) + "; this program reads format " + std::to_string(captureFormat));
    CaptureFile file;
    file.pid = root.at(key::pid).count();
    file.process = root.at(key::process).text();
    if (root.has(key::cupti))
        file.cupti = root.at(key::cupti).text();
    for (const Node &bracket : root.at(key::brackets).elements())
        file.brackets.push_back(readBracket(bracket));
    return file;
}

} // namespace stagecraft::capture
