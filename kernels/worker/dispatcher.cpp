// SPDX-License-Identifier: MIT
#include "dispatcher.h"

#include "coldcache.h"
#include "nvtxranges.h"

#include <new>

namespace stagecraft::worker {

namespace {

using namespace stagecraft::protocol;
using nlohmann::json;

struct UnknownMethod
{
};

std::string kindOf(int code)
{
    switch (code) {
    case error::unavailable:
        return "unavailable";
    case error::invalid:
        return "invalid";
    case error::cancelled:
        return "cancelled";
    default:
        return "failed";
    }
}

// The ranges operation, implementation, round, phase: round as people count it, from 1.
NvtxRanges phaseRanges(const std::string &operation, const std::string &implementation, int round, const char *phase)
{
    return NvtxRanges({operation, implementation, "round " + std::to_string(round + 1), phase});
}

// "cuda", or "cuda/ID" for a stage that was asked for by name.
std::string implementationName(const PrepareParams &params)
{
    if (params.stage.empty())
        return params.implementation;
    return params.implementation + "/" + params.stage.substr(params.stage.find('/') + 1);
}

void requireIterations(int iterations)
{
    if (iterations < 1)
        throw ProtocolError(rpc::invalidParams, "iterations", "is 0, the smallest is 1");
}

// Ends the sender's measure on every way out of the backend's function.
class Sending
{
public:
    Sending(SampleSender &sender, const MeasureParams &params, const std::atomic<bool> &cancelRequested)
        : m_sender(sender), m_sink(sender.begin(params.handle, params.iterations, cancelRequested))
    {
    }
    ~Sending() { m_sender.end(); }
    Sending(const Sending &) = delete;
    Sending &operator=(const Sending &) = delete;

    SampleSink &sink() { return m_sink; }

private:
    SampleSender &m_sender;
    SampleSink &m_sink;
};

} // namespace

std::string Dispatcher::reply(const Request &request)
{
    const auto answer = [&](int code, const std::string &kind, const std::string &reason, const std::string &fix = {}) {
        return errorLine({request.id, code, kind, reason, fix});
    };
    try {
        return resultLine(request.id, call(request.method, request.params));
    } catch (const UnknownMethod &) {
        return answer(rpc::methodNotFound, "method not found", "this worker has no method \"" + request.method + "\"");
    } catch (const ProtocolError &error) {
        return answer(rpc::invalidParams, "invalid params", error.what());
    } catch (const WorkerError &error) {
        return errorLine({request.id, error.code, kindOf(error.code), error.what(), error.fix, error.log});
    } catch (const std::bad_alloc &) {
        return answer(error::failed, "failed", "there is not enough memory for these dims", "choose smaller dims");
    } catch (const std::exception &error) {
        return answer(error::failed, "failed", error.what());
    }
}

json Dispatcher::call(const std::string &method, const json &params)
{
    if (method == method::describe)
        return describe(params.get<DescribeParams>());
    if (method == method::compile)
        return m_backend.compile(params.get<CompileParams>());
    if (method == method::prepare)
        return prepare(params.get<PrepareParams>());
    if (method == method::check)
        return check(params.get<CheckParams>());
    if (method == method::measure)
        return measure(params.get<MeasureParams>());
    if (method == method::capture)
        return capture(params.get<CaptureParams>());
    if (method == method::release)
        return release(params.get<HandleParams>());
    if (method == method::floors)
        return m_backend.floors(params.get<FloorsParams>(), m_cancelRequested);
    if (method == method::counters)
        return counters(params.get<CountersParams>());
    if (method == method::sample)
        return sample(params.get<SampleParams>());
    if (method == method::shutdown)
        return json::object();
    throw UnknownMethod();
}

json Dispatcher::describe(const DescribeParams &params)
{
    auto result = m_backend.describe(params);
    result.protocol = m_identity.protocol;
    result.worker = m_identity.worker;
    result.workerVersion = m_identity.workerVersion;
    result.libraries.push_back(nvtxLibrary());
    return result;
}

json Dispatcher::prepare(const PrepareParams &params)
{
    requireKnownWords(params);
    auto result = m_backend.prepare(params);
    m_names[result.handle] = {params.operation, implementationName(params)};
    return result;
}

json Dispatcher::check(const CheckParams &params)
{
    const auto &[operation, implementation] = namesOf(params.handle);
    const auto ranges = phaseRanges(operation, implementation, params.round, "check");
    return m_backend.check(params);
}

json Dispatcher::measure(const MeasureParams &params)
{
    requireIterations(params.iterations);
    const auto &[operation, implementation] = namesOf(params.handle);
    Sending sending(m_sender, params, m_cancelRequested);
    const auto ranges = phaseRanges(operation, implementation, params.round, "spans");
    return m_backend.measure(params, sending.sink(), m_cancelRequested);
}

json Dispatcher::capture(const CaptureParams &params)
{
    requireIterations(params.iterations);
    const auto &[operation, implementation] = namesOf(params.handle);
    const auto ranges = phaseRanges(operation, implementation, params.round, "capture");
    return m_backend.capture(params, m_cancelRequested);
}

json Dispatcher::counters(const CountersParams &params)
{
    const auto &[operation, implementation] = namesOf(params.handle);
    const NvtxRanges ranges({operation, implementation, "counters"});
    return m_backend.counters(params, m_cancelRequested);
}

json Dispatcher::sample(const SampleParams &params)
{
    requireIterations(params.iterations);
    requireKnownWords(params.prepare);
    const NvtxRanges ranges({params.prepare.operation, implementationName(params.prepare), "samples"});
    return m_backend.sample(params);
}

json Dispatcher::release(const HandleParams &params)
{
    namesOf(params.handle);
    m_backend.release(params.handle);
    m_names.erase(params.handle);
    return json::object();
}

const Dispatcher::Names &Dispatcher::namesOf(std::int64_t handle) const
{
    const auto names = m_names.find(handle);
    if (names == m_names.end())
        throw WorkerError(error::invalid, "handle " + std::to_string(handle) + " is not prepared",
                          "prepare it first; a released handle cannot be used again");
    return names->second;
}

} // namespace stagecraft::worker
