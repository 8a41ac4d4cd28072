// SPDX-License-Identifier: GPL-3.0-or-later
#include "runevents.h"

#include "frontmatter.h"
#include "messagejson.h"
#include "publictext.h"

#include <array>
#include <stdexcept>

namespace stagecraft::run {

namespace {

using nlohmann::json;

// Of each event the fields, once, for writing and reading alike: io(key, field).
template <class E, class Event>
concept Is = std::same_as<std::remove_const_t<E>, Event>;

void fields(auto &io, Is<PlannedOperation> auto &e)
{
    io("operation", e.operation);
    io("dims", e.dims);
    io("implementations", e.implementations);
}

// Its name alone: what starts it says where it is on this machine.
void fields(auto &io, Is<ExternalProgram> auto &e)
{
    io("name", e.name);
}

void fields(auto &io, Is<RunPlan> auto &e)
{
    io("operations", e.operations);
    io("stages", e.stages);
    io("runs", e.runs);
    io("rounds", e.rounds);
    io("warmup", e.warmup);
    io("iterations", e.iterations);
    io("capture_iterations", e.captureIterations);
    io("capture", e.capture);
    io.optional("floors", e.floors);
    io.optional("counters", e.counters);
    io("seed", e.seed);
    io("cache", e.cache);
    io.optional("arithmetic", e.arithmetic);
    io("device", e.device);
    io("externals", e.workers.externals);
}

void fields(auto &io, Is<RunStarted> auto &e)
{
    io("plan", e.plan);
    io("name", e.name);
    io("utc", e.utc);
}

void fields(auto &io, Is<WorkerDescribed> auto &e)
{
    io("description", e.description);
}

void fields(auto &io, Is<InputsMade> auto &e)
{
    io("operation", e.operation);
    io("sha256", e.sha256);
}

void fields(auto &io, Is<ImplementationPrepared> auto &e)
{
    io("operation", e.operation);
    io("from_round", e.fromRound);
    io("implementation", e.implementation);
    io("result", e.result);
    io("check", e.check);
}

void fields(auto &io, Is<ImplementationClosed> auto &e)
{
    io("operation", e.operation);
    io("from_round", e.fromRound);
    io("to_round", e.toRound);
    io("implementation", e.implementation);
    io("state", e.state);
    io("reason", e.reason);
}

void fields(auto &io, Is<ResultChanged> auto &e)
{
    io("operation", e.operation);
    io("from_round", e.fromRound);
    io("to_round", e.toRound);
    io("implementation", e.implementation);
    io("check", e.check);
    io("reason", e.reason);
}

void fields(auto &io, Is<CheckedAgain> auto &e)
{
    io("operation", e.operation);
    io("from_round", e.fromRound);
    io("to_round", e.toRound);
    io("implementation", e.implementation);
    io("reason", e.reason);
}

void fields(auto &io, Is<SpansMeasured> auto &e)
{
    io("operation", e.operation);
    io("round", e.round);
    io("implementation", e.implementation);
    io("samples_us", e.samplesUs);
    io("state", e.state);
    io("reason", e.reason);
}

void fields(auto &io, Is<KernelsCaptured> auto &e)
{
    io("operation", e.operation);
    io("round", e.round);
    io("implementation", e.implementation);
    io("result", e.result);
    io("state", e.state);
    io("reason", e.reason);
}

void fields(auto &io, Is<GpuStateRead> auto &e)
{
    io("when", e.when);
    io("operation", e.operation);
    io("round", e.round);
    io("text", e.text);
}

void fields(auto &io, Is<FloorsMeasured> auto &e)
{
    io("result", e.result);
}

void fields(auto &io, Is<CountersTaken> auto &e)
{
    io("operation", e.operation);
    io("implementation", e.implementation);
    io("stage", e.stage);
    io("arithmetic", e.arithmetic);
    io("result", e.result);
    io("state", e.state);
    io("reason", e.reason);
}

void fields(auto &io, Is<RunEnded> auto &e)
{
    io("cancelled", e.cancelled);
}

json written(const auto &value);
void read(const json &source, auto &value);

class Writer
{
public:
    void operator()(const char *key, const auto &value) { result[key] = written(value); }
    void optional(const char *key, const auto &value) { (*this)(key, value); }
    json result = json::object();
};

class Reader
{
public:
    explicit Reader(const json &object) : m_object(object) {}
    void operator()(const char *key, auto &value) { read(m_object.at(key), value); }
    // Which journals of earlier versions lack: the value stays what it is.
    void optional(const char *key, auto &value)
    {
        if (m_object.contains(key))
            (*this)(key, value);
    }

private:
    const json &m_object;
};

template <class T>
concept HasFields = requires(Writer &io, const T &value)
{
    fields(io, value);
};

template <class T>
struct IsQList : std::false_type
{
};
template <class T>
struct IsQList<QList<T>> : std::true_type
{
};

template <class T>
struct IsOptional : std::false_type
{
};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type
{
};

json written(const auto &value)
{
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, QString>) {
        return value.toStdString();
    } else if constexpr (std::is_same_v<T, evidence::State>) {
        return evidence::stateName(value).toStdString();
    } else if constexpr (std::is_same_v<T, stagefile::Stage>) {
        return json{{"operation", value.operation}, {"id", value.id}, {"text", value.text}};
    } else if constexpr (IsOptional<T>::value) {
        return value ? written(*value) : json(nullptr);
    } else if constexpr (IsQList<T>::value) {
        json array = json::array();
        for (const auto &element : value)
            array.push_back(written(element));
        return array;
    } else if constexpr (HasFields<T>) {
        Writer writer;
        fields(writer, value);
        return writer.result;
    } else {
        return json(value);
    }
}

void read(const json &source, auto &value)
{
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, QString>) {
        value = QString::fromStdString(source.get<std::string>());
    } else if constexpr (std::is_same_v<T, evidence::State>) {
        const auto name = QString::fromStdString(source.get<std::string>());
        const auto state = evidence::stateFromName(name);
        if (!state)
            throw std::invalid_argument("unknown state " + name.toStdString());
        value = *state;
    } else if constexpr (std::is_same_v<T, stagefile::Stage>) {
        value = stagefile::parseStage(source.at("operation").get<std::string>(), source.at("id").get<std::string>(),
                                      source.at("text").get<std::string>());
    } else if constexpr (IsOptional<T>::value) {
        if (!source.is_null())
            read(source, value.emplace());
    } else if constexpr (IsQList<T>::value) {
        value.clear();
        for (const auto &element : source)
            read(element, value.emplace_back());
    } else if constexpr (HasFields<T>) {
        Reader reader(source);
        fields(reader, value);
    } else {
        value = source.get<T>();
    }
}

