// SPDX-License-Identifier: MIT
// Compiled once per CUPTI major, against that major's headers: STAGECRAFT_CUPTI_MAJOR is 12 or 13.
#include "cuptisession.h"

#include "cupticheck.h"

#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

#define STAGECRAFT_JOIN_(a, b) a##b
#define STAGECRAFT_JOIN(a, b) STAGECRAFT_JOIN_(a, b)

namespace stagecraft::capture {

namespace STAGECRAFT_CUPTI_NAMESPACE {

namespace {

constexpr std::size_t bufferBytes = 1u << 20; // about 5000 records
constexpr std::size_t bufferAlignment = 8;    // as CUPTI asks (ACTIVITY_RECORD_ALIGNMENT)

#define STAGECRAFT_CUPTI_FUNCTIONS(X)                                                                                  \
    X(cuptiGetResultString)                                                                                            \
    X(cuptiSubscribe)                                                                                                  \
    X(cuptiUnsubscribe)                                                                                                \
    X(cuptiEnableCallback)                                                                                             \
    X(cuptiEnableDomain)                                                                                               \
    X(cuptiActivityRegisterCallbacks)                                                                                  \
    X(cuptiActivityEnable)                                                                                             \
    X(cuptiActivityDisable)                                                                                            \
    X(cuptiActivityFlushAll)                                                                                           \
    X(cuptiActivityGetNextRecord)                                                                                      \
    X(cuptiActivityGetNumDroppedRecords)                                                                               \
    X(cuptiFinalize)
STAGECRAFT_CUPTI_TABLE(CuptiTable, STAGECRAFT_CUPTI_FUNCTIONS)

[[noreturn]] void refuse(const CuptiTable &cupti, CUptiResult result, const char *call)
{
    throw CaptureError(
        explainRefusal(static_cast<int>(result), resultName(cupti.cuptiGetResultString, result), call, surroundings()));
}

// A call that opens or closes a bracket, at which point of it, and what the watcher is told then.
struct ProfilerCall
{
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    CUpti_ApiCallbackSite site;
    void (BracketWatcher::*tell)() noexcept;
};

constexpr ProfilerCall profilerCalls[]{
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStart, CUPTI_API_EXIT,
     &BracketWatcher::profilerStarted},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, CUPTI_API_EXIT,
     &BracketWatcher::profilerStarted},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop, CUPTI_API_ENTER,
     &BracketWatcher::profilerStopping},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000, CUPTI_API_ENTER,
     &BracketWatcher::profilerStopping},
};

class Session;

// CUPTI's buffer callbacks carry no user data.
std::atomic<Session *> current{nullptr};

class Session final : public CuptiSession
{
public:
    explicit Session(const SharedLibrary &library) : m_cupti(library) {}
    ~Session() override
    {
        m_watcher = nullptr;
        end();
    }

    void watch(BracketWatcher &watcher) override
    {
        subscribe();
        try {
            tellOfBrackets();
        } catch (...) {
            end();
            throw;
        }
        m_watcher = &watcher;
    }

    void rest() override
    {
        if (!m_hasRecorded || !m_watcher)
            return;
        BracketWatcher &watcher = *m_watcher.exchange(nullptr);
        end();
        watch(watcher);
    }

    void start() override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_recording = {};
            m_unread = CUPTI_SUCCESS;
        }
        m_iteration = -1;
        try {
            begin();
        } catch (...) {
            end();
            throw;
        }
    }

    void setIteration(int iteration) override { m_iteration = iteration; }

    RawRecording stop() override
    {
        m_iteration = -1;
        // The caller has waited for the GPU, so every record is complete; forced, so that half-filled buffers come too.
        const CUptiResult flushed = m_cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
        end();
        if (flushed != CUPTI_SUCCESS)
            refuse(m_cupti, flushed, "cuptiActivityFlushAll");
        const std::lock_guard lock(m_mutex);
        if (m_unread != CUPTI_SUCCESS)
            refuse(m_cupti, m_unread, "cuptiActivityGetNextRecord");
        return std::move(m_recording);
    }

