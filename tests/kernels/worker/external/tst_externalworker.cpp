// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalfixture.h"

#include <QDir>
#include <QFile>
#include <QLibrary>

using namespace stagecraft;
using namespace external;

// What a sound external program gets, and what comes of it.
class ExternalWorkerTest : public QObject
{
    Q_OBJECT

private slots:
    void describesItself();
    void describesAProgramThatIsNotThere_data();
    void describesAProgramThatIsNotThere();
    void namesWhatCannotBeExecuted_data();
    void namesWhatCannotBeExecuted();
    void refusesWrongUsage();
    void measuresEveryOperation_data();
    void measuresEveryOperation();
    void runsTheExample();
    void takesNoEventsWithoutAGpu();
    void takesAnotherArithmetic();
    void takesPartInExactRuns();
    void showsTheProgramItsGpuAlone();
    void tellsOfWhatIsPrinted();
    void leavesTheSharedDirectoryAlone();
    void computesAMissingReference();
    void refusesUnsoundInputs_data();
    void refusesUnsoundInputs();
    void writesTheCheckedResult();
    void bracketsForAnotherInstrument();
    void refusesWhatIsNotItsOwn_data();
    void refusesWhatIsNotItsOwn();
    void helpShowsTheExample();
};

namespace {

using Files = std::map<QString, QByteArray>;

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

Files filesIn(const QString &folder)
{
    Files files;
    for (const QString &name : QDir(folder).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden))
        files[name] = QFileInfo(folder, name).isDir() ? "a folder" : contentOf(folder + "/" + name);
    return files;
}

void writeInputs(const QTemporaryDir &folder, const char *operation, const operations::Dims &dims)
{
    operations::writeInputDirectory(folder.path().toStdString(),
                                    operations::generateInputs(*operations::findOperation(operation), dims, 1), 25,
                                    100);
}

} // namespace

void ExternalWorkerTest::describesItself()
{
    WorkerClient client;
    startOdd(client, {});
    QCOMPARE(client.hello().worker, std::string("external"));
    const auto description = client.get<DescribeResult>(method::describe);
    QVERIFY2(description.selfTest.passed, description.selfTest.reason.c_str());
    QVERIFY(description.devices.empty());
    QCOMPARE(description.implementations.size(), std::size_t{1});
    const auto &implementation = description.implementations.front();
    QCOMPARE(implementation.id, std::string("odd"));
    QVERIFY(implementation.available);
    QCOMPARE(implementation.timingSource, std::string("event"));
    QCOMPARE(implementation.operations,
             (std::vector<std::string>{"matmul", "gelu", "layernorm", "triangle", "neighbor"}));
    QCOMPARE(implementation.note, std::string("external program stagecraft-misbehaving-program"));
}

void ExternalWorkerTest::describesAProgramThatIsNotThere_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("reason");
    QTest::addRow("no file") << "/nowhere/harness"
                             << "the program harness does not exist";
    QTest::addRow("not on the PATH") << "no-such-harness"
                                     << "the program no-such-harness is in no folder of PATH";
    QTest::addRow("a folder") << "/usr/bin"
                              << "bin is a folder, not a program";
    QTest::addRow("not executable") << STAGECRAFT_SOURCE_DIR "/README.md"
                                    << "the program README.md cannot be executed";
}

void ExternalWorkerTest::describesAProgramThatIsNotThere()
{
    QFETCH(QString, program);
    QFETCH(QString, reason);
    WorkerClient client;
    start(client, {"odd", program});
    const auto implementation = client.get<DescribeResult>(method::describe).implementations.at(0);
    QVERIFY(!implementation.available);
    QCOMPARE(QString::fromStdString(implementation.reason), reason);
    QVERIFY(!implementation.fix.empty());
    const auto error = WorkerClient::errorOf(client.call(method::prepare, paramsFor("matmul", {3, 4, 5})));
    QCOMPARE(error.code, error::unavailable);
    QCOMPARE(QString::fromStdString(error.reason), reason);
}

