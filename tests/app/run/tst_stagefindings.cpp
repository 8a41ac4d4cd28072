// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchresources.h"
#include "runrecord.h"
#include "stagefixture.h"

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

namespace {

constexpr auto utc = "2026-01-02T03:04:05Z";

// What a record of spans alone says, each round's of `old` and `next`.
evidence::OperationProgression progressionOf(const std::map<std::string, double> &oldCounts,
                                             const std::map<std::string, double> &nextCounts,
                                             const QList<double> &oldUs, const QList<double> &nextUs)
{
    FakeWorkers workers;
    RunPlan plan = stagePlan(workers, {{"old", {}, false, {}, oldCounts}, {"next", "old", false, {}, nextCounts}});
    plan.rounds = static_cast<int>(oldUs.size());
    plan.capture = false;
    RunRecord record;
    record.apply(RunStarted{plan, "ns", utc});
    for (int round = 0; round < plan.rounds; ++round) {
        record.apply(SpansMeasured{0, round, "cuda/old", {oldUs[round]}, State::Ok, {}});
        record.apply(SpansMeasured{0, round, "cuda/next", {nextUs[round]}, State::Ok, {}});
    }
    return record.evidence().progression->operations[0];
}

const evidence::OperationProgression matmul(const RunOutcome &run)
{
    return run.evidence.progression ? run.evidence.progression->operations.value(0) : evidence::OperationProgression();
}

} // namespace

// What a run's measurements become in its progression where they are not all there or do not decide.
class tst_StageFindings : public QObject
{
    Q_OBJECT

private slots:
    void conclusions_data()
    {
        QTest::addColumn<double>("count"); // of the next stage; the old one's is 1
        QTest::addColumn<QList<double>>("us");
        QTest::addColumn<QList<double>>("nextUs");
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("words");
        const QList<double> ten(5, 10.0), twenty(5, 20.0);
        QTest::newRow("follows") << 2.0 << ten << twenty << "Time follows the count"
                                 << "0.0 %";
        QTest::newRow("does not") << 4.0 << ten << twenty << "The count alone does not explain"
                                  << "0.50";
        QTest::newRow("few rounds") << 2.0 << ten.mid(2) << twenty.mid(2) << "Not decided"
                                    << "fewer than 5 rounds";
        QTest::newRow("overlap") << 2.0 << QList<double>{10, 20, 10, 20, 10} << QList<double>{20, 15, 20, 15, 20}
                                 << "Not decided"
                                 << "the ranges of the round medians overlap";
        QTest::newRow("a small prediction") << 1.05 << ten << QList<double>(5, 10.5) << "Not decided"
                                            << "5.0 % from 1, within the 10.0 %";
        QTest::newRow("a prediction within the noise")
            << 1.3 << QList<double>{10, 10, 10, 10, 14} << QList<double>(5, 20.0) << "Not decided"
            << "30.0 % from 1, within the 40.0 %";
    }
    void conclusions()
    {
        QFETCH(double, count);
        QFETCH(QList<double>, us);
        QFETCH(QList<double>, nextUs);
        QFETCH(QString, start);
        QFETCH(QString, words);
        const auto entry = progressionOf({{"reads", 1}}, {{"reads", count}}, us, nextUs);
        QCOMPARE(entry.experiments.size(), 1);
        const QString conclusion = entry.experiments[0].conclusion;
        QVERIFY2(conclusion.startsWith(start) && conclusion.contains(words), qPrintable(conclusion));
    }

    void barriersPredictNoTime()
    {
        const QList<double> us(5, 10.0);
        const auto entry = progressionOf({{"barriers", 4}, {"barriers per 16 steps of k", 2}},
                                         {{"barriers", 2}, {"barriers per 16 steps of k", 1}}, us, us);
        QVERIFY(entry.experiments.isEmpty());
        QCOMPARE(evidence::stageCounts(entry.stages[1].resources).value("barriers"), 2.0);
    }

    void countNamesHoldNoPath()
    {
        const QList<double> us(5, 10.0);
        const char *name = "reads of /opt/secret/tile";
        const auto entry = progressionOf({{name, 1}}, {{name, 2}}, us, us);
        QCOMPARE(entry.experiments.size(), 1);
        const QString text = entry.experiments[0].title + QString::fromStdString(entry.experiments[0].counts.dump()) +
                             QString::fromStdString(entry.stages[0].resources.dump());
        QCOMPARE(text.count("reads of tile"), 3);
        QVERIFY2(!text.contains("secret"), qPrintable(text));
    }

