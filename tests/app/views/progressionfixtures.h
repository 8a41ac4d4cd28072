// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewfixtures.h"

// A progression as a run fills it: many stages, some without a time, attempts of the same run, repeated runs.
namespace fixtures {

inline nlohmann::json launchJson(int blocks, int threads, int registers, int shared, int resident = 0)
{
    nlohmann::json launch{{"blocks", blocks},
                          {"threads_per_block", threads},
                          {"registers_per_thread", registers},
                          {"shared_mem_bytes", shared},
                          {"local_bytes", 0},
                          {"spill_bytes", 0}};
    if (resident > 0)
        launch["resident_threads_per_sm"] = resident;
    return launch;
}

inline evidence::ProgressionStage stage(const QString &id, std::optional<double> kernel, std::optional<double> span,
                                        evidence::State state = evidence::State::Ok, const QString &reason = {})
{
    evidence::ProgressionStage stage;
    stage.id = id;
    stage.label = id;
    stage.title = QStringLiteral("stage ") + id;
    stage.change =
        QStringLiteral("What changed in %1, told in a sentence that is long enough to need a second line and, "
                       "where the column is narrow, a third.")
            .arg(id);
    stage.kernelUs = kernel;
    stage.spanUs = span;
    stage.origin = QStringLiteral("h200-fixture");
    stage.state = state;
    stage.reason = reason;
    stage.resources = launchJson(256, 256, 56, 33792);
    return stage;
}

inline evidence::ProgressionAttempt attempt(const QString &title, double low, double high, double of)
{
    evidence::ProgressionAttempt attempt;
    attempt.id = title;
    attempt.title = title;
    attempt.metric = QStringLiteral("kernel time");
    attempt.low = low;
    attempt.high = high;
    attempt.valueOfThat = of;
    attempt.comparedWith = QStringLiteral("stage s4, same run");
    attempt.comparedWithStage = QStringLiteral("matmul/s4");
    attempt.evidence = QStringLiteral("h200-fixture");
    attempt.verdict =
        QStringLiteral("slower: 1.45 times as long, faster in 0 of 5 rounds; ranges apart, resolution 0.6 %");
    attempt.resources = launchJson(1024, 128, 40, 0);
    return attempt;
}

inline const QString notYet = QStringLiteral("not measured yet");
inline const QString failure =
    QStringLiteral("an illegal address in matmul_s3: run compute-sanitizer on the stage; the rest of the run went on");

// matmul with ten stages: 400 µs, a fifth less each; s3 failed, s8 and s9 are not measured yet.
inline evidence::Namespace stagesRun()
{
    using evidence::State;
    evidence::Namespace evidence = gpuRun();
    evidence::OperationProgression matmul;
    matmul.operation = QStringLiteral("matmul");
    matmul.dims = {1024, 1024, 1024};
    double time = 400;
    for (int i = 0; i < 10; ++i, time *= 0.8) {
        const QString id = QStringLiteral("s%1").arg(i);
        if (i == 3)
            matmul.stages.append(stage(id, {}, {}, State::Failed, failure));
        else if (i > 7)
            matmul.stages.append(stage(id, {}, {}, State::NotRun, notYet));
        else
            matmul.stages.append(stage(id, time, time * 1.05));
    }
    matmul.attempts = {attempt(QStringLiteral("a1"), 238, 238, 163.84), attempt(QStringLiteral("a2"), 170, 176, 163.84),
                       attempt(QStringLiteral("a3"), 0, 0, 163.84)};
    matmul.attempts[2].state = State::Failed;
    matmul.attempts[2].reason = QStringLiteral("3 of 1048576 elements differ, the first is out[17]");
    matmul.attempts[2].verdict.clear();
    matmul.ab = {{QStringLiteral("stage s4"),
                  QStringLiteral("span"),
                  {170.1, 171.2, 170.4, 170.4, 172.9},
                  171.0,
                  QStringLiteral("matmul/s4")},
                 {QStringLiteral("a2"),
                  QStringLiteral("span"),
                  {180.2, 181.1, 184.0, 180.9, 181.0},
                  181.44,
                  QStringLiteral("matmul/a2")}};
    evidence.progression = evidence::Progression{};
    evidence.progression->operations = {matmul};
    evidence.progression->deviceSms = 132;
    evidence.progression->deviceComputeCapability = QStringLiteral("9.0");
    return evidence;
}

} // namespace fixtures