void ExternalWorkerTest::namesWhatCannotBeExecuted_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::addRow("no #! line") << QByteArray("import sys\n")
                                << "harness.py is no program and has no #! line. What to do: name its interpreter "
                                   "first, as in python3 harness.py";
    QTest::addRow("empty") << QByteArray() << "harness.py is no program and has no #! line";
    QTest::addRow("no interpreter") << QByteArray("#! /nowhere/python4 -u\nimport sys\n")
                                    << "the interpreter python4 that the #! line of harness.py names is not there";
    QTest::addRow("Windows line ends") << QByteArray("#!/bin/sh\r\nexit 0\r\n")
                                       << "the #! line of harness.py ends with a carriage return";
    QTest::addRow("another machine") << QByteArray("\x7f"
                                                   "ELF\x02\x01\x01",
                                                   7) +
                                            QByteArray(100, '\0')
                                     << "harness.py is a program for another machine";
}

void ExternalWorkerTest::namesWhatCannotBeExecuted()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    QFile file(folder.filePath("harness.py"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    WorkerClient client;
    start(client, {"odd", file.fileName()});
    const auto error = WorkerClient::errorOf(client.call(method::prepare, paramsFor("matmul", {3, 4, 5})));
    QCOMPARE(error.code, error::unavailable);
    QVERIFY2(text(error).startsWith(said), qPrintable(text(error)));
}

void ExternalWorkerTest::refusesWrongUsage()
{
    for (const QStringList &arguments : {QStringList{}, QStringList{"odd"}, QStringList{"../odd", misbehaving()}}) {
        QProcess worker;
        worker.start(STAGECRAFT_BINARY_DIR "/bin/stagecraft-worker-external", arguments);
        QVERIFY(worker.waitForFinished());
        QCOMPARE(worker.exitCode(), 2);
        QVERIFY(worker.readAllStandardError().contains("usage: stagecraft-worker-external NAME PROGRAM"));
    }
}

void ExternalWorkerTest::measuresEveryOperation_data()
{
    QTest::addColumn<std::vector<std::int64_t>>("dims");
    QTest::addRow("matmul") << std::vector<std::int64_t>{3, 4, 5};
    QTest::addRow("gelu") << std::vector<std::int64_t>{3, 4};
    QTest::addRow("layernorm") << std::vector<std::int64_t>{3, 4};
    QTest::addRow("triangle") << std::vector<std::int64_t>{3, 4};
    QTest::addRow("neighbor") << std::vector<std::int64_t>{3, 4, 7};
}

void ExternalWorkerTest::measuresEveryOperation()
{
    QFETCH(std::vector<std::int64_t>, dims);
    WorkerClient client;
    startOdd(client, {});
    const auto prepared = client.get<PrepareResult>(method::prepare, paramsFor(QTest::currentDataTag(), dims));
    QCOMPARE(prepared.timingSource, std::string("event"));
    QCOMPARE(prepared.arithmetic, std::string("fp32"));
    QCOMPARE(prepared.note, std::string("external program stagecraft-misbehaving-program"));
    // The run of the preparation, then another one.
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{prepared.handle}).passed);
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{prepared.handle}).passed);
    const auto result = client.get<MeasureResult>(method::measure, MeasureParams{prepared.handle, 0, 2, 7});
    QCOMPARE(result.count, 7);
    QVERIFY(!result.cancelled);
    QCOMPARE(client.samples(), (std::vector<double>{10, 11, 12, 13, 14, 10, 11}));
    QCOMPARE(client.batches().front().handle, prepared.handle);
}

