// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"
#include "outputdirectory.h"
#include "remainingtime.h"
#include "runplan.h"
#include "runschedule.h"
#include "stagefixture.h"

#include <algorithm>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::run;

namespace {

RunPlan plan(const QString &output)
{
    RunPlan plan;
    plan.operations = {{"matmul", {8, 8, 8}, {"host", "cuda", "cublas"}}};
    plan.outputDirectory = output;
    return plan;
}

RunStep spans(const QString &implementation, int round)
{
    return {RunStep::Spans, 0, round, implementation, {}, false};
}

} // namespace

class tst_RunPlan : public QObject
{
    Q_OBJECT

private slots:
    void roundsRotateByOne()
    {
        const QStringList ids = {"a", "b", "c"};
        QCOMPARE(roundOrder(ids, 0), QStringList({"a", "b", "c"}));
        QCOMPARE(roundOrder(ids, 1), QStringList({"b", "c", "a"}));
        QCOMPARE(roundOrder(ids, 2), QStringList({"c", "a", "b"}));
        QCOMPARE(roundOrder(ids, 3), ids);
        QCOMPARE(roundOrder({}, 4), QStringList());
    }

    void problemsNameOptionAndLimits_data()
    {
        QTest::addColumn<std::function<void(RunPlan &)>>("change");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *name, std::function<void(RunPlan &)> change, const QStringList &words) {
            QTest::newRow(name) << change << words;
        };
        row("nothing", [](RunPlan &p) { p.operations.clear(); }, {"--operations"});
        row("operation", [](RunPlan &p) { p.operations[0].operation = "conv"; }, {"conv", "matmul", "neighbor"});
        row("dims", [](RunPlan &p) { p.operations[0].dims = {8, 0, 8}; }, {"--dims matmul", "n"});
        row("implementation", [](RunPlan &p) { p.operations[0].implementations = {"rust"}; }, {"rust", "cublas"});
        row("none", [](RunPlan &p) { p.operations[0].implementations.clear(); }, {"--implementations", "matmul"});
        row("twice", [](RunPlan &p) { p.operations[0].implementations = {"host", "host"}; }, {"host", "twice"});
        row("operation twice", [](RunPlan &p) { p.operations.append(p.operations[0]); }, {"matmul", "twice"});
        row("rounds", [](RunPlan &p) { p.rounds = 0; }, {"--rounds is 0", "1 to 1000"});
        row("iterations", [](RunPlan &p) { p.iterations = -1; }, {"--iterations is -1"});
        row("warmup", [](RunPlan &p) { p.warmup = -1; }, {"--warmup is -1", "0 to"});
        row("capture", [](RunPlan &p) { p.captureIterations = 0; }, {"--capture-iterations is 0"});
        row("cache", [](RunPlan &p) { p.cache = "hot"; }, {"--cache is hot", "warm or cold"});
        row("arithmetic", [](RunPlan &p) { p.arithmetic = "tf32"; }, {"--arithmetic is tf32", "any or fp32"});
        row("stage of another arithmetic",
            [](RunPlan &p) {
                p.operations[0].implementations = {"cuda/mma"};
                p.stages = {fakeStage({"mma", {}, false, {}, {}, "3xtf32"})};
                p.arithmetic = "fp32";
            },
            {"--arithmetic fp32", "matmul/mma computes in 3xtf32", "--arithmetic any"});
        row("runs", [](RunPlan &p) { p.runs = 0; }, {"--runs is 0", "1 to 100"});
        row("too many runs", [](RunPlan &p) { p.runs = 101; }, {"--runs is 101"});
        row("size",
            [](RunPlan &p) {
                p.rounds = 1000;
                p.runs = 100;
            },
            {"300000 measurements", "--runs"});
        row("stage", [](RunPlan &p) { p.operations[0].implementations = {"cuda/k64"}; }, {"--stages", "matmul/k64"});
        row("no stage id", [](RunPlan &p) { p.operations[0].implementations = {"cuda/"}; }, {"“cuda/”"});
        row("stage of another operation",
            [](RunPlan &p) {
                p.operations[0] = {"gelu", {8, 8}, {"cuda/k64"}};
                p.stages = {fakeStage({"k64"})};
            },
            {"no stage gelu/k64"});
        row("stage twice",
            [](RunPlan &p) {
                p.operations[0].implementations = {"cuda/k64"};
                p.stages = {fakeStage({"k64"}), fakeStage({"k64", "tiled"})};
            },
            {"2 stages matmul/k64"});
        row("output", [](RunPlan &p) { p.outputDirectory.clear(); }, {"--output"});
    }

    void problemsNameOptionAndLimits()
    {
        QFETCH(std::function<void(RunPlan &)>, change);
        QFETCH(QStringList, words);
        QTemporaryDir directory;
        RunPlan changed = plan(directory.filePath("new"));
        QCOMPARE(planProblem(changed), QString());
        change(changed);
        const QString problem = planProblem(changed);
        for (const QString &word : words)
            QVERIFY2(problem.contains(word), qPrintable(problem));
    }

    void outputMustBeNewOrEmpty()
    {
        QTemporaryDir directory;
        QCOMPARE(outputProblem(directory.path()), QString());
        QCOMPARE(outputProblem(directory.filePath("new/deep")), QString());
        const auto put = [&](const QString &name) {
            QFile file(directory.filePath(name));
            return file.open(QIODevice::WriteOnly);
        };
        QVERIFY(put("notes.txt"));
        QVERIFY(outputProblem(directory.path()).contains("notes.txt"));
        QVERIFY(put("comparison-results.json"));
        QVERIFY(outputProblem(directory.path()).contains("evidence already (comparison-results.json)"));
        QVERIFY(put("journal.jsonl"));
        QVERIFY(outputProblem(directory.path()).contains("journal of a run that did not end"));
        QVERIFY(outputProblem(directory.filePath("notes.txt")).contains("is a file"));
    }

    void scheduleGoesThroughRounds()
    {
        RunPlan two = plan({});
        two.operations[0].implementations = {"cuda", "cublas"};
        two.rounds = 2;
        QStringList steps;
        for (const RunStep &step : runSchedule(two)) {
            if (step.kind == RunStep::Spans || step.kind == RunStep::Capture)
                steps.append(QStringLiteral("%1%2 %3")
                                 .arg(step.kind == RunStep::Spans ? "spans" : "capture")
                                 .arg(step.round)
                                 .arg(step.implementation));
        }
        QCOMPARE(steps, QStringList({"spans0 cuda", "capture0 cuda", "spans0 cublas", "capture0 cublas",
                                     "spans1 cublas", "capture1 cublas", "spans1 cuda", "capture1 cuda"}));
        QCOMPARE(runSchedule(two).first().kind, RunStep::StartWorker);
        QCOMPARE(runSchedule(two).first().worker, QString("cuda"));
        QCOMPARE(measurementCount(two), 4);
        two.capture = false;
        for (const RunStep &step : runSchedule(two))
            QVERIFY(step.kind != RunStep::Capture);
    }

    void coldRunsAndStagesOfFp32AreNoProblem()
    {
        QTemporaryDir directory;
        RunPlan cold = plan(directory.filePath("new"));
        cold.cache = "cold";
        cold.arithmetic = "fp32";
        cold.operations[0].implementations = {"cuda", "cuda/k64"};
        // Beside it one that cuda will not choose.
        cold.stages = {fakeStage({"k64"}), fakeStage({"mma", {}, false, {}, {}, "3xtf32"})};
        QCOMPARE(planProblem(cold), QString());
        cold.arithmetic = "any";
        cold.operations[0].implementations.append("cuda/mma");
        QCOMPARE(planProblem(cold), QString());
        QVERIFY(isCold(cold) && !isCold(RunPlan()));
    }

    void stagesByNameAreFound()
    {
        QTemporaryDir directory;
        RunPlan named = plan(directory.filePath("new"));
        named.operations[0].implementations = {"cuda", "cuda/k64"};
        named.stages = {fakeStage({"tiled"}), fakeStage({"k64"})}; // more than are named do no harm
        QCOMPARE(planProblem(named), QString());
        QCOMPARE(plannedStage(named, "matmul", "cuda/k64"), &named.stages[1]);
        QVERIFY(!plannedStage(named, "matmul", "cuda"));
        QVERIFY(!plannedStage(named, "gelu", "cuda/k64"));
        QCOMPARE(runSchedule(named).first().worker, QString("cuda"));
    }

    void runsRepeatEverythingButTheFirstAndLastState()
    {
        RunPlan two = plan({});
        two.operations[0].implementations = {"cuda", "host"};
        two.rounds = 2;
        two.runs = 2;
        QCOMPARE(totalRounds(two), 4);
        QCOMPARE(measurementCount(two), 8);
        QMap<int, int> kinds;
        QStringList order;
        for (const RunStep &step : runSchedule(two)) {
            ++kinds[step.kind];
            if (step.kind == RunStep::Spans)
                order.append(QStringLiteral("%1 %2 %3").arg(step.run).arg(step.round).arg(step.implementation));
        }
        QCOMPARE(order, QStringList({"0 0 cuda", "0 0 host", "0 1 host", "0 1 cuda", "1 2 cuda", "1 2 host", "1 3 host",
                                     "1 3 cuda"}));
        QCOMPARE(kinds[RunStep::EndWorkers], 1);
        QCOMPARE(kinds[RunStep::StartWorker], 4);
        QCOMPARE(kinds[RunStep::Inputs], 2);
        QCOMPARE(kinds[RunStep::Prepare], 4);
        QCOMPARE(kinds[RunStep::StateBefore], 1);
        QCOMPARE(kinds[RunStep::StateAfter], 1);
        QCOMPARE(kinds[RunStep::StateAfterRound], 4);
    }

    void timeLeftFollowsWhatWasMeasured()
    {
        const QList<RunStep> steps = {spans("a", 0), spans("b", 0), spans("b", 1), spans("a", 1)};
        RemainingTime time;
        QCOMPARE(time.estimate(steps, 0), -1);
        time.add(steps[0], 100);
        QCOMPARE(time.estimate(steps, 1), 300); // b unknown: as its kind
        time.add(steps[1], 40);
        QCOMPARE(time.estimate(steps, 2), 140); // b like b, a like a
        QCOMPARE(time.estimate(steps, 4), 0);
    }

    void catalogueSaysWhichWorker()
    {
        QCOMPARE(findImplementation("cublas")->worker, QString("cuda"));
        QVERIFY(findImplementation("cublas")->offers("matmul"));
        QVERIFY(!findImplementation("cublas")->offers("gelu"));
        QVERIFY(findImplementation("host")->offers("gelu"));
        QVERIFY(findImplementation("cublas")->offers("triangle"));
        QCOMPARE(findImplementation("cublaslt")->worker, QString("cuda"));
        QCOMPARE(findImplementation("cusparse")->operations, QStringList({"neighbor"}));
        for (const char *id : {"pytorch", "pytorch-compile", "pytorch-cpu", "triton", "triton-tuned"})
            QCOMPARE(findImplementation(id)->worker, QString("python"));
        QVERIFY(!findImplementation("rust"));
        QCOMPARE(knownWorkers(), QStringList({"host", "cuda", "python"}));
        QCOMPARE(workerDevice("python", 3), 3);
        QCOMPARE(workerDevice("external/rust", 3), 3);
        QCOMPARE(workerDevice("host", 3), 0);
    }

    void externalProgramsAreImplementations()
    {
        QTemporaryDir directory;
        RunPlan with = plan(directory.filePath("new"));
        with.operations[0].implementations = {"rust", "cuda"};
        QVERIFY(planProblem(with).contains("“rust” is not known; there are host, cuda"));
        with.workers.externals = {{"rust", "./rustbench", {}}};
        QCOMPARE(planProblem(with), QString());
        QVERIFY(runSchedule(with)[0].kind == RunStep::StartWorker);
        QCOMPARE(workerOf(with.workers, "rust"), QString("external/rust"));
        QCOMPARE(workersOf(with.workers), QStringList({"host", "cuda", "python", "external/rust"}));
        QCOMPARE(knownImplementations(with.workers).last(), QString("rust"));
        QVERIFY(offersOperation(with.workers, "rust", "neighbor"));
        QCOMPARE(runSchedule(with)[0].worker, QString("external/rust"));
        with.operations[0].implementations.append("rusty");
        QVERIFY2(planProblem(with).contains("“rusty” is not known; there are host, cuda"),
                 qPrintable(planProblem(with)));
        QVERIFY2(planProblem(with).contains(", rust."), qPrintable(planProblem(with)));
    }

    void theLastStateIsThatOfTheMeasurements()
    {
        RunPlan with = plan({});
        with.operations[0].implementations = {"cuda"};
        const QList<RunStep> steps = runSchedule(with);
        QCOMPARE(steps.last().kind, RunStep::Floors);
        QCOMPARE(steps[steps.size() - 2].kind, RunStep::StateAfter);
    }

    void countersComeAfterEverythingThatIsTimed()
    {
        RunPlan with = plan({});
        with.operations = {
            {"matmul", {8, 6, 4}, {"cuda", "host"}}, {"gelu", {4, 8}, {"host"}}, {"gelu", {4, 9}, {"cuda"}}};
        with.runs = 2;
        const int measurements = measurementCount(with);
        const QList<RunStep> without = runSchedule(with);
        with.counters = true;
        QCOMPARE(measurementCount(with), measurements);
        const QList<RunStep> steps = runSchedule(with);
        QCOMPARE(steps.first(without.size()), without);
        const QList<RunStep> counters = steps.mid(without.size());
        QCOMPARE(counters.size(), 4); // none for the CPU, and each operation's arrays go before the next one's come
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(counters[i].kind, i % 2 == 0 ? RunStep::Counters : RunStep::Release);
            QCOMPARE(counters[i].operation, i < 2 ? 0 : 2);
            QCOMPARE(counters[i].run, 1);
            QVERIFY(!counters[i].endsMeasurement);
        }
        QCOMPARE(counters[0].implementation, QString("cuda"));
        with.cache = "cold"; // where they would be of another state
        QCOMPARE(runSchedule(with), without);
    }

    void countersNeedTheCapturesInstrument()
    {
        RunPlan with = plan({});
        with.counters = true;
        QCOMPARE(planContentProblem(with), QString());
        with.capture = false;
        QVERIFY2(planContentProblem(with).startsWith("--counters cannot be taken with --no-capture"),
                 qPrintable(planContentProblem(with)));
    }

    // The GPU's own worker is asked once, where nothing else of the run would say what GPU that is.
    void externalsAloneFindTheGpuFirst()
    {
        RunPlan alone = plan({});
        alone.operations[0].implementations = {"host", "rust"};
        alone.workers.externals = {{"rust", "./rustbench", {}}};
        alone.runs = 2;
        const QList<RunStep> steps = runSchedule(alone);
        QCOMPARE(steps[0].kind, RunStep::FindGpu);
        QCOMPARE(steps[0].worker, QString("cuda"));
        QCOMPARE(std::ranges::count(steps, RunStep::FindGpu, &RunStep::kind), 1);
        alone.operations[0].implementations = {"host"};
        QCOMPARE(runSchedule(alone)[0].kind, RunStep::StartWorker);
    }

    void externalsThatCannotBeAreNamed_data()
    {
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<QString>("problem");
        QTest::newRow("sound") << QStringList({"rust=./bench", "jax=python3 jax.py"}) << "";
        QTest::newRow("name") << QStringList({"Rust=./bench"}) << "“Rust” cannot be the name";
        QTest::newRow("no name") << QStringList({"=./bench"}) << "“” cannot be the name";
        QTest::newRow("path") << QStringList({"../x=./bench"}) << "“../x” cannot be the name";
        QTest::newRow("ours") << QStringList({"triton=./bench"}) << "Stagecraft has an implementation of that name";
        QTest::newRow("stage") << QStringList({"cuda/k64=./bench"}) << "cannot be the name";
        QTest::newRow("no program") << QStringList({"rust="}) << "rust names no program";
        QTest::newRow("twice") << QStringList({"rust=./a", "rust=./b"}) << "two external programs are called rust";
    }

    void externalsThatCannotBeAreNamed()
    {
        QFETCH(QStringList, texts);
        QFETCH(QString, problem);
        WorkerSetup setup;
        for (const QString &text : texts)
            setup.externals.append(parseExternal(text));
        QVERIFY2(problem.isEmpty() ? setupProblem(setup).isEmpty() : setupProblem(setup).contains(problem),
                 qPrintable(setupProblem(setup)));
    }

    void anExternalMayCarryArguments()
    {
        QCOMPARE(parseExternal("jax=python3 \"my bench.py\" --fast"),
                 (ExternalProgram{"jax", "python3", {"my bench.py", "--fast"}}));
        QTemporaryDir directory;
        const QString path = directory.filePath("my bench");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(parseExternal("a=" + path), (ExternalProgram{"a", path, {}}));
        QCOMPARE(parseExternal("a=x=1").program, QString("x=1"));
    }
};

QTEST_GUILESS_MAIN(tst_RunPlan)
#include "tst_runplan.moc"
