// SPDX-License-Identifier: GPL-3.0-or-later
#include "pythonpanel.h"
#include "settingsdesk.h"
#include "stagefixture.h"
#include "statistics.h"

#include <QLabel>
#include <QMenu>
#include <Qsci/qsciscintilla.h>
#include <QTreeView>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

QString cell(const widgets::ValueTable &table, int row, const QString &column)
{
    const auto found = std::ranges::find(table.columns, column, &widgets::ValueColumn::id);
    return found == table.columns.end() ? "no column" : table.rows.at(row).at(found - table.columns.begin()).text;
}

const evidence::OperationProgression &session(MainWindow &window)
{
    return window.evidence()->at(0).evidence->progression->operations.first();
}

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

bool hasLabel(const QWidget &widget, const QString &text)
{
    const QList<QLabel *> labels = widget.findChildren<QLabel *>();
    return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(text); });
}

} // namespace

class tst_WindowStages : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft"); }

    void aBundledStageIsReadAndCompiledButNotWritten()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(QTest::qWaitFor([&] { return stages.view() != nullptr; }, 30'000));
        QCOMPARE(stages.files().operation(), QStringLiteral("matmul"));
        QCOMPARE(stages.files().id(), QStringLiteral("tiled"));
        QVERIFY(stages.view()->isReadOnly());
        QVERIFY(stages.view()->text().contains("__global__"));
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto &table = stages.results().compiledView()->table();
                return !table.rows.isEmpty() && cell(table, 0, "registers") == "37";
            },
            30'000));
        // The GPU's own architecture is chosen, and says so.
        QCOMPARE(cell(stages.results().compiledView()->table(), 0, "architecture"), QStringLiteral("sm_90a"));
        QVERIFY(!stages.window.actions()->saveStage->isEnabled());
        QVERIFY(stages.measurer().saves().isEmpty());
    }

    void copyEditSaveShowsCompilerTimeAndVerdict()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const run::CatalogueStage *mine = stages.library().catalogue().find("matmul", "mine");
        QVERIFY(mine->own);
        QCOMPARE(mine->stage.after, std::string("tiled"));
        QCOMPARE(mine->stage.status, stagefile::Status::Attempt);
        QVERIFY(!stages.view()->isReadOnly());
        QVERIFY(stages.measurer().saves().isEmpty()); // a copy is no save
        stages.typeAndSave("// fake: us=5\n// fake: registers=40\n// fake: shared=1024\n");
        QVERIFY(!stages.view()->isModified());
        QVERIFY(stages.waitForSaves(1));
        const StageSave &save = stages.measurer().saves().first();
        QCOMPARE(save.state, evidence::State::Ok);
        QVERIFY(save.kernelUs && save.spanUs && save.factor);
        QVERIFY2(*save.factor > 1.5, qPrintable(QString::number(*save.factor)));
        QCOMPARE(save.verdict, QStringLiteral("faster"));
        // Registers and shared memory with the change against the stage it was made from.
        const auto &table = stages.results().compiledView()->table();
        QCOMPARE(cell(table, 0, "registers"), QStringLiteral("40 (+3)"));
        QCOMPARE(cell(table, 0, "shared_bytes"), QStringLiteral("1024 (−1024)"));
        QVERIFY2(stages.results().summary().contains("faster"), qPrintable(stages.results().summary()));
        const auto &history = stages.results().historyView()->table();
        QCOMPARE(history.rows.size(), 1);
        QCOMPARE(cell(history, 0, "state"), QStringLiteral("ok"));
        const QModelIndex row = qobject_cast<StageTreeModel *>(stages.window.workbench()->tree()->model())
                                    ->find("matmul", "mine")
                                    .siblingAtColumn(StageTreeModel::ResultColumn);
        QVERIFY2(row.data().toString().contains(QChar(0x00d7)), qPrintable(row.data().toString()));
        QCOMPARE(row.data(StageTreeModel::KindRole).toInt(), int(StageMark::Good));
    }

    void undoIsTheSourcesWhileTheFocusIsThere()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        EvidenceListModel *list = stages.window.evidence();
        const int row = list->rowCount() - 1;
        const bool shown = list->at(row).shown;
        QVERIFY(list->setData(list->index(row), shown ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole));
        stages.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&stages.window));
        stages.view()->editor()->setFocus();
        const QString text = stages.view()->text();
        QTest::keyClicks(stages.view()->editor(), "xx");
        QVERIFY(stages.view()->text() != text);
        // By its key, and by the menu's command.
        QTest::keyClick(stages.view()->editor(), Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClicks(stages.view()->editor(), "yy");
        QAction *undo = stages.window.actions()->undo;
        emit stages.window.actions()->editMenu->aboutToShow();
        QCOMPARE(undo->text(), QStringLiteral("&Undo typing"));
        for (int i = 0; i < 4 && undo->isEnabled(); ++i)
            undo->trigger();
        QCOMPARE(stages.view()->text(), text);
        QCOMPARE(list->at(row).shown, !shown);
        stages.window.workbench()->tree()->setFocus();
        QVERIFY2(undo->text().contains(list->at(row).title()), qPrintable(undo->text()));
        undo->trigger();
        QCOMPARE(list->at(row).shown, shown);
    }

    void everySaveIsAnEntryOfTheSessionsProgression()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        stages.typeAndSave("// fake: us=5\n");
        QVERIFY(stages.waitForSaves(1));
        stages.typeAndSave("// fake: wrong-result\n");
        QVERIFY(stages.waitForSaves(2));
        const auto &progression = session(stages.window);
        QCOMPARE(progression.operation, QStringLiteral("matmul"));
        QCOMPARE(progression.stages.size(), 3);
        QCOMPARE(progression.stages.at(0).id, QStringLiteral("tiled"));
        QVERIFY(progression.stages.at(0).kernelUs);
        QVERIFY(progression.stages.at(1).label.startsWith("save 1 · "));
        QVERIFY(progression.stages.at(1).kernelUs);
        QVERIFY(!progression.stages.at(1).resources.is_null());
        QCOMPARE(progression.stages.at(2).state, evidence::State::Failed);
        QVERIFY(!progression.stages.at(2).kernelUs);
        QVERIFY(progression.stages.at(2).reason.contains("result is wrong"));
        QVERIFY(stages.window.evidence()->at(0).shown);
    }

    void aCompileErrorStandsAtItsLine()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        stages.typeAndSave("int x; // fake: compile-error\n");
        QVERIFY(stages.waitForSaves(1));
        QCOMPARE(stages.measurer().saves().first().word, QStringLiteral("compile error"));
        const QString before = stages.view()->text().section("// fake: compile-error", 0, 0);
        const int line = static_cast<int>(before.count('\n')) + 1;
        QVERIFY(QTest::qWaitFor([&] { return !stages.view()->messages().isEmpty(); }, 30'000));
        QCOMPARE(stages.view()->messages().first().line, line);
        QVERIFY(stages.view()->editor()->annotation(line - 1).contains("undeclared_name"));
        QVERIFY(stages.view()->editor()->markersAtLine(line - 1) != 0);
        stages.window.actions()->nextMessage->trigger();
        QCOMPARE(stages.view()->currentLine(), line);
        // Put right, the marks go and it is measured.
        stages.view()->reload(stages.view()->text().remove("int x; // fake: compile-error\n"));
        QVERIFY(stages.files().save(stages.files().path()).isEmpty());
        QVERIFY(stages.waitForSaves(2));
        QCOMPARE(stages.measurer().saves().last().state, evidence::State::Ok);
        QVERIFY(stages.view()->messages().isEmpty());
    }

    void everyFailureIsAStateOfItsOwn_data()
    {
        QTest::addColumn<QString>("mark");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("reason");
        QTest::newRow("wrong result") << "wrong-result"
                                      << "wrong result"
                                      << "element 0";
        QTest::newRow("illegal address") << "illegal-address"
                                         << "illegal address"
                                         << "outside its buffers";
        QTest::newRow("endless loop") << "endless-loop"
                                      << "no answer"
                                      << "endless loop";
        QTest::newRow("impossible launch") << "impossible-launch"
                                           << "impossible launch"
                                           << "cannot be launched";
    }

    void everyFailureIsAStateOfItsOwn()
    {
        QFETCH(QString, mark);
        QFETCH(QString, word);
        QFETCH(QString, reason);
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        stages.typeAndSave("// fake: " + mark + "\n");
        QVERIFY(stages.waitForSaves(1));
        const StageSave &save = stages.measurer().saves().first();
        QVERIFY(save.state != evidence::State::Ok);
        QCOMPARE(save.word, word);
        QVERIFY2(save.reason.contains(reason), qPrintable(save.reason));
        QVERIFY(!save.kernelUs && !save.factor);
        QVERIFY2(stages.results().summary().contains(word), qPrintable(stages.results().summary()));
        // The window and the other stages live on: the stage it was made from is measured.
        QVERIFY(stages.window.isVisible());
        const auto rows = evidence::valueRows(*stages.measurer().lastRun());
        const auto tiled = std::ranges::find(rows, QStringLiteral("cuda/tiled"), &evidence::ValueRow::implementation);
        QVERIFY(tiled != rows.end());
        QCOMPARE(tiled->span.state, evidence::State::Ok);
    }

    void aSaveInAnotherEditorIsNoticed()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const QString text = stages.view()->text() + "// written elsewhere\n";
        QVERIFY(StageFixture::writeOutside(stages.path("mine"), text));
        QVERIFY(stages.waitForSaves(1));
        QCOMPARE(stages.view()->text(), text);
        QVERIFY(!stages.view()->isModified());
        QCOMPARE(stages.measurer().saves().first().state, evidence::State::Ok);
        // And again: the file that is there now is watched too.
        QVERIFY(StageFixture::writeOutside(stages.path("mine"), text + "// twice\n"));
        QVERIFY(stages.waitForSaves(2));
    }

    void aConflictAsksWhichTextToKeep()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const QString original = stages.view()->text();
        const auto conflict = [&](const QString &typed, const QString &outside) {
            stages.view()->setFocus();
            QTest::keyClicks(stages.view()->editor(), typed);
            if (!StageFixture::writeOutside(stages.path("mine"), outside))
                return false;
            const MessageBar *bar = stages.window.workbench()->messages();
            return QTest::qWaitFor([&] { return bar->isVisible(); }, 30'000) &&
                   bar->title().contains("changed by another program");
        };
        QVERIFY(conflict("xx", original + "// theirs\n"));
        QVERIFY(stages.choose("Reload"));
        QCOMPARE(stages.view()->text(), original + "// theirs\n");
        QVERIFY(!stages.view()->isModified());
        QVERIFY(conflict("yy", original + "// theirs again\n"));
        const QString mine = stages.view()->text();
        QVERIFY(stages.choose("Keep mine"));
        QCOMPARE(stages.view()->text(), mine);
        QVERIFY(stages.view()->isModified());
    }

    void aSaveDoesNotWriteOverWhatItHasNotSeen()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const QString path = stages.path("mine");
        const QByteArray theirs = stages.view()->text().toUtf8() + "// theirs\n";
        stages.type("xx");
        const QString mine = stages.view()->text();
        const MessageBar *bar = stages.window.workbench()->messages();
        // In one go, so that the library has read nothing in between.
        QVERIFY(StageFixture::writeOutside(path, QString::fromUtf8(theirs)));
        QVERIFY(!stages.files().save(path).isEmpty());
        QCOMPARE(bytesOf(path), theirs);
        QVERIFY(stages.view()->isModified());
        QVERIFY2(bar->title().contains("changed by another program"), qPrintable(bar->title()));
        QVERIFY(stages.choose("Keep mine"));
        QTRY_VERIFY_WITH_TIMEOUT(!stages.library().isReading(), 30'000);
        QVERIFY(!bar->isVisible()); // what was decided is not asked again
        QVERIFY(stages.files().save(path).isEmpty());
        QCOMPARE(bytesOf(path), mine.toUtf8());
        QVERIFY(!stages.view()->isModified());
        // The other answer.
        stages.type("yy");
        QVERIFY(StageFixture::writeOutside(path, QString::fromUtf8(theirs)));
        QVERIFY(!stages.files().save(path).isEmpty());
        QVERIFY(stages.choose("Reload"));
        QCOMPARE(stages.view()->text().toUtf8(), theirs);
        stages.type("zz");
        QVERIFY(stages.files().save(path).isEmpty());
        QVERIFY(bytesOf(path).contains("zz"));
    }

    void aFileThatIsNoTextIsNeverWrittenBack_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        QTest::newRow("too long") << QByteArray((1 << 20) + 1, '/') << "more than 1048576 bytes";
        QTest::newRow("not UTF-8") << QByteArray("// caf\xe9\n") << "not UTF-8";
        QTest::newRow("NUL") << QByteArray("// a\0b\n", 7) << "NUL byte";
    }

    void aFileThatIsNoTextIsNeverWrittenBack()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const QString path = stages.path("mine");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QTRY_VERIFY_WITH_TIMEOUT(!stages.library().file(path).unwritable.isEmpty(), 30'000);
        QVERIFY2(stages.files().unwritable().contains(reason), qPrintable(stages.files().unwritable()));
        QVERIFY(stages.view()->isReadOnly());
        QVERIFY(stages.view()->text().startsWith("//"));
        QVERIFY(hasLabel(*stages.window.workbench(), "read-only: " + stages.files().unwritable()));
        QTest::keyClicks(stages.view()->editor(), "xx");
        QVERIFY(!stages.view()->isModified());
        QVERIFY(!stages.window.actions()->saveStage->isEnabled());
        stages.files().save(path);
        QCOMPARE(bytesOf(path), bytes);
        // Opened anew it is no other.
        stages.window.workbench()->editors()->close(path);
        stages.files().open("matmul", "mine");
        QVERIFY(stages.view()->isReadOnly());
        // Put right elsewhere, it is written again.
        QVERIFY(StageFixture::writeOutside(path, "// text"));
        QTRY_VERIFY_WITH_TIMEOUT(!stages.view()->isReadOnly(), 30'000);
        QCOMPARE(stages.view()->text(), QStringLiteral("// text"));
    }

    void aFolderThatIsGoneAndBackIsNoticed()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const MessageBar *bar = stages.window.workbench()->messages();
        const QString away = stages.folder() + "-away";
        QVERIFY(QDir().rename(stages.folder(), away));
        QTRY_COMPARE_WITH_TIMEOUT(bar->title(), QStringLiteral("The folder of your stages is gone"), 30'000);
        QVERIFY(bar->isVisible());
        QVERIFY(!stages.library().catalogue().find("matmul", "mine"));
        QVERIFY(QDir().rename(away, stages.folder()));
        QTRY_VERIFY_WITH_TIMEOUT(stages.library().catalogue().find("matmul", "mine"), 30'000);
        QVERIFY(!bar->isVisible());
    }

    void anotherFolderTakesNothingAway()
    {
        const QTemporaryDir other;
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const QString path = stages.path("mine");
        stages.type("xx");
        const QByteArray mine = stages.view()->text().toUtf8();
        const MessageBar *bar = stages.window.workbench()->messages();
        stages.files().begin(other.path());
        QTRY_COMPARE_WITH_TIMEOUT(stages.library().folder(), other.path(), 30'000);
        QCOMPARE(bar->title(), QStringLiteral("Not saved in the folder that you left: mine.cu"));
        QCOMPARE(stages.files().unsaved(), QStringList{path});
        QVERIFY(stages.choose("Save it there"));
        QCOMPARE(bytesOf(path), mine);
        QVERIFY(stages.files().unsaved().isEmpty());
    }

    void stagesOfAFolderThatWasNotChosenAreShownNotRun()
    {
        const QTemporaryDir found;
        StageFixture stages({}, false);
        QVERIFY(stages.begin());
        const auto *tiled = stages.library().catalogue().find("matmul", "tiled");
        const QString path = stagePath(found.path(), "matmul", "foreign");
        const QString text = copiedStageText(*tiled, "foreign", "From elsewhere");
        QVERIFY(StageFixture::writeOutside(path, text));
        stages.files().showFound(found.path());
        QVERIFY(QTest::qWaitFor([&] { return stages.library().catalogue().find("matmul", "foreign"); }, 30'000));
        stages.window.workbench()->select("matmul", "foreign");
        QCOMPARE(stages.view()->text(), text);
        QVERIFY(stages.view()->isReadOnly());
        QVERIFY(!stages.window.actions()->compileStage->isEnabled());
        QVERIFY(!stages.window.actions()->measureStage->isEnabled());
        const QList<run::CatalogueStage> before = stages.library().catalogue().stages;
        QVERIFY(StageFixture::writeOutside(path, text + "// changed\n"));
        QVERIFY(QTest::qWaitFor([&] { return stages.view()->text().endsWith("// changed\n"); }, 30'000));
        QVERIFY(stages.measurer().saves().isEmpty());
        const run::CatalogueStage foreign = *stages.library().catalogue().find("matmul", "foreign");
        QVERIFY(!stages.window.stageDesk()->compilations().find(foreign.stage, "sm_90a"));
        QVERIFY(!stages.window.stageDesk()->compilations().isUnderWay(foreign.stage, "sm_90a"));
        QVERIFY(stages.window.workbench()->messages()->isVisible());
        QVERIFY(stages.choose("Trust this folder"));
        QVERIFY(QTest::qWaitFor(
            [&] { return stages.window.stageDesk()->compilations().find(foreign.stage, "sm_90a") != nullptr; },
            30'000));
        QVERIFY(!stages.view()->isReadOnly());
    }

    void withoutAGpuASaveIsCompiled()
    {
        StageFixture stages("--behaviour no-device");
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        stages.typeAndSave("// fake: registers=41\n");
        QVERIFY(stages.waitForSaves(1));
        const StageSave &save = stages.measurer().saves().first();
        QCOMPARE(save.word, QStringLiteral("compiled"));
        QVERIFY2(save.reason.contains("no GPU is there"), qPrintable(save.reason));
        QVERIFY(!save.kernelUs);
        QCOMPARE(*save.resources.first().registersPerThread, 41);
        QVERIFY2(stages.results().summary().contains("41 registers (+4)"), qPrintable(stages.results().summary()));
        QCOMPARE(session(stages.window).stages.size(), 1);
        // Every architecture at once.
        stages.results().chooseArchitecture(QString());
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto &table = stages.results().compiledView()->table();
                return table.rows.size() == 6 && cell(table, 0, "registers") == "41 (+4)" &&
                       cell(table, 5, "registers") == "41 (+4)";
            },
            30'000));
    }

    void ofSavesThatWaitOnlyTheNewestIsMeasured()
    {
        StageFixture stages("--behaviour slow-measure --only cuda --round 1");
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        stages.window.plan()->select({"matmul"}, {"cuda"});
        stages.window.actions()->run->trigger();
        QVERIFY(QTest::qWaitFor([&] { return stages.window.runDesk()->isRunning(); }, 30'000));
        stages.typeAndSave("// one\n");
        QVERIFY(QTest::qWaitFor(
            [&] {
                return stages.measurer().saves().size() == 1 && stages.measurer().saves().first().word == "waiting";
            },
            30'000));
        stages.typeAndSave("// two\n");
        QVERIFY(QTest::qWaitFor(
            [&] { return stages.measurer().saves().size() == 2 && stages.measurer().saves().last().word == "waiting"; },
            30'000));
        QCOMPARE(stages.measurer().saves().first().word, QStringLiteral("superseded"));
        QVERIFY(stages.measurer().saves().first().settled);
        stages.window.actions()->stop->trigger();
        QVERIFY(QTest::qWaitFor([&] { return stages.measurer().saves().last().word == "measuring"; }, 30'000));
        stages.window.actions()->stop->trigger();
        QVERIFY(stages.waitForSaves(2));
        QCOMPARE(stages.measurer().saves().last().word, QStringLiteral("stopped"));
    }

    void aMeasurementWaitsForTheQuestionOfSettings()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        stages.workers().writePython(
            QStringLiteral("while [ ! -e '%1/answer' ]; do sleep 0.1; done; exit 3\n").arg(stages.workers().path()));
        stages.window.actions()->settings->trigger();
        const SettingsDialog *dialog = stages.window.settingsDesk()->dialog();
        emit dialog->python()->askRequested();
        stages.typeAndSave("// fake: us=5\n");
        const auto word = [&] {
            return stages.measurer().saves().isEmpty() ? QString() : stages.measurer().saves().first().word;
        };
        QVERIFY(QTest::qWaitFor([&] { return word() == "waiting"; }, 30'000));
        QVERIFY(!stages.window.runDesk()->isRunning());
        QFile answer(stages.workers().path() + "/answer");
        QVERIFY(answer.open(QIODevice::WriteOnly));
        QVERIFY(QTest::qWaitFor([&] { return stages.window.runDesk()->isRunning(); }, 30'000));
        emit dialog->python()->askRequested(); // now Settings wait
        QVERIFY(hasLabel(*dialog, "A run is in progress"));
        QVERIFY(stages.waitForSaves(1));
        QCOMPARE(stages.measurer().saves().first().state, evidence::State::Ok);
        QVERIFY(QTest::qWaitFor([&] { return hasLabel(*dialog, "exit status 3"); }, 30'000));
    }

    void aFileThatIsNoStageSaysWhyAtItsPlace()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        QVERIFY(stages.copy("mine"));
        const QString text = stages.view()->text();
        QVERIFY(StageFixture::writeOutside(stages.path("mine"), QString(text).replace("\"status\"", "\"statuss\"")));
        QVERIFY(stages.waitForSaves(1));
        QCOMPARE(stages.measurer().saves().first().word, QStringLiteral("not a stage"));
        QVERIFY(stages.measurer().saves().first().reason.contains("statuss"));
        QVERIFY(!stages.view()->messages().isEmpty());
        const int line = stages.view()->messages().first().line;
        QVERIFY2(stages.view()->editor()->text(line - 1).contains("statuss"), qPrintable(QString::number(line)));
        // It can be mended here.
        QVERIFY(!stages.view()->isReadOnly());
        stages.view()->reload(text + "// mended\n");
        QVERIFY(stages.files().save(stages.path("mine")).isEmpty());
        QVERIFY(stages.waitForSaves(2));
        QCOMPARE(stages.measurer().saves().last().state, evidence::State::Ok);
    }

    void stagesOfThePlanAreRunByName()
    {
        StageFixture stages;
        QVERIFY(stages.begin());
        stages.window.plan()->select({"matmul"}, {"cuda", "cuda/tiled", "cuda/registers"});
        const run::RunPlan plan = stages.window.runDesk()->plan();
        QCOMPARE(plan.operations.first().implementations, QStringList({"cuda", "cuda/tiled", "cuda/registers"}));
        QCOMPARE(plan.stages.size(), 2);
        QVERIFY(!plan.stages.front().text.empty());
    }
};

QTEST_MAIN(tst_WindowStages)
#include "tst_windowstages.moc"