constexpr std::array names = {
    "run_started",     "worker_described", "inputs_made",    "implementation_prepared", "implementation_closed",
    "result_changed",  "checked_again",    "spans_measured", "kernels_captured",        "gpu_state_read",
    "floors_measured", "counters_taken",   "run_ended"};
static_assert(names.size() == std::variant_size_v<RunEvent>);

template <std::size_t Index = 0>
RunEvent eventNamed(const std::string &name, const json &object)
{
    if constexpr (Index < names.size()) {
        if (name != names[Index])
            return eventNamed<Index + 1>(name, object);
        std::variant_alternative_t<Index, RunEvent> event;
        read(object, event);
        return event;
    } else {
        throw std::invalid_argument("unknown event " + name);
    }
}

} // namespace

protocol::DescribeResult publicDescription(protocol::DescribeResult description)
{
    const auto clean = [](auto &...texts) { ((texts = publicText(texts).toStdString()), ...); };
    clean(description.platform, description.capture.reason, description.capture.fix, description.selfTest.reason);
    for (protocol::Library &library : description.libraries) {
        library.path.clear();
        clean(library.reason, library.fix, library.note);
    }
    for (protocol::Implementation &implementation : description.implementations)
        clean(implementation.reason, implementation.fix, implementation.note);
    return description;
}

json eventToJson(const RunEvent &event)
{
    json result = std::visit([](const auto &value) { return written(value); }, event);
    result["event"] = names[event.index()];
    return result;
}

RunEvent eventFromJson(const json &object)
{
    return eventNamed(object.at("event").get<std::string>(), object);
}

} // namespace stagecraft::run
