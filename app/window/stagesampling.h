// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codelisting.h"
#include "disassembler.h"
#include "rundesk.h"
#include "stagesampler.h"

#include <QTemporaryDir>

namespace stagecraft::window {

// The machine code that was sampled, with where its warps wait, as it is shown.
struct SampledListing
{
    run::Disassembly code;
    CodeListing listing;
    widgets::ValueTable lines;
    QString gpu;  // "NVIDIA H200"
    QString text; // how many samples, how often, how many were dropped
};

// Samples the stage that is looked at, on the GPU that runs are planned for, while nothing is measured there, and makes
// text of what is found on the thread pool.
class StageSampling : public QObject
{
    Q_OBJECT
public:
    explicit StageSampling(RunDesk &runs, QObject *parent = nullptr);
    ~StageSampling() override;

    void setPython(const QString &python); // whose wheels may hold nvdisasm
    // What start() samples. Ends what is under way: it is of another code.
    void setStage(const stagefile::Stage &stage, const QList<qint64> &dims);
    void setNoStage(const QString &reason);

    QString refusal() const; // why start() would do nothing; empty: it samples
    bool isBusy() const { return m_busy; }
    void start();
    void cancel();

signals:
    void changed(); // refusal() or isBusy() may be another
    void sampled(const stagecraft::window::SampledListing &listing);
    void failed(const QString &reason, const QString &fix);

private:
    void takeSamples(const protocol::SampleResult &result);
    void takeDisassembly(const run::DisassemblyResult &result);
    void fail(const QString &reason, const QString &fix);
    void finish();
    QString cubin() const;

    RunDesk &m_runs;
    run::StageSampler m_sampler;
    run::Disassembler m_disassembler;
    QTemporaryDir m_folder;
    std::optional<run::SampleOrder> m_order;
    QString m_noStage, m_gpu;
    protocol::SampleResult m_result;
    int m_number = 0; // what comes of an earlier one is dropped
    bool m_busy = false;
};

} // namespace stagecraft::window
