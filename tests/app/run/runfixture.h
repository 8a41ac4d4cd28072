// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencereader.h"
#include "fakeworkers.h"
#include "runner.h"

#include <QSignalSpy>
#include <QTest>

// What a run did: its end, its log, and the namespace read back from where it was written.
struct RunOutcome
{
    bool over = false;
    stagecraft::run::Outcome outcome{};
    QString message;
    QStringList log;
    stagecraft::evidence::Namespace evidence;

    const stagecraft::evidence::Measurement measurement(int operation, int round, const QString &id) const
    {
        return evidence.results.value(operation).rounds.value(round).implementations.value(id);
    }

    const stagecraft::evidence::Capture capture(const QString &operation, int round, const QString &id) const
    {
        for (const auto &capture : evidence.captures) {
            if (capture.operation == operation && capture.round == round && capture.language == id)
                return capture;
        }
        return {};
    }

    QString fatalProblems() const
    {
        QStringList texts;
        for (const auto &problem : evidence.problems) {
            if (problem.fatal)
                texts.append(problem.file + problem.pointer + ": " + problem.cause);
        }
        return texts.join('\n');
    }
};

inline stagecraft::run::RunPlan smallPlan(const FakeWorkers &workers, const QStringList &implementations)
{
    stagecraft::run::RunPlan plan;
    plan.operations = {{"matmul", {8, 6, 4}, implementations}};
    plan.rounds = 3;
    plan.warmup = 2;
    plan.iterations = 20;
    plan.captureIterations = 10;
    plan.outputDirectory = workers.output();
    return plan;
}

// Runs to the end. `watch` sees the runner before it starts.
inline RunOutcome runToEnd(const stagecraft::run::RunPlan &plan,
                           const std::function<void(stagecraft::run::Runner &)> &watch = {})
{
    using namespace stagecraft::run;
    RunOutcome result;
    Runner runner;
    QObject::connect(&runner, &Runner::logged, &runner,
                     [&](const QString &level, const QString &text) { result.log.append(level + ": " + text); });
    QObject::connect(&runner, &Runner::finished, &runner, [&](Outcome outcome, const QString &message) {
        result.over = true;
        result.outcome = outcome;
        result.message = message;
    });
    if (watch)
        watch(runner);
    runner.start(plan);
    if (QTest::qWaitFor([&] { return result.over; }, 60'000))
        result.evidence = stagecraft::evidence::readNamespace(plan.outputDirectory);
    return result;
}
