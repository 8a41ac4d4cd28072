// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "programfixture.h"
#include "reference.h"
#include "workerclient.h"

#include <QTemporaryDir>

using namespace stagecraft;
using fixtures::Outcome;
using fixtures::runStagecraft;
using nlohmann::json;

// `stagecraft target`: the measured program of a harness that writes an input directory and reads two files back.
class TestTargetProgram : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void writesBothFiles();
    void obeysTheCommandLine();
    void takesAnotherHarnesssDirectory();
    void computesEveryOperation_data();
    void computesEveryOperation();
    void withoutAGpuTheWayOutIsNamed();
    void refusesTheDirectory_data();
    void refusesTheDirectory();
    void refusesWrongUsage_data();
    void refusesWrongUsage();
    void givesAWrongResultNoTiming();
    void leavesNoFileOfAnEarlierRun();
    void namesWhatTheWorkerDid_data();
    void namesWhatTheWorkerDid();
    void looksForTheResultItself();
    void bracketsOnlyWhereAsked();
    void runsTheStageThatIsNamed();
    void runsInThePythonThatIsNamed();
    void isAnExternalProgramItself();

private:
    void writeInputs(const char *operation, const operations::Dims &dims);
    void overwrite(const QString &name, const QByteArray &content);
    QString inputs() const { return m_folder->filePath("inputs"); }
    QString file(const QString &name) const { return inputs() + "/" + name; }
    QByteArray content(const QString &name) const;
    json timing(const QString &name) const { return json::parse(content(name + "-timing.json").toStdString()); }
    bool isThere(const QString &name) const { return QFile::exists(file(name)); }
    Outcome onHost(const QStringList &options = {}) const
    {
        return runStagecraft(QStringList{"target", inputs(), "--implementation", "host"} + options);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestTargetProgram::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    writeInputs("matmul", {8, 6, 5});
}

void TestTargetProgram::writeInputs(const char *operation, const operations::Dims &dims)
{
    operations::writeInputDirectory(inputs().toStdString(),
                                    operations::generateInputs(*operations::findOperation(operation), dims, 1), 3, 7);
}

void TestTargetProgram::overwrite(const QString &name, const QByteArray &content)
{
    QFile stored(file(name));
    QVERIFY(stored.open(QIODevice::WriteOnly) && stored.write(content) == content.size());
}

QByteArray TestTargetProgram::content(const QString &name) const
{
    QFile stored(file(name));
    return stored.open(QIODevice::ReadOnly) ? stored.readAll() : QByteArray("{}");
}

void TestTargetProgram::writesBothFiles()
{
    const QByteArray manifest = content("input.json");
    const Outcome outcome = onHost();
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    QVERIFY2(outcome.out.startsWith("matmul 8x6x5, host: correct, 7 samples of "), qPrintable(outcome.out));
    QVERIFY(outcome.out.contains("stagecraft-output.bin, stagecraft-timing.json"));

    const QByteArray bytes = content("stagecraft-output.bin");
    QCOMPARE(bytes.size(), qsizetype(8 * 6 * sizeof(float)));
    const std::span result(reinterpret_cast<const float *>(bytes.constData()), 8 * 6);
    QVERIFY(operations::compare(result, operations::readReference(inputs().toStdString(), 8 * 6)).passed);

    const json written = timing("stagecraft");
    QCOMPARE(written.at("op").get<std::string>(), std::string("matmul"));
    QCOMPARE(written.at("dims").get<std::vector<int>>(), (std::vector<int>{8, 6, 5}));
    QCOMPARE(written.at("warmup").get<int>(), 3);
    QCOMPARE(written.at("iterations").get<int>(), 7);
    const auto samples = written.at("samples_us").get<std::vector<double>>();
    QCOMPARE(samples.size(), std::size_t{7});
    QVERIFY(std::ranges::all_of(samples, [](double us) { return us > 0; }));
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / 7;
    QVERIFY(qFuzzyCompare(written.at("event_mean_us").get<double>(), mean));
    QVERIFY(!written.at("run_id").get<std::string>().empty());
    QCOMPARE(written.at("source").get<std::string>(), std::string("host")); // not a GPU's, though the key says event
    QCOMPARE(content("input.json"), manifest);

    const std::string before = written.at("run_id");
    QCOMPARE(onHost().status, 0);
    QVERIFY(timing("stagecraft").at("run_id") != before);
}

