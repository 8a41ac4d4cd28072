// SPDX-License-Identifier: MIT
#include "messagejson.h"

#include "fieldvalue.h"
#include "messagefields.h"

#include <set>

namespace stagecraft::protocol {

namespace {

class Writer
{
public:
    explicit Writer(nlohmann::json &json) : m_json(json) { m_json = nlohmann::json::object(); }

    void required(const char *key, const auto &value) { m_json[key] = value; }
    void optional(const char *key, const auto &value) { m_json[key] = value; }
    template <std::integral Integer>
    void optional(const char *key, const Integer &value)
    {
        if (value != 0)
            m_json[key] = value;
    }
    void optional(const char *key, const std::string &value)
    {
        if (!value.empty())
            m_json[key] = value;
    }
    template <class T>
    void optional(const char *key, const std::optional<T> &value)
    {
        if (value)
            m_json[key] = *value;
    }

private:
    nlohmann::json &m_json;
};

class Reader
{
public:
    explicit Reader(const nlohmann::json &json) : m_json(json)
    {
        if (!json.is_object())
            wrongType({}, "an object", json);
    }

    void required(const char *key, auto &value)
    {
        if (!m_json.contains(key))
            invalidValue(key, "is missing");
        readValue(m_json[key], key, value);
    }
    void optional(const char *key, auto &value)
    {
        if (m_json.contains(key))
            readValue(m_json[key], key, value);
    }

private:
    const nlohmann::json &m_json;
};

// What types cannot say. Most messages have no more rules than those of their fields.
void checkMeaning(const auto &) {}

void checkMeaning(const SamplesNote &note)
{
    for (std::size_t i = 0; i < note.us.size(); ++i) {
        if (note.us[i] < 0)
            invalidValue("us/" + std::to_string(i), "is a negative duration: " + std::to_string(note.us[i]));
        if (note.us[i] == 0)
            invalidValue("us/" + std::to_string(i), "is 0, which is no duration");
    }
}

// The greatest whole number up to which a JSON reader that knows only doubles tells all of them apart.
constexpr std::int64_t largestCount = std::int64_t{1} << 53;

void checkCount(const char *key, std::int64_t value)
{
    if (value > largestCount)
        invalidValue(key, "is above " + std::to_string(largestCount) + ": " + std::to_string(value));
}

// CUDA's own limits are lower, the largest of them 2^31 - 1 blocks in x.
void checkExtents(const std::string &key, const std::array<std::int64_t, 3> &extents)
{
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] < 1 || extents[i] > largest)
            invalidValue(key + "/" + std::to_string(i),
                         "is not from 1 to " + std::to_string(largest) + ": " + std::to_string(extents[i]));
    }
}

void checkMeaning(const KernelRecord &record)
{
    constexpr double longestUs = 1e12; // eleven days
    if (record.durationUs <= 0)
        invalidValue("duration_us", "is not a duration above zero: " + std::to_string(record.durationUs));
    if (record.durationUs > longestUs)
        invalidValue("duration_us", "is above 1e12, which no kernel takes");
    checkExtents("grid", record.grid);
    checkExtents("block", record.block);
    checkCount("shared_mem_bytes", record.sharedMemBytes);
    checkCount("local_bytes_per_thread", record.localBytesPerThread);
}

void checkMeaning(const CaptureResult &result)
{
    checkCount("dropped", result.dropped);
    checkCount("invalid", result.invalid);
    for (std::size_t i = 0; i < result.records.size(); ++i) {
        if (result.records[i].iteration >= result.requestedIterations)
            invalidValue("records/" + std::to_string(i) + "/iteration",
                         "is " + std::to_string(result.records[i].iteration) + " of " +
                             std::to_string(result.requestedIterations) + " requested iterations, counted from 0");
    }
}

void checkMeaning(const FloorsResult &result)
{
    for (std::size_t i = 0; i < result.floors.size(); ++i) {
        constexpr double shortestUs = 1e-3, longestUs = 1e12; // a nanosecond, eleven days
        if (!(result.floors[i].us >= shortestUs && result.floors[i].us <= longestUs))
            invalidValue("floors/" + std::to_string(i) + "/us", "is not from 0.001 to 1e12");
    }
}

void checkMeaning(const CountedKernel &kernel)
{
    checkExtents("grid", kernel.grid);
    checkExtents("block", kernel.block);
    for (const auto &[metric, value] : kernel.values) {
        if (value < 0)
            invalidValue("values/" + metric, "is negative: " + std::to_string(value));
    }
}

