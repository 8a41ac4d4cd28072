// SPDX-License-Identifier: GPL-3.0-or-later
#include "architectures.h"
#include "frontmatter.h"
#include "ownstages.h"
#include "stagesave.h"

#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

run::StageCatalogue bundled()
{
    qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft");
    return run::stageCatalogue();
}

} // namespace

class tst_OwnStages : public QObject
{
    Q_OBJECT

private slots:
    void everyBundledStageCanBeCopied()
    {
        const run::StageCatalogue catalogue = bundled();
        QVERIFY(catalogue.stages.size() >= 15);
        for (const run::CatalogueStage &from : catalogue.stages) {
            const QString text = copiedStageText(from, "copy-1", "A \"quoted\" title \\ with a stroke");
            const stagefile::Stage copy = stagefile::parseStage(from.stage.operation, "copy-1", text.toStdString());
            QCOMPARE(copy.title, std::string("A \"quoted\" title \\ with a stroke"));
            QCOMPARE(copy.after, from.stage.id);
            QCOMPARE(copy.label, std::string("copy-1"));
            QCOMPARE(copy.status, stagefile::Status::Attempt);
            QVERIFY(copy.change.find(from.stage.id) != std::string::npos);
            QCOMPARE(copy.launches.size(), from.stage.launches.size());
            QCOMPARE(copy.counts, from.stage.counts);
            // What stands outside of the front matter stays: the licence line first of all.
            const QString original = QString::fromStdString(from.stage.text);
            QCOMPARE(text.section('\n', 0, 0), original.section('\n', 0, 0));
            QCOMPARE(text.section("*/", 1), original.section("*/", 1));
        }
    }

    void idsAreChecked_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("fits");
        QTest::newRow("plain") << "my-tiles-2" << true;
        QTest::newRow("empty") << "" << false;
        QTest::newRow("capitals") << "Mine" << false;
        QTest::newRow("folder") << "a/b" << false;
        QTest::newRow("upwards") << ".." << false;
        QTest::newRow("space") << "my tiles" << false;
        QTest::newRow("taken") << "tiled" << false;
        QTest::newRow("too long") << QString(65, 'a') << false;
    }

    void idsAreChecked()
    {
        QFETCH(QString, id);
        QFETCH(bool, fits);
        QCOMPARE(stageIdProblem(id, "matmul", bundled()).isEmpty(), fits);
    }

    void aFreeIdIsSuggested()
    {
        const run::StageCatalogue catalogue = bundled();
        QCOMPARE(freeStageId(*catalogue.find("matmul", "tiled"), catalogue), QStringLiteral("tiled-2"));
    }

    void foldersOfStagesAreRecognised()
    {
        const QTemporaryDir folder;
        QVERIFY(!holdsStages(folder.path()));
        QVERIFY(writeStageFile(stagePath(folder.path(), "matmul", "mine"), "// nothing").isEmpty());
        QVERIFY(holdsStages(folder.path()));
        QVERIFY(!holdsStages(folder.filePath("matmul")));
        const QString error = writeStageFile("/proc/nowhere/matmul/mine.cu", "x");
        QVERIFY(error.contains("mine.cu"));
    }

    void architectures()
    {
        QCOMPARE(architectureOf("9.0"), QStringLiteral("sm_90a"));
        QCOMPARE(architectureOf("8.9"), QStringLiteral("sm_89"));
        QCOMPARE(architectureOf("12.0"), QStringLiteral("sm_120"));
        QCOMPARE(architectureOf("fast"), QString());
        QCOMPARE(gpuFactsOf("sm_120")->computeMajor, 12);
        QCOMPARE(gpuFactsOf("sm_90a")->computeMinor, 0);
        QVERIFY(!gpuFactsOf("compute_90"));
    }

    void failuresHaveWords()
    {
        using evidence::State;
        QCOMPARE(failureWord(State::Failed, "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access"),
                 QStringLiteral("illegal address"));
        QCOMPARE(failureWord(State::Failed, "the cuda worker hung: it sent nothing for 10 s"),
                 QStringLiteral("endless loop"));
        QCOMPARE(failureWord(State::Invalid, "matmul/mine: k cannot be launched: a block has 2048 threads"),
                 QStringLiteral("impossible launch"));
        QCOMPARE(failureWord(State::Failed, "something else"), QStringLiteral("failed"));
        QCOMPARE(failureWord(State::Unavailable, "no GPU"), QStringLiteral("unavailable"));
    }

    void aMeasurementIsShortAndComparesWithTheStageBefore()
    {
        const run::StageCatalogue catalogue = bundled();
        StageSave save;
        save.stage = catalogue.find("matmul", "registers")->stage;
        save.after = catalogue.find("matmul", "tiled")->stage;
        save.dims = {64, 64, 64};
        const QTemporaryDir folder;
        const run::RunPlan plan = measurementPlan(save, 1, folder.filePath("out"));
        QCOMPARE(run::planProblem(plan), QString());
        QCOMPARE(plan.rounds, 5);
        QCOMPARE(plan.device, 1);
        QVERIFY(plan.measurementTimeLimitMs <= 10'000);
        QCOMPARE(plan.operations.first().implementations, QStringList({"cuda/tiled", "cuda/registers"}));
        QCOMPARE(plan.stages.size(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_OwnStages)
#include "tst_ownstages.moc"
