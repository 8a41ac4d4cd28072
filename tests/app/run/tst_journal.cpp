// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runrecord.h"
#include "stagefixture.h"

#include <csignal>
#include <QTemporaryDir>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

namespace {

protocol::CaptureResult captured()
{
    protocol::CaptureResult result;
    result.backend = "cupti";
    result.requestedIterations = 2;
    result.records = {{"k", 1.5, 0, {4, 1, 1}, {32, 1, 1}, 16, 64, 0}, {"k", 2.5, 1, {4, 1, 1}, {32, 1, 1}, 16, 64, 0}};
    result.invalid = 2;
    return result;
}

QList<RunEvent> someEvents()
{
    RunPlan plan;
    plan.operations = {{"matmul", {4, 4, 4}, {"cuda", "cublas"}}};
    plan.rounds = 2;
    plan.iterations = 3;
    plan.seed = 18'446'744'073'709'551'615u;
    plan.captureIterations = 2;
    protocol::DescribeResult description;
    description.worker = "cuda";
    description.platform = "Linux, some CPU";
    description.devices = {{0, "Some GPU", "GPU-1", "9.0", "580.1", 132, 2048, 1, 1}};
    const protocol::PrepareResult prepared{7, "matmul/tiled", std::string(64, 'b'), "fp32", "event", {}, {}};
    const protocol::CheckResult check{true, 1e-6, 1e-7, 1e-4, 1e-4, 16, 0, {}, {}, {}, "fp64"};
    return {RunStarted{plan, "name", "2026-01-02T03:04:05Z"},
            WorkerDescribed{description},
            InputsMade{0, {{"a.bin", "00"}}},
            ImplementationPrepared{0, 0, "cuda", prepared, check},
            ImplementationClosed{0, 0, "cublas", State::Unavailable, "no library"},
            GpuStateRead{GpuStateRead::Before, 0, 0, "before"},
            SpansMeasured{0, 0, "cuda", {1.25, 2.5, 0.1}, State::Ok, {}},
            KernelsCaptured{0, 0, "cuda", captured(), State::Ok, {}},
            GpuStateRead{GpuStateRead::AfterRound, 0, 0, "round"}};
}

void compareRecovered(const evidence::Namespace &ns)
{
    QCOMPARE(ns.gpu, QString("Some GPU"));
    QCOMPARE(ns.driver, QString("580.1"));
    QCOMPARE(ns.gpuStateBefore, QString("before"));
    QCOMPARE(ns.results[0].seed, 18'446'744'073'709'551'615u);
    QCOMPARE(ns.results[0].inputSha256.value("a.bin"), QString("00"));
    QCOMPARE(ns.results[0].rounds[0].gpuState, QString("round"));
    const evidence::Measurement cuda = ns.results[0].rounds[0].implementations["cuda"];
    QCOMPARE(cuda.samplesUs, QList<double>({1.25, 2.5, 0.1}));
    QCOMPARE(cuda.eventMedianUs, 1.25);
    QCOMPARE(cuda.note, QString("not checked again after the rounds: the program ended before"));
    QCOMPARE(cuda.stage, QString("matmul/tiled"));
    QCOMPARE(ns.results[0].rounds[1].implementations["cuda"].state, State::NotRun);
    QCOMPARE(ns.results[0].rounds[1].implementations["cublas"].reason, QString("no library"));
    QCOMPARE(ns.captures[0].launches, 4);
    QCOMPARE(ns.captures[0].invalidRecords, 2);
    QCOMPARE(ns.captures[0].records[1].durationUs, 2.5);
}

} // namespace

