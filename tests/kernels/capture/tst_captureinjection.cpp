// SPDX-License-Identifier: GPL-3.0-or-later
#include "captureinjectionfixture.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace stagecraft::capture;

// The capture library in somebody's program (capturehost.cpp), loaded by a made-up driver (fakedriver.cpp), with a
// libcupti of the test's own.
class TestCaptureInjection : public captureinjection::Fixture
{
    Q_OBJECT

private slots:
    void kernelsOfABracket();
    void theFileSaysWhatItHolds();
    void noBracketNoFile();
    void theRuntimesCallsCountOnce();
    void severalBracketsStandInOneFile();
    void aTakenFileBeginsAnew();
    void aFileOfAnEarlierProcessIsReplaced();
    void markedIterations();
    void aMarkAfterABracketRestsCupti();
    void lostAndUntimedRecordsAreCounted();
    void startsAndStopsDoNotNest();
    void refusals_data();
    void refusals();
    void aFailedGpuIsNamed();
    void aRefusalIsWrittenAgainWhereIterationsAreMarked();
    void aLibcuptiThatDoesNotFit();
    void theLoadedLibcuptiIsUsed();
    void aForkedProcessWritesNothing();
    void eachProcessHasItsFile();
    void anEndInsideABracket();
    void aKilledProcessLeavesNothing();
    void theDirectoryIsThatOfTheStart();
    void withoutADirectory();
    void aDirectoryThatCannotBeWritten();
    void inertWithoutTheDriver();
    void ranges();
};

// Nothing of before or after it, and, though the program waits for nothing, all of its own.
void TestCaptureInjection::kernelsOfABracket()
{
    run({"init", "launch:before", "wait", "start", "launch:_Z3addPf", "launch:plain", "stop", "launch:after", "wait"});
    QCOMPARE(m_errors, QString());
    QCOMPARE(files().size(), 1u);
    const CaptureFile file = files()[0];
    QCOMPARE(file.pid, m_pid);
    QCOMPARE(file.process, std::string("stagecraft-capture-host"));
    QCOMPARE(file.brackets.size(), 1u);
    const CaptureBracket &bracket = file.brackets[0];
    QCOMPARE(kernels(bracket), QStringList({"add(float*) -1", "plain -1"}));
    QCOMPARE(bracket.records[0].durationUs, 0.25);
    QCOMPARE(bracket.records[0].registersPerThread, 40);
    QCOMPARE(bracket.records[0].sharedMemBytes, 1536);
    QVERIFY((bracket.records[0].grid == std::array<std::int64_t, 3>{3, 2, 1}));
    QCOMPARE(bracket.dropped + bracket.invalid, 0);
    QVERIFY(!bracket.unterminated && !bracket.unavailable);
}

