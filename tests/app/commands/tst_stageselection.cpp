// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "fakeworkers.h"
#include "programfixture.h"
#include "stagefolderfixture.h"
#include "stageselection.h"

using namespace stagecraft;
using namespace stagecraft::commands;
using evidence::State;
using fixtures::Outcome;

// Which stages `--stages` means, and what a run makes of them.
class TestStageSelection : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft"); }

    void words_data();
    void words();
    void wrongWords_data();
    void wrongWords();
    void thePlanHasTheTexts();

    // Through the program, with the fake worker.
    void ownStagesTakePart();
    void unfitStagesAreRecorded();
    void withoutCudasWorkerTheyAreLeftOut();
    void stagesWithoutCudaItself();
    void exactFp32LeavesOthersOut();
    void otherArithmeticByNameIsRefused();
    void theChosenStagesArithmeticIsPrinted();
    void aColdRunSaysSo();

private:
    static Outcome measure(const FakeWorkers &workers, const QStringList &more)
    {
        return fixtures::runStagecraft(QStringList{"run", "--rounds", "2", "--iterations", "10", "--warmup", "1",
                                                   "--capture-iterations", "10", "--operations", "gelu", "--output",
                                                   workers.output()} +
                                       more);
    }

    static evidence::Round firstRound(const FakeWorkers &workers)
    {
        return evidence::readNamespace(workers.output()).results.value(0).rounds.value(0);
    }
};

void TestStageSelection::words_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("expected"); // of matmul and gelu
    QTest::newRow("single") << QStringList{"matmul/k64"} << QStringList{"matmul/k64"};
    QTest::newRow("in order") << QStringList{"matmul/k64", "matmul/tiled"} << QStringList{"matmul/tiled", "matmul/k64"};
    QTest::newRow("own by name") << QStringList{"gelu/mine"} << QStringList{"gelu/mine"};
    QTest::newRow("retained and one more")
        << QStringList{"retained", "matmul/rows-128-8x4"}
        << QStringList{"matmul/tiled",        "matmul/registers", "matmul/rows-128-8x4",   "matmul/k64",
                       "matmul/cp-async",     "matmul/warp-tile", "matmul/split-tf32-mma", "matmul/split-tf32-wgmma",
                       "gelu/one-per-thread", "gelu/quads",       "gelu/four-bands",       "gelu/resident"};
}

void TestStageSelection::words()
{
    QFETCH(QStringList, words);
    QFETCH(QStringList, expected);
    const StageFolder folder;
    folder.write("gelu/mine.cu", StageFolder::text("\"after\": \"one-per-thread\""));
    const run::StageCatalogue catalogue = run::stageCatalogue(folder.path());
    QCOMPARE(stagesProblem(words, {"matmul", "gelu"}, catalogue), QString());
    QStringList names;
    for (const run::CatalogueStage &entry : selectedStages(words, {"matmul", "gelu"}, catalogue))
        names.append(QString::fromStdString(entry.stage.name()));
    QCOMPARE(names, expected);
    const auto all = selectedStages({"all"}, {"matmul", "gelu"}, catalogue);
    QCOMPARE(all.size(), catalogue.of("matmul").size() + catalogue.of("gelu").size());
}

void TestStageSelection::wrongWords_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("said");
    QTest::newRow("near") << QStringList{"matmul/k46"} << "there is no stage “matmul/k46”; did you mean matmul/k64?";
    QTest::newRow("far") << QStringList{"something"} << "`stagecraft stages` lists those that there are";
    QTest::newRow("near a word") << QStringList{"retaine"} << "did you mean retained?";
    QTest::newRow("no id") << QStringList{"matmul/"} << "there is no stage “matmul/”";
    QTest::newRow("of another") << QStringList{"layernorm/block-per-row"} << "which is not among the operations";
    QTest::newRow("broken") << QStringList{"gelu/broken"}
                            << "“gelu/broken” is no valid stage: gelu/broken.cu:1: no front";
    QTest::newRow("none") << QStringList{} << "--stages names none";
}