class tst_Journal : public QObject
{
    Q_OBJECT

private slots:
    void eventsSurviveTheJournal()
    {
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.filePath("ns")), QString());
        for (const RunEvent &event : someEvents())
            QCOMPARE(journal.append(event), QString());
        // Read while the journal is still open: each line is there once append() returns.
        const evidence::Namespace ns = recoverJournal(directory.filePath("ns"));
        compareRecovered(ns);
        QCOMPARE(ns.name, QString("ns"));
        QVERIFY(ns.results[0].rounds[1].implementations["cuda"].reason.contains("program ended"));
        QVERIFY(!ns.hasContradiction());
        QCOMPARE(ns.problems.size(), 1);
        QVERIFY(ns.problems[0].cause.contains("did not end"));
        journal.remove();
        QVERIFY(!hasJournal(directory.filePath("ns")));
    }

    // A result that was right and is no longer so, with the check that says it and without one.
    void aChangedResultSurvivesTheJournal()
    {
        for (const bool checked : {true, false}) {
            RunRecord record;
            for (const RunEvent &event : someEvents())
                record.apply(event);
            ResultChanged changed{0, 0, 2, "cuda", std::nullopt, "wrong after the rounds"};
            if (checked)
                changed.check = protocol::CheckResult{false, 0.5, 0.25, 1e-4, 1e-4, 16, 1, {}, {}, {}, "fp64"};
            record.apply(eventFromJson(eventToJson(changed)));
            const evidence::Round round = record.evidence().results[0].rounds[0];
            QCOMPARE(round.implementations["cuda"].state, State::Failed);
            QCOMPARE(round.implementations["cuda"].reason, QString("wrong after the rounds"));
            QCOMPARE(round.implementations["cuda"].correctness->passed, !checked);
            QCOMPARE(round.implementations["cuda"].samplesUs.size(), 3);
            QCOMPARE(record.evidence().captures[0].state, State::Failed);
            // What has a state of its own keeps it, and what was not measured is not measured.
            QCOMPARE(round.implementations["cublas"].reason, QString("no library"));
            QVERIFY(isPending(record.evidence().results[0].rounds[1].implementations["cuda"]));
        }
    }

    void aMissingCheckSurvivesTheJournal()
    {
        for (const char *reason : {"", "its worker is gone"}) {
            RunRecord record;
            for (const RunEvent &event : someEvents())
                record.apply(event);
            record.apply(eventFromJson(eventToJson(CheckedAgain{0, 0, 2, "cuda", reason})));
            record.apply(RunEnded{});
            const evidence::Measurement cuda = record.evidence().results[0].rounds[0].implementations["cuda"];
            QCOMPARE(cuda.state, State::Ok);
            QCOMPARE(cuda.note,
                     *reason ? QString("not checked again after the rounds: its worker is gone") : QString());
        }
    }

    void aCutLineCostsItselfOnly()
    {
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.path()), QString());
        for (const RunEvent &event : someEvents())
            QCOMPARE(journal.append(event), QString());
        QFile file(directory.filePath(journalFileName()));
        QVERIFY(file.open(QIODevice::Append));
        file.write("{\"event\":\"spans_measured\",\"operation\":0,\"round\":1,\"impl");
        file.close();
        const evidence::Namespace ns = recoverJournal(directory.path());
        compareRecovered(ns);
        QVERIFY2(ns.problems[0].cause.contains("line 10"), qPrintable(ns.problems[0].cause));
    }

    void damageIsNamed_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("unknown event") << QByteArray("{\"event\":\"party\"}");
        QTest::newRow("no object") << QByteArray("[]");
        QTest::newRow("operation") << QByteArray("{\"event\":\"inputs_made\",\"operation\":5,\"sha256\":{}}");
        QTest::newRow("round") << QByteArray(
            "{\"event\":\"spans_measured\",\"operation\":0,\"round\":9,\"implementation\":\"cuda\",\"samples_us\":[],"
            "\"state\":\"ok\",\"reason\":\"\"}");
        QTest::newRow("state") << QByteArray(
            "{\"event\":\"spans_measured\",\"operation\":0,\"round\":0,\"implementation\":\"cuda\",\"samples_us\":[],"
            "\"state\":\"fine\",\"reason\":\"\"}");
    }

    void damageIsNamed()
    {
        QFETCH(QByteArray, line);
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.path()), QString());
        QCOMPARE(journal.append(someEvents().first()), QString());
        QFile file(directory.filePath(journalFileName()));
        QVERIFY(file.open(QIODevice::Append));
        file.write(line + '\n');
        file.close();
        const evidence::Namespace ns = recoverJournal(directory.path());
        QCOMPARE(ns.results.size(), 1);
        QVERIFY2(ns.problems[0].cause.contains("line 2"), qPrintable(ns.problems[0].cause));
    }

    // As when a worker is lost between the spans and the capture of a round and cannot be prepared again.
    void closingKeepsWhatWasMeasured()
    {
        RunRecord record;
        const QList<RunEvent> events = someEvents();
        for (const RunEvent &event : events.first(7))
            record.apply(event);
        QVERIFY(!isPending(record.evidence().results[0].rounds[0].implementations["cuda"]));
        QVERIFY(isPending(record.evidence().results[0].rounds[1].implementations["cuda"]));
        QVERIFY(isPending(record.evidence().captures[0]));
        record.apply(ImplementationClosed{0, 0, "cuda", State::Failed, "lost"});
        const auto rounds = record.evidence().results[0].rounds;
        QCOMPARE(rounds[0].implementations["cuda"].state, State::Ok);
        QCOMPARE(rounds[0].implementations["cuda"].samplesUs.size(), 3);
        QCOMPARE(rounds[1].implementations["cuda"].state, State::Failed);
        const evidence::Capture capture = record.evidence().captures[0];
        QCOMPARE(capture.language, QString("cuda"));
        QCOMPARE(capture.state, State::Failed);
        QCOMPARE(capture.reason, QString("lost"));
    }

    void aDescriptionIsKeptWithoutPaths()
    {
        protocol::DescribeResult description;
        description.libraries = {
            {"NVRTC", "/opt/some place/libnvrtc.so", "13.0", true, {}, {}},
            {"cuBLAS", {}, {}, false, "cannot open /opt/cuda/lib64/libcublas.so.13", "look into /opt/cuda/lib64/x"}};
        description.implementations = {
            {"cublas", {}, false, "/opt/cuda/lib64/y is missing", {}, "fp32", "event", "/opt/cuda/z"}};
        description.capture.reason = "cannot open /opt/cuda/lib64/libcupti.so";
        const std::string line = eventToJson(WorkerDescribed{publicDescription(description)}).dump();
        QVERIFY2(line.find("/opt") == std::string::npos, line.c_str());
        for (const char *word : {"NVRTC", "13.0", "libcublas.so.13", "libcupti.so"})
            QVERIFY2(line.find(word) != std::string::npos, word);
    }

    void aPipeIsNotRead()
    {
        QTemporaryDir directory;
        QCOMPARE(mkfifo(QFile::encodeName(directory.filePath(journalFileName())).constData(), 0600), 0);
        const evidence::Namespace ns = openNamespace(directory.path());
        QVERIFY(ns.results.isEmpty());
        QVERIFY2(ns.problems[0].cause.contains("no regular file"), qPrintable(ns.problems[0].cause));
    }

    void aPlanBeyondTheLimitsIsRefused()
    {
        RunEvent start = someEvents().first();
        std::get<RunStarted>(start).plan.rounds = 200'000;
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.path()), QString());
        QCOMPARE(journal.append(start), QString());
        const evidence::Namespace ns = recoverJournal(directory.path());
        QVERIFY(ns.results.isEmpty());
        QVERIFY2(ns.problems[0].cause.contains("--rounds is 200000"), qPrintable(ns.problems[0].cause));
    }

    void stagesAndRunsSurviveTheJournal()
    {
        RunEvent start = someEvents().first();
        RunPlan &plan = std::get<RunStarted>(start).plan;
        plan.operations[0].implementations = {"cuda", "cuda/mine"};
        plan.stages = {fakeStage({"mine", "tiled", true, {"us=3"}, {{"reads", 0.5}}})};
        plan.runs = 3;
        const auto back = std::get<RunStarted>(eventFromJson(eventToJson(start)));
        QCOMPARE(back.plan.runs, 3);
        QCOMPARE(back.plan.stages.size(), 1);
        QCOMPARE(back.plan.stages[0].text, plan.stages[0].text);
        QCOMPARE(back.plan.stages[0].sha256, plan.stages[0].sha256);
        QCOMPARE(back.plan.stages[0].after, std::string("tiled"));
        RunRecord record;
        record.apply(back);
        record.apply(ImplementationClosed{0, 2, "cuda/mine", State::Failed, "lost", 4});
        const auto rounds = record.evidence().results[0].rounds;
        QCOMPARE(rounds.size(), 6);
        for (int round = 0; round < 6; ++round) {
            const State expected = round == 2 || round == 3 ? State::Failed : State::NotRun;
            QCOMPARE(rounds[round].implementations["cuda/mine"].state, expected);
        }
        QCOMPARE(rounds[5].run, 2);
    }

    void aDamagedStageIsNamed_data()
    {
        QTest::addColumn<std::function<void(nlohmann::json &)>>("change");
        QTest::addColumn<QString>("word");
        const auto row = [](const char *name, std::function<void(nlohmann::json &)> change, const QString &word) {
            QTest::newRow(name) << change << word;
        };
        row(
            "text", [](auto &stage) { stage["text"] = "int main() {}"; }, "matmul/mine.cu");
        row(
            "id", [](auto &stage) { stage["id"] = "../mine"; }, "mine");
        row(
            "none", [](auto &stage) { stage = 5; }, "line 1");
        row(
            "another", [](auto &stage) { stage["id"] = "other"; }, "no stage matmul/mine");
    }

    void aDamagedStageIsNamed()
    {
        QFETCH(std::function<void(nlohmann::json &)>, change);
        QFETCH(QString, word);
        RunEvent start = someEvents().first();
        RunPlan &plan = std::get<RunStarted>(start).plan;
        plan.operations[0].implementations = {"cuda/mine"};
        plan.stages = {fakeStage({"mine"})};
        nlohmann::json json = eventToJson(start);
        change(json["plan"]["stages"][0]);
        QTemporaryDir directory;
        QFile file(directory.filePath(journalFileName()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(json.dump()) + '\n');
        file.close();
        const evidence::Namespace ns = recoverJournal(directory.path());
        QVERIFY(ns.results.isEmpty());
        QVERIFY2(ns.problems[0].cause.contains(word), qPrintable(ns.problems[0].cause));
    }

    // What is recovered in the directory that one stands in has the directory's name too.
    void theDirectoryMayBeTheOwnOne()
    {
        QTemporaryDir directory;
        const QString there = directory.filePath("ns"), before = QDir::currentPath();
        Journal journal;
        QCOMPARE(journal.open(there), QString());
        for (const RunEvent &event : someEvents())
            QCOMPARE(journal.append(event), QString());
        QVERIFY(QDir::setCurrent(there));
        const QString name = recoverJournal(".").name;
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(name, QString("ns"));
        QCOMPARE(recoverJournal(there + "/").name, QString("ns"));
    }

    void openingFindsTheJournal()
    {
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.path()), QString());
        for (const RunEvent &event : someEvents())
            QCOMPARE(journal.append(event), QString());
        compareRecovered(openNamespace(directory.path()));
        // Results alone are not all that was measured.
        QFile results(directory.filePath("comparison-results.json"));
        QVERIFY(results.open(QIODevice::WriteOnly) && results.write("{\"results\": []}") > 0);
        results.close();
        compareRecovered(openNamespace(directory.path()));
        journal.remove();
        QVERIFY(openNamespace(directory.path()).results.isEmpty());
    }

    // A limit of the file's size is what a test can set of a disk that is full.
    void aFullDiskIsNamedAndEndsTheJournal()
    {
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.path()), QString());
        QCOMPARE(journal.append(someEvents().at(0)), QString());
        const QFileInfo file(directory.filePath(journalFileName()));
        const qint64 whole = file.size();
        const auto before = std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit;
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
        const rlimit full{static_cast<rlim_t>(whole) + 5, limit.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &full), 0);
        const QString problem = journal.append(someEvents().at(1));
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, before);
        QVERIFY2(problem.endsWith("journal.jsonl cannot be written: File too large"), qPrintable(problem));
        QCOMPARE(journal.append(someEvents().at(1)), problem); // there is room again, but a line is missing
        QCOMPARE(QFileInfo(file.filePath()).size(), whole);
    }

    void anExistingJournalIsNotOverwritten()
    {
        QTemporaryDir directory;
        Journal first, second;
        QCOMPARE(first.open(directory.path()), QString());
        QVERIFY(second.open(directory.path()).contains("cannot be created"));
    }
};

QTEST_GUILESS_MAIN(tst_Journal)
#include "tst_journal.moc"
