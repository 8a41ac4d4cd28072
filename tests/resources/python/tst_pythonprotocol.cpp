// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputs.h"
#include "workerclient.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::protocol;

namespace {

constexpr auto findTorch = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)";
constexpr auto launcher = "bin/stagecraft-worker-python";

// Debian's packages are for Debian's own interpreter, which need not be the first on the path. Empty: none has PyTorch.
QString pythonWithTorch()
{
    for (const QString &python :
         {qEnvironmentVariable("STAGECRAFT_TEST_PYTHON"), QString("python3"), QString("/usr/bin/python3")}) {
        if (!python.isEmpty() && QProcess::execute(python, {"-c", findTorch}) == 0)
            return python;
    }
    return {};
}

} // namespace

// The Python worker seen with the program's own eyes: every message is one of messages.h, and the directory that the
// program writes is the one that the worker reads.
class PythonProtocolTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void describesItself();
    void readsWhatTheProgramWrites_data();
    void readsWhatTheProgramWrites();
    void makesTheSameInputs();
    void streamsSamples();
    void errorsAreErrors();
    void showsRanges();

private:
    void start(WorkerClient &client, const QProcessEnvironment &environment = {});

    QString m_python;
};

void PythonProtocolTest::initTestCase()
{
    m_python = pythonWithTorch();
    if (m_python.isEmpty())
        QSKIP("no Python here has PyTorch (apt-get install python3-torch)");
}

void PythonProtocolTest::start(WorkerClient &client, const QProcessEnvironment &environment)
{
    client.start(launcher, {m_python}, environment);
    QVERIFY(client.waitForHello());
    QCOMPARE(client.hello().worker, std::string("python"));
}

void PythonProtocolTest::describesItself()
{
    WorkerClient client;
    start(client);
    const auto description = client.get<DescribeResult>(method::describe, DescribeParams{0});
    QCOMPARE(description.worker, std::string("python"));
    QCOMPARE(description.protocol, version);
    QVERIFY(description.selfTest.passed);
    QStringList ids;
    for (const Implementation &implementation : description.implementations) {
        ids << QString::fromStdString(implementation.id);
        QCOMPARE(implementation.operations.size(), operations::catalogue().size());
        QCOMPARE(implementation.arithmetic, std::string("fp32"));
        QVERIFY(implementation.available != !implementation.reason.empty());
    }
    QCOMPARE(ids, (QStringList{"pytorch", "pytorch-compile", "pytorch-cpu", "triton", "triton-tuned"}));
    QVERIFY(client.problems().isEmpty());
}

void PythonProtocolTest::readsWhatTheProgramWrites_data()
{
    QTest::addColumn<operations::Dims>("dims");
    QTest::addRow("matmul") << operations::Dims{65, 33, 47};
    QTest::addRow("gelu") << operations::Dims{7, 129};
    QTest::addRow("layernorm") << operations::Dims{7, 129};
    QTest::addRow("triangle") << operations::Dims{17, 5};
    QTest::addRow("neighbor") << operations::Dims{50, 7, 130};
}

void PythonProtocolTest::readsWhatTheProgramWrites()
{
    QFETCH(operations::Dims, dims);
    const QTemporaryDir directory;
    const auto inputs = operations::generateInputs(*operations::findOperation(QTest::currentDataTag()), dims, 3);
    operations::writeInputDirectory(directory.path().toStdString(), inputs, 1, 2);
    WorkerClient client;
    start(client);
    PrepareParams params;
    params.operation = inputs.operation;
    params.dims = dims;
    params.seed = inputs.seed;
    params.sha256 = operations::hashes(inputs);
    params.directory = directory.path().toStdString();
    params.implementation = "pytorch-cpu";
    const auto prepared = client.get<PrepareResult>(method::prepare, params);
    QCOMPARE(prepared.timingSource, std::string("host"));
    QVERIFY(prepared.launches.empty());
    const QString output = directory.filePath("out.bin");
    const auto checked = client.get<CheckResult>(method::check, CheckParams{prepared.handle, 0, output.toStdString()});
    QVERIFY(checked.passed);
    QVERIFY(checked.maxAbsError && checked.relError);
    QCOMPARE(QFile(output).size(), checked.checkedElements * 4);
}

void PythonProtocolTest::makesTheSameInputs()
{
    WorkerClient client;
    start(client);
    for (const operations::Operation &operation : operations::catalogue()) {
        PrepareParams params;
        params.operation = operation.id;
        params.dims = operations::Dims(operation.dimNames.size(), 9);
        params.seed = 20260910;
        params.sha256 = operations::hashes(operations::generateInputs(operation, params.dims, params.seed));
        params.implementation = "pytorch-cpu";
        client.get<PrepareResult>(method::prepare, params);
    }
}

void PythonProtocolTest::streamsSamples()
{
    WorkerClient client;
    start(client);
    const auto handle = client.prepare("gelu", {5, 9}, "pytorch-cpu");
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 3, 200}).count, 200);
    QCOMPARE(client.samples().size(), std::size_t{200});
    QVERIFY2(client.problems().isEmpty(), qPrintable(client.problems().join('\n')));
}

void PythonProtocolTest::errorsAreErrors()
{
    WorkerClient client;
    start(client);
    const auto unknown = WorkerClient::errorOf(client.call(method::measure, MeasureParams{7, 0, 0, 1}));
    QCOMPARE(unknown.code, error::invalid);
    QVERIFY(!unknown.fix.empty());
    const auto compile =
        WorkerClient::errorOf(client.call(method::compile, CompileParams{"matmul", "tiled", "sm_90", {}}));
    QCOMPARE(compile.code, error::unavailable);
    const auto nothing = WorkerClient::errorOf(client.call("explain"));
    QCOMPARE(QString::fromStdString(nothing.message), "method not found");
}

// Through the capture library, which is how Python gets to NVTX.
void PythonProtocolTest::showsRanges()
{
#ifdef STAGECRAFT_NVTX_INJECTION
    const QTemporaryDir directory;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("NVTX_INJECTION64_PATH", STAGECRAFT_NVTX_INJECTION);
    environment.insert("STAGECRAFT_TEST_NVTX_LOG", directory.filePath("log"));
    WorkerClient client;
    start(client, environment);
    const auto handle = client.prepare("gelu", {2, 3}, "pytorch-cpu");
    client.get<MeasureResult>(method::measure, MeasureParams{handle, 1, 0, 2});
    client.call(method::shutdown);
    QVERIFY(client.waitForEnd());
    QFile log(directory.filePath("log"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(log.readAll()).trimmed().split('\n'),
             (QStringList{"domain stagecraft", "push stagecraft 0 gelu", "push stagecraft 1 pytorch-cpu",
                          "push stagecraft 2 round 2", "push stagecraft 3 spans", "pop stagecraft 3",
                          "pop stagecraft 2", "pop stagecraft 1", "pop stagecraft 0"}));
#else
    QSKIP("the capture library or NVTX's headers are not part of this build");
#endif
}

QTEST_GUILESS_MAIN(PythonProtocolTest)
#include "tst_pythonprotocol.moc"