void TestTargetProgram::obeysTheCommandLine()
{
    const Outcome outcome = onHost({"--iterations", "4", "--name", "Rust-2", "--capture"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    QVERIFY(isThere("Rust-2-output.bin") && !isThere("stagecraft-output.bin"));
    const json written = timing("Rust-2");
    QCOMPARE(written.at("iterations").get<int>(), 4);
    QCOMPARE(written.at("samples_us").size(), std::size_t{4});
    QCOMPARE(written.at("warmup").get<int>(), 3);
}

// Without a reference, hashes and counts of warm-up that are this project's, and with keys that it does not know.
void TestTargetProgram::takesAnotherHarnesssDirectory()
{
    QVERIFY(QFile::remove(file("reference.f64.bin")) && QFile::remove(file("inputs.sha256.json")));
    overwrite("input.json", R"({"op": "matmul", "dims": [8, 6, 5], "warmup": 0, "iterations": 2, "language": "any"})");
    const Outcome outcome = onHost();
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    QCOMPARE(timing("stagecraft").at("samples_us").size(), std::size_t{2});
}

void TestTargetProgram::computesEveryOperation_data()
{
    QTest::addColumn<std::vector<std::int64_t>>("dims");
    QTest::addRow("gelu") << std::vector<std::int64_t>{3, 4};
    QTest::addRow("layernorm") << std::vector<std::int64_t>{3, 4};
    QTest::addRow("triangle") << std::vector<std::int64_t>{3, 4};
    QTest::addRow("neighbor") << std::vector<std::int64_t>{5, 3, 11};
}

void TestTargetProgram::computesEveryOperation()
{
    QFETCH(std::vector<std::int64_t>, dims);
    writeInputs(QTest::currentDataTag(), dims);
    const Outcome outcome = onHost();
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    QCOMPARE(timing("stagecraft").at("op").get<std::string>(), std::string(QTest::currentDataTag()));
}

// The contract's shortest call: the directory alone.
void TestTargetProgram::withoutAGpuTheWayOutIsNamed()
{
    qputenv("CUDA_VISIBLE_DEVICES", "");
    const Outcome outcome = runStagecraft({"target", inputs()});
    qunsetenv("CUDA_VISIBLE_DEVICES");
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("What to do: ") && outcome.err.contains("`--implementation host`"),
             qPrintable(outcome.err));
    QVERIFY(!isThere("stagecraft-output.bin") && !isThere("stagecraft-timing.json"));
}

void TestTargetProgram::refusesTheDirectory_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, const char *name, const QByteArray &bytes, const char *said) {
        QTest::addRow("%s", title) << name << bytes << said;
    };
    row("damaged", "input.json", "{", "input.json: is not valid JSON");
    row("no operation", "input.json", "{}", "input.json: /op: expected");
    row("other operation", "input.json", R"({"op": "conv", "dims": [1]})", "no operation is named");
    row("dims", "input.json", R"({"op": "matmul", "dims": [8, 6]})", "input.json: /dims: ");
    row("dims of another size", "input.json", R"({"op": "matmul", "dims": [8, 6, 6], "warmup": 0, "iterations": 1})",
        "a.bin: has 160 bytes, its dims need 192");
    row("no iterations", "input.json", R"({"op": "matmul", "dims": [8, 6, 5], "warmup": 1})",
        "input.json: /iterations: is missing: give --iterations N");
    row("no warm-up", "input.json", R"({"op": "matmul", "dims": [8, 6, 5], "iterations": 1})",
        "input.json: /warmup: is missing");
    row("iterations", "input.json", R"({"op": "matmul", "dims": [8, 6, 5], "warmup": 1, "iterations": "9"})",
        "input.json: /iterations: expected a whole number");
    row("short buffer", "b.bin", "1234", "b.bin: has 4 bytes, its dims need 120");
    row("other bytes", "b.bin", QByteArray(120, '\0'), "b.bin: has SHA-256");
    row("short reference", "reference.f64.bin", "12345678", "reference.f64.bin: has 8 bytes");
}

