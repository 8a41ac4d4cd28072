// SPDX-License-Identifier: GPL-3.0-or-later
#include "capturefile.h"

#include <QTest>

using namespace stagecraft::capture;

namespace {

CaptureBracket counted()
{
    CounterReading reading;
    reading.passes = 13;
    reading.metrics = {{"smsp__inst_executed.sum", "inst"}, {"lts__t_sector_hit_rate.pct", ""}};
    reading.missing = {{"dram__bytes_read.sum", "CUPTI does not count it on GB205"}};
    reading.kernels = {{{"smsp__inst_executed.sum", 1234567.0}, {"lts__t_sector_hit_rate.pct", 99.5}},
                       {{"smsp__inst_executed.sum", 0.0}}};
    CaptureBracket bracket;
    bracket.backend = "cupti";
    bracket.counters = reading;
    return bracket;
}

QByteArray countedText(std::int64_t pid)
{
    return QByteArray::fromStdString(captureText({pid, "python3", "API 130001, CUDA 13", {counted()}}));
}

} // namespace

// The counters of brackets in the capture library's files.
class TestCaptureCounters : public QObject
{
    Q_OBJECT

private slots:
    void countersAreRead();
    void countedValuesAreBounded();
    void damagedCounters_data();
    void damagedCounters();
};

void TestCaptureCounters::countersAreRead()
{
    const CaptureBracket bracket = parseCapture(countedText(3).toStdString(), "3.json").brackets.at(0);
    QCOMPARE(bracket.backend, std::string("cupti"));
    QVERIFY(bracket.records.empty() && !bracket.unavailable && bracket.timestampMode.empty());
    QVERIFY(bracket.counters.has_value());
    const CounterReading &reading = *bracket.counters;
    QCOMPARE(reading.passes, 13);
    QCOMPARE(reading.metrics.size(), 2u);
    QCOMPARE(reading.metrics[0].name, std::string("smsp__inst_executed.sum"));
    QCOMPARE(reading.metrics[0].unit, std::string("inst"));
    QCOMPARE(reading.metrics[1].unit, std::string());
    QCOMPARE(reading.missing.at(0).name, std::string("dram__bytes_read.sum"));
    QCOMPARE(reading.missing[0].reason, std::string("CUPTI does not count it on GB205"));
    QVERIFY(reading.kernels == counted().counters->kernels);
}

// All of a bracket or nothing of it.
void TestCaptureCounters::countedValuesAreBounded()
{
    std::vector<CaptureBracket> brackets;
    for (int i = 0; i < 3; ++i)
        appendBracket(brackets, counted(), {0, 6}); // three values each
    QVERIFY(brackets[0].counters && brackets[1].counters);
    QVERIFY(!brackets[2].counters && brackets[2].unavailable);
    QCOMPARE(brackets[2].unavailable->reason, std::string("the file holds as many counted values as it may"));
    QVERIFY(!brackets[2].unavailable->fix.empty());
}

void TestCaptureCounters::damagedCounters_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const char *from, const QByteArray &to, const QString &error) {
        QTest::newRow(name) << QByteArray(from) << to << "5.json: /brackets/0/counters" + error;
    };
    row("no object", "\"counters\":{", "\"counters\":7,\"x\":{", " expected an object, found number");
    row("no pass", "\"passes\":13", "\"passes\":0", "/passes is not from 1 to 10000: 0");
    row("too many passes", "\"passes\":13", "\"passes\":10001", "/passes is not from 1 to 10000: 10001");
    row("half a pass", "\"passes\":13", "\"passes\":1.5", "/passes expected a whole number, found number");
    row("another replay", "\"kernel\"", "\"application\"", "/replay_mode is not \"kernel\"");
    row("a metric without a name", "\"name\":\"smsp", "\"x\":\"smsp", "/metrics/0/name is missing");
    row("a name with an escape", "\"name\":\"smsp", "\"name\":\"\\u001b[31m", "/metrics/0/name is no name of a metric");
    row("a name of two", "\"name\":\"smsp", "\"name\":\"a,smsp", "/metrics/0/name is no name of a metric");
    row("a name at length", "\"name\":\"smsp", "\"name\":\"" + QByteArray(200, 'x'),
        "/metrics/0/name is no name of a metric");
    row("a metric twice", "\"name\":\"lts__t_sector_hit_rate.pct\"", "\"name\":\"smsp__inst_executed.sum\"",
        "/metrics/1/name comes twice");
    row("a unit with an escape", "\"unit\":\"inst\"", "\"unit\":\"\\n\"",
        "/metrics/0/unit expected 1 to 64 printable ASCII characters");
    row("missing without a reason", "\"reason\":\"CUPTI", "\"why\":\"CUPTI", "/missing/0/reason is missing");
    row("a reason at length", "\"reason\":\"CUPTI", "\"reason\":\"" + QByteArray(1000, 'x'),
        "/missing/0/reason is longer than 1000 bytes");
    row("a kernel that is none", "\"kernels\":[", "\"kernels\":[4,", "/kernels/0 expected an object, found number");
    row("a metric that is not listed", "{\"lts__t_sector_hit_rate.pct\":99.5", "{\"\\u001b[31m\":99.5",
        "/kernels/0 holds a value of no metric that is listed");
    row("a negative value", ":99.5", ":-99.5", "/kernels/0/lts__t_sector_hit_rate.pct is negative: -99.5");
    row("a word as value", ":99.5", ":\"99.5\"",
        "/kernels/0/lts__t_sector_hit_rate.pct expected a number, found string");
    row("no value", ":99.5", ":null", "/kernels/0/lts__t_sector_hit_rate.pct expected a number, found null");
    row("a value beyond sense", ":99.5", ":1e31", "/kernels/0/lts__t_sector_hit_rate.pct is above 1e30");
    QByteArray many = "\"kernels\":[";
    for (std::size_t i = 0; i < maximumCountedKernels; ++i)
        many += "{},";
    row("too many kernels", "\"kernels\":[", many, "/kernels holds 514 entries, of which there are at most 512");
}

void TestCaptureCounters::damagedCounters()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, error);
    QByteArray damaged = countedText(5);
    const qsizetype at = damaged.indexOf(from);
    QVERIFY2(at >= 0, damaged);
    try {
        parseCapture(damaged.replace(at, from.size(), to).toStdString(), "5.json");
        QFAIL("read");
    } catch (const CaptureFileError &found) {
        QVERIFY2(QString(found.what()).startsWith(error), found.what());
    }
}

QTEST_APPLESS_MAIN(TestCaptureCounters)
#include "tst_capturecounters.moc"