void ExternalWorkerTest::runsTheExample()
{
    WorkerClient client;
    start(client, {"example", program("stagecraft-example-program")});
    const auto prepared = client.get<PrepareResult>(method::prepare, paramsFor("matmul", {33, 17, 20}, "example"));
    QCOMPARE(prepared.timingSource, std::string("host")); // as its file says
    QCOMPARE(prepared.note, std::string("external program stagecraft-example-program"));
    const auto check = client.get<CheckResult>(method::check, CheckParams{prepared.handle});
    QVERIFY(check.passed);
    QCOMPARE(check.checkedElements, std::int64_t{33 * 17});
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{prepared.handle, 0, 3, 50}).count, 50);
    QCOMPARE(client.samples().size(), std::size_t{50});
    const auto other = WorkerClient::errorOf(client.call(method::prepare, paramsFor("gelu", {3, 4}, "example")));
    QCOMPARE(other.code, error::unavailable);
    QVERIFY2(text(other).contains("the program does not compute gelu (exit status 77)"), qPrintable(text(other)));
}

void ExternalWorkerTest::takesNoEventsWithoutAGpu()
{
    if (QFile::exists("/dev/nvidiactl") || QFile::exists("/dev/dxg") || QLibrary("cuda", 1).load())
        QSKIP("a GPU may be here");
    WorkerClient client;
    client.start("bin/stagecraft-worker-external", {"odd", misbehaving()}, QProcessEnvironment::systemEnvironment());
    QVERIFY(client.waitForHello());
    const auto error = WorkerClient::errorOf(client.call(method::prepare, paramsFor("matmul", {3, 4, 5})));
    QCOMPARE(error.code, error::invalid);
    QVERIFY2(text(error).startsWith("odd-timing.json: source: is missing, but there is no GPU here"),
             qPrintable(text(error)));
}

void ExternalWorkerTest::takesAnotherArithmetic()
{
    WorkerClient client;
    startOdd(client, {"set:/arithmetic=\"tf32\""});
    const auto prepared = client.get<PrepareResult>(method::prepare, paramsFor("matmul", {3, 4, 5}));
    QCOMPARE(prepared.arithmetic, std::string("tf32"));
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{prepared.handle, 0, 0, 3}).count, 3);

    auto exact = paramsFor("matmul", {3, 4, 5});
    exact.arithmetic = "fp32";
    const auto refused = WorkerClient::errorOf(client.call(method::prepare, exact));
    QCOMPARE(refused.code, error::unavailable);
    QCOMPARE(refused.reason, std::string("odd computes in tf32, fp32 was asked for"));
    QVERIFY2(refused.fix.find("--arithmetic any") != std::string::npos, refused.fix.c_str());
}

// What says nothing of its arithmetic computes in FP32, as the contract has it.
void ExternalWorkerTest::takesPartInExactRuns()
{
    WorkerClient client;
    startOdd(client, {});
    auto exact = paramsFor("matmul", {3, 4, 5});
    exact.arithmetic = "fp32";
    exact.cache = "warm";
    QCOMPARE(client.get<PrepareResult>(method::prepare, exact).arithmetic, std::string("fp32"));
}

void ExternalWorkerTest::showsTheProgramItsGpuAlone()
{
    const QTemporaryDir folder;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.remove("CUDA_VISIBLE_DEVICES");
    for (const char *list : {"", "6,4"}) {
        if (*list != '\0')
            environment.insert("CUDA_VISIBLE_DEVICES", list);
        WorkerClient client;
        startOdd(client, {"visible:" + folder.filePath("devices")}, environment);
        auto params = paramsFor("matmul", {3, 4, 5});
        params.device = 1;
        client.get<PrepareResult>(method::prepare, params);
        QCOMPARE(contentOf(folder.filePath("devices")), QByteArray(*list == '\0' ? "1" : "4"));
    }
}

