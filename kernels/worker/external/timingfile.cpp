// SPDX-License-Identifier: MIT
#include "timingfile.h"

#include "backend.h"
#include "programfile.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Generous for a number with its white space, and for keys that are not known.
constexpr std::uintmax_t bytesPerSample = 256, bytesBeside = 1 << 20, mostBytes = protocol::maximumLineBytes;

// Eleven days: as a sum, no number of samples of that length leaves the range of numbers.
constexpr double longestSampleUs = 1e12;
// One nanosecond: no call is shorter, and no clock that programs use is finer.
constexpr double shortestSampleUs = 1e-3;

constexpr std::size_t longestRunId = 200, longestArithmetic = 32;

// Of nesting: more than the format needs. What is nested without end would end this process.
constexpr int deepest = 16;

// A program may print its mean with fewer digits than its samples, or sum in single precision.
constexpr double meanTolerance = 1e-3, meanToleranceUs = 0.01;

// By the place in the file, such as samples_us/0; "" is the whole file. No slash before it: that would pass for a path,
// whose folders evidence leaves out.
std::string adviceFor(const std::string &place)
{
    if (place.starts_with("samples_us"))
        return "write samples_us in µs, one number above 0 per iteration";
    if (place == "iterations")
        return "write iterations as --iterations has it";
    if (place == "event_mean_us")
        return "write event_mean_us, the mean of samples_us in µs";
    if (place == "source")
        return "write \"event\" or \"host\"; without it, samples are taken for CUDA-event intervals";
    if (place == "arithmetic")
        return "write what the program computes in, or leave it out where that is fp32";
    if (place == "run_id")
        return "write a text of one line, or leave it out";
    if (place.empty())
        return "write an object with op, dims, warmup, iterations, samples_us and event_mean_us";
    return "write " + place + " as input.json has it";
}

class TimingReader
{
public:
    TimingReader(json content, std::string name) : m_content(std::move(content)), m_name(std::move(name))
    {
        if (!m_content.is_object())
            fail("", std::string("expected an object, found ") + m_content.type_name());
    }

    [[noreturn]] void fail(const std::string &place, const std::string &cause) const
    {
        throw WorkerError(protocol::error::invalid, m_name + ": " + (place.empty() ? "" : place + ": ") + cause,
                          adviceFor(place));
    }

    const json &at(const char *key) const
    {
        const auto entry = m_content.find(key);
        if (entry == m_content.end())
            fail(key, "is missing");
        return *entry;
    }

    // The value under a key must be exactly this.
    void expect(const char *key, const json &asked) const
    {
        const auto &found = at(key);
        if (typeOf(found) != typeOf(asked))
            fail(key, "expected " + typeOf(asked) + ", found " + found.type_name());
        if (found != asked)
            fail(key, "is " + shown(found) + ", but " + asked.dump() + " was asked for");
    }

    double number(const json &value, const std::string &place) const
    {
        if (!value.is_number())
            fail(place, std::string("expected a number, found ") + value.type_name());
        const auto found = value.get<double>();
        if (!std::isfinite(found))
            fail(place, "is not finite");
        return found;
    }

    std::string text(const char *key) const
    {
        const auto entry = m_content.find(key);
        if (entry == m_content.end() || entry->is_null())
            return {};
        if (!entry->is_string())
            fail(key, std::string("expected a string, found ") + entry->type_name());
        return entry->get<std::string>();
    }

    std::vector<double> samples(int iterations) const
    {
        const auto &array = at("samples_us");
        if (!array.is_array())
            fail("samples_us", std::string("expected an array, found ") + array.type_name());
        if (array.size() != static_cast<std::size_t>(iterations))
            fail("samples_us", "has " + std::to_string(array.size()) + " samples, but " + std::to_string(iterations) +
                                   " iterations were asked for");
        std::vector<double> samples;
        for (std::size_t i = 0; i < array.size(); ++i) {
            const auto place = "samples_us/" + std::to_string(i);
            samples.push_back(number(array[i], place));
            if (samples.back() < shortestSampleUs || samples.back() > longestSampleUs)
                fail(place, "is " + array[i].dump() + " µs, which is no duration of a call");
        }
        return samples;
    }

    void checkMean(const std::vector<double> &samples) const
    {
        const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
        const double found = number(at("event_mean_us"), "event_mean_us");
        if (!std::isfinite(mean) || std::abs(found - mean) > std::max(meanToleranceUs, meanTolerance * mean))
            fail("event_mean_us", "is " + json(found).dump() + ", but the samples give " + json(mean).dump());
    }

    std::string source(bool gpuMayBeHere) const
    {
        const auto source = text("source");
        if (!source.empty() && source != "event" && source != "host")
            fail("source", "is " + shown(source) +
                               ", but samples are CUDA-event intervals, \"event\", or the host clock's, \"host\"");
        if (source != "host" && !gpuMayBeHere)
            throw WorkerError(protocol::error::invalid,
                              m_name + ": source: " + (source.empty() ? "is missing" : "is \"event\"") +
                                  ", but there is no GPU here, so its times cannot be CUDA events",
                              "write \"source\": \"host\" into " + m_name);
        return source.empty() ? "event" : source;
    }

    std::string arithmetic() const
    {
        const auto arithmetic = text("arithmetic");
        const auto isAllowed = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-';
        };
        if (arithmetic.size() > longestArithmetic || !std::ranges::all_of(arithmetic, isAllowed))
            fail("arithmetic", "is " + shown(arithmetic) + ", but 1 to " + std::to_string(longestArithmetic) +
                                   " of a-z, 0-9, + and - are expected, such as \"tf32\"");
        return arithmetic.empty() ? "fp32" : arithmetic;
    }

    void checkRunId() const
    {
        const auto runId = text("run_id");
        const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
        const auto begins = [](unsigned char c) { return (c & 0xc0) != 0x80; }; // a character, in UTF-8
        if (static_cast<std::size_t>(std::ranges::count_if(runId, begins)) > longestRunId)
            fail("run_id", "is longer than " + std::to_string(longestRunId) + " characters");
        if (std::ranges::any_of(runId, isControl))
            fail("run_id", "holds control characters");
    }

private:
    static std::string typeOf(const json &value)
    {
        return value.is_number() ? "a whole number" : value.is_array() ? "an array" : value.type_name();
    }

    // Long or broken text is not carried into a message whole.
    static std::string shown(const json &value)
    {
        const auto text = value.dump(-1, ' ', true, json::error_handler_t::replace);
        return text.size() <= 80 ? text : text.substr(0, 80) + "…";
    }

    json m_content;
    std::string m_name;
};

json parsed(const fs::path &file, int iterations)
{
    const auto name = file.filename().string();
    const auto fail = [&](const std::string &cause) -> json {
        throw WorkerError(protocol::error::invalid, name + ": " + cause,
                          "write JSON, which has no NaN and no infinity, and write it whole before the program ends");
    };
    const auto shallow = [&](int depth, json::parse_event_t, const json &) {
        if (depth > deepest)
            fail("is nested more than " + std::to_string(deepest) + " deep");
        return true;
    };
    const auto needed = bytesBeside + bytesPerSample * static_cast<std::uintmax_t>(iterations);
    const auto text = readProgramFile(file, std::min(needed, mostBytes));
    try {
        return json::parse(text, shallow);
    } catch (const json::parse_error &error) { // its text would hold the file's, however long that is
        return fail("is not valid JSON at byte " + std::to_string(error.byte));
    } catch (const json::exception &) {
        return fail("is not valid JSON: it holds a number that is beyond every range");
    }
}

} // namespace

Timing readTiming(const fs::path &file, const TimingRequest &request)
{
    const TimingReader reader(parsed(file, request.iterations), file.filename().string());
    reader.expect("op", request.operation);
    // Unsigned, as JSON is read.
    reader.expect("dims", std::vector<std::uint64_t>(request.dims.begin(), request.dims.end()));
    reader.expect("warmup", static_cast<unsigned>(request.warmup));
    reader.expect("iterations", static_cast<unsigned>(request.iterations));
    reader.checkRunId();
    Timing timing{reader.samples(request.iterations), reader.source(request.gpuMayBeHere), reader.arithmetic()};
    reader.checkMean(timing.samplesUs);
    return timing;
}

} // namespace stagecraft::worker