void TestStageSelection::wrongWords()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    const StageFolder folder;
    folder.write("gelu/broken.cu", QString("no stage"));
    const QString problem = stagesProblem(words, {"matmul", "gelu"}, run::stageCatalogue(folder.path()));
    QVERIFY2(problem.contains(said), qPrintable(problem));
}

void TestStageSelection::thePlanHasTheTexts()
{
    const StageFolder folder;
    folder.write("gelu/mine.cu");
    folder.write("gelu/other.cu");
    const run::StageCatalogue catalogue = run::stageCatalogue(folder.path());
    run::RunPlan plan;
    plan.operations = {{"matmul", {8, 8, 8}, {"host"}}, {"gelu", {8, 8}, {"cuda", "host"}}};
    assignStages(plan, selectedStages({"gelu/mine", "gelu/one-per-thread"}, {"matmul", "gelu"}, catalogue), catalogue);
    QCOMPARE(plan.operations[0].implementations, QStringList({"host"}));
    QCOMPARE(plan.operations[1].implementations, QStringList({"cuda", "host", "cuda/one-per-thread", "cuda/mine"}));
    const stagefile::Stage *mine = run::plannedStage(plan, "gelu", "cuda/mine");
    QVERIFY(mine && mine->text == StageFolder::text().toStdString());
    QVERIFY(!run::plannedStage(plan, "gelu", "cuda/other")); // an own one that nobody named
    QCOMPARE(run::planContentProblem(plan), QString());
}

void TestStageSelection::ownStagesTakePart()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/mine.cu", StageFolder::text(R"("after": "one-per-thread")", "// fake: us=7\n"));
    folder.write("gelu/broken.cu", QString("no stage"));
    const Outcome run = measure(workers, {"--implementations", "cuda", "--stages", "all", "--stages-dir", folder.path(),
                                          "--dims", "gelu=8x16"});
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QVERIFY2(run.err.contains("A stage is left out: gelu/broken.cu:1: no front matter"), qPrintable(run.err));
    QVERIFY2(run.out.contains("gelu/mine"), qPrintable(run.out)); // in the value table
    const evidence::Round round = firstRound(workers);
    QVERIFY(round.implementations.contains("cuda/one-per-thread"));
    QCOMPARE(round.implementations["cuda/mine"].stage, QString("gelu/mine"));
    QCOMPARE(round.implementations["cuda/mine"].samplesUs.value(0), 7.0);
}

void TestStageSelection::unfitStagesAreRecorded()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/fours.cu", StageFolder::text(R"("requires": {"multiple_of": {"width": 4}})"));
    const Outcome run = measure(workers, {"--implementations", "cuda", "--stages", "gelu/fours", "--stages-dir",
                                          folder.path(), "--dims", "gelu=8x17"});
    QCOMPARE(run.status, 1);
    const evidence::Round round = firstRound(workers);
    QCOMPARE(round.implementations["cuda/fours"].state, State::Invalid);
    QVERIFY(round.implementations["cuda/fours"].reason.contains("the stage needs a multiple of 4"));
    QCOMPARE(round.implementations["cuda"].state, State::Ok);
}

void TestStageSelection::withoutCudasWorkerTheyAreLeftOut()
{
    const FakeWorkers workers;
    workers.remove("stagecraft-worker-cuda");
    const Outcome run = measure(workers, {"--implementations", "host", "--stages", "retained", "--dims", "gelu=8x16"});
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QVERIFY2(run.err.contains("The stages are left out: stagecraft-worker-cuda is not part of this build"),
             qPrintable(run.err));
    QCOMPARE(firstRound(workers).order, QStringList({"host"}));
}

void TestStageSelection::stagesWithoutCudaItself()
{
    const FakeWorkers workers;
    const Outcome run =
        measure(workers, {"--implementations", "host", "--stages", "gelu/one-per-thread", "--dims", "gelu=8x16"});
    QVERIFY2(run.status == 0, qPrintable(run.err));
    QCOMPARE(firstRound(workers).order, QStringList({"host", "cuda/one-per-thread"}));
    const Outcome folderOnly = measure(workers, {"--stages-dir", workers.path()});
    QCOMPARE(folderOnly.status, 2);
    const Outcome asImplementation =
        fixtures::runStagecraft({"run", "--output", workers.output() + "2", "--implementations", "cuda/tiled"});
    QCOMPARE(asImplementation.status, 2);
    QVERIFY2(asImplementation.err.contains("name it with --stages OPERATION/tiled"), qPrintable(asImplementation.err));
}

