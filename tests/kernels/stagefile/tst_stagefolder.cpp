// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagefit.h"
#include "stagefolder.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::stagefile;

namespace {

const std::filesystem::path ownStages = STAGECRAFT_SOURCE_DIR "/kernels/stages";

void write(const QTemporaryDir &folder, const QString &name, const QByteArray &after,
           const QByteArray &status = "retained")
{
    QDir(folder.path()).mkpath("gelu");
    QFile file(folder.filePath("gelu/" + name + ".cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("/* stage {\"title\": \"t\", \"status\": \"" + status + "\", \"after\": \"" + after +
               "\", \"launches\": [{\"entry\": \"f\", \"block\": 1, \"grid\": [{\"cover\": \"rows\"}]}]} */");
}

QStringList names(const StageListing &listing)
{
    QStringList result;
    for (const Stage &stage : listing.stages)
        result << QString::fromStdString(stage.name());
    return result;
}

QString problems(const StageListing &listing)
{
    QString result;
    for (const std::string &problem : listing.problems)
        result += QString::fromStdString(problem) + '\n';
    return result;
}

} // namespace

class TestStageFolder : public QObject
{
    Q_OBJECT

private slots:
    void ownStagesAreInTheOrderOfTheProgression();
    void ownStagesSayWhatTheyAre();
    void everyDimsHaveAStage();
    void theLadder();
    void launchesAreTheNotes_data();
    void launchesAreTheNotes();
    void theOrderIsTheProgression();
    void aRetainedStageAfterAnAttempt();
    void damagedFilesAreProblems();
    void missingFolder();
    void namesCannotLeaveTheFolder();
};

void TestStageFolder::ownStagesAreInTheOrderOfTheProgression()
{
    const StageListing listing = listStages(ownStages);
    QCOMPARE(problems(listing), QString());
    const QStringList all = names(listing);
    QVERIFY(all.size() >= 49);
    const auto place = [&](const char *name) { return all.indexOf(QLatin1String(name)); };
    QVERIFY(place("matmul/tiled") == 0 && place("matmul/b-quads") < place("matmul/a-transposed"));
    QVERIFY(place("matmul/a-transposed") < place("matmul/k64"));
    QVERIFY(place("layernorm/quad-array") < place("layernorm/two-warps-per-row"));
    QVERIFY(place("neighbor/indices-per-half") > place("neighbor/half-warp-per-edge"));
    QMap<QString, QStringList> retained;
    for (const Stage &stage : listing.stages) {
        if (stage.status == Status::Retained)
            retained[QString::fromStdString(stage.operation)] << QString::fromStdString(stage.id);
    }
    QCOMPARE(retained["matmul"],
             QStringList({"tiled", "registers", "k64", "cp-async", "warp-tile", "split-tf32-mma", "split-tf32-wgmma"}));
    QCOMPARE(retained["gelu"], QStringList({"one-per-thread", "quads", "four-bands", "resident"}));
    QCOMPARE(retained["layernorm"],
             QStringList({"block-per-row", "warp-per-row", "two-warps-per-row", "rows-in-registers", "resident-rows"}));
    QCOMPARE(retained["triangle"],
             QStringList({"one-per-thread", "register-tile", "tensor-map-tile", "multicast-pair"}));
    QCOMPARE(retained["neighbor"],
             QStringList({"one-per-thread", "quads", "half-warp-per-edge", "gathers-in-flight", "long-rows"}));
}

void TestStageFolder::ownStagesSayWhatTheyAre()
{
    const GpuFacts hopper{9, 0, 132};
    for (const Stage &stage : listStages(ownStages).stages) {
        const auto *operation = stagecraft::operations::findOperation(stage.operation);
        QCOMPARE(stage.arithmetic, std::string(stage.id.starts_with("split-tf32") ? "3xtf32" : "fp32"));
        QVERIFY2(!stage.change.empty() && !stage.label.empty() && !stage.source.empty(), stage.fileName.c_str());
        QVERIFY2(!stage.counts.empty(), stage.fileName.c_str());
        QVERIFY2(stage.text.find("// Measured effect. ") != std::string::npos, stage.fileName.c_str());
        QVERIFY2(!misfit(stage, operation->defaultDims, hopper), stage.fileName.c_str());
        QCOMPARE(stage.localMemory.empty(), stage.id != "quad-array");
    }
}

// Whatever the dims, something retained fits them: an operation's first stage asks for nothing.
void TestStageFolder::everyDimsHaveAStage()
{
    for (const auto &operation : stagecraft::operations::catalogue()) {
        const auto stages = stagesOf(ownStages, operation.id).stages;
        const Stage *least = lastRetained(stages, operation.minimumDims, {7, 5, 40});
        QVERIFY2(least, operation.id.c_str());
        QVERIFY(!misfit(stages.front(), operation.minimumDims, {7, 5, 40}));
    }
}

// From the oldest GPUs on there is a stage for each, and exact FP32 is there for the asking.
void TestStageFolder::theLadder()
{
    const auto last = [](const char *operation, const stagecraft::operations::Dims &dims, const GpuFacts &gpu,
                         const char *arithmetic = "") {
        return lastRetained(stagesOf(ownStages, operation).stages, dims, gpu, arithmetic)->id;
    };
    const GpuFacts turing{7, 5, 40}, ampere{8, 0, 108}, ada{8, 9, 128}, hopper{9, 0, 132}, blackwell{12, 0, 170};
    const stagecraft::operations::Dims square{1024, 1024, 1024}, odd{17, 19, 23};
    QCOMPARE(last("matmul", square, turing), std::string("k64"));
    for (const GpuFacts &gpu : {ampere, ada, blackwell})
        QCOMPARE(last("matmul", square, gpu), std::string("split-tf32-mma"));
    QCOMPARE(last("matmul", square, hopper), std::string("split-tf32-wgmma"));
    QCOMPARE(last("matmul", odd, hopper), std::string("split-tf32-mma")); // what tensor maps cannot describe
    for (const GpuFacts &gpu : {ampere, ada, hopper})
        QCOMPARE(last("matmul", square, gpu, "fp32"), std::string("warp-tile"));
    QCOMPARE(last("triangle", {128, 32}, ada), std::string("register-tile"));
    QCOMPARE(last("triangle", {128, 32}, hopper), std::string("multicast-pair"));
    QCOMPARE(last("layernorm", {4096, 768}, turing), std::string("resident-rows"));
}

void TestStageFolder::launchesAreTheNotes_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<int>("threads");
    QTest::newRow("tiled") << "matmul"
                           << "tiled" << 4096 << 256;
    QTest::newRow("registers") << "matmul"
                               << "registers" << 256 << 256;
    QTest::newRow("k64") << "matmul"
                         << "k64" << 256 << 256;
    QTest::newRow("block-per-row") << "layernorm"
                                   << "block-per-row" << 4096 << 256;
    QTest::newRow("warp-per-row") << "layernorm"
                                  << "warp-per-row" << 512 << 256;
    QTest::newRow("two-warps-per-row") << "layernorm"
                                       << "two-warps-per-row" << 1024 << 256;
    QTest::newRow("four-rows-per-block") << "layernorm"
                                         << "four-rows-per-block" << 1024 << 128;
    QTest::newRow("rows-128-8x4") << "matmul"
                                  << "rows-128-8x4" << 128 << 256;
}

void TestStageFolder::launchesAreTheNotes()
{
    QFETCH(QString, operation);
    QFETCH(QString, id);
    const Stage stage = readStage(ownStages, operation.toStdString(), id.toStdString());
    QCOMPARE(stage.launches.size(), 1u);
    const auto product = [](const Extent3 &extents) { return extents[0] * extents[1] * extents[2]; };
    const auto &dims = stagecraft::operations::findOperation(stage.operation)->defaultDims;
    QTEST(static_cast<int>(product(gridOf(stage, stage.launches[0], dims, 128))), "blocks");
    QTEST(static_cast<int>(product(stage.launches[0].block)), "threads");
}

void TestStageFolder::theOrderIsTheProgression()
{
    const QTemporaryDir folder;
    write(folder, "a-last", "m-middle");
    write(folder, "m-middle", "z-first");
    write(folder, "z-first", "");
    const StageListing listing = stagesOf(folder.path().toStdString(), "gelu");
    QCOMPARE(problems(listing), QString());
    QCOMPARE(names(listing), QStringList({"gelu/z-first", "gelu/m-middle", "gelu/a-last"}));
}

void TestStageFolder::aRetainedStageAfterAnAttempt()
{
    const QTemporaryDir folder;
    write(folder, "a-kept", "m-step");
    write(folder, "m-step", "z-first", "attempt");
    write(folder, "b-other", "z-first", "attempt");
    write(folder, "z-first", "");
    const StageListing listing = stagesOf(folder.path().toStdString(), "gelu");
    QCOMPARE(problems(listing), QString());
    QCOMPARE(names(listing), QStringList({"gelu/z-first", "gelu/b-other", "gelu/m-step", "gelu/a-kept"}));
    QCOMPARE(lastRetained(listing.stages, {1, 1}, {8, 9, 128})->id, std::string("a-kept"));
}

void TestStageFolder::damagedFilesAreProblems()
{
    const QTemporaryDir folder;
    write(folder, "sound", "");
    write(folder, "orphan", "nobody");
    write(folder, "circle-a", "circle-b");
    write(folder, "circle-b", "circle-a");
    QFile broken(folder.filePath("gelu/broken.cu"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.close();
    const StageListing listing = listStages(folder.path().toStdString());
    QCOMPARE(names(listing), QStringList({"gelu/orphan", "gelu/sound"}));
    QVERIFY(problems(listing).contains("gelu/broken.cu:1: no front matter"));
    QVERIFY(problems(listing).contains("gelu/orphan.cu: /after: there is no stage \"nobody\""));
    QVERIFY(problems(listing).contains("gelu/circle-a.cu: /after: \"circle-b\" leads back"));
}

void TestStageFolder::missingFolder()
{
    const StageListing listing = listStages("no/such/place");
    QVERIFY(listing.stages.empty());
    QCOMPARE(problems(listing), QString("the stages folder \"place\" does not exist\n"));
}

void TestStageFolder::namesCannotLeaveTheFolder()
{
    QVERIFY_EXCEPTION_THROWN(readStage(ownStages, "matmul", "../gelu/one-per-thread"), StageError);
    QVERIFY_EXCEPTION_THROWN(readStage(ownStages, "../stages/gelu", "one-per-thread"), StageError);
    QVERIFY_EXCEPTION_THROWN(readStage(ownStages, "gelu", "absent"), StageError);
    QCOMPARE(readStage(ownStages, "gelu", "one-per-thread").id, std::string("one-per-thread"));
}

QTEST_APPLESS_MAIN(TestStageFolder)
#include "tst_stagefolder.moc"
