// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalfixture.h"

using namespace external;

// Everything that a program can do wrong: named with the file, what is wrong with it and what to do.
class ExternalFaultsTest : public QObject
{
    Q_OBJECT

private slots:
    void namesEach_data();
    void namesEach();
    void saysNothingAtLength_data();
    void saysNothingAtLength();
    void namesAWrongElement_data();
    void namesAWrongElement();
    void gatesEverySample_data();
    void gatesEverySample();
    void takesNoFileOfAnEarlierRun();
    void acceptsWhatTheContractLeavesOpen_data();
    void acceptsWhatTheContractLeavesOpen();
};

void ExternalFaultsTest::namesEach_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const QStringList &words, int code, const char *said) {
        QTest::newRow(qPrintable(words.join(' '))) << words << code << QString::fromUtf8(said);
    };
    const int failed = error::failed, invalid = error::invalid;
    row({"exit"}, failed,
        "the program stagecraft-misbehaving-program ended with exit status 3. Its last lines: first line | no such "
        "device | last line. What to do: correct the program; it was given matmul 3x4x5 with --iterations 1");
    row({"status:77"}, error::unavailable, "the program does not compute matmul (exit status 77)");
    row({"signal"}, failed, "the program stagecraft-misbehaving-program was ended by signal SIGTERM (15)");
    row({"no-output"}, failed, "odd-output.bin is missing: the program ended without an error");
    row({"other-name"}, failed,
        "odd-output.bin is missing: the program ended without an error and did not write it, but "
        "other-output.bin is there");
    row({"no-timing"}, failed, "odd-timing.json is missing");
    row({"short"}, failed, "odd-output.bin has 44 bytes, expected 48 (12 float32)");
    row({"long"}, failed, "odd-output.bin has 52 bytes, expected 48");
    row({"pipe"}, failed, "odd-output.bin is no file");
    row({"huge"}, invalid, "odd-timing.json has 2097");
    row({"timing:{"}, invalid, "odd-timing.json: is not valid JSON");
    row({"timing:[1]"}, invalid, "odd-timing.json: expected an object, found array");
    row({"timing:{\"samples_us\": [NaN]}"}, invalid, "write JSON, which has no NaN and no infinity");
    row({"timing:{\"samples_us\": [1e999]}"}, invalid, "odd-timing.json: is not valid JSON");
    row({"set:/op=\"gelu\""}, invalid, "odd-timing.json: op: is \"gelu\", but \"matmul\" was asked for");
    row({"set:/op=7"}, invalid, "odd-timing.json: op: expected string, found number");
    row({"erase:op"}, invalid, "odd-timing.json: op: is missing");
    row({"set:/dims=[3,4,6]"}, invalid, "odd-timing.json: dims: is [3,4,6], but [3,4,5] was asked for");
    row({"set:/dims=\"3x4x5\""}, invalid, "odd-timing.json: dims: expected an array, found string");
    row({"set:/warmup=25"}, invalid,
        "odd-timing.json: warmup: is 25, but 0 was asked for. What to do: write warmup as input.json has it");
    row({"set:/iterations=2"}, invalid, "odd-timing.json: iterations: is 2, but 1 was asked for");
    row({"set:/iterations=\"1\""}, invalid, "odd-timing.json: iterations: expected a whole number, found string");
    row({"set:/samples_us=[1,2]"}, invalid, "odd-timing.json: samples_us: has 2 samples, but 1 iterations");
    row({"set:/samples_us=1"}, invalid, "odd-timing.json: samples_us: expected an array, found number");
    row({"set:/samples_us=[null]"}, invalid, "odd-timing.json: samples_us/0: expected a number, found null");
    row({"set:/samples_us=[0]"}, invalid,
        "odd-timing.json: samples_us/0: is 0 µs, which is no duration of a call. What to do: write samples_us in "
        "µs, one number above 0 per iteration");
    row({"set:/samples_us=[1e-300]"}, invalid, "odd-timing.json: samples_us/0: is 1e-300 µs, which is no duration");
    row({"set:/samples_us=[-1.5]"}, invalid, "odd-timing.json: samples_us/0: is -1.5 µs, which is no duration");
    row({"set:/samples_us=[1e13]"}, invalid,
        "odd-timing.json: samples_us/0: is 10000000000000.0 µs, which is no duration");
    row({"erase:samples_us"}, invalid, "odd-timing.json: samples_us: is missing");
    row({"erase:event_mean_us"}, invalid, "odd-timing.json: event_mean_us: is missing");
    row({"set:/event_mean_us=10.1"}, invalid, "odd-timing.json: event_mean_us: is 10.1, but the samples give 10.0");
    row({"set:/source=\"guess\""}, invalid, "odd-timing.json: source: is \"guess\", but samples are CUDA-event");
    row({"set:/run_id=1"}, invalid, "odd-timing.json: run_id: expected a string, found number");
    row({"set:/run_id=\"two\\nlines\""}, invalid, "odd-timing.json: run_id: holds control characters");
    row({"set:/arithmetic=\"TF 32\""}, invalid, "odd-timing.json: arithmetic: is \"TF 32\", but 1 to 32 of a-z");
    row({"timing:[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]"}, invalid, "odd-timing.json: is nested more than 16 deep");
}

