// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal.h"
#include "runrecord.h"
#include "workercommand.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::run;

// What a run keeps of the workers and programs that took part.
class tst_RunWorkers : public QObject
{
    Q_OBJECT

private slots:
    // Where programs are is this machine's matter; what was measured stays known by their names.
    void externalsAreNamedWithoutTheirPlaces()
    {
        RunPlan plan;
        plan.operations = {{"gelu", {4, 4}, {"rust"}}};
        plan.outputDirectory = "/home/me/out";
        plan.workers = {{"ssh", "me@secret-host"}, "/home/me/venv/bin/python", {{"rust", "/home/me/bench", {"--key"}}}};
        QTemporaryDir directory;
        Journal journal;
        QCOMPARE(journal.open(directory.path()), QString());
        QCOMPARE(journal.append(RunStarted{plan, "name", "2026-01-02T03:04:05Z"}), QString());
        const std::string line = eventToJson(RunStarted{plan, "name", "2026-01-02T03:04:05Z"}).dump();
        for (const char *secret : {"/home/me", "bench", "--key", "secret-host", "python"})
            QVERIFY2(line.find(secret) == std::string::npos, line.c_str());
        const evidence::Namespace ns = recoverJournal(directory.path());
        QCOMPARE(ns.results[0].rounds[0].order, QStringList({"rust"}));
        const auto started = std::get<RunStarted>(eventFromJson(eventToJson(RunStarted{plan, "name", "now"})));
        QCOMPARE(started.plan.workers.externals, (QList<ExternalProgram>{{"rust", {}, {}}}));
        QVERIFY(planProblem(started.plan).contains("names no program"));
    }

    // The CUDA worker, the Python worker and an external program's, which has no device of its own.
    // The user sees the paths as typed; evidence names the programs.
    void evidenceTellsNoPlaces()
    {
        WorkerSetup setup;
        setup.python = "/opt/venv/bin/python";
        setup.externals = {parseExternal("mine=bin/tool"), parseExternal("other=bin/tool-two")};
        QCOMPARE(withoutPlaces("/opt/venv/bin/python, bin/tool and bin/tool-two", setup),
                 QString("python, tool and tool-two"));
    }

    void aLeadingTildeIsTheHomeDirectory()
    {
        QCOMPARE(parseExternal("mine=~/tool --fast").program, QDir::homePath() + "/tool");
        QCOMPARE(expandedHome("a~/tool"), QString("a~/tool"));
    }

    void threeQuotesAreOneThatIsMeant()
    {
        QVERIFY(hasOpenQuote("sh -c \"a b"));
        QVERIFY(!hasOpenQuote("sh -c \"a b\" \"\"\"x"));
    }

    void severalWorkersDescribeOneRun()
    {
        RunPlan plan;
        plan.operations = {{"gelu", {4, 4}, {"cuda", "pytorch"}}};
        const auto described = [](const char *worker, std::vector<protocol::Device> devices, const char *backend,
                                  std::vector<protocol::Library> libraries) {
            protocol::DescribeResult description;
            description.worker = worker;
            description.platform = std::string("platform of ") + worker;
            description.devices = std::move(devices);
            description.libraries = std::move(libraries);
            description.capture = {backend[0] != 0, backend, std::string("mode of ") + worker, {}, {}};
            return WorkerDescribed{description};
        };
        const WorkerDescribed host = described("host", {{0, "Some CPU", {}, {}, {}, 0, 0, 1, 0}}, "", {});
        const WorkerDescribed python = described("python", {{0, "Some GPU", {}, "9.0", {}, 132, 0, 1, 1}}, "cupti",
                                                 {{"CUDA of PyTorch", {}, "12.8", true, {}, {}}});
        const WorkerDescribed cuda = described("cuda", {{0, "Some GPU", "GPU-1", "9.0", "580.1", 132, 2048, 1, 1}},
                                               "cupti", {{"NVRTC", {}, "13.0", true, {}, {}}});
        const WorkerDescribed external = described("external", {}, "cupti", {});
        for (const QList<WorkerDescribed> &order :
             {QList<WorkerDescribed>{host, python, cuda, external}, {external, cuda, python, host}}) {
            RunRecord record;
            record.apply(RunStarted{plan, "name", "2026-01-02T03:04:05Z"});
            for (const WorkerDescribed &event : order)
                record.apply(event);
            QCOMPARE(record.evidence().gpu, QString("Some GPU"));
            QCOMPARE(record.evidence().driver, QString("580.1"));
            QCOMPARE(record.evidence().cuda, QString("13.0"));
            QCOMPARE(record.evidence().captureBackend, QString()); // nothing is recorded yet
            const bool pythonFirst = order[1].description.worker == "python";
            QCOMPARE(record.evidence().platform, QString(pythonFirst ? "platform of python" : "platform of cuda"));
        }
        RunRecord alone;
        alone.apply(RunStarted{plan, "name", "2026-01-02T03:04:05Z"});
        alone.apply(python);
        QCOMPARE(alone.evidence().cuda, QString("12.8"));
    }