void TestStageSelection::exactFp32LeavesOthersOut()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/split.cu", StageFolder::text(R"("arithmetic": "3xtf32")"));
    folder.write("gelu/mine.cu");
    const Outcome run = measure(workers, {"--implementations", "cuda", "--stages", "all", "--stages-dir", folder.path(),
                                          "--arithmetic", "fp32", "--dims", "gelu=8x16"});
    QVERIFY2(run.status != 2, qPrintable(run.err));
    QVERIFY2(run.err.contains("A stage is left out: gelu/split computes in 3xtf32, which is not exact FP32 "
                              "(--arithmetic fp32)"),
             qPrintable(run.err));
    const evidence::Round round = firstRound(workers);
    QVERIFY(round.implementations.contains("cuda/mine"));
    QVERIFY(!round.implementations.contains("cuda/split"));
}

void TestStageSelection::otherArithmeticByNameIsRefused()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/split.cu", StageFolder::text(R"("arithmetic": "3xtf32")"));
    const QStringList named{"--implementations", "cuda",        "--stages", "gelu/split",
                            "--stages-dir",      folder.path(), "--dims",   "gelu=8x16"};
    const Outcome refused = measure(workers, named + QStringList{"--arithmetic", "fp32"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("--stages: gelu/split computes in 3xtf32, which is not exact FP32; leave it out, or "
                                  "choose --arithmetic any"),
             qPrintable(refused.err));
    const Outcome any = measure(workers, named);
    QVERIFY2(any.status == 0, qPrintable(any.err));
    QCOMPARE(firstRound(workers).implementations["cuda/split"].arithmetic, QString("3xtf32"));

    // Where the words leave nothing else.
    QList<run::CatalogueStage> stages = selectedStages({"gelu/split"}, {"gelu"}, run::stageCatalogue(folder.path()));
    QStringList leftOut;
    const QString problem = keepToArithmetic({"all"}, "fp32", stages, leftOut);
    QVERIFY2(problem.contains("none remains with --arithmetic fp32"), qPrintable(problem));
}

void TestStageSelection::theChosenStagesArithmeticIsPrinted()
{
    const FakeWorkers workers("--behaviour chooses-3xtf32");
    const Outcome any = measure(workers, {"--implementations", "cuda", "--dims", "gelu=8x16"});
    QVERIFY2(any.status == 0, qPrintable(any.err));
    QVERIFY2(any.err.contains("runs gelu/fake, arithmetic 3xtf32"), qPrintable(any.err));
    QVERIFY2(any.out.contains("gelu/fake") && any.out.contains("3xtf32"), qPrintable(any.out));
    const FakeWorkers again("--behaviour chooses-3xtf32");
    const Outcome exact = measure(again, {"--implementations", "cuda", "--dims", "gelu=8x16", "--arithmetic", "fp32"});
    QVERIFY2(exact.status == 0, qPrintable(exact.err));
    QVERIFY2(!exact.out.contains("3xtf32") && !exact.err.contains("3xtf32"), qPrintable(exact.out + exact.err));
}

void TestStageSelection::aColdRunSaysSo()
{
    const FakeWorkers workers;
    const Outcome cold = measure(workers, {"--implementations", "cuda", "--dims", "gelu=8x16", "--cache", "cold"});
    QVERIFY2(cold.status == 0, qPrintable(cold.err));
    QVERIFY2(cold.err.contains("cold: 3 copies of 48 MB"), qPrintable(cold.err));
    QVERIFY2(cold.out.contains("cold"), qPrintable(cold.out)); // the value table
    const evidence::Namespace written = evidence::readNamespace(workers.output());
    QCOMPARE(written.results.value(0).cache, QString("cold"));
    QCOMPARE(written.captures.value(0).cache, QString("cold"));
}

QTEST_GUILESS_MAIN(TestStageSelection)
#include "tst_stageselection.moc"
