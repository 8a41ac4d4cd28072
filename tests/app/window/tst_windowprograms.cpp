// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalprogrammodel.h"
#include "externalprogramspanel.h"
#include "fakeworkers.h"
#include "headerbar.h"
#include "logdock.h"
#include "pythonpanel.h"
#include "settingsdesk.h"
#include "settingsdialog.h"
#include "windowfixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeView>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

QModelIndex rowOf(const PlanModel &plan, const QString &implementation, const QModelIndex &parent)
{
    for (int row = 0; row < plan.rowCount(parent); ++row) {
        const QModelIndex index = plan.index(row, 0, parent);
        if (index.data(PlanModel::IdRole) == implementation)
            return index;
        if (const QModelIndex below = rowOf(plan, implementation, index); below.isValid())
            return below;
    }
    return {};
}

// Of matmul.
QModelIndex rowOf(const PlanModel &plan, const QString &implementation)
{
    return rowOf(plan, implementation, plan.index(0, 0));
}

void planSmallRun(MainWindow &window, const QStringList &implementations, int rounds = 1)
{
    window.plan()->select({"matmul"}, implementations);
    QVERIFY(window.plan()->setData(window.plan()->index(0, PlanModel::DetailColumn), "8x6x4", Qt::EditRole));
    run::RunPlan protocol;
    protocol.rounds = rounds;
    protocol.warmup = 1;
    protocol.iterations = protocol.captureIterations = 5;
    window.planDock()->protocol()->setProtocol(protocol);
}

bool linkExternalWorker(const FakeWorkers &workers)
{
    return QFile::link(STAGECRAFT_BINARY_DIR "/bin/stagecraft-worker-external",
                       workers.path() + "/stagecraft-worker-external");
}

bool waitForEnd(MainWindow &window)
{
    return QTest::qWaitFor([&] { return !window.runDesk()->isRunning(); }, 60'000);
}

QString headerText(MainWindow &window)
{
    QStringList texts;
    for (const QLabel *label : window.header()->findChildren<QLabel *>())
        texts.append(label->text());
    return texts.join(QLatin1Char('\n'));
}

const QString pythonImplementations =
    QStringLiteral("--implementation pytorch --implementation pytorch-compile --implementation pytorch-cpu "
                   "--implementation triton --implementation triton-tuned ");

} // namespace

