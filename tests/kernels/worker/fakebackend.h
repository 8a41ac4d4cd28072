// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend.h"
#include "fakeoptions.h"
#include "fakestage.h"

#include <map>

// A worker whose numbers are a rule, so that tests can say what must come out, and which misbehaves as told.
// Implementation i (from 0) has spans of 10·(i + 1) + 0.1·(n mod 7) µs for sample n, and i + 1 kernels an iteration
// of 4·(i + 1) µs together. A stage that comes with its text has what the text says (fakestage.h), and its launches.
class FakeBackend : public stagecraft::worker::Backend
{
public:
    // protocolDescriptor: a copy of standard output from before the server took it, for lines that break the protocol.
    FakeBackend(FakeOptions options, int protocolDescriptor)
        : m_options(std::move(options)), m_protocolDescriptor(protocolDescriptor)
    {
    }

    stagecraft::protocol::DescribeResult describe(const stagecraft::protocol::DescribeParams &params) override;
    stagecraft::protocol::CompileResult compile(const stagecraft::protocol::CompileParams &params) override;
    stagecraft::protocol::PrepareResult prepare(const stagecraft::protocol::PrepareParams &params) override;
    stagecraft::protocol::CheckResult check(const stagecraft::protocol::CheckParams &params) override;
    stagecraft::protocol::MeasureResult measure(const stagecraft::protocol::MeasureParams &params,
                                                stagecraft::worker::SampleSink &sink,
                                                const std::atomic<bool> &cancelRequested) override;
    stagecraft::protocol::CaptureResult capture(const stagecraft::protocol::CaptureParams &params,
                                                const std::atomic<bool> &cancelRequested) override;
    void release(std::int64_t handle) override;
    stagecraft::protocol::FloorsResult floors(const stagecraft::protocol::FloorsParams &params,
                                              const std::atomic<bool> &cancelRequested) override;
    stagecraft::protocol::CountersResult counters(const stagecraft::protocol::CountersParams &params,
                                                  const std::atomic<bool> &cancelRequested) override;
    stagecraft::protocol::SampleResult sample(const stagecraft::protocol::SampleParams &params) override;
    bool lost() const override { return m_lost; }

private:
    struct Prepared
    {
        std::string operation, implementation;
        int index = 0; // of the implementation
        std::int64_t elements = 0;
        int checks = 0;                      // so far
        std::optional<FakeStage> stage = {}; // one that came with its text

        double us() const { return (stage ? stage->us() : std::nullopt).value_or(10.0 * (index + 1)); }
    };

    stagecraft::protocol::CaptureSupport countersSupport() const;
    stagecraft::protocol::CheckResult checkOf(const Prepared &prepared) const;

    // Whether to do `behaviour` now, for this handle and, where it is known, this round.
    bool does(const char *behaviour, const Prepared &prepared, std::optional<int> round = {}) const;
    void misbehaveInCompile(const Prepared &prepared, const std::string &stage, const std::string &architecture) const;
    void misbehaveInMeasure(const Prepared &prepared, int round, stagecraft::worker::SampleSink &sink,
                            const std::atomic<bool> &cancelRequested) const;
    static void appendRecords(std::vector<stagecraft::protocol::KernelRecord> &records, const Prepared &prepared,
                              int iteration);
    void chatter() const;

    FakeOptions m_options;
    int m_protocolDescriptor;
    std::map<std::int64_t, Prepared> m_prepared;
    std::int64_t m_lastHandle = 0;
    bool m_lost = false;
};