// As other programs read it.
void TestCaptureInjection::theFileSaysWhatItHolds()
{
    run({"init", "start", "launch:k", "stop"});
    QFile file(m_output->filePath(QString("%1.json").arg(m_pid)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(root.keys(), QStringList({"brackets", "cupti", "format", "pid", "process"}));
    QCOMPARE(root["format"].toInt(), 1);
    QVERIFY(root["cupti"].toString().endsWith(", CUDA " STAGECRAFT_FAKE_CUPTI_MAJOR));
    const QJsonObject bracket = root["brackets"].toArray()[0].toObject();
    QCOMPARE(bracket.keys(), QStringList({"backend", "dropped", "invalid", "records", "timestamp_mode"}));
    QCOMPARE(bracket["backend"].toString(), QString("cupti"));
    QVERIFY(bracket["timestamp_mode"].toString().startsWith("default"));
    const QJsonObject record = bracket["records"].toArray()[0].toObject();
    QCOMPARE(record["kernel_name"].toString(), QString("k"));
    QCOMPARE(record["iteration"].toInt(), -1);
    QCOMPARE(QDir(m_output->path()).entryList(QDir::Files | QDir::Hidden).size(), 1); // no part is left behind
}

void TestCaptureInjection::noBracketNoFile()
{
    run({"init", "launch:k", "wait"});
    QVERIFY(QDir(m_output->path()).isEmpty());
    run({"launch:k"}); // and a process that never initializes CUDA
    QVERIFY(QDir(m_output->path()).isEmpty());
    QCOMPARE(m_errors, QString());
}

void TestCaptureInjection::theRuntimesCallsCountOnce()
{
    run({"init", "runtime-start", "launch:k", "runtime-stop"});
    QCOMPARE(kernels(onlyBracket()), QStringList{"k -1"});
}

void TestCaptureInjection::severalBracketsStandInOneFile()
{
    run({"init", "start", "launch:a", "stop", "launch:between", "wait", "start", "stop", "start", "launch:b", "stop"});
    QCOMPARE(files().size(), 1u);
    const auto brackets = files()[0].brackets;
    QCOMPARE(brackets.size(), 3u);
    QCOMPARE(kernels(brackets[0]), QStringList{"a -1"});
    QCOMPARE(kernels(brackets[1]), QStringList());
    QCOMPARE(kernels(brackets[2]), QStringList{"b -1"});
}

void TestCaptureInjection::aTakenFileBeginsAnew()
{
    run({"init", "start", "launch:a", "stop", "remove:" + m_output->path(), "start", "launch:b", "stop"});
    QCOMPARE(kernels(onlyBracket()), QStringList{"b -1"});
}

// Ids come round again.
void TestCaptureInjection::aFileOfAnEarlierProcessIsReplaced()
{
    const QString plant = "plant:" + m_output->path();
    run({plant, "init", "start", "launch:a", "stop", "start", "launch:b", "stop"});
    QCOMPARE(files().at(0).brackets.size(), 2u);
    m_output = std::make_unique<QTemporaryDir>();
    m_environment.insert("STAGECRAFT_CAPTURE_DIRECTORY", m_output->path());
    m_environment.insert("STAGECRAFT_FAKE_CUPTI_REFUSE", "cuptiSubscribe=39");
    run({"plant:" + m_output->path(), "init"});
    QVERIFY(onlyBracket().unavailable.has_value());
}

void TestCaptureInjection::markedIterations()
{
    run({"init", "iteration:4", "start", "launch:fill", "iteration:1", "launch:a", "launch:b", "iteration:0",
         "launch:a", "iteration:-1", "launch:c", "stop", "start", "launch:d", "stop"});
    const auto brackets = files().at(0).brackets;
    QCOMPARE(kernels(brackets.at(0)), QStringList({"fill -1", "a 1", "b 1", "a 0", "c -1"}));
    QCOMPARE(kernels(brackets.at(1)), QStringList{"d -1"});
}

void TestCaptureInjection::aMarkAfterABracketRestsCupti()
{
    const QString active = "active:libcupti.so." STAGECRAFT_FAKE_CUPTI_MAJOR;
    run({"init", "iteration:-1", active, "start", "iteration:0", "launch:a", "iteration:-1", active, "stop", active,
         "iteration:-1", active, "start", "launch:b", "stop"});
    QCOMPARE(m_printed.split('\n', Qt::SkipEmptyParts).mid(1),
             QStringList({"active 9", "active 23", "active 25", "active 9"}));
    const auto brackets = files().at(0).brackets;
    QCOMPARE(kernels(brackets.at(0)), QStringList{"a 0"});
    QCOMPARE(kernels(brackets.at(1)), QStringList{"b -1"});
}

void TestCaptureInjection::lostAndUntimedRecordsAreCounted()
{
    run({"init", "start", "launch:a", "launch-untimed:b", "drop:3", "stop"});
    const CaptureBracket bracket = onlyBracket();
    QCOMPARE(kernels(bracket), QStringList{"a -1"});
    QCOMPARE(bracket.invalid, 1);
    QCOMPARE(bracket.dropped, 3);
}

void TestCaptureInjection::startsAndStopsDoNotNest()
{
    run({"init", "stop", "start", "launch:a", "start", "launch:b", "stop", "launch:c", "stop"});
    QCOMPARE(kernels(onlyBracket()), QStringList({"a -1", "b -1"}));
}

void TestCaptureInjection::refusals_data()
{
    QTest::addColumn<QString>("refuse");
    QTest::addColumn<QString>("container");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("fix");
    QTest::newRow("permissions") << "cuptiActivityEnable=35" << QString() << "does not let this user"
                                 << "NVreg_RestrictProfilingToAdminUsers=0";
    QTest::newRow("container") << "cuptiActivityEnable=35"
                               << "docker"
                               << "does not let this user"
                               << "--cap-add=SYS_ADMIN";
    QTest::newRow("WSL2") << "cuptiSubscribe=45" << QString() << "WSL2"
                          << "Windows driver";
    QTest::newRow("another profiler") << "cuptiSubscribe=39" << QString() << "another profiler"
                                      << "--no-capture";
    QTest::newRow("no callbacks") << "cuptiEnableCallback=15" << QString() << "could not initialize"
                                  << "newer than the driver";
    QTest::newRow("no flush") << "cuptiActivityFlushAll=999" << QString() << "CUPTI failed"
                              << "fits the driver";
    QTest::newRow("no reading") << "cuptiActivityGetNextRecord=1" << QString() << "CUPTI failed"
                                << "fits the driver";
}

// The program itself goes on, its exit status included.
void TestCaptureInjection::refusals()
{
    QFETCH(QString, refuse);
    QFETCH(QString, container);
    m_environment.insert("STAGECRAFT_FAKE_CUPTI_REFUSE", refuse);
    if (!container.isEmpty())
        m_environment.insert("container", container);
    run({"init", "start", "launch:a", "stop"});
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(bracket.unavailable.has_value());
    QFETCH(QString, reason);
    QFETCH(QString, fix);
    QVERIFY2(QString::fromStdString(bracket.unavailable->reason).contains(reason), bracket.unavailable->reason.c_str());
    QVERIFY2(QString::fromStdString(bracket.unavailable->reason).contains(refuse.section('=', 0, 0)),
             bracket.unavailable->reason.c_str());
    QVERIFY2(QString::fromStdString(bracket.unavailable->fix).contains(fix), bracket.unavailable->fix.c_str());
    QVERIFY(bracket.records.empty());
}

void TestCaptureInjection::aFailedGpuIsNamed()
{
    run({"init", "start", "launch:a", "fail:700", "stop"});
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(bracket.unavailable.has_value());
    QCOMPARE(bracket.unavailable->reason,
             std::string("the GPU failed before cuProfilerStop (cuCtxSynchronize: CUDA_ERROR_MADE_UP)"));
    m_output = std::make_unique<QTemporaryDir>();
    m_environment.insert("STAGECRAFT_CAPTURE_DIRECTORY", m_output->path());
    run({"init", "start", "launch:a", "wait", "fail:201", "stop"}); // no context is no failure
    QCOMPARE(kernels(onlyBracket()), QStringList{"a -1"});
}

// A reader that takes the file before it asks for its own bracket still finds out why there are no records.
void TestCaptureInjection::aRefusalIsWrittenAgainWhereIterationsAreMarked()
{
    m_environment.insert("STAGECRAFT_FAKE_CUPTI_REFUSE", "cuptiSubscribe=39");
    const QString take = "remove:" + m_output->path();
    run({"init", take, "start", "launch:a", "stop"});
    QVERIFY(files().empty());
    run({"init", take, "start", "iteration:0", "launch:a", "iteration:1", "launch:a", "iteration:-1", "stop"});
    QVERIFY(onlyBracket().unavailable.has_value());
    run({"init", take, "iteration:-1"});
    QCOMPARE(files().size(), 1u); // still the one of before
}

void TestCaptureInjection::aLibcuptiThatDoesNotFit()
{
    m_environment.insert("STAGECRAFT_FAKE_CUPTI_VERSION", "140000");
    run({"init", "start", "launch:a", "stop"});
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(bracket.unavailable.has_value());
    QVERIFY2(bracket.unavailable->reason.starts_with("this build reads the records of CUDA 1"),
             bracket.unavailable->reason.c_str());
    QVERIFY(!bracket.unavailable->fix.empty());
    QCOMPARE(files()[0].cupti, std::string("API 140000, CUDA 14"));
}

// A framework's own copy, whatever its name, and none beside it.
void TestCaptureInjection::theLoadedLibcuptiIsUsed()
{
    const QTemporaryDir own;
    const QString copy = own.filePath("libcupti-8f31.so." STAGECRAFT_FAKE_CUPTI_MAJOR);
    QVERIFY(QFile::copy(STAGECRAFT_FAKE_CUPTI_FOLDER "/libcupti.so." STAGECRAFT_FAKE_CUPTI_MAJOR, copy));
    run({"load:" + copy, "init", "start", "launch:a", "stop", "loaded:libcupti"});
    QCOMPARE(kernels(onlyBracket()), QStringList{"a -1"});
    QVERIFY2(m_printed.contains(copy), qPrintable(m_printed));
    QVERIFY2(!m_printed.contains(STAGECRAFT_FAKE_CUPTI_FOLDER), qPrintable(m_printed));
}

// Also one that was forked in the middle of a bracket, and ends as every program does.
void TestCaptureInjection::aForkedProcessWritesNothing()
{
    run({"init", "start", "launch:a", "fork", "launch:b", "stop", "fork"});
    QCOMPARE(kernels(onlyBracket()), QStringList({"a -1", "b -1"}));
    QCOMPARE(files()[0].pid, m_pid);
}

void TestCaptureInjection::eachProcessHasItsFile()
{
    run({"init", "start", "launch:a", "stop", "fork-bracket", "start", "launch:b", "stop"});
    const auto written = files();
    QCOMPARE(written.size(), 2u);
    const bool parentFirst = written[0].pid == m_pid;
    QCOMPARE(written[parentFirst ? 0 : 1].brackets.size(), 2u);
    const auto &child = written[parentFirst ? 1 : 0].brackets;
    QCOMPARE(child.size(), 1u);
    QCOMPARE(kernels(child[0]), QStringList{"child's -1"});
}

void TestCaptureInjection::anEndInsideABracket()
{
    run({"init", "start", "launch:done", "wait", "launch:running"});
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(bracket.unterminated);
    QCOMPARE(kernels(bracket), QStringList{"done -1"});
}

void TestCaptureInjection::aKilledProcessLeavesNothing()
{
    run({"init", "start", "launch:a", "wait", "quit"});
    QVERIFY(QDir(m_output->path()).isEmpty());
}

// A process may want the variable out of its children's environment, and go elsewhere itself.
void TestCaptureInjection::theDirectoryIsThatOfTheStart()
{
    m_environment.insert("STAGECRAFT_CAPTURE_DIRECTORY", ".");
    run({"enter:" + m_output->path(), "init", "forget:STAGECRAFT_CAPTURE_DIRECTORY", "enter:/", "start", "launch:a",
         "stop"});
    QCOMPARE(kernels(onlyBracket()), QStringList{"a -1"});
}

void TestCaptureInjection::withoutADirectory()
{
    m_environment.remove("STAGECRAFT_CAPTURE_DIRECTORY");
    run({"init", "start", "launch:a"});
    run({"init", "launch:a"});
    QCOMPARE(m_errors, QString());
    run({"init", "start", "launch:a", "stop", "start", "stop"});
    QCOMPARE(m_errors.count("STAGECRAFT_CAPTURE_DIRECTORY was not set"), 1);
}

void TestCaptureInjection::aDirectoryThatCannotBeWritten()
{
    const QString missing = m_output->filePath("no/such");
    m_environment.insert("STAGECRAFT_CAPTURE_DIRECTORY", missing);
    run({"init", "start", "launch:a", "stop", "start", "stop"});
    QCOMPARE(m_errors.count(missing + '/' + QString::number(m_pid) + ".json cannot be written: No such file"), 1);
    QVERIFY(m_errors.contains("name a folder that can be written to"));
}

// As where a program opens the library for its ranges alone.
void TestCaptureInjection::inertWithoutTheDriver()
{
    run({"iteration:3", "push:outer", "pop", "start", "launch:a", "stop", "loaded:libcupti"});
    QVERIFY(QDir(m_output->path()).isEmpty());
    QVERIFY2(!m_printed.contains("libcupti"), qPrintable(m_printed));
    QCOMPARE(m_errors, QString());
}

void TestCaptureInjection::ranges()
{
#ifdef STAGECRAFT_NVTX_INJECTION
    const QString log = m_output->filePath("log");
    m_environment.insert("NVTX_INJECTION64_PATH", STAGECRAFT_NVTX_INJECTION);
    m_environment.insert("STAGECRAFT_TEST_NVTX_LOG", log);
    run({"push:matmul", "push:triton", "pop", "pop"});
    QFile file(log);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()).trimmed().split('\n'),
             QStringList({"domain stagecraft", "push stagecraft 0 matmul", "push stagecraft 1 triton",
                          "pop stagecraft 1", "pop stagecraft 0"}));
#else
    QSKIP("built without NVTX's headers");
#endif
}

QTEST_GUILESS_MAIN(TestCaptureInjection)
#include "tst_captureinjection.moc"
