// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "programruns.h"

#include <nlohmann/json.hpp>
#include <QScopeGuard>
#include <QTest>

// `stagecraft doctor` as a process, with the real host worker and a fake CUDA worker.
class tst_DoctorProgram : public QObject
{
    Q_OBJECT

private slots:
    void doctorListsThePythonThatIsChosen()
    {
        FakeWorkers workers;
        workers.write("stagecraft-worker-external", FakeWorkers::fakeCommand("external", "--implementation rust"));
        workers.write("chosen-python", FakeWorkers::fakeCommand("python", "--implementation pytorch"));
        const ProgramResult text =
            stagecraft_({"doctor", "--python", workers.path() + "/chosen-python", "--external", "rust=sh"});
        QVERIFY2(text.status == 0, qPrintable(text.all()));
        QVERIFY2(text.out.contains("python worker (chosen-python worker.py)"), qPrintable(text.out));
        QVERIFY2(text.out.contains("external/rust worker (stagecraft-worker-external rust sh)"), qPrintable(text.out));
        const auto python = text.out.indexOf("python worker");
        QVERIFY2(text.out.indexOf("pytorch", python) > python, qPrintable(text.out));
        const ProgramResult json =
            stagecraft_({"doctor", "--format", "json", "--python", workers.path() + "/nowhere/python"});
        QCOMPARE(json.status, 0);
        const auto document = nlohmann::json::parse(json.out.toStdString());
        QVERIFY(document["workers"][2]["worker"] == "python" && document["workers"][2]["answered"] == false);
        QCOMPARE(QString::fromStdString(document["workers"][2]["reason"]),
                 QStringLiteral("the Python interpreter %1/nowhere/python is not there").arg(workers.path()));
        // A program that nothing was asked of has passed nothing.
        const auto external = text.out.indexOf("external/rust worker");
        QVERIFY2(text.out.indexOf("not run here", external) > external, qPrintable(text.out));
        QVERIFY2(!text.out.mid(external).contains("passed"), qPrintable(text.out));
    }

    void doctorTellsEverything()
    {
        FakeWorkers workers("--behaviour no-device");
        const ProgramResult text = stagecraft_({"doctor"});
        QVERIFY2(text.status == 0, qPrintable(text.all()));
        for (const char *word :
             {"host worker (stagecraft-worker-host)", "cuda worker (stagecraft-worker-cuda)", "self test", "passed",
              "unavailable: no GPU is there", "what to do: install one", "python worker (python-fake worker.py)",
              "unavailable, as cuda above", "python-fake is not there"})
            QVERIFY2(text.out.contains(word), word);
        const ProgramResult json = stagecraft_({"doctor", "--format", "json"});
        QCOMPARE(json.status, 0);
        const auto document = nlohmann::json::parse(json.out.toStdString());
        QVERIFY(document["workers"].size() == 3);
        QVERIFY(document["workers"][0]["worker"] == "host");
        QVERIFY(document["workers"][1]["description"]["implementations"][0]["fix"] == "install one");
        QCOMPARE(stagecraft_({"doctor", "--format", "xml"}).status, 2);
    }

    void doctorSaysWhetherCountersAreToBeHad_data()
    {
        QTest::addColumn<QString>("behaviour");
        QTest::addColumn<bool>("available");
        QTest::addColumn<QString>("text");
        QTest::newRow("there") << "counters" << true << "hardware counters   cupti\n";
        QTest::newRow("refused")
            << "counters-refused" << false
            << "unavailable: the made-up driver refuses counters\n                      what to do: "
               "ask it nicely";
        QTest::newRow("dies of them") << "counters-ask-kill" << false << "SIGKILL";
    }
    void doctorSaysWhetherCountersAreToBeHad()
    {
        QFETCH(QString, behaviour);
        QFETCH(bool, available);
        QFETCH(QString, text);
        FakeWorkers workers("--behaviour " + behaviour);
        const ProgramResult plain = stagecraft_({"doctor"});
        QVERIFY2(plain.status == 0, qPrintable(plain.all()));
        QVERIFY2(plain.out.contains(text), qPrintable(plain.out));
        QCOMPARE(plain.out.count("hardware counters"), 1);               // of the GPU's worker alone
        QVERIFY2(plain.out.contains("Fake GPU"), qPrintable(plain.out)); // the report before is not lost
        const ProgramResult json = stagecraft_({"doctor", "--format", "json"});
        QCOMPARE(json.status, 0);
        const auto document = nlohmann::json::parse(json.out.toStdString());
        QVERIFY(!document["workers"][0]["description"].contains("counters"));
        QVERIFY(document["workers"][1]["description"]["counters"]["available"] == available);
    }

    void doctorSaysWhereTheDisassemblerIs()
    {
        FakeWorkers workers;
        workers.write("nvdisasm", "exit 0");
        const QByteArray path = qgetenv("PATH");
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        qputenv("PATH", workers.path().toUtf8() + ':' + path);
        const QString program = workers.path() + "/nvdisasm";
        const ProgramResult text = stagecraft_({"doctor"});
        QVERIFY2(text.out.contains("Machine code\n  nvdisasm            " + program), qPrintable(text.out));
        const auto document = nlohmann::json::parse(stagecraft_({"doctor", "--format", "json"}).out.toStdString());
        QCOMPARE(QString::fromStdString(document["nvdisasm"]["path"]), program);
        QVERIFY(document["nvdisasm"]["available"] == true);
    }

    void doctorFailsWithTheHostWorker()
    {
        FakeWorkers workers;
        workers.remove("stagecraft-worker-host");
        const ProgramResult result = stagecraft_({"doctor"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.out.contains("not part of this build"), qPrintable(result.out));
    }

    void doctorGoesThroughAPrefix()
    {
        FakeWorkers workers;
        const ProgramResult result =
            stagecraft_({"doctor", "--worker", "env PATH=" + workers.path() + ":" + qEnvironmentVariable("PATH")});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.out.contains("Fake GPU"), qPrintable(result.out));
    }
};

QTEST_GUILESS_MAIN(tst_DoctorProgram)
#include "tst_doctorprogram.moc"
