// SPDX-License-Identifier: GPL-3.0-or-later
// A libcupti that records what a test makes up: the same functions and structs, no GPU. Built against the headers of
// the CUDA major that STAGECRAFT_CUPTI_MAJOR names.
#include "fakecupti.h"

#include "fakecuptistate.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE::ActivityKernel;

// For a process that the test cannot reach into: STAGECRAFT_FAKE_CUPTI_REFUSE is "function=result",
// STAGECRAFT_FAKE_CUPTI_VERSION what cuptiGetVersion says.
std::uint32_t versionAsTheEnvironmentSays()
{
    const char *text = std::getenv("STAGECRAFT_FAKE_CUPTI_VERSION");
    return text ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : CUPTI_API_VERSION;
}

struct State
{
    std::uint32_t version = versionAsTheEnvironmentSays();
    std::map<std::string, int> refusals;
    CUpti_CallbackFunc callback = nullptr;
    void *userData = nullptr;
    bool recording = false;
    CUpti_ActivityKind kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL; // that was asked for last
    bool slow = false;                                               // recording has begun since the last cuptiFinalize
    std::map<int, bool> domains;
    std::set<std::pair<int, CUpti_CallbackId>> functions; // told one by one
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    std::vector<ActivityKernel> pending;
    std::size_t dropped = 0;
    bool gone = false; // see isGone()
};

State &state()
{
    static State instance;
    return instance;
}

void refuseAsTheEnvironmentSays()
{
    const char *text = std::getenv("STAGECRAFT_FAKE_CUPTI_REFUSE");
    if (const char *equals = text ? std::strchr(text, '=') : nullptr)
        state().refusals[std::string(text, equals)] = std::atoi(equals + 1);
}

ActivityKernel record(const char *name, std::uint32_t correlationId, std::uint64_t start, std::uint64_t end)
{
    ActivityKernel kernel;
    std::memset(&kernel, 0, sizeof kernel);
    kernel.kind = state().kind;
    kernel.name = name;
    kernel.correlationId = correlationId;
    kernel.start = start;
    kernel.end = end;
    kernel.gridX = 3;
    kernel.gridY = 2;
    kernel.gridZ = 1;
    kernel.blockX = 32;
    kernel.blockY = 4;
    kernel.blockZ = 1;
    kernel.registersPerThread = 40;
    kernel.staticSharedMemory = 1024;
    kernel.dynamicSharedMemory = 512;
    kernel.localMemoryPerThread = 16;
    return kernel;
}

CUpti_CallbackDomain domainOf(int runtime)
{
    return runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API;
}

void tell(CUpti_CallbackDomain domain, CUpti_CallbackId id, std::uint32_t correlationId, CUpti_ApiCallbackSite site)
{
    if (!state().callback || (!state().domains[domain] && !state().functions.contains({domain, id})))
        return;
    CUpti_CallbackData data{};
    data.correlationId = correlationId;
    data.callbackSite = site;
    state().callback(state().userData, domain, id, &data);
}

// Two records a buffer, so that a recording comes in several.
void deliver()
{
    constexpr std::size_t perBuffer = 2;
    auto &pending = state().pending;
    for (std::size_t first = 0; first < pending.size(); first += perBuffer) {
        std::uint8_t *buffer = nullptr;
        std::size_t size = 0, most = 0;
        state().request(&buffer, &size, &most);
        const std::size_t count = std::min(perBuffer, pending.size() - first);
        if (!buffer || size < count * sizeof(ActivityKernel))
            return;
        std::memcpy(buffer, &pending[first], count * sizeof(ActivityKernel));
        state().complete(nullptr, 0, buffer, size, count * sizeof(ActivityKernel));
    }
    pending.clear();
}

} // namespace

CUptiResult fakecupti::answer(const char *function)
{
    [[maybe_unused]] static const bool once = (refuseAsTheEnvironmentSays(), true);
    const auto refusal = state().refusals.find(function);
    return refusal == state().refusals.end() ? CUPTI_SUCCESS : static_cast<CUptiResult>(refusal->second);
}

bool fakecupti::isGone()
{
    return state().gone;
}

std::size_t fakecupti::takeDropped()
{
    return std::exchange(state().dropped, 0);
}

using fakecupti::answer;

