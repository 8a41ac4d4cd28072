// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "pythonpanel.h"
#include "settingsdialog.h"
#include "workerprocess.h"

#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

using namespace stagecraft;
using namespace stagecraft::window;

// What Settings ask a Python, without a window around them: every worker process here is one of the dialog's.
class tst_SettingsQuestions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void aQuestionThatIsNotNeededAnyMoreEndsByItself()
    {
        FakeWorkers workers;
        const QString pid = workers.path() + "/python-pid";
        workers.writePython(QStringLiteral("echo $$ > '%1.part'; mv '%1.part' '%1'; exec sleep 100\n").arg(pid));
        const auto processes = [] { return qApp->findChildren<run::WorkerProcess *>().size(); };
        SettingsDialog dialog({});
        const QSignalSpy asking(&dialog, &SettingsDialog::askingChanged);
        dialog.begin(nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(pid), 30'000);
        QCOMPARE(asking.size(), 1);
        QCOMPARE(processes(), 0);
        dialog.setMayAsk(false); // a run starts
        QCOMPARE(asking.size(), 2);
        QCOMPARE(processes(), 1); // nobody waits for it
        const auto *state = dialog.findChild<QLabel *>("pythonState");
        QVERIFY(state->text().startsWith("A run is in progress"));
        QTRY_COMPARE_WITH_TIMEOUT(processes(), 0, 30'000);
        QFile file(pid);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(::kill(file.readAll().trimmed().toInt(), 0) != 0);
        dialog.setMayAsk(true);
        QCOMPARE(state->text(), QStringLiteral("Asking…"));
    }

    void theRealPythonWorkerSaysWhatItIs()
    {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("there is no python3");
        FakeWorkers workers;
        qunsetenv("STAGECRAFT_PYTHON");
        SettingsDialog dialog({});
        const auto *state = dialog.findChild<QLabel *>("pythonState");
        dialog.begin(nullptr);
        QCOMPARE(state->text(), QStringLiteral("Asking…"));
        QVERIFY(QTest::qWaitFor([&] { return state->text() != "Asking…"; }, 90'000));
        QStringList texts;
        for (const QLabel *label : dialog.python()->findChildren<QLabel *>())
            texts.append(label->text());
        QVERIFY2(texts.contains("Python"), qPrintable(texts.join(' ')));
        QVERIFY2(texts.contains("PyTorch"), qPrintable(texts.join(' ')));
    }
};

QTEST_MAIN(tst_SettingsQuestions)
#include "tst_settingsquestions.moc"