// While the program runs: whoever waits knows then that it does not hang.
void ExternalWorkerTest::tellsOfWhatIsPrinted()
{
    const QTemporaryDir folder;
    WorkerClient client;
    startOdd(client, {"prints:" + folder.filePath("go-on")});
    const auto asked = client.send(method::prepare, paramsFor("matmul", {3, 4, 5}));
    QVERIFY(client.waitForLog("the program odd runs and prints, for 1 s"));
    QFile goOn(folder.filePath("go-on"));
    QVERIFY(goOn.open(QIODevice::WriteOnly));
    WorkerClient::resultOf(client.waitFor(asked));
}

void ExternalWorkerTest::leavesTheSharedDirectoryAlone()
{
    const QTemporaryDir folder;
    writeInputs(folder, "neighbor", {5, 3, 11});
    const Files before = filesIn(folder.path());
    WorkerClient client;
    startOdd(client, {});
    auto params = paramsFor("neighbor", {5, 3, 11});
    params.directory = folder.path().toStdString();
    const auto handle = client.get<PrepareResult>(method::prepare, params).handle;
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{handle}).passed);
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 2, 7}).count, 7);
    // The program's copy lies in a folder of its own, which goes with the handle.
    Files during = filesIn(folder.path());
    QCOMPARE(during.size(), before.size() + 1);
    for (const auto &[name, content] : before)
        QCOMPARE(during[name], content);
    client.get<nlohmann::json>(method::release, HandleParams{handle});
    QVERIFY(filesIn(folder.path()) == before);
}

void ExternalWorkerTest::computesAMissingReference()
{
    const QTemporaryDir folder;
    writeInputs(folder, "gelu", {5, 3});
    QVERIFY(QFile::remove(folder.filePath("reference.f64.bin")));
    QVERIFY(QFile::remove(folder.filePath("inputs.sha256.json")));
    auto params = paramsFor("gelu", {5, 3});
    params.directory = folder.path().toStdString();
    for (const char *fault : {"", "wrong"}) {
        WorkerClient client;
        startOdd(client, {fault});
        const auto handle = client.get<PrepareResult>(method::prepare, params).handle;
        const auto check = client.get<CheckResult>(method::check, CheckParams{handle});
        QCOMPARE(check.passed, *fault == '\0');
        QCOMPARE(check.reference, std::string("fp64"));
    }
}

void ExternalWorkerTest::refusesUnsoundInputs_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto words = [](std::vector<std::uint32_t> values) {
        return QByteArray(reinterpret_cast<const char *>(values.data()), qsizetype(values.size() * 4));
    };
    QTest::addRow("CSR rows") << "rowptr.bin" << words({0, 5, 4, 6, 7, 11}) << "rowptr.bin: element 2 is below";
    QTest::addRow("CSR end") << "rowptr.bin" << words({0, 1, 2, 3, 4, 5})
                             << "rowptr.bin: ends with 5, but there are 11";
    QTest::addRow("length") << "a.bin" << QByteArray("1234") << "a.bin: has 4 bytes, its dims need 60";
    QTest::addRow("input.json") << "input.json" << QByteArray("{") << "input.json: is not valid JSON";
    QTest::addRow("reference") << "reference.f64.bin" << QByteArray("12345678") << "reference.f64.bin: has 8 bytes";
}

// The program is not started at all: it would hang.
void ExternalWorkerTest::refusesUnsoundInputs()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    writeInputs(folder, "neighbor", {5, 3, 11});
    QFile damaged(folder.filePath(file));
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
    damaged.close();
    WorkerClient client;
    startOdd(client, {"hang", "pids:" + folder.filePath("pids")});
    auto params = paramsFor("neighbor", {5, 3, 11});
    params.directory = folder.path().toStdString();
    const auto error = WorkerClient::errorOf(client.call(method::prepare, params));
    QCOMPARE(error.code, error::invalid);
    QVERIFY2(text(error).contains(said), qPrintable(text(error)));
    QVERIFY(!QFile::exists(folder.filePath("pids")));
}

