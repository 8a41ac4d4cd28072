// SPDX-License-Identifier: MIT
#include "capturefile.h"

#include "capturecounters.h"
#include "messagejson.h"

#include <algorithm>
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
constexpr auto counters = "counters";
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
    } else if (bracket.counters) {
        out[key::backend] = bracket.backend;
        out[key::counters] = countersJson(*bracket.counters);
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

// A part of what one kernel did would be taken for all of it, so a bracket's values are kept together or not at all.
std::size_t valuesOf(const CaptureBracket &bracket)
{
    std::size_t values = 0;
    if (bracket.counters) {
        for (const auto &kernel : bracket.counters->kernels)
            values += kernel.size();
    }
    return values;
}

constexpr auto onlyBackend = "cupti";

CaptureBracket readBracket(const CaptureNode &node)
{
    CaptureBracket bracket;
    node.object();
    if (node.has(key::unterminated))
        bracket.unterminated = node.at(key::unterminated).truth();
    if (node.has(key::unavailable)) {
        const CaptureNode refusal = node.at(key::unavailable).object();
        bracket.unavailable = Refusal{refusal.at(key::reason).text(), refusal.at(key::fix).text()};
        return bracket;
    }
    bracket.backend = node.at(key::backend).text();
    if (bracket.backend != onlyBackend)
        node.at(key::backend).fail(std::string("is not \"") + onlyBackend + "\"");
    if (node.has(key::counters)) {
        bracket.counters = readCounters(node.at(key::counters));
        return bracket;
    }
    bracket.timestampMode = node.at(key::timestampMode).word();
    bracket.dropped = node.at(key::dropped).count();
    bracket.invalid = node.at(key::invalid).count();
    for (const CaptureNode &record : node.at(key::records).elements())
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

void appendBracket(std::vector<CaptureBracket> &brackets, CaptureBracket bracket, CaptureLimits limits)
{
    for (const CaptureBracket &earlier : brackets) {
        limits.records -= std::min(limits.records, earlier.records.size());
        limits.values -= std::min(limits.values, valuesOf(earlier));
    }
    if (bracket.records.size() > limits.records) {
        bracket.dropped += static_cast<std::int64_t>(bracket.records.size() - limits.records);
        bracket.records.resize(limits.records);
    }
    if (valuesOf(bracket) > limits.values) {
        bracket.counters.reset();
        bracket.unavailable = Refusal{"the file holds as many counted values as it may",
                                      "take the file away after each bracket, or count fewer metrics"};
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
    const CaptureNode root(document, {}, name);
    if (const auto format = root.object().at(key::format).count(); format != captureFormat)
        root.at(key::format)
            .fail("is " + std::to_string(format) + "; this program reads format " + std::to_string(captureFormat));
    CaptureFile file;
    file.pid = root.at(key::pid).count();
    file.process = root.at(key::process).text();
    if (root.has(key::cupti))
        file.cupti = root.at(key::cupti).text();
    for (const CaptureNode &bracket : root.at(key::brackets).elements())
        file.brackets.push_back(readBracket(bracket));
    return file;
}

} // namespace stagecraft::capture