class tst_WindowPrograms : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void whatIsAppliedIsRememberedAndSurveyed()
    {
        FakeWorkers workers;
        QVERIFY(linkExternalWorker(workers));
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        QCOMPARE(rowOf(*window.plan(), "mine"), QModelIndex());
        window.actions()->settings->trigger();
        SettingsDialog *dialog = window.settingsDesk()->dialog();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(!dialog->applyButton()->isEnabled());
        QCOMPARE(dialog->python()->interpreter(), QString());
        dialog->python()->setInterpreter(workers.python());
        ExternalProgramModel *programs = dialog->programs()->model();
        QCOMPARE(programs->addProgram("/not/there/Mine.sh"), 0);
        QCOMPARE(programs->programs().first().name, QStringLiteral("mine"));
        QVERIFY(programs->setData(programs->index(0, ExternalProgramModel::ArgumentsColumn), "--fast \"two words\"",
                                  Qt::EditRole));
        QVERIFY(dialog->applyButton()->isEnabled());
        dialog->applyButton()->click();
        QVERIFY(window.runDesk()->isSurveying());
        QVERIFY(!window.actions()->run->isEnabled()); // a worker that starts would disturb what is measured
        QVERIFY(QTest::qWaitFor([&] { return fixture.ready(); }, 30'000));
        // Its row says why it cannot be measured; the rest can.
        const QString problem = rowOf(*window.plan(), "mine").data(PlanModel::ProblemRole).toString();
        QVERIFY2(problem.contains("the external program /not/there/Mine.sh is not there"), qPrintable(problem));
        QVERIFY(window.actions()->run->isEnabled());
        const run::WorkerSetup setup = window.runDesk()->plan().workers;
        QCOMPARE(setup.python, workers.python());
        QCOMPARE(setup.externals,
                 (QList<run::ExternalProgram>{{"mine", "/not/there/Mine.sh", {"--fast", "two words"}}}));
        dialog->reject();
        QTRY_VERIFY_WITH_TIMEOUT(!window.settingsDesk()->dialog(), 30'000);
        window.actions()->settings->trigger();
        QCOMPARE(window.settingsDesk()->dialog()->values().workers, setup);
        window.settingsDesk()->dialog()->reject();
    }

    void cancelChangesNothing()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        window.actions()->settings->trigger();
        SettingsDialog *dialog = window.settingsDesk()->dialog();
        dialog->python()->setInterpreter("/other/python");
        dialog->prefix()->setText("ssh gpu01");
        dialog->reject();
        QVERIFY(!window.runDesk()->isSurveying());
        QCOMPARE(window.runDesk()->plan().workers, run::WorkerSetup());
    }

    void whatCannotBeUsedCannotBeApplied()
    {
        SettingsDialog dialog({});
        ExternalProgramModel *programs = dialog.programs()->model();
        programs->addProgram("/bin/true");
        QVERIFY(dialog.problem().isEmpty());
        QVERIFY(dialog.applyButton()->isEnabled());
        for (const char *name : {"Capitals", "cuda", "", "a/b"}) {
            QVERIFY(programs->setData(programs->index(0, 0), QString::fromLatin1(name), Qt::EditRole));
            QVERIFY2(!dialog.applyButton()->isEnabled(), name);
            const auto *line = dialog.programs()->findChild<QLabel *>("programProblem");
            QVERIFY(!line->isHidden() && !line->text().isEmpty());
        }
        QVERIFY(programs->setData(programs->index(0, 0), "true", Qt::EditRole));
        QVERIFY(dialog.applyButton()->isEnabled());
        programs->addProgram("/other/true");
        QCOMPARE(programs->programs().last().name, QStringLiteral("true-2"));
        QVERIFY(programs->setData(programs->index(1, 0), "true", Qt::EditRole));
        QVERIFY(dialog.problem().contains("two external programs"));
        dialog.programs()->table()->setCurrentIndex(programs->index(1, 0));
        dialog.programs()->remove();
        QVERIFY(dialog.problem().isEmpty());
    }

    void anExternalProgramIsPlannedAndMeasured()
    {
        FakeWorkers workers("--rate 400");
        QVERIFY(linkExternalWorker(workers));
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        window.runDesk()->setWorkers(
            {{}, {}, {{"example", STAGECRAFT_BINARY_DIR "/bin-tests/stagecraft-example-program", {}}}});
        QVERIFY(QTest::qWaitFor([&] { return fixture.ready(); }, 30'000));
        QCOMPARE(rowOf(*window.plan(), "example").data().toString(), QStringLiteral("example"));
        QCOMPARE(rowOf(*window.plan(), "example").data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        planSmallRun(window, {"cuda", "example"});
        window.actions()->run->trigger();
        QVERIFY(waitForEnd(window));
        const auto &round = window.evidence()->at(0).evidence->results.first().rounds.first();
        const evidence::Measurement example = round.implementations.value("example");
        QVERIFY2(example.state == evidence::State::Ok, qPrintable(example.reason));
        QCOMPARE(example.samplesUs.size(), 5);
        QCOMPARE(round.implementations.value("cuda").state, evidence::State::Ok);
    }

    void aPythonThatFailsCostsItsOwnImplementations_data()
    {
        QTest::addColumn<QString>("script"); // empty: there is no interpreter
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("inSettings");
        const auto row = [](const char *name, const QString &script, const QString &reason,
                            const QString &inSettings = {}) {
            QTest::newRow(name) << script << reason << (inSettings.isEmpty() ? reason : inSettings);
        };
        row("is not there", "", "python-fake is not there");
        row("does not start", "echo 'broken installation' >&2; exit 3\n", "exit status 3 before it said hello");
        row("prints rubbish", "echo '<html>'; echo '{\"jsonrpc\": '; exit 1\n", "exit status 1 before it said hello");
        row("speaks another version", FakeWorkers::fakeCommand("python", "--behaviour other-version"), "version");
        row("lacks what it measures",
            FakeWorkers::fakeCommand("python", pythonImplementations + "--behaviour no-device"), "no GPU is there",
            "It answers; nothing of it can be measured here.");
    }

    void aPythonThatFailsCostsItsOwnImplementations()
    {
        QFETCH(QString, script);
        QFETCH(QString, reason);
        QFETCH(QString, inSettings);
        FakeWorkers workers("--rate 400");
        if (!script.isEmpty())
            workers.writePython(script);
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        for (const char *id : {"pytorch", "pytorch-compile", "pytorch-cpu", "triton", "triton-tuned"}) {
            const QModelIndex row = rowOf(*window.plan(), id);
            QVERIFY2(row.data(PlanModel::ProblemRole).toString().contains(reason),
                     qPrintable(row.data(PlanModel::ProblemRole).toString()));
            QCOMPARE(row.data(Qt::ToolTipRole), row.data(PlanModel::ProblemRole));
        }
        QVERIFY2(window.log()->text().contains(reason), qPrintable(window.log()->text()));
        planSmallRun(window, {"cuda", "pytorch"});
        window.actions()->run->trigger();
        QVERIFY(waitForEnd(window));
        const auto &round = window.evidence()->at(0).evidence->results.first().rounds.first();
        QCOMPARE(round.implementations.keys(), QStringList({"cuda"}));
        QCOMPARE(round.implementations.value("cuda").state, evidence::State::Ok);
        // Settings say the same.
        window.actions()->settings->trigger();
        const auto *state = window.settingsDesk()->dialog()->findChild<QLabel *>("pythonState");
        QVERIFY2(state->text().contains(inSettings), qPrintable(state->text()));
        window.settingsDesk()->dialog()->reject();
    }

    void aLoginBannerIsSkippedAndLogged()
    {
        FakeWorkers workers;
        workers.writePython("echo 'Welcome to gpu01'\n" + FakeWorkers::fakeCommand("python", pythonImplementations));
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        QVERIFY(rowOf(*fixture.window.plan(), "pytorch").flags() & Qt::ItemIsUserCheckable);
        QCOMPARE(fixture.window.log()->text().count("Welcome to gpu01"), 1);
        // When Settings ask it as well.
        fixture.window.actions()->settings->trigger();
        SettingsDialog *dialog = fixture.window.settingsDesk()->dialog();
        emit dialog->python()->askRequested();
        QVERIFY(!fixture.window.runDesk()->isFree());
        QVERIFY(QTest::qWaitFor([&] { return fixture.window.runDesk()->isFree(); }, 30'000));
        QCOMPARE(fixture.window.log()->text().count("Welcome to gpu01"), 2);
        dialog->reject();
    }

    void whileSettingsAskNothingRuns()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        MainWindow &window = fixture.window;
        QVERIFY(window.actions()->run->isEnabled());
        workers.writePython("exec sleep 100\n");
        window.actions()->settings->trigger();
        emit window.settingsDesk()->dialog()->python()->askRequested();
        QVERIFY(!window.actions()->run->isEnabled());
        QVERIFY2(headerText(window).contains("Run waits"), qPrintable(headerText(window)));
        window.settingsDesk()->dialog()->reject();
        QVERIFY(window.actions()->run->isEnabled());
        QVERIFY(!headerText(window).contains("Run waits"));
    }

    void aNameThatALaterVersionTookIsKeptAndShown()
    {
        FakeWorkers workers;
        const QTemporaryDir directory;
        const QString file = directory.filePath("settings.ini");
        {
            QSettings store(file, QSettings::IniFormat);
            SessionSettings(store).setWorkers({{}, {}, {{"cusparse", "/mine", {}}, {"good", "/good", {}}}});
        }
        WindowFixture fixture(file);
        QVERIFY(fixture.begin());
        QCOMPARE(fixture.window.runDesk()->workers().externals, (QList<run::ExternalProgram>{{"good", "/good", {}}}));
        fixture.window.actions()->settings->trigger();
        SettingsDialog *dialog = fixture.window.settingsDesk()->dialog();
        QCOMPARE(dialog->programs()->model()->rowCount(), 2);
        QVERIFY(dialog->programs()->model()->problem(0).contains("has an implementation of that name"));
        QVERIFY(!dialog->applyButton()->isEnabled());
        QVERIFY(dialog->programs()->model()->setData(dialog->programs()->model()->index(0, 0), "mine", Qt::EditRole));
        dialog->accept();
        QCOMPARE(fixture.window.runDesk()->workers().externals.size(), 2);
    }

    void oneGpuOfTwoWorkersIsOneDevice()
    {
        FakeWorkers workers;
        workers.writePython(FakeWorkers::fakeCommand("python", pythonImplementations));
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        const auto *devices = fixture.window.header()->findChild<QComboBox *>();
        QCOMPARE(devices->count(), 1);
        QCOMPARE(devices->currentText(), QStringLiteral("Fake GPU"));
    }

    void aLongPreparationShowsItsTimeAndWhatTheWorkerSaysAndCanBeStopped()
    {
        FakeWorkers workers;
        workers.writePython("echo 'tuning: 3 of 12' >&2\n" +
                            FakeWorkers::fakeCommand("python", pythonImplementations + "--behaviour hang-in-prepare"));
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        planSmallRun(window, {"triton-tuned"});
        window.actions()->run->trigger();
        const auto shows = [&](const QString &text) { return headerText(window).contains(text); };
        QVERIFY(QTest::qWaitFor([&] { return shows("prepare") && shows("so far"); }, 30'000));
        const auto *bar = window.header()->findChild<QProgressBar *>();
        const QString described = bar->accessibleDescription(); // of the subject, not of each second of it
        QVERIFY2(described.contains("prepare") && !described.contains("so far"), qPrintable(described));
        window.header()->showWorkerLine("python worker: tuning: 4 of 12");
        QCOMPARE(bar->accessibleDescription(), described);
        QVERIFY(shows("prepare: python worker: tuning: 4 of 12"));
        window.actions()->stop->trigger();
        QVERIFY(shows("Stopping the preparation"));
        QVERIFY(waitForEnd(window));
        QVERIFY(window.log()->text().contains("tuning: 3 of 12"));
        QVERIFY(!shows("so far"));
    }

    void whatAUserHasCollapsedStaysSoAfterAnotherSurvey()
    {
        FakeWorkers workers("--behaviour no-device");
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        QTreeView *tree = window.planDock()->tree();
        const QModelIndex gelu = window.plan()->index(1, 0);
        QVERIFY(tree->isExpanded(gelu));
        tree->collapse(gelu);
        window.actions()->surveyAgain->trigger();
        QVERIFY(QTest::qWaitFor([&] { return fixture.ready(); }, 30'000));
        QVERIFY(!tree->isExpanded(gelu));
        QVERIFY(tree->isExpanded(window.plan()->index(0, 0)));
        QVERIFY(!tree->isExpanded(rowOf(*window.plan(), "unavailable/*"))); // for those who ask
    }

    void aSurveyThatIsAskedForDuringAnotherOneComesAfterIt()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        window.show();
        window.begin({});
        QVERIFY(window.runDesk()->isSurveying());
        window.runDesk()->setWorkers({{}, {}, {{"late", "/not/there", {}}}});
        QVERIFY(QTest::qWaitFor([&] { return fixture.ready(); }, 60'000));
        QVERIFY(rowOf(*window.plan(), "late").isValid());
        QVERIFY(rowOf(*window.plan(), "cuda").flags() & Qt::ItemIsUserCheckable);
    }
};

QTEST_MAIN(tst_WindowPrograms)
#include "tst_windowprograms.moc"
