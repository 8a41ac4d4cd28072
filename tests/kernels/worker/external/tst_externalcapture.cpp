// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalfixture.h"

#include <QDir>

using namespace external;

// Kernel records by way of the capture library's files. Without a GPU nothing loads the library, so the program writes
// them in its stead, where and as the library would.
class ExternalCaptureTest : public QObject
{
    Q_OBJECT

private slots:
    void dealsRecordsToIterations();
    void keepsMarkedIterations();
    void carriesWhatWasLost();
    void namesEach_data();
    void namesEach();
    void gatesTheCapture();
    void isUnavailableWithoutTheLibrary();
    void leavesTheProgramToAnotherTool();
    void findsTheLibraryOfTheBuild();
    void countsInASecondRun();
    void countsTheUsualMetrics();
    void namesEachOfCounting_data();
    void namesEachOfCounting();
    void saysWhatIsKnownOfCounters();
    void aUsersOwnMetricsChangeNoRecords();

private:
    QProcessEnvironment environment() const
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("STAGECRAFT_CAPTURE_LIBRARY", STAGECRAFT_SOURCE_DIR "/README.md"); // any file will do
        return environment;
    }
};

void ExternalCaptureTest::dealsRecordsToIterations()
{
    WorkerClient client;
    startOdd(client, {}, environment());
    const auto support = client.get<DescribeResult>(method::describe).capture;
    QVERIFY(support.available);
    QCOMPARE(support.backend, std::string("cupti"));
    const auto handle = prepare(client);
    for (int pass = 0; pass < 2; ++pass) { // the second finds nothing of the first
        const auto result = client.get<CaptureResult>(method::capture, CaptureParams{handle, 0, 1, 3});
        QCOMPARE(result.backend, std::string("cupti"));
        QCOMPARE(result.timestampMode, std::string("stand-in"));
        QCOMPARE(result.requestedIterations, 3);
        QVERIFY(!result.cancelled);
        QCOMPARE(result.records.size(), std::size_t{6});
        for (int i = 0; i < 6; ++i) {
            const auto &record = result.records[static_cast<std::size_t>(i)];
            QCOMPARE(record.iteration, i / 2);
            QCOMPARE(record.kernelName, std::string(i % 2 == 0 ? "fill" : "kernel"));
            QCOMPARE(record.durationUs, 1.0 + i);
        }
    }
}

void ExternalCaptureTest::keepsMarkedIterations()
{
    WorkerClient client;
    startOdd(client, {"marked", "launches:5"}, environment());
    const auto result = client.get<CaptureResult>(method::capture, CaptureParams{prepare(client), 0, 1, 3});
    QCOMPARE(result.records.size(), std::size_t{5}); // as many as there were: the last iteration had one
    QCOMPARE(result.records.back().iteration, 2);
}

void ExternalCaptureTest::carriesWhatWasLost()
{
    WorkerClient client;
    startOdd(client, {"marked", "dropped:4"}, environment());
    const auto result = client.get<CaptureResult>(method::capture, CaptureParams{prepare(client), 0, 1, 3});
    QCOMPARE(result.dropped, std::int64_t{4});
}

void ExternalCaptureTest::namesEach_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const QStringList &words, int code, const char *said) {
        QTest::newRow(qPrintable(words.join(' '))) << words << code << said;
    };
    row({"no-bracket"}, error::unavailable, "it called no cuProfilerStart and cuProfilerStop, or it does not use CUDA");
    row({"refused"}, error::unavailable, "another profiler has the device. What to do: end it");
    row({"refused", "processes:2"}, error::unavailable, "another profiler has the device. What to do: end it");
    row({"processes:2"}, error::invalid, "2 processes called cuProfilerStart and cuProfilerStop (odd, odd)");
    row({"brackets:2"}, error::invalid, "bracketed its work with cuProfilerStart and cuProfilerStop 2 times");
    row({"brackets:0"}, error::unavailable, "it called no cuProfilerStart");
    row({"unterminated"}, error::invalid, "the program ended between cuProfilerStart and cuProfilerStop");
    row({"launches:7"}, error::invalid, "7 kernel records do not divide into 3 iterations");
    row({"launches:0"}, error::invalid, "no kernel was recorded");
    row({"dropped:4"}, error::invalid, "4 kernel records were lost and 0 had no sound times");
    row({"marked", "launches:9"}, error::invalid, "is marked as of iteration 3");
    row({"damaged"}, error::invalid, "the capture library's file cannot be used: ");
}