void checkMeaning(const CountersResult &result)
{
    std::set<std::string> listed;
    for (const Metric &metric : result.metrics)
        listed.insert(metric.name);
    for (std::size_t i = 0; i < result.kernels.size(); ++i) {
        for (const auto &[name, value] : result.kernels[i].values) {
            if (!listed.contains(name))
                invalidValue("kernels/" + std::to_string(i) + "/values/" + name, "is not among the metrics");
        }
    }
}

void checkMeaning(const SampledInstruction &instruction)
{
    checkCount("address", instruction.address);
    for (const auto &[reason, samples] : instruction.samples)
        checkCount(("samples/" + reason).c_str(), samples);
}

void checkMeaning(const SampleResult &result)
{
    std::uint64_t sum = 0; // hostile numbers may wrap it round, which is then no sum either
    for (const SampledKernel &kernel : result.kernels) {
        for (const SampledInstruction &instruction : kernel.instructions) {
            for (const auto &[reason, samples] : instruction.samples)
                sum += static_cast<std::uint64_t>(samples);
        }
    }
    if (sum != static_cast<std::uint64_t>(result.samples))
        invalidValue("samples",
                     "is " + std::to_string(result.samples) + ", but the instructions have " + std::to_string(sum));
}

void checkMeaning(const CheckResult &result)
{
    if (result.badElements > result.checkedElements)
        invalidValue("bad_elements", "is above checked_elements");
    if (result.passed && result.badElements > 0)
        invalidValue("passed", "is true with " + std::to_string(result.badElements) + " bad elements");
}

} // namespace

#define STAGECRAFT_MESSAGE(Type)                                                                                       \
    void to_json(nlohmann::json &json, const Type &message)                                                            \
    {                                                                                                                  \
        Writer writer(json);                                                                                           \
        fields(writer, message);                                                                                       \
    }                                                                                                                  \
    void from_json(const nlohmann::json &json, Type &message)                                                          \
    {                                                                                                                  \
        Reader reader(json);                                                                                           \
        fields(reader, message);                                                                                       \
        checkMeaning(message);                                                                                         \
    }

STAGECRAFT_MESSAGE(Hello)
STAGECRAFT_MESSAGE(Device)
STAGECRAFT_MESSAGE(Library)
STAGECRAFT_MESSAGE(Implementation)
STAGECRAFT_MESSAGE(CaptureSupport)
STAGECRAFT_MESSAGE(SelfTest)
STAGECRAFT_MESSAGE(DescribeParams)
STAGECRAFT_MESSAGE(DescribeResult)
STAGECRAFT_MESSAGE(CompileParams)
STAGECRAFT_MESSAGE(KernelResources)
STAGECRAFT_MESSAGE(CompileResult)
STAGECRAFT_MESSAGE(PrepareParams)
STAGECRAFT_MESSAGE(HandleParams)
STAGECRAFT_MESSAGE(CheckParams)
STAGECRAFT_MESSAGE(Launch)
STAGECRAFT_MESSAGE(PrepareResult)
STAGECRAFT_MESSAGE(CheckResult)
STAGECRAFT_MESSAGE(MeasureParams)
STAGECRAFT_MESSAGE(SamplesNote)
STAGECRAFT_MESSAGE(MeasureResult)
STAGECRAFT_MESSAGE(CaptureParams)
STAGECRAFT_MESSAGE(KernelRecord)
STAGECRAFT_MESSAGE(CaptureResult)
STAGECRAFT_MESSAGE(CountersParams)
STAGECRAFT_MESSAGE(Metric)
STAGECRAFT_MESSAGE(MissingMetric)
STAGECRAFT_MESSAGE(CountedKernel)
STAGECRAFT_MESSAGE(CountersResult)
STAGECRAFT_MESSAGE(SampleParams)
STAGECRAFT_MESSAGE(SampledInstruction)
STAGECRAFT_MESSAGE(SampledKernel)
STAGECRAFT_MESSAGE(SampleResult)
STAGECRAFT_MESSAGE(FloorsOperation)
STAGECRAFT_MESSAGE(FloorsParams)
STAGECRAFT_MESSAGE(FloorMeasurement)
STAGECRAFT_MESSAGE(OperationFloor)
STAGECRAFT_MESSAGE(FloorsResult)
STAGECRAFT_MESSAGE(LogNote)

#undef STAGECRAFT_MESSAGE

} // namespace stagecraft::protocol
