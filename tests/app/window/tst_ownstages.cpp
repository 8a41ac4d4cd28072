// SPDX-License-Identifier: GPL-3.0-or-later
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

// The lines from "Measured effect." up to the next paragraph.
QString withoutMeasuredEffect(const QString &text)
{
    QStringList lines;
    bool inside = false;
    for (const QString &line : text.split('\n')) {
        inside = line.startsWith("// Measured effect.") || (inside && line.startsWith("// "));
        if (!inside)
            lines.append(line);
    }
    return lines.join('\n');
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
            QVERIFY(!from.stage.source.empty());
            QCOMPARE(copy.source, std::string());
            // What stands outside of the front matter stays, the licence line first of all, but for what was measured.
            const QString original = QString::fromStdString(from.stage.text);
            QCOMPARE(text.section('\n', 0, 0), original.section('\n', 0, 0));
            QCOMPARE(withoutMeasuredEffect(text.section("*/", 1)), withoutMeasuredEffect(original.section("*/", 1)));
            QCOMPARE(text.count("Measured effect."), 1);
            QVERIFY(text.contains("\n// Measured effect. Not measured yet.\n"));
        }
    }

    void whatHoldsForTheOriginalOnlyIsLeftOut_data()
    {
        QTest::addColumn<QString>("first"); // members of the front matter
        QTest::addColumn<QString>("last");
        QTest::addColumn<QString>("comment");
        QTest::addColumn<QString>("copiedComment");
        const QString empty = "// Measured effect. Not measured yet.\n";
        QTest::newRow("source first") << "\"source\": \"a \\\"paper\\\", p. 1\", \"arithmetic\": \"fp32\""
                                      << ""
                                      << "// Why. So.\n"
                                      << "// Why. So.\n";
        QTest::newRow("source last") << "\"arithmetic\": \"fp32\""
                                     << ", \"source\": \"this project\""
                                     << "// Measured effect. 3 µs\n// after 4.\n//\n// Resources. Few.\n"
                                     << empty + "//\n// Resources. Few.\n";
        QTest::newRow("no source, ends with the comment") << "\"arithmetic\": \"fp32\""
                                                          << ""
                                                          << "// Measured effect. 3 µs\n// after 4.\n\n// x\n"
                                                          << empty + "\n// x\n";
        QTest::newRow("nothing measured") << "\"arithmetic\": \"fp32\""
                                          << "" << empty << empty;
    }

    void whatHoldsForTheOriginalOnlyIsLeftOut()
    {
        QFETCH(QString, first);
        QFETCH(QString, last);
        QFETCH(QString, comment);
        QFETCH(QString, copiedComment);
        run::CatalogueStage from = *bundled().find("matmul", "tiled");
        const QString frontMatter =
            "/* stage\n{ \"title\": \"t\", %1,\n  \"launches\": [{\"entry\": \"k\", \"block\": 32, "
            "\"grid\": [{\"cover\": \"n\", \"by\": 32}]}]%2 }\n*/\n";
        const QString code = "extern \"C\" __global__ void k(STAGE_ARGS) {}\n";
        from.stage.text = (frontMatter.arg(first, last) + comment + code).toStdString();
        const QString text = copiedStageText(from, "mine", "t");
        const stagefile::Stage copy = stagefile::parseStage("matmul", "mine", text.toStdString());
        QCOMPARE(copy.source, std::string());
        QVERIFY(!text.contains("\"source\""));
        QCOMPARE(text.section("*/\n", 1), copiedComment + code);
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

    void failuresHaveWords_data()
    {
        using evidence::State;
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("word");
        const auto row = [](State state, const char *reason, const char *word) {
            QTest::newRow(reason) << int(state) << reason << word;
        };
        row(State::Failed, "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access (in cuCtxSynchronize)",
            "illegal address");
        row(State::Failed, "CUDA_ERROR_MISALIGNED_ADDRESS: misaligned address", "misaligned address");
        row(State::Failed, "CUDA_ERROR_INVALID_VALUE: invalid argument (in cuMemAlloc)", "invalid value");
        row(State::Failed, "the cuda worker hung: it sent nothing for 10 s during measure and was ended", "no answer");
        row(State::Invalid, "matmul/mine: k cannot be launched: a block has 2048 threads", "impossible launch");
        row(State::Invalid, "matmul/mine: n must be a multiple of 64", "invalid");
        row(State::Failed, "the host hung around", "failed");
        row(State::Unavailable, "no GPU", "unavailable");
    }

    void failuresHaveWords()
    {
        QFETCH(int, state);
        QFETCH(QString, reason);
        QFETCH(QString, word);
        QCOMPARE(failureWord(evidence::State(state), reason), word);
    }

    void onlyACompilerThatCameToItsEndFoundAnError()
    {
        run::StageCompilation compilation;
        compilation.state = run::StageCompilation::Failed;
        compilation.reason = "the cuda worker hung: it sent nothing for 60 s during compile and was ended";
        QCOMPARE(compilationWord(compilation), QStringLiteral("compiler failed"));
        compilation.log = "matmul/mine.cu(3): error: identifier \"x\" is undefined";
        QCOMPARE(compilationWord(compilation), QStringLiteral("compile error"));
        compilation.state = run::StageCompilation::Unavailable;
        QCOMPARE(compilationWord(compilation), QStringLiteral("not compiled"));
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
        QVERIFY(!plan.floors);
        QVERIFY(plan.measurementTimeLimitMs <= 10'000);
        QCOMPARE(plan.operations.first().implementations, QStringList({"cuda/tiled", "cuda/registers"}));
        QCOMPARE(plan.stages.size(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_OwnStages)
#include "tst_ownstages.moc"