void ExternalWorkerTest::writesTheCheckedResult()
{
    const QTemporaryDir folder;
    WorkerClient client;
    startOdd(client, {});
    const CheckParams params{prepare(client), 0, folder.filePath("result.bin").toStdString()};
    QVERIFY(client.get<CheckResult>(method::check, params).passed);
    QCOMPARE(QFileInfo(folder.filePath("result.bin")).size(), 3 * 4 * 4);
}

void ExternalWorkerTest::bracketsForAnotherInstrument()
{
    const QTemporaryDir folder;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("CUDA_INJECTION64_PATH", STAGECRAFT_SOURCE_DIR "/README.md"); // any file will do
    environment.insert("STAGECRAFT_CAPTURE_DIRECTORY", folder.path());
    WorkerClient client;
    startOdd(client, {}, environment);
    const auto handle = prepare(client);
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 0, 3}).count, 3);
    QVERIFY(filesIn(folder.path()).empty());
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 0, 3, true}).count, 3);
    QCOMPARE(filesIn(folder.path()).size(), std::size_t{1});
}

void ExternalWorkerTest::refusesWhatIsNotItsOwn_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    QTest::addRow("implementation") << QByteArray("prepare")
                                    << QByteArray(
                                           R"({"operation":"gelu","dims":[1,1],"seed":1,"implementation":"cuda"})")
                                    << error::unavailable << "has no implementation \"cuda\"";
    QTest::addRow("stage")
        << QByteArray("prepare")
        << QByteArray(R"({"operation":"gelu","dims":[1,1],"seed":1,"implementation":"odd","stage":"gelu/x"})")
        << error::unavailable << "has no stages";
    QTest::addRow("cold cache")
        << QByteArray("prepare")
        << QByteArray(R"({"operation":"gelu","dims":[1,1],"seed":1,"implementation":"odd","cache":"cold"})")
        << error::unavailable << "cold: an external program decides itself which memory it reads";
    QTest::addRow("cache") << QByteArray("prepare")
                           << QByteArray(
                                  R"({"operation":"gelu","dims":[1,1],"seed":1,"implementation":"odd","cache":"c"})")
                           << error::invalid << "cache: there is no \"c\"";
    QTest::addRow("floors") << QByteArray("floors") << QByteArray(R"({"operations":[]})") << error::unavailable
                            << "no benchmark of floors";
    QTest::addRow("dims") << QByteArray("prepare")
                          << QByteArray(R"({"operation":"gelu","dims":[1],"seed":1,"implementation":"odd"})")
                          << error::invalid << "2 dimensions";
    QTest::addRow("compile") << QByteArray("compile")
                             << QByteArray(
                                    R"({"operation":"gelu","stage":"gelu/x","architecture":"sm_90","dims":[1,1]})")
                             << error::unavailable << "compiles no stages";
    QTest::addRow("handle") << QByteArray("check") << QByteArray(R"({"handle":9})") << error::invalid << "handle 9";
}

void ExternalWorkerTest::refusesWhatIsNotItsOwn()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, params);
    QFETCH(QString, said);
    WorkerClient client;
    startOdd(client, {});
    const auto error = WorkerClient::errorOf(client.call(method, nlohmann::json::parse(params.toStdString())));
    QTEST(error.code, "code");
    QVERIFY2(text(error).contains(said), qPrintable(text(error)));
}

void ExternalWorkerTest::helpShowsTheExample()
{
    const QByteArray page = contentOf(STAGECRAFT_SOURCE_DIR "/resources/help/external-programs.md");
    const QByteArray example = contentOf(STAGECRAFT_SOURCE_DIR "/tests/kernels/worker/external/exampleprogram.cpp");
    const qsizetype begin = page.indexOf("```cpp\n") + 7;
    QVERIFY(begin >= 7);
    QCOMPARE(page.mid(begin, page.indexOf("```\n", begin) - begin), example);
}

QTEST_GUILESS_MAIN(ExternalWorkerTest)
#include "tst_externalworker.moc"