    // What a worker could record is no instrument; what recorded kernels is.
    void theInstrumentIsOfWhatWasRecorded()
    {
        RunPlan plan;
        plan.operations = {{"gelu", {4, 4}, {"cuda"}}};
        plan.captureIterations = 1;
        RunRecord record;
        record.apply(RunStarted{plan, "name", "2026-01-02T03:04:05Z"});
        protocol::CaptureResult result;
        result.backend = "cupti";
        result.timestampMode = "hardware";
        record.apply(KernelsCaptured{0, 0, "cuda", result, evidence::State::Unavailable, "another profiler"});
        QCOMPARE(record.evidence().captureBackend, QString());
        result.records = {{"k", 1.5, 0, {4, 1, 1}, {32, 1, 1}, 16, 64, 0}};
        record.apply(KernelsCaptured{0, 1, "cuda", result, evidence::State::Ok, {}});
        QCOMPARE(record.evidence().captureBackend, QString("cupti"));
        QCOMPARE(record.evidence().timestampMode, QString("hardware"));
    }

    // Lost between the spans and the capture of a round: what was measured keeps the words of the worker that did.
    void aWorkerThatTakesOverSpeaksForItsOwnRounds()
    {
        RunPlan plan;
        plan.operations = {{"gelu", {4, 4}, {"rust"}}};
        plan.rounds = 2;
        plan.workers.externals = {{"rust", {}, {}}};
        RunRecord record;
        record.apply(RunStarted{plan, "name", "2026-01-02T03:04:05Z"});
        const auto prepare = [&](const char *note, double error, const char *source) {
            protocol::PrepareResult prepared;
            prepared.note = note;
            prepared.timingSource = source;
            const protocol::CheckResult check{true, error, 1e-7, 1e-4, 1e-4, 16, 0, {}, {}, {}, "fp64"};
            record.apply(ImplementationPrepared{0, 0, "rust", prepared, check});
        };
        prepare("run_id 1", 1e-6, "event");
        record.apply(SpansMeasured{0, 0, "rust", {1, 2}, evidence::State::Ok, {}});
        prepare("run_id 2", 2e-6, "host");
        const auto rounds = record.evidence().results[0].rounds;
        QCOMPARE(rounds[0].implementations["rust"].note, QString("run_id 1"));
        QCOMPARE(rounds[0].implementations["rust"].source, QString("event"));
        QCOMPARE(rounds[0].implementations["rust"].correctness->maxAbsError, 1e-6);
        QCOMPARE(rounds[1].implementations["rust"].note, QString("run_id 2"));
        QCOMPARE(rounds[1].implementations["rust"].source, QString("host"));
    }
};

QTEST_GUILESS_MAIN(tst_RunWorkers)
#include "tst_runworkers.moc"