void ExternalCaptureTest::namesEach()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    WorkerClient client;
    startOdd(client, words, environment());
    const auto handle = prepare(client);
    const auto error = WorkerClient::errorOf(client.call(method::capture, CaptureParams{handle, 0, 1, 3}));
    QTEST(error.code, "code");
    QVERIFY2(text(error).contains(said), qPrintable(text(error)));
    QVERIFY(!error.fix.empty());
    // Spans go on.
    QCOMPARE(client.get<MeasureResult>(method::measure, MeasureParams{handle, 0, 0, 3}).count, 3);
}

void ExternalCaptureTest::gatesTheCapture()
{
    WorkerClient client;
    startOdd(client, {"later", "wrong"}, environment());
    const auto handle = prepare(client);
    const auto error = WorkerClient::errorOf(client.call(method::capture, CaptureParams{handle, 0, 1, 3}));
    QCOMPARE(error.code, error::failed);
    QVERIFY2(text(error).contains("the result of this run is wrong"), qPrintable(text(error)));
}

void ExternalCaptureTest::isUnavailableWithoutTheLibrary()
{
    auto without = environment();
    without.insert("STAGECRAFT_CAPTURE_LIBRARY", "/nowhere/library.so");
    WorkerClient client;
    startOdd(client, {}, without);
    const auto support = client.get<DescribeResult>(method::describe).capture;
    QVERIFY(!support.available);
    QVERIFY(support.reason.find("STAGECRAFT_CAPTURE_LIBRARY") != std::string::npos && !support.fix.empty());
    const auto error = WorkerClient::errorOf(client.call(method::capture, CaptureParams{prepare(client), 0, 1, 3}));
    QCOMPARE(error.code, error::unavailable);
    QCOMPARE(error.reason, support.reason);
}

void ExternalCaptureTest::leavesTheProgramToAnotherTool()
{
    auto taken = environment();
    taken.insert("CUDA_INJECTION64_PATH", "/opt/tools/libother-tool.so");
    WorkerClient client;
    startOdd(client, {}, taken);
    const auto support = client.get<DescribeResult>(method::describe).capture;
    QVERIFY(!support.available && !support.fix.empty());
    QCOMPARE(support.reason,
             std::string("another tool has the program for itself: CUDA_INJECTION64_PATH names libother-tool.so"));
    const auto error = WorkerClient::errorOf(client.call(method::capture, CaptureParams{prepare(client), 0, 1, 3}));
    QCOMPARE(error.code, error::unavailable);
    QCOMPARE(error.reason, support.reason);
}

void ExternalCaptureTest::findsTheLibraryOfTheBuild()
{
    auto standard = environment();
    standard.remove("STAGECRAFT_CAPTURE_LIBRARY");
    WorkerClient client;
    startOdd(client, {}, standard);
    QCOMPARE(client.get<DescribeResult>(method::describe).capture.available,
             QFile::exists(STAGECRAFT_BINARY_DIR "/lib/stagecraft/libstagecraft-capture-injection.so"));
}

void ExternalCaptureTest::countsInASecondRun()
{
    WorkerClient client;
    startOdd(client, {}, environment());
    const auto handle = prepare(client);
    for (int pass = 0; pass < 2; ++pass) {
        const auto result = client.get<CountersResult>(method::counters, CountersParams{handle, 3, {"a.sum", "b.pct"}});
        QCOMPARE(result.backend, std::string("cupti"));
        QCOMPARE(result.replayMode, std::string("kernel"));
        QCOMPARE(result.passes, 4);
        QVERIFY(!result.cancelled);
        QCOMPARE(result.metrics.size(), std::size_t{2});
        QCOMPARE(result.kernels.size(), std::size_t{2});
        QCOMPARE(result.kernels[0].kernelName, std::string("fill"));
        QCOMPARE(result.kernels[1].kernelName, std::string("kernel"));
        QCOMPARE(result.kernels[0].values.at("a.sum"), 100.0);
        QCOMPARE(result.kernels[1].values.at("b.pct"), 201.0);
    }
    const auto captured = client.get<CaptureResult>(method::capture, CaptureParams{handle, 0, 1, 3});
    QCOMPARE(captured.records.size(), std::size_t{6}); // the next bracket records again
}