void TestTargetProgram::refusesTheDirectory()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    overwrite(name, bytes);
    const Outcome outcome = onHost();
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains(said), qPrintable(outcome.err));
    QVERIFY(outcome.out.isEmpty());
    QVERIFY(!isThere("stagecraft-output.bin") && !isThere("stagecraft-timing.json"));
}

void TestTargetProgram::refusesWrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const QStringList &arguments, const char *said) {
        QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString::fromUtf8(said);
    };
    row({}, "an input directory is expected");
    row({"a", "b"}, "one input directory is expected, not also “b”");
    row({"a", "--iterations", "0"}, "--iterations");
    row({"a", "--name", "../x"}, "--name: “../x” cannot stand in the names of files");
    row({"a", "--name", ""}, "--name: “” cannot stand");
    row({"a", "--implementation", "hots"}, "did you mean host?");
    row({"a", "--implementation", "cuda/k64"}, "name it with --stage OPERATION/k64");
    row({"a", "--stage", "matmul/k65"}, "--stage: there is no stage “matmul/k65”; did you mean matmul/k64?");
    row({"a", "--python", "python3", "--implementation", "host"}, "--python: host does not run in Python");
    row({"a", "--python", "", "--implementation", "pytorch"}, "--python names no interpreter");
    row({"a", "--stage", "matmul/k64", "--implementation", "host"}, "--stage: stages are of cuda, not of host");
}

void TestTargetProgram::refusesWrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Outcome outcome = runStagecraft(QStringList{"target"} + arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(said), qPrintable(outcome.err));
}

void TestTargetProgram::givesAWrongResultNoTiming()
{
    const FakeWorkers workers("--behaviour wrong-result");
    const Outcome outcome = runStagecraft({"target", inputs()});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("the result is wrong: "), qPrintable(outcome.err));
    QVERIFY(!isThere("stagecraft-timing.json"));
}

void TestTargetProgram::leavesNoFileOfAnEarlierRun()
{
    QCOMPARE(onHost().status, 0);
    overwrite("b.bin", "1234");
    QCOMPARE(onHost().status, 1);
    QVERIFY(!isThere("stagecraft-output.bin") && !isThere("stagecraft-timing.json"));
    const Outcome missing = runStagecraft({"target", m_folder->filePath("nowhere")});
    QCOMPARE(missing.status, 1);
    QVERIFY2(missing.err.contains("it does not exist"), qPrintable(missing.err));
    const Outcome noFolder = runStagecraft({"target", file("a.bin")});
    QCOMPARE(noFolder.status, 1);
    QVERIFY2(noFolder.err.contains("it is no directory"), qPrintable(noFolder.err));
}

void TestTargetProgram::namesWhatTheWorkerDid_data()
{
    QTest::addColumn<QString>("said");
    QTest::addRow("kill-in-measure") << "was ended by signal SIGKILL (9) during measure";
    QTest::addRow("error-in-measure") << "What to do";
    QTest::addRow("compile-error") << "What to do";
    QTest::addRow("nan-sample") << "broke the protocol";
}

void TestTargetProgram::namesWhatTheWorkerDid()
{
    QFETCH(QString, said);
    const FakeWorkers workers(QStringLiteral("--behaviour ") + QTest::currentDataTag());
    const Outcome outcome = runStagecraft({"target", inputs()});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains(said), qPrintable(outcome.err));
    QVERIFY(!isThere("stagecraft-timing.json"));
}