    // Every capture is invalid, the spans are sound: the stage is drawn, and says why it has no kernel time.
    void launchesThatVaryAreTheReason()
    {
        FakeWorkers workers;
        const RunOutcome run = runToEnd(stagePlan(workers, {{"good"},
                                                            {"vary", "good", false, {"varying-launches"}},
                                                            {"attempt", "good", true, {"varying-launches"}}}));
        QCOMPARE(run.fatalProblems(), QString());
        const evidence::ProgressionStage vary = matmul(run).stages.value(1);
        QCOMPARE(vary.id, QString("vary"));
        QCOMPARE(vary.state, State::Ok);
        QVERIFY(vary.spanUs && !vary.kernelUs);
        QCOMPARE(vary.kernelState, State::Invalid);
        QCOMPARE(vary.kernelReason, run.capture("matmul", 0, "cuda/vary").reason);
        QVERIFY2(vary.kernelReason.contains("iteration"), qPrintable(vary.kernelReason));
        QCOMPARE(matmul(run).stages[0].kernelState, State::Ok);
        QCOMPARE(matmul(run).attempts.value(0).metric, QString("span"));
        QCOMPARE(matmul(run).attempts[0].kernelReason, run.capture("matmul", 0, "cuda/attempt").reason);
    }

    void aCaptureThatWasSwitchedOffIsTheReason()
    {
        const QList<double> us(5, 10.0);
        const auto entry = progressionOf({}, {}, us, us);
        QCOMPARE(entry.stages[0].kernelState, State::NotRun);
        QCOMPARE(entry.stages[0].kernelReason, QString("kernel capture was switched off for this run"));
    }

    void everyRunHasItsOwnCheck()
    {
        FakeWorkers workers;
        RunPlan plan = stagePlan(workers, {{"good"}});
        plan.rounds = 2;
        plan.runs = 3;
        RunRecord record;
        record.apply(RunStarted{plan, "ns", utc});
        protocol::CheckResult check;
        check.passed = true;
        record.apply(ImplementationPrepared{0, 0, "cuda/good", {}, check});
        record.apply(ImplementationPrepared{0, 5, "cuda/good", {}, check});
        QList<int> checked;
        for (int round = 0; round < 6; ++round) {
            if (record.evidence().results[0].rounds[round].implementations["cuda/good"].correctness)
                checked.append(round);
        }
        QCOMPARE(checked, QList<int>({0, 1, 5}));
    }

    void aRunThatFailsIsNoneOfTheRuns()
    {
        FakeWorkers workers("--behaviour kill-in-measure --round 1");
        RunPlan plan = stagePlan(workers, {{"good"}});
        plan.rounds = 1;
        plan.runs = 3;
        const RunOutcome run = runToEnd(plan);
        QCOMPARE(run.outcome, Outcome::CompletedWithFailures);
        QCOMPARE(run.fatalProblems(), QString());
        QCOMPARE(run.measurement(0, 1, "cuda/good").state, State::Failed);
        QCOMPARE(run.measurement(0, 2, "cuda/good").state, State::Ok);
        const auto ab = matmul(run).ab;
        QCOMPARE(ab.size(), 2);
        for (const evidence::ProgressionAb &entry : ab) {
            QCOMPARE(entry.runs.size(), 2);
            QCOMPARE(entry.runNumbers, QList<int>({1, 3}));
        }

        // What was written names them as the rounds do, and cannot be told otherwise.
        nlohmann::json doctored = run.evidence.progressionDocument;
        nlohmann::json &numbers = doctored["operations"][0]["ab"][0]["run_numbers"];
        QCOMPARE(numbers.dump(), std::string("[0,2]"));
        numbers = {0, 1};
        QFile file(workers.output() + "/progression.json");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(doctored.dump().c_str()) > 0);
        file.close();
        const evidence::Namespace checked = evidence::readNamespace(workers.output());
        const auto fatal = std::ranges::find_if(checked.problems, &evidence::Problem::fatal);
        QVERIFY(fatal != checked.problems.end());
        QCOMPARE(fatal->pointer, QString("/operations/0/ab/0/runs"));
    }
};

QTEST_GUILESS_MAIN(tst_StageFindings)
#include "tst_stagefindings.moc"
