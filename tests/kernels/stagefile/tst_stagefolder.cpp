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

void write(const QTemporaryDir &folder, const QString &name, const QByteArray &after)
{
    QDir(folder.path()).mkpath("gelu");
    QFile file(folder.filePath("gelu/" + name + ".cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("/* stage {\"title\": \"t\", \"status\": \"retained\", \"after\": \"" + after +
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
    void ownStagesAreTheNotesOriginals();
    void theOrderIsTheProgression();
    void damagedFilesAreProblems();
    void missingFolder();
    void namesCannotLeaveTheFolder();
};

void TestStageFolder::ownStagesAreTheNotesOriginals()
{
    const StageListing listing = listStages(ownStages);
    QCOMPARE(problems(listing), QString());
    QCOMPARE(names(listing), QStringList({"matmul/tiled", "gelu/one-per-thread", "layernorm/block-per-row",
                                          "triangle/one-per-thread", "neighbor/one-per-thread"}));
    for (const Stage &stage : listing.stages) {
        const auto *operation = stagecraft::operations::findOperation(stage.operation);
        QVERIFY(stage.status == Status::Retained);
        QCOMPARE(stage.arithmetic, std::string("fp32"));
        QCOMPARE(stage.launches.size(), 1u);
        const Extent3 block = stage.launches[0].block;
        QCOMPARE(block[0] * block[1] * block[2], 256);
        QVERIFY2(stage.text.find("RTX 4090") != std::string::npos, "the measured effect names its GPU");
        const GpuFacts turing{7, 5, 40};
        QVERIFY(!misfit(stage, operation->defaultDims, turing) && !misfit(stage, operation->minimumDims, turing));
    }
    // The note: 4096 blocks × 256 threads for both matrix multiplication and layer normalization.
    const Extent3 tiled = gridOf(listing.stages[0], listing.stages[0].launches[0], {1024, 1024, 1024}, 128);
    QCOMPARE(tiled[0] * tiled[1] * tiled[2], 4096);
    QVERIFY((gridOf(listing.stages[2], listing.stages[2].launches[0], {4096, 768}, 128) == Extent3{4096, 1, 1}));
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
