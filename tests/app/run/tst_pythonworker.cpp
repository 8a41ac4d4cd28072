// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfixture.h"
#include "workercommand.h"

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

namespace {

const QString hello = R"(echo '{"jsonrpc":"2.0","method":"hello","params":{"protocol":1,"worker":"python"}}')"
                      "\nread request\n";

// The answer to describe of an interpreter that has no PyTorch.
const QString withoutTorch =
    R"(echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"worker":"python","worker_version":"0","platform":"Linux",)"
    R"("devices":[],"libraries":[{"name":"Python","version":"3.11","available":true}],"implementations":[)"
    R"({"id":"pytorch","operations":["matmul"],"available":false,"reason":"No module named torch",)"
    R"("fix":"python3 -m pip install torch","timing_source":"event"}],)"
    R"("capture":{"available":false,"reason":"no GPU"},"self_test":{"passed":true}}}')"
    "\nread shutdown\n";

const QString errorAnswer =
    R"(echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no","data":{"reason":"no disk"}}}')"
    "\nread more\n";

} // namespace

// Pythons of every kind, as real processes: whatever is wrong with one is said of its implementations, and the rest of
// the run goes on.
class tst_PythonWorker : public QObject
{
    Q_OBJECT

private slots:
    void whatIsWrongIsUnavailableAndTheRestRuns_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *name, const QString &script, const QStringList &words) {
            QTest::newRow(name) << script << words;
        };
        row("dies at import", "echo 'ModuleNotFoundError: No module named json' >&2\nexit 1\n",
            {"python-fake worker.py ended with exit status 1 before it said hello", "ModuleNotFoundError",
             "What to do"});
        row("prints rubbish and ends", "echo rubbish\nexit 0\n", {"exit status 0 before it said hello", "rubbish"});
        row("prints rubbish without end", "exec yes rubbish\n", {"printed more than 256 KiB and said no hello"});
        row("prints zeros without end", "exec cat /dev/zero\n", {"printed more than 256 KiB and said no hello"});
        row("is killed", "kill -SEGV $$\n", {"SIGSEGV (11)"});
        row("is silent", "exec sleep 1000\n", {"did not say hello within 2 s", "without asking for a password"});
        row("speaks another version",
            R"(echo '{"jsonrpc":"2.0","method":"hello","params":{"protocol":999,"worker":"python"}}')"
            "\nread request\n",
            {"speaks protocol version 999", "same version"});
        row("dies when PyTorch is imported", hello + "echo 'ImportError: libcudart.so.13' >&2\nexit 1\n",
            {"during describe", "ImportError: libcudart.so.13"});
        row("answers rubbish", hello + "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}'\nread more\n",
            {"broke the protocol", "result: expected an object, found array"});
        row("answers with an error", hello + errorAnswer, {"no disk"});
        row("has no torch", hello + withoutTorch, {"No module named torch", "python3 -m pip install torch"});
    }

    void whatIsWrongIsUnavailableAndTheRestRuns()
    {
        QFETCH(QString, script);
        QFETCH(QStringList, words);
        FakeWorkers workers;
        workers.writePython(script);
        runWithHost(workers, words);
    }

    void anInterpreterThatIsNotThere()
    {
        FakeWorkers workers;
        runWithHost(workers, {"the Python interpreter python-fake is not there", "--python PATH"});
    }

    void anInterpreterThatMayNotBeExecuted()
    {
        FakeWorkers workers;
        workers.writePython({});
        QFile::setPermissions(workers.python(), QFile::ReadOwner);
        runWithHost(workers, {"the Python interpreter python-fake may not be executed"});
    }

    void anInterpreterThatCannotStart()
    {
        FakeWorkers workers;
        QFile file(workers.python());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/nowhere/python3\n") > 0);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        runWithHost(workers, {"python-fake worker.py could not be started", "What to do"});
    }

    void aBannerBeforeItsHelloIsSkipped()
    {
        FakeWorkers workers;
        workers.writePython("echo 'Welcome to gpu01'\nprintf 'no line end'\n" +
                            FakeWorkers::fakeCommand("python", "--behaviour banner --implementation pytorch"));
        const RunOutcome run = runToEnd(smallPlan(workers, {"pytorch", "host"}));
        QVERIFY2(run.outcome == Outcome::Completed, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.measurement(0, 2, "pytorch").state, State::Ok);
        QCOMPARE(run.evidence.gpu, QString("Fake GPU"));
        QVERIFY2(run.log.join('\n').contains("python worker: Welcome to gpu01"), qPrintable(run.log.join('\n')));
    }

    // The interpreter is started with the resources' worker.py, and with nothing else.
    void theScriptIsTheResources()
    {
        FakeWorkers workers;
        workers.writePython({});
        WorkerSetup setup;
        const WorkerCommand command = workerCommand("python", setup);
        QCOMPARE(command.program, workers.python());
        QCOMPARE(command.arguments.size(), 1);
        QVERIFY2(command.arguments[0].endsWith("share/stagecraft/python/worker.py"), qPrintable(command.arguments[0]));
        QCOMPARE(command.shown, QString("python-fake worker.py"));
        setup.python = "sh"; // by name, on the PATH; it comes before STAGECRAFT_PYTHON
        QVERIFY(workerCommand("python", setup).program.endsWith("/sh"));
        setup.prefix = {"ssh", "gpu01"};
        setup.python = "/opt/venv/bin/python";
        QCOMPARE(workerCommand("python", setup).arguments,
                 QStringList({"gpu01", "stagecraft-worker-python", "/opt/venv/bin/python"}));
        setup.python.clear(); // what the environment says is about this machine
        QCOMPARE(workerCommand("python", setup).arguments, QStringList({"gpu01", "stagecraft-worker-python"}));
    }

    // A launcher that gives each worker a machine of its own.
    void anotherGpuIsNoSeriesWithTheRuns()
    {
        FakeWorkers workers;
        workers.writePython(FakeWorkers::fakeCommand("python", "--implementation pytorch --gpu 'Other GPU'"));
        const RunOutcome run = runToEnd(smallPlan(workers, {"cuda", "pytorch"}));
        QCOMPARE(run.evidence.gpu, QString("Fake GPU"));
        QCOMPARE(run.measurement(0, 0, "cuda").state, State::Ok);
        const evidence::Measurement pytorch = run.measurement(0, 0, "pytorch");
        QCOMPARE(pytorch.state, State::Unavailable);
        QVERIFY2(pytorch.reason.contains("the python worker runs on Other GPU, and the run measures on Fake GPU"),
                 qPrintable(pytorch.reason));
    }

private:
    static void runWithHost(const FakeWorkers &workers, const QStringList &words)
    {
        RunPlan plan = smallPlan(workers, {"pytorch", "host"});
        plan.measurementTimeLimitMs = 2000;
        const RunOutcome run = runToEnd(plan);
        QVERIFY2(run.outcome == Outcome::CompletedWithFailures, qPrintable(run.message + run.log.join('\n')));
        QCOMPARE(run.fatalProblems(), QString());
        for (int round = 0; round < 3; ++round) {
            const evidence::Measurement pytorch = run.measurement(0, round, "pytorch");
            QVERIFY2(pytorch.state == State::Unavailable, qPrintable(pytorch.reason));
            for (const QString &word : words)
                QVERIFY2(pytorch.reason.contains(word), qPrintable(pytorch.reason));
            QVERIFY2(!pytorch.reason.contains(workers.path()), qPrintable(pytorch.reason));
            QCOMPARE(run.measurement(0, round, "host").state, State::Ok);
        }
    }
};

QTEST_GUILESS_MAIN(tst_PythonWorker)
#include "tst_pythonworker.moc"
