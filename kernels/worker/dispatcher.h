// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"
#include "envelope.h"
#include "samplesender.h"

#include <map>

namespace stagecraft::worker {

// From a request to the backend's function and back to the line of the reply. Used on the kernel thread.
class Dispatcher
{
public:
    Dispatcher(Backend &backend, protocol::Hello identity, SampleSender &sender,
               const std::atomic<bool> &cancelRequested)
        : m_backend(backend), m_identity(std::move(identity)), m_sender(sender), m_cancelRequested(cancelRequested)
    {
    }

    // The reply to any request: a result or an error, never an exception.
    std::string reply(const protocol::Request &request);

private:
    // What a profiler's ranges call a handle.
    struct Names
    {
        std::string operation, implementation;
    };

    nlohmann::json call(const std::string &method, const nlohmann::json &params);
    nlohmann::json describe(const protocol::DescribeParams &params);
    nlohmann::json prepare(const protocol::PrepareParams &params);
    nlohmann::json check(const protocol::CheckParams &params);
    nlohmann::json measure(const protocol::MeasureParams &params);
    nlohmann::json capture(const protocol::CaptureParams &params);
    nlohmann::json counters(const protocol::CountersParams &params);
    nlohmann::json sample(const protocol::SampleParams &params);
    nlohmann::json release(const protocol::HandleParams &params);
    const Names &namesOf(std::int64_t handle) const;

    Backend &m_backend;
    protocol::Hello m_identity;
    SampleSender &m_sender;
    const std::atomic<bool> &m_cancelRequested;
    std::map<std::int64_t, Names> m_names; // of the prepared handles
};

} // namespace stagecraft::worker
