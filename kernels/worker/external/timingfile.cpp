// SPDX-License-Identifier: MIT
#include "timingfile.h"

#include "backend.h"
#include "programfile.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Generous for a number with its white space, and for keys that are not known.
constexpr std::uintmax_t bytesPerSample = 256, bytesBeside = 1 << 20;

// A program may print its mean with fewer digits than its samples, or sum in single precision.
constexpr double meanTolerance = 1e-3, meanToleranceUs = 0.01;

constexpr auto contract =
    "write op, dims, warmup and iterations as input.json and --iterations have them, samples_us in "
    "µs, one per iteration, and event_mean_us, their mean";

class TimingReader
{
public:
    TimingReader(json content, std::string name) : m_content(std::move(content)), m_name(std::move(name))
    {
        if (!m_content.is_object())
            fail("", std::string("expected an object, found ") + m_content.type_name());
    }

    [[noreturn]] void fail(const std::string &pointer, const std::string &cause) const
    {
        throw WorkerError(protocol::error::invalid, m_name + ": " + (pointer.empty() ? "" : pointer + ": ") + cause,
                          contract);
    }

    const json &at(const char *key) const
    {
        const auto entry = m_content.find(key);
        if (entry == m_content.end())
            fail("/" + std::string(key), "is missing");
        return *entry;
    }

    // The value under a key must be exactly this.
    void expect(const char *key, const json &asked) const
    {
        const auto &found = at(key);
        if (typeOf(found) != typeOf(asked))
            fail("/" + std::string(key), "expected " + typeOf(asked) + ", found " + found.type_name());
        if (found != asked)
            fail("/" + std::string(key), "is " + shown(found) + ", but " + asked.dump() + " was asked for");
    }

    double number(const json &value, const std::string &pointer) const
    {
        if (!value.is_number())
            fail(pointer, std::string("expected a number, found ") + value.type_name());
        const auto found = value.get<double>();
        if (!std::isfinite(found))
            fail(pointer, "is not finite");
        return found;
    }

    std::string text(const char *key) const
    {
        const auto entry = m_content.find(key);
        if (entry == m_content.end() || entry->is_null())
            return {};
        if (!entry->is_string())
            fail("/" + std::string(key), std::string("expected a string, found ") + entry->type_name());
        return entry->get<std::string>();
    }

    std::vector<double> samples(int iterations) const
    {
        const auto &array = at("samples_us");
        if (!array.is_array())
            fail("/samples_us", std::string("expected an array, found ") + array.type_name());
        if (array.size() != static_cast<std::size_t>(iterations))
            fail("/samples_us", "has " + std::to_string(array.size()) + " samples, but " + std::to_string(iterations) +
                                    " iterations were asked for");
        std::vector<double> samples;
        for (std::size_t i = 0; i < array.size(); ++i) {
            const auto pointer = "/samples_us/" + std::to_string(i);
            samples.push_back(number(array[i], pointer));
            if (samples.back() <= 0)
                fail(pointer, "is " + array[i].dump() + " µs, which is no duration");
        }
        return samples;
    }

    void checkMean(const std::vector<double> &samples) const
    {
        const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
        const double found = number(at("event_mean_us"), "/event_mean_us");
        if (std::abs(found - mean) > std::max(meanToleranceUs, meanTolerance * mean))
            fail("/event_mean_us", "is " + json(found).dump() + ", but the samples give " + json(mean).dump());
    }

    std::string source() const
    {
        const auto source = text("source");
        if (!source.empty() && source != "event" && source != "host")
            fail("/source", "is " + shown(source) +
                                ", but samples are CUDA-event intervals, \"event\", or the host clock's, \"host\"");
        return source.empty() ? "event" : source;
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
    const auto text = readProgramFile(file, bytesBeside + bytesPerSample * static_cast<std::uintmax_t>(iterations));
    try {
        return json::parse(text);
    } catch (const json::exception &error) {
        throw WorkerError(protocol::error::invalid, name + ": is not valid JSON: " + error.what(),
                          "write JSON, which has no NaN and no infinity, and write it whole before the program ends");
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
    Timing timing{reader.samples(request.iterations), reader.source(), reader.text("run_id")};
    reader.checkMean(timing.samplesUs);
    return timing;
}

} // namespace stagecraft::worker