void ExternalFaultsTest::namesEach()
{
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    WorkerClient client;
    startOdd(client, words);
    const auto error = WorkerClient::errorOf(client.call(method::prepare, paramsFor("matmul", {3, 4, 5})));
    QTEST(error.code, "code");
    QVERIFY2(text(error).contains(said), qPrintable(text(error)));
    QVERIFY2(!error.fix.empty(), "no way out is named");
    QVERIFY2(!error.reason.starts_with('/') && !QString::fromStdString(error.reason).contains(" /tmp"),
             "a folder of this machine would go into evidence");
    QVERIFY(client.get<DescribeResult>(method::describe).selfTest.passed); // it lives on
}

void ExternalFaultsTest::saysNothingAtLength_data()
{
    const QString text(100'000, 'x');
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("said");
    QTest::addRow("no JSON") << "timing:[\"" + text << "odd-timing.json: is not valid JSON at byte 100003.";
    QTest::addRow("op") << "set:/op=\"" + text + "\""
                        << "odd-timing.json: op: is \"xxx";
    QTest::addRow("run_id") << "set:/run_id=\"" + text + "\""
                            << "odd-timing.json: run_id: is longer than 200 characters";
    QTest::addRow("arithmetic") << "set:/arithmetic=\"" + text + "\""
                                << "odd-timing.json: arithmetic: is \"xxx";
    QTest::addRow("number") << "timing:[" + QString(100'000, '9') + "e400000]"
                            << "odd-timing.json: is not valid JSON: it holds a number that is beyond every range";
}

void ExternalFaultsTest::saysNothingAtLength()
{
    QFETCH(QString, word);
    QFETCH(QString, said);
    WorkerClient client;
    startOdd(client, {word});
    const auto error = WorkerClient::errorOf(client.call(method::prepare, paramsFor("matmul", {3, 4, 5})));
    QCOMPARE(error.code, error::invalid);
    QVERIFY2(text(error).contains(said), qPrintable(text(error).left(500)));
    QVERIFY(text(error).size() < 500);
}

void ExternalFaultsTest::namesAWrongElement_data()
{
    QTest::addColumn<std::int64_t>("element");
    QTest::addColumn<bool>("finite");
    QTest::addRow("nan") << std::int64_t{2} << false;
    QTest::addRow("infinite") << std::int64_t{1} << false;
    QTest::addRow("wrong") << std::int64_t{3} << true;
}

void ExternalFaultsTest::namesAWrongElement()
{
    QFETCH(std::int64_t, element);
    WorkerClient client;
    startOdd(client, {QTest::currentDataTag()});
    const auto check = client.get<CheckResult>(method::check, CheckParams{prepare(client)});
    QVERIFY(!check.passed);
    QCOMPARE(check.firstBad, std::optional(element));
    QTEST(check.firstBadValue.has_value(), "finite");
}

void ExternalFaultsTest::gatesEverySample_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("said");
    QTest::addRow("nan") << "nan"
                         << "the result of this run is wrong: 1 of 12 elements, the first is element 2: nan";
    QTest::addRow("wrong") << "wrong"
                           << "the first is element 3";
    QTest::addRow("short") << "short"
                           << "odd-output.bin has 44 bytes";
    QTest::addRow("no timing") << "no-timing"
                               << "odd-timing.json is missing";
    QTest::addRow("exit") << "exit"
                          << "ended with exit status 3";
    QTest::addRow("clock") << "set:/source=\"host\""
                           << "source: is \"host\", but was \"event\" before";
    QTest::addRow("arithmetic") << "set:/arithmetic=\"tf32\""
                                << "arithmetic: is \"tf32\", but was \"fp32\" before";
}

// A program that was right when it was checked and is not when it is measured.
void ExternalFaultsTest::gatesEverySample()
{
    QFETCH(QString, word);
    QFETCH(QString, said);
    WorkerClient client;
    startOdd(client, {"later", word});
    const auto handle = prepare(client);
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{handle}).passed);
    const auto error = WorkerClient::errorOf(client.call(method::measure, MeasureParams{handle, 0, 0, 5}));
    QVERIFY2(text(error).contains(said), qPrintable(text(error)));
    QVERIFY(client.samples().empty());
}

void ExternalFaultsTest::takesNoFileOfAnEarlierRun()
{
    WorkerClient client;
    startOdd(client, {"later", "no-output"});
    const auto handle = prepare(client); // this run writes both files
    const auto error = WorkerClient::errorOf(client.call(method::measure, MeasureParams{handle, 0, 0, 5}));
    QVERIFY2(text(error).contains("odd-output.bin is missing"), qPrintable(text(error)));
}

void ExternalFaultsTest::acceptsWhatTheContractLeavesOpen_data()
{
    QTest::addColumn<QString>("word");
    QTest::addRow("no run_id") << "erase:run_id";
    QTest::addRow("run_id of null") << "set:/run_id=null";
    QTest::addRow("source") << "set:/source=\"event\"";
    QTest::addRow("mean of few digits") << "set:/event_mean_us=10.01";
    QTest::addRow("mean in single precision") << "set:/event_mean_us=9.99999";
}

void ExternalFaultsTest::acceptsWhatTheContractLeavesOpen()
{
    QFETCH(QString, word);
    WorkerClient client;
    startOdd(client, {word});
    QVERIFY(client.get<CheckResult>(method::check, CheckParams{prepare(client)}).passed);
}

QTEST_GUILESS_MAIN(ExternalFaultsTest)
#include "tst_externalfaults.moc"