extern "C" {

void fakeCuptiRefuse(const char *function, int result)
{
    state().refusals.clear();
    if (function)
        state().refusals[function] = result;
}

void fakeCuptiSetVersion(std::uint32_t version)
{
    state().version = version;
}

void fakeCuptiCall(std::uint32_t correlationId, int runtime)
{
    for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT})
        tell(domainOf(runtime), 0, correlationId, site);
}

void fakeCuptiProfilerCall(int runtime, int start, int exit)
{
    constexpr CUpti_CallbackId ids[2][2]{
        {CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart},
        {CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000}};
    tell(domainOf(runtime), ids[runtime ? 1 : 0][start ? 1 : 0], 0, exit ? CUPTI_API_EXIT : CUPTI_API_ENTER);
}

void fakeCuptiKernel(const char *name, std::uint32_t correlationId, std::uint64_t start, std::uint64_t end)
{
    fakecupti::countKernel();
    fakecupti::sampleKernel(name);
    if (state().recording)
        state().pending.push_back(record(name, correlationId, start, end));
}

void fakeCuptiDrop(std::uint32_t records)
{
    state().dropped = records;
}

int fakeCuptiSerialized(void)
{
    return state().kind == CUPTI_ACTIVITY_KIND_KERNEL;
}

int fakeCuptiActive(void)
{
    const bool told = state().domains[CUPTI_CB_DOMAIN_DRIVER_API] || state().domains[CUPTI_CB_DOMAIN_RUNTIME_API];
    return (state().callback ? 1 : 0) | (state().recording ? 2 : 0) | (told ? 4 : 0) |
           (state().functions.size() == 4 ? 8 : 0) | (state().slow ? 16 : 0) | fakecupti::countersActive() |
           fakecupti::samplingActive();
}

CUptiResult CUPTIAPI cuptiGetVersion(std::uint32_t *version)
{
    *version = state().version;
    return state().version == 0 ? CUPTI_ERROR_NOT_INITIALIZED : CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult, const char **text)
{
    *text = "CUPTI_ERROR_MADE_UP";
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *userData)
{
    if (const CUptiResult result = answer("cuptiSubscribe"); result != CUPTI_SUCCESS)
        return result;
    if (state().callback)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    state().gone = false;
    state().callback = callback;
    state().userData = userData;
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&state());
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiUnsubscribe(CUpti_SubscriberHandle)
{
    state().callback = nullptr;
    state().functions.clear();
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                         CUpti_CallbackId id)
{
    if (const CUptiResult result = answer("cuptiEnableCallback"); result != CUPTI_SUCCESS && enable)
        return result;
    if (enable)
        state().functions.insert({domain, id});
    else
        state().functions.erase({domain, id});
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiEnableDomain(std::uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain)
{
    if (const CUptiResult result = answer("cuptiEnableDomain"); result != CUPTI_SUCCESS && enable)
        return result;
    state().domains[domain] = enable != 0;
    std::erase_if(state().functions, [=](const auto &function) { return function.first == domain; });
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc complete)
{
    state().request = request;
    state().complete = complete;
    return answer("cuptiActivityRegisterCallbacks");
}

CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
    const CUptiResult result = answer("cuptiActivityEnable");
    state().kind = kind;
    state().recording = result == CUPTI_SUCCESS;
    state().slow = state().slow || state().recording;
    return result;
}

CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind)
{
    state().recording = false;
    return CUPTI_SUCCESS;
}

// Everything is as in a process that has never used CUPTI.
CUptiResult CUPTIAPI cuptiFinalize(void)
{
    State fresh;
    fresh.version = state().version;
    fresh.refusals = state().refusals;
    fresh.gone = true;
    state() = fresh;
    fakecupti::endCounters();
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityFlushAll(std::uint32_t)
{
    if (const CUptiResult result = answer("cuptiActivityFlushAll"); result != CUPTI_SUCCESS)
        return result;
    deliver();
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNextRecord(std::uint8_t *buffer, std::size_t validBytes, CUpti_Activity **record)
{
    if (const CUptiResult result = answer("cuptiActivityGetNextRecord"); result != CUPTI_SUCCESS)
        return result;
    std::uint8_t *next = *record ? reinterpret_cast<std::uint8_t *>(*record) + sizeof(ActivityKernel) : buffer;
    if (next + sizeof(ActivityKernel) > buffer + validBytes)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity *>(next);
    return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t *dropped)
{
    *dropped = fakecupti::takeDropped();
    return CUPTI_SUCCESS;
}
}