// A worker that is not told of the file does not write it.
void TestTargetProgram::looksForTheResultItself()
{
    const FakeWorkers workers;
    workers.write("stagecraft-worker-cuda", "sed -u 's/,\"output\":\"[^\"]*\"//' | { " +
                                                FakeWorkers::fakeCommand("cuda", "--implementation cuda").mid(5) +
                                                "}\n");
    const Outcome outcome = runStagecraft({"target", inputs()});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("stagecraft-output.bin has 0 bytes after the check, 192 are expected"),
             qPrintable(outcome.err));
    QVERIFY(!isThere("stagecraft-timing.json"));
}

// Seen in what the worker is asked for.
void TestTargetProgram::bracketsOnlyWhereAsked()
{
    const FakeWorkers workers;
    workers.write("stagecraft-worker-cuda", QStringLiteral("tee '%1/requests' | { ").arg(workers.path()) +
                                                FakeWorkers::fakeCommand("cuda", "--implementation cuda").mid(5) +
                                                "}\n");
    for (const bool asked : {false, true}) {
        const Outcome outcome =
            runStagecraft(QStringList{"target", inputs()} + (asked ? QStringList{"--capture"} : QStringList{}));
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        QFile requests(workers.path() + "/requests");
        QVERIFY(requests.open(QIODevice::ReadOnly));
        const QByteArray text = requests.readAll();
        QVERIFY(text.contains("\"method\":\"measure\""));
        QCOMPARE(text.contains("\"bracket\":true"), asked);
        QCOMPARE(timing("stagecraft").at("samples_us").size(), std::size_t{7});
    }
}

void TestTargetProgram::runsTheStageThatIsNamed()
{
    const FakeWorkers workers;
    const Outcome outcome = runStagecraft({"target", inputs(), "--stage", "matmul/tiled"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    QCOMPARE(timing("stagecraft").at("stage").get<std::string>(), std::string("matmul/tiled"));
    const Outcome other = runStagecraft({"target", inputs(), "--stage", "gelu/quads"});
    QCOMPARE(other.status, 1);
    QVERIFY2(other.err.contains("it is of matmul, but the stage gelu/quads is not"), qPrintable(other.err));
}

// Not in the one that STAGECRAFT_PYTHON names.
void TestTargetProgram::runsInThePythonThatIsNamed()
{
    const FakeWorkers workers;
    workers.writePython("exit 1\n");
    workers.write("another-python", FakeWorkers::fakeCommand("python", "--implementation pytorch"));
    const Outcome outcome = runStagecraft(
        {"target", inputs(), "--implementation", "pytorch", "--python", workers.path() + "/another-python"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
    QCOMPARE(timing("stagecraft").at("implementation").get<std::string>(), std::string("pytorch"));
}

// Both sides of the contract at once.
void TestTargetProgram::isAnExternalProgramItself()
{
    using namespace stagecraft::protocol;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", m_folder->path()); // for what the worker that is killed at the end leaves behind
    WorkerClient client;
    client.start("bin/stagecraft-worker-external",
                 {"own-host", STAGECRAFT_PROGRAM, "target", "--implementation", "host", "--name", "own-host"},
                 environment);
    QVERIFY(client.waitForHello());
    PrepareParams params;
    params.operation = "neighbor";
    params.dims = {5, 3, 11};
    params.seed = 1;
    params.implementation = "own-host";
    const auto prepared = client.get<PrepareResult>(method::prepare, params);
    QCOMPARE(prepared.timingSource, std::string("host"));
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{prepared.handle}).passed);
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{prepared.handle, 0, 2, 9}).count, 9);
    QCOMPARE(client.samples().size(), std::size_t{9});
}

QTEST_GUILESS_MAIN(TestTargetProgram)
#include "tst_targetprogram.moc"
