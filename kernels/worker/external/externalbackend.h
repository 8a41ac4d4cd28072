// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"
#include "preparedprogram.h"

#include <map>

namespace stagecraft::worker {

// One external program as a worker with one implementation, its name. Every preparation, check, measure and capture
// starts the program, counters start it twice; its result is checked each time, before any of its times are taken.
class ExternalBackend : public Backend
{
public:
    explicit ExternalBackend(ExternalProgram program) : m_program(std::move(program)) {}

    void begin(const Session &session) override { m_session.emplace(session); }
    protocol::DescribeResult describe(const protocol::DescribeParams &params) override;
    protocol::CompileResult compile(const protocol::CompileParams &params) override;
    protocol::PrepareResult prepare(const protocol::PrepareParams &params) override;
    protocol::CheckResult check(const protocol::CheckParams &params) override;
    protocol::MeasureResult measure(const protocol::MeasureParams &params, SampleSink &sink,
                                    const std::atomic<bool> &cancelRequested) override;
    protocol::CaptureResult capture(const protocol::CaptureParams &params,
                                    const std::atomic<bool> &cancelRequested) override;
    protocol::CountersResult counters(const protocol::CountersParams &params,
                                      const std::atomic<bool> &cancelRequested) override;
    void release(std::int64_t handle) override;

private:
    // Runs the program once: only what it writes says by which clock its samples are.
    struct Prepared
    {
        Prepared(const ExternalProgram &external, const protocol::PrepareParams &params, const Session &session);

        PreparedProgram program;
        std::optional<ProgramResult> first; // of that run, until the first check takes it
        std::string source, arithmetic;     // of its samples
    };

    protocol::Implementation implementation() const;
    void requireImplementation(const protocol::PrepareParams &params) const;
    void requireSame(const Prepared &entry, const Timing &timing) const;
    bool runCaptured(Prepared &entry, const ProgramCounts &counts, std::map<std::string, std::string> environment);
    std::string note() const;
    Prepared &prepared(std::int64_t handle);

    ExternalProgram m_program;
    std::optional<Session> m_session;
    std::map<std::int64_t, Prepared> m_prepared;
    std::int64_t m_lastHandle = 0;
};

} // namespace stagecraft::worker