void ExternalCaptureTest::countsTheUsualMetrics()
{
    WorkerClient client;
    startOdd(client, {}, environment());
    const auto result = client.get<CountersResult>(method::counters, CountersParams{prepare(client), 0});
    QVERIFY(result.metrics.size() > 20);
    QVERIFY(result.kernels.at(0).values.contains("smsp__inst_executed.sum"));
}

void ExternalCaptureTest::namesEachOfCounting_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const QStringList &words, int code, const char *said) {
        QTest::newRow(qPrintable(words.join(' '))) << words << code << said;
    };
    row({"no-bracket"}, error::unavailable, "it called no cuProfilerStart and cuProfilerStop, or it does not use CUDA");
    row({"refused"}, error::unavailable, "another profiler has the device. What to do: end it");
    row({"refused-counters"}, error::unavailable, "counters are for administrators. What to do: be one");
    row({"brackets:2"}, error::invalid, "bracketed its work with cuProfilerStart and cuProfilerStop 2 times");
    row({"unterminated"}, error::invalid, "the program ended between cuProfilerStart and cuProfilerStop");
    row({"counted:3"}, error::failed,
        "the call launched 2 kernels when it was recorded and 3 when they were counted. What to do: count a call");
    row({"records-always"}, error::invalid, "recorded where it was to count");
    row({"counts-always"}, error::invalid, "counted where it was to record");
    row({"launches:0"}, error::invalid, "no kernel was recorded");
    row({"damaged"}, error::invalid, "the capture library's file cannot be used: ");
    row({"wrong-counted"}, error::failed, "the result of this run is wrong: 1 of 12 elements");
}

void ExternalCaptureTest::namesEachOfCounting()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    WorkerClient client;
    startOdd(client, words, environment());
    const CountersParams params{prepare(client), 0, {"a.sum"}};
    const auto error = WorkerClient::errorOf(client.call(method::counters, params));
    QTEST(error.code, "code");
    QVERIFY2(text(error).contains(said), qPrintable(text(error)));
    QVERIFY(!error.fix.empty());
}

void ExternalCaptureTest::saysWhatIsKnownOfCounters()
{
    WorkerClient client;
    startOdd(client, {}, environment());
    DescribeParams params;
    QVERIFY(!client.get<DescribeResult>(method::describe, params).counters);
    params.counters = true;
    const auto known = client.get<DescribeResult>(method::describe, params).counters;
    QVERIFY(known && known->available && known->backend == "cupti");
    QVERIFY2(known->reason.find("shows when the program runs") != std::string::npos, known->reason.c_str());
    params.leaveProfiler = true;
    const auto unwanted = client.get<DescribeResult>(method::describe, params).counters;
    QVERIFY(unwanted && !unwanted->available && !unwanted->reason.empty());
    const CountersParams badName{prepare(client), 0, {"a,b"}};
    QCOMPARE(WorkerClient::errorOf(client.call(method::counters, badName)).code, error::invalid);

    auto without = environment();
    without.insert("STAGECRAFT_CAPTURE_LIBRARY", "/nowhere/library.so");
    WorkerClient other;
    startOdd(other, {}, without);
    params.leaveProfiler = false;
    const auto absent = other.get<DescribeResult>(method::describe, params).counters;
    QVERIFY(absent && !absent->available && !absent->fix.empty());
    const auto error = WorkerClient::errorOf(other.call(method::counters, CountersParams{prepare(other), 0}));
    QCOMPARE(error.code, error::unavailable);
    QCOMPARE(error.reason, absent->reason);
}

void ExternalCaptureTest::aUsersOwnMetricsChangeNoRecords()
{
    auto counting = environment();
    counting.insert("STAGECRAFT_CAPTURE_METRICS", "usual");
    WorkerClient client;
    startOdd(client, {}, counting);
    const auto result = client.get<CaptureResult>(method::capture, CaptureParams{prepare(client), 0, 1, 3});
    QCOMPARE(result.records.size(), std::size_t{6});
}

QTEST_GUILESS_MAIN(ExternalCaptureTest)
#include "tst_externalcapture.moc"