private:
    void subscribe()
    {
        STAGECRAFT_CUPTI_CHECK(cuptiSubscribe, &m_subscriber, onCall, this);
        m_subscribed = true;
    }

    void tellOfBrackets()
    {
        for (const ProfilerCall &call : profilerCalls)
            STAGECRAFT_CUPTI_CHECK(cuptiEnableCallback, 1, m_subscriber, call.domain, call.id);
    }

    void begin()
    {
        if (!m_subscribed)
            subscribe();
        current = this; // only now: until here another session may be the one that records
        STAGECRAFT_CUPTI_CHECK(cuptiActivityRegisterCallbacks, onBufferRequested, onBufferCompleted);
        STAGECRAFT_CUPTI_CHECK(cuptiActivityEnable, m_kind);
        m_enabled = m_hasRecorded = true;
        // Both: a library may launch through the runtime, and a record carries the id of the outer call.
        STAGECRAFT_CUPTI_CHECK(cuptiEnableDomain, 1, m_subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
        STAGECRAFT_CUPTI_CHECK(cuptiEnableDomain, 1, m_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
    }

    // Undoes begin() as far as it came. Failures have no remedy and would hide the first error.
    void end()
    {
        if (m_subscribed) {
            m_cupti.cuptiEnableDomain(0, m_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
            m_cupti.cuptiEnableDomain(0, m_subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
        }
        if (m_enabled)
            m_cupti.cuptiActivityDisable(m_kind);
        m_enabled = false;
        Session *self = this;
        current.compare_exchange_strong(self, nullptr);
        if (m_watcher)
            tellOfBracketsAgain();
        else if (m_subscribed)
            leave();
        m_subscribed = m_watcher != nullptr;
    }

    // What recording adds to each launch stays when nothing is enabled or subscribed any more, and would be in the
    // spans of this process; only CUPTI's end takes it away. Not where another subscriber may be using it.
    void leave()
    {
        m_cupti.cuptiUnsubscribe(m_subscriber);
        if (m_hasRecorded)
            m_cupti.cuptiFinalize();
        m_hasRecorded = false;
    }

    // Disabling the domains has disabled the profiler calls with them.
    void tellOfBracketsAgain() noexcept
    {
        try {
            tellOfBrackets();
        } catch (const CaptureError &) {
            // As with the rest of end(): it worked when watching began, and nothing here can mend it.
        }
    }

    void noteCall(std::uint32_t correlationId)
    {
        const int iteration = m_iteration;
        if (iteration < 0)
            return;
        const std::lock_guard lock(m_mutex);
        if (m_recording.calls.size() < maximumCalls)
            m_recording.calls.push_back({correlationId, iteration});
        else
            ++m_recording.dropped;
    }

    void readBuffer(CUcontext context, std::uint32_t stream, std::uint8_t *buffer, std::size_t validBytes)
    {
        const std::lock_guard lock(m_mutex);
        CUpti_Activity *record = nullptr;
        CUptiResult result;
        while ((result = m_cupti.cuptiActivityGetNextRecord(buffer, validBytes, &record)) == CUPTI_SUCCESS) {
            if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
                continue;
            if (m_recording.kernels.size() < maximumRecords)
                m_recording.kernels.push_back(rawKernel(*reinterpret_cast<const ActivityKernel *>(record)));
            else
                ++m_recording.dropped;
        }
        if (result != CUPTI_ERROR_MAX_LIMIT_REACHED) // the end of the buffer
            m_unread = result;
        std::size_t dropped = 0;
        if (m_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
            m_recording.dropped += static_cast<std::int64_t>(dropped);
    }

    // While nothing is recorded, these are the profiler calls alone.
    void onApi(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData &data)
    {
        if (data.callbackSite == CUPTI_API_ENTER)
            noteCall(data.correlationId);
        BracketWatcher *const watcher = m_watcher;
        if (!watcher)
            return;
        for (const ProfilerCall &call : profilerCalls) {
            if (call.domain == domain && call.id == id && call.site == data.callbackSite)
                (watcher->*call.tell)();
        }
    }

    static void CUPTIAPI onCall(void *self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
    {
        if (domain == CUPTI_CB_DOMAIN_DRIVER_API || domain == CUPTI_CB_DOMAIN_RUNTIME_API)
            static_cast<Session *>(self)->onApi(domain, id, *static_cast<const CUpti_CallbackData *>(data));
    }

    static void CUPTIAPI onBufferRequested(std::uint8_t **buffer, std::size_t *size, std::size_t *maximumRecords)
    {
        *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(bufferAlignment, bufferBytes));
        *size = *buffer ? bufferBytes : 0;
        *maximumRecords = 0; // as many as fit
    }

    static void CUPTIAPI onBufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t *buffer, std::size_t,
                                           std::size_t validBytes)
    {
        if (Session *session = current; session && buffer && validBytes > 0)
            session->readBuffer(context, stream, buffer, validBytes);
        std::free(buffer);
    }

    CuptiTable m_cupti;
    CUpti_SubscriberHandle m_subscriber = nullptr;
    const CUpti_ActivityKind m_kind =
        serializesKernels() ? CUPTI_ACTIVITY_KIND_KERNEL : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    std::atomic<BracketWatcher *> m_watcher{nullptr};
    bool m_subscribed = false, m_enabled = false;
    bool m_hasRecorded = false; // since CUPTI came into the process
    std::atomic<int> m_iteration{-1};
    std::mutex m_mutex; // guards what follows: buffers come from CUPTI's own thread
    RawRecording m_recording;
    CUptiResult m_unread = CUPTI_SUCCESS; // why a buffer could not be read to its end
};

} // namespace

} // namespace STAGECRAFT_CUPTI_NAMESPACE

std::unique_ptr<CuptiSession> STAGECRAFT_JOIN(openCupti, STAGECRAFT_CUPTI_MAJOR)(const SharedLibrary &library)
{
    return std::make_unique<STAGECRAFT_CUPTI_NAMESPACE::Session>(library);
}

} // namespace stagecraft::capture
