// SPDX-License-Identifier: MIT
#pragma once

#include "cupticheck.h"

#include <cupti_callbacks.h>

// For the per-major sources only.
namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE {

// A recording in this process has ended with cuptiFinalize(); after that every other part of CUPTI answers that it is
// not initialized, until somebody subscribes (seen with CUDA 13.0). Leaves when it goes.
class CuptiReturn
{
public:
    explicit CuptiReturn(const SharedLibrary &library) : m_cupti(library) {}
    ~CuptiReturn() { leave(); }
    CuptiReturn(const CuptiReturn &) = delete;
    CuptiReturn &operator=(const CuptiReturn &) = delete;

    // The result of the call; of a second one, after a subscription, where the first finds CUPTI gone.
    template <typename Call>
    CUptiResult call(Call &&call)
    {
        const CUptiResult result = call();
        if (result != CUPTI_ERROR_NOT_INITIALIZED || m_subscribed)
            return result;
        m_subscribed = m_cupti.cuptiSubscribe(&m_subscriber, ignoreCall, nullptr) == CUPTI_SUCCESS;
        return m_subscribed ? call() : result;
    }

    // A failure has no remedy.
    void leave()
    {
        if (m_subscribed)
            m_cupti.cuptiUnsubscribe(m_subscriber);
        m_subscribed = false;
    }

private:
    // Nothing is enabled that would call it.
    static void CUPTIAPI ignoreCall(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *) {}

#define STAGECRAFT_RETURN_FUNCTIONS(X)                                                                                 \
    X(cuptiSubscribe)                                                                                                  \
    X(cuptiUnsubscribe)
    STAGECRAFT_CUPTI_TABLE(Table, STAGECRAFT_RETURN_FUNCTIONS)
#undef STAGECRAFT_RETURN_FUNCTIONS

    Table m_cupti;
    CUpti_SubscriberHandle m_subscriber = nullptr;
    bool m_subscribed = false;
};

} // namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE
