// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "fakeworkers.h"
#include "livesamples.h"
#include "logdock.h"
#include "windowfixture.h"

#include <csignal>
#include <optional>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

// matmul alone, small, in three rounds.
void planSmallRun(MainWindow &window, const QStringList &implementations)
{
    window.plan()->select({"matmul"}, implementations);
    QVERIFY(window.plan()->setData(window.plan()->index(0, PlanModel::DetailColumn), "8x6x4", Qt::EditRole));
    run::RunPlan protocol;
    protocol.rounds = 3;
    protocol.warmup = 2;
    protocol.iterations = 20;
    protocol.captureIterations = 10;
    window.planDock()->protocol()->setProtocol(protocol);
}

bool waitForEnd(MainWindow &window)
{
    return QTest::qWaitFor([&] { return !window.runDesk()->isRunning(); }, 60'000);
}

} // namespace

class tst_WindowRun : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void aRunFillsFiguresValuesAndEvidence()
    {
        FakeWorkers workers("--rate 20"); // slow enough for a page between any two measurements
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"cuda", "host"});
        bool pendingSeen = false, valueBesidePending = false;
        connect(window.figures(), &FigurePane::pageShown, this, [&] {
            for (const auto &entry : window.evidence()->shown()) {
                if (!entry.running || window.figures()->page().figures.isEmpty())
                    continue;
                const QStringList texts = barTexts(window.figures()->page().figures.first());
                pendingSeen = pendingSeen || texts.contains("pending");
                valueBesidePending =
                    valueBesidePending || (texts.contains("pending") && texts.count("pending") < texts.size());
            }
        });
        window.actions()->run->trigger();
        QVERIFY(window.runDesk()->isRunning());
        QVERIFY(!window.actions()->run->isEnabled());
        QVERIFY(window.actions()->stop->isEnabled());
        QVERIFY(QTest::qWaitFor([&] { return window.evidence()->runningRow() == 0; }, 30'000));
        QCOMPARE(window.evidence()->at(0).title(), QStringLiteral("this run"));
        QVERIFY(waitForEnd(window));
        QVERIFY(pendingSeen);
        QVERIFY(valueBesidePending);
        QVERIFY(window.actions()->run->isEnabled());

        const NamespacePointer evidence = window.evidence()->at(0).evidence;
        QCOMPARE(evidence->results.size(), 1);
        window.evidence()->showOnly(0);
        QVERIFY(fixture.waitForPage());
        for (const QString &text : barTexts(window.figures()->page().figures.first()))
            QVERIFY2(text != "pending" && text != "not run", qPrintable(text));
        QCOMPARE(window.figures()->page().values.rows.size(), 2);
        // Kept, and readable from where it was written.
        const evidence::Namespace kept = evidence::readNamespace(evidence->directory);
        QVERIFY(QDir(fixture.runs()).exists(kept.name));
        QVERIFY(!kept.hasContradiction());
        QCOMPARE(kept.results.first().rounds.size(), 3);
    }

    void samplesArriveLive()
    {
        FakeWorkers workers("--rate 400");
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"cuda", "cublas"});
        window.figures()->setView(views::ViewId::Samples);
        window.actions()->run->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window.figures()->liveSamples()->isVisible(); }, 30'000));
        QVERIFY(waitForEnd(window));
        QVERIFY(!window.figures()->liveSamples()->isVisible());
        QCOMPARE(window.figures()->liveSamples()->seriesCount(), 2);
        QCOMPARE(window.figures()->liveSamples()->sampleCount(0), 60);
        QCOMPARE(window.figures()->liveSamples()->sampleCount(1), 60);
    }

    void stopKeepsWhatWasMeasured()
    {
        FakeWorkers workers("--behaviour slow-measure --only cuda --round 1");
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"cuda", "cublas"});
        run::Progress last;
        connect(window.runDesk(), &RunDesk::progressed, this, [&](const run::Progress &progress) { last = progress; });
        window.actions()->run->trigger();
        QVERIFY(QTest::qWaitFor([&] { return last.round == 2 && last.implementation == "cuda"; }, 30'000));
        window.actions()->stop->trigger();
        QVERIFY(waitForEnd(window));
        const NamespacePointer evidence = window.evidence()->at(0).evidence;
        const auto &rounds = evidence->results.first().rounds;
        QCOMPARE(rounds.at(0).implementations.value("cuda").state, evidence::State::Ok);
        QVERIFY(rounds.at(2).implementations.value("cuda").state != evidence::State::Ok);
        QVERIFY(!window.messages()->isVisible()); // a stop is no failure
        QVERIFY(QDir(fixture.runs()).exists(evidence->name));
    }

    void aKilledWorkerCostsOneMeasurement()
    {
        // The round in which the worker is killed is slow: the measurement is still going when the signal arrives.
        std::optional<FakeWorkers> workers;
        workers.emplace("--behaviour slow-measure --only cuda --round 1");
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"cuda", "host"});
        bool killed = false;
        connect(window.runDesk(), &RunDesk::progressed, this, [&](const run::Progress &progress) {
            if (progress.implementation == "cuda" && progress.phase == "spans" && progress.round == 2 &&
                !std::exchange(killed, true))
                ::kill(workers->pids().constLast(), SIGKILL);
        });
        window.actions()->run->trigger();
        QVERIFY(waitForEnd(window));
        QVERIFY(killed);
        QVERIFY(window.isVisible());
        const auto &rounds = window.evidence()->at(0).evidence->results.first().rounds;
        QCOMPARE(rounds.at(1).implementations.value("cuda").state, evidence::State::Failed);
        QCOMPARE(rounds.at(2).implementations.value("cuda").state, evidence::State::Ok);
        for (const auto &round : rounds)
            QCOMPARE(round.implementations.value("host").state, evidence::State::Ok);
        // Cause and fix stand in the message bar and in the log.
        QVERIFY(window.messages()->isVisible());
        QVERIFY2(window.messages()->text().contains("SIGKILL"), qPrintable(window.messages()->text()));
        QVERIFY(window.messages()->text().contains("What to do"));
        QVERIFY(window.log()->text().contains("SIGKILL"));
        // And the next run goes through.
        workers.reset();
        workers.emplace("--rate 400");
        window.actions()->run->trigger();
        QVERIFY(waitForEnd(window));
        QCOMPARE(window.evidence()->at(0).evidence->results.first().rounds.at(1).implementations.value("cuda").state,
                 evidence::State::Ok);
    }

    void unavailableImplementationsAreNotPlanned()
    {
        FakeWorkers workers("--behaviour no-device");
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        QCOMPARE(fixture.window.plan()->plannedMeasurements(), 5); // host, for each operation
        workers.remove("stagecraft-worker-host");
        fixture.window.actions()->surveyAgain->trigger();
        QVERIFY(QTest::qWaitFor([&] { return fixture.ready(); }, 30'000));
        QCOMPARE(fixture.window.plan()->plannedMeasurements(), 0);
        QVERIFY(!fixture.window.actions()->run->isEnabled());
    }

    void savingARunCopiesItAndRefusesAnotherNamespace()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"cuda"});
        window.actions()->run->trigger();
        QVERIFY(waitForEnd(window));
        QVERIFY(window.actions()->saveRun->isEnabled());
        QSignalSpy saved(window.evidenceDesk(), &EvidenceDesk::saved);
        const NamespacePointer evidence = window.evidence()->at(0).evidence;
        window.evidenceDesk()->saveRun(evidence, fixture.path("kept"));
        QVERIFY(saved.wait(30'000));
        QCOMPARE(saved.last().first().toString(), QString());
        QCOMPARE(evidence::readNamespace(fixture.path("kept")).results.size(), 1);
        window.evidenceDesk()->saveRun(evidence, fixture.path("kept"));
        QVERIFY(saved.wait(30'000));
        QVERIFY(!saved.last().first().toString().isEmpty());
    }

    void closingDuringARunWaitsForItsEvidence()
    {
        FakeWorkers workers("--behaviour slow-measure --only cuda --round 1");
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"cuda"});
        window.actions()->run->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window.evidence()->runningRow() == 0; }, 30'000));
        window.close();
        QVERIFY(QTest::qWaitFor([&] { return !window.isVisible(); }, 30'000));
        QVERIFY(!window.runDesk()->isRunning());
        QCOMPARE(QDir(fixture.runs()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
    }
};

QTEST_MAIN(tst_WindowRun)
#include "tst_windowrun.moc"
