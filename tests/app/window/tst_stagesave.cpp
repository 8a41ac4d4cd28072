// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesave.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;
using evidence::State;

namespace {

StageSave saveOf(const QList<qint64> &dims, int number)
{
    StageSave save;
    save.number = number;
    save.time = QDateTime::currentDateTime();
    save.stage.operation = "matmul";
    save.stage.id = "mine";
    save.after.emplace();
    save.after->operation = "matmul";
    save.after->id = "tiled";
    save.dims = dims;
    save.architecture = "sm_90a";
    return save;
}

evidence::Round roundOf(int index)
{
    evidence::Round round;
    round.index = index;
    for (const char *id : {"cuda/mine", "cuda/tiled"}) {
        evidence::Measurement measurement;
        const double us = id == QLatin1String("cuda/mine") ? 5 : 10;
        measurement.samplesUs = {us, us, us, us, us};
        measurement.source = "event";
        round.implementations.insert(id, measurement);
    }
    return round;
}

// A run of both whose kernels were not recorded.
evidence::Namespace runOf(const StageSave &save)
{
    evidence::Namespace run;
    run.name = "save-001";
    evidence::OperationResult result;
    result.operation = "matmul";
    result.dims = save.dims;
    result.cache = "warm";
    for (int i = 0; i < 5; ++i) {
        result.rounds.append(roundOf(i));
        for (const char *id : {"cuda/mine", "cuda/tiled"}) {
            evidence::Capture capture;
            capture.operation = "matmul";
            capture.language = id;
            capture.dims = save.dims;
            capture.cache = "warm";
            capture.round = i;
            capture.state = State::Unavailable;
            capture.reason = "another profiler holds CUPTI";
            run.captures.append(capture);
        }
    }
    run.results.append(result);
    evidence::OperationProgression progression;
    progression.operation = "matmul";
    evidence::ProgressionAttempt attempt;
    attempt.id = "mine";
    evidence::LaunchResources prepared;
    prepared.entry = "k";
    prepared.registersPerThread = 77;
    attempt.resources = evidence::launchResourcesJson({prepared});
    progression.attempts.append(attempt);
    run.progression.emplace();
    run.progression->operations.append(progression);
    return run;
}

StageSave measured(const QList<qint64> &dims, int number)
{
    StageSave save = saveOf(dims, number);
    applyMeasurement(save, runOf(save));
    return save;
}

} // namespace

class tst_StageSave : public QObject
{
    Q_OBJECT

private slots:
    void resourcesAreThoseOfTheRun()
    {
        const StageSave save = measured({64, 64, 64}, 1);
        QCOMPARE(save.state, State::Ok);
        QCOMPARE(save.resources.size(), 1);
        QCOMPARE(*save.resources.first().registersPerThread, 77);
    }

    void aMissingKernelTimeKeepsItsReason()
    {
        const StageSave save = measured({64, 64, 64}, 1);
        QVERIFY(!save.kernelUs && save.spanUs);
        QCOMPARE(*save.factor, 2.0);
        QCOMPARE(save.missingKernel.state, State::Unavailable);
        const widgets::ValueCell cell = historyTable({save}, "matmul", "mine").rows.first().at(3);
        QCOMPARE(cell.text, QStringLiteral("unavailable"));
        QVERIFY2(cell.toolTip.contains("another profiler"), qPrintable(cell.toolTip));
        const auto session = sessionEvidence({save}, nullptr);
        const evidence::ProgressionStage &entry = session.progression->operations.first().stages.last();
        QCOMPARE(entry.state, State::Ok);
        QCOMPARE(entry.kernelState, State::Unavailable);
        QVERIFY(entry.kernelReason.contains("another profiler"));
    }

    void otherArithmeticIsNotCompared()
    {
        StageSave save = saveOf({64, 64, 64}, 1);
        save.stage.arithmetic = "3xtf32";
        applyMeasurement(save, runOf(save));
        QVERIFY(save.spanUs && save.afterSpanUs);
        QVERIFY(!save.factor && save.verdict.isEmpty());
        QVERIFY2(save.verdictText.contains("3xtf32"), qPrintable(save.verdictText));
        // Nor are they steps of one ladder.
        const auto session = sessionEvidence({save}, nullptr);
        QCOMPARE(session.progression->operations.first().stages.size(), 1);
    }

    void eachProblemHasALadderOfItsOwn()
    {
        StageSave other = measured({64, 64, 64}, 4);
        other.stage.arithmetic = "3xtf32";
        const auto session = sessionEvidence(
            {measured({64, 64, 64}, 1), measured({128, 64, 64}, 2), measured({64, 64, 64}, 3), other}, nullptr);
        const auto &ladders = session.progression->operations;
        QCOMPARE(ladders.size(), 3);
        QCOMPARE(ladders.at(0).dims, QList<qint64>({64, 64, 64}));
        QCOMPARE(ladders.at(0).cache, QStringLiteral("warm"));
        QCOMPARE(ladders.at(0).stages.size(), 3); // tiled, save 1, save 3
        QCOMPARE(ladders.at(1).dims, QList<qint64>({128, 64, 64}));
        QCOMPARE(ladders.at(1).stages.size(), 2);
        QCOMPARE(ladders.at(2).stages.size(), 1);
        QCOMPARE(ladders.at(2).stages.first().arithmetic, QStringLiteral("3xtf32"));
    }

    void entriesHoldNoPathOfThisMachine()
    {
        StageSave save = measured({64, 64, 64}, 1);
        save.stage.title = "from /home/somebody/work/mine.cu";
        save.stage.change = "see /home/somebody/notes.txt";
        const auto session = sessionEvidence({save}, nullptr);
        const evidence::ProgressionStage &entry = session.progression->operations.first().stages.last();
        QVERIFY2(!entry.title.contains("/home"), qPrintable(entry.title));
        QVERIFY2(!entry.change.contains("/home"), qPrintable(entry.change));
        QVERIFY(entry.title.contains("mine.cu"));
    }
};

QTEST_GUILESS_MAIN(tst_StageSave)
#include "tst_stagesave.moc"
