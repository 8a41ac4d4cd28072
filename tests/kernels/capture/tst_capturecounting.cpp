// SPDX-License-Identifier: GPL-3.0-or-later
#include "captureinjectionfixture.h"
#include "countermetrics.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace stagecraft::capture;

// Brackets that count, in somebody's program.
class TestCaptureCounting : public captureinjection::Fixture
{
    Q_OBJECT

private slots:
    void kernelsAreCounted();
    void countersStandInTheFile();
    void theFunctionChoosesTheNextBracket();
    void theUsualMetricsAreCounted();
    void nothingOfCountingStays();
    void refusedCounters_data();
    void refusedCounters();
    void countersOfOtherThreads();
    void countersOfAFailedGpu();
    void anEndInsideACountedBracket();
    void aForkInsideACountedBracket();

private:
    void count(const char *metrics = "a__inst.sum,b__rate.pct")
    {
        m_environment.insert("STAGECRAFT_CAPTURE_METRICS", metrics);
    }
};

// Nothing of before or after the bracket, and no records beside the counts.
void TestCaptureCounting::kernelsAreCounted()
{
    count();
    run({"init", "launch:before", "wait", "start", "launch:a", "launch:b", "stop", "launch:after", "wait"});
    QCOMPARE(m_errors, QString());
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(bracket.counters.has_value() && bracket.records.empty() && !bracket.unavailable);
    QCOMPARE(bracket.counters->passes, 1);
    QCOMPARE(bracket.counters->metrics.size(), 2u);
    QCOMPARE(bracket.counters->kernels.size(), 2u);
    QCOMPARE(bracket.counters->kernels[0].at("a__inst.sum"), 1000.0);
    QCOMPARE(bracket.counters->kernels[1].at("b__rate.pct"), 2001.0);
}

void TestCaptureCounting::countersStandInTheFile()
{
    count("a__inst.sum, absent__x.sum");
    run({"init", "runtime-start", "launch:k", "runtime-stop"});
    QFile file(m_output->filePath(QString("%1.json").arg(m_pid)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(root["format"].toInt(), 1);
    QCOMPARE(root["brackets"].toArray().size(), 1);
    const QJsonObject bracket = root["brackets"].toArray()[0].toObject();
    QCOMPARE(bracket.keys(), QStringList({"backend", "counters"}));
    const QJsonObject counters = bracket["counters"].toObject();
    QCOMPARE(counters.keys(), QStringList({"kernels", "metrics", "missing", "passes", "replay_mode"}));
    QCOMPARE(counters["replay_mode"].toString(), QString("kernel"));
    const QJsonObject metric{{"name", "a__inst.sum"}, {"unit", "inst"}};
    QCOMPARE(counters["metrics"].toArray(), QJsonArray{metric});
    QCOMPARE(counters["missing"].toArray()[0].toObject()["name"].toString(), QString("absent__x.sum"));
    QVERIFY(!counters["missing"].toArray()[0].toObject()["reason"].toString().isEmpty());
    QCOMPARE(counters["kernels"].toArray(), QJsonArray({QJsonObject{{"a__inst.sum", 1000}}}));
}

// And none that is open.
void TestCaptureCounting::theFunctionChoosesTheNextBracket()
{
    const QStringList kernel{"start", "launch:k", "stop"};
    run(QStringList{"count:too-early__inst.sum", "init"} + kernel + QStringList{"count:a__inst.sum"} + kernel +
        QStringList{"record"} + kernel + QStringList{"count:a__inst.sum", "count:"} + kernel +
        QStringList{"start", "count:a__inst.sum", "launch:k", "stop"} + kernel);
    QString seen;
    const auto brackets = files().at(0).brackets;
    for (const CaptureBracket &bracket : brackets) {
        QVERIFY(!bracket.unavailable);
        seen += bracket.counters ? 'c' : 'r';
        QCOMPARE(bracket.counters ? bracket.counters->kernels.size() : bracket.records.size(), 1u);
    }
    QCOMPARE(seen, QString("rcrrrc"));
}

void TestCaptureCounting::theUsualMetricsAreCounted()
{
    count("usual");
    run({"init", "start", "launch:k", "stop"});
    QCOMPARE(onlyBracket().counters.value().metrics.size(), usualMetrics().size());
}

void TestCaptureCounting::nothingOfCountingStays()
{
    const QString active = "active:libcupti.so." STAGECRAFT_FAKE_CUPTI_MAJOR;
    run({"init", "start", "launch:a", "stop", "iteration:-1", "count:a__inst.sum", "start", active, "launch:b", "stop",
         active, "iteration:-1", active});
    QCOMPARE(m_printed.split('\n', Qt::SkipEmptyParts).mid(1), QStringList({"active 489", "active 9", "active 9"}));
    QVERIFY(files().at(0).brackets.at(1).counters.has_value()); // though CUPTI had left the process in between
}

void TestCaptureCounting::refusedCounters_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("fix");
    const auto refused = [](const char *name, const char *value, const char *reason, const char *fix) {
        QTest::newRow(name) << "STAGECRAFT_FAKE_CUPTI_REFUSE" << value << reason << fix;
    };
    refused("permissions", "cuptiRangeProfilerEnable=35", "does not let this user read hardware counters",
            "NVreg_RestrictProfilingToAdminUsers=0");
    refused("busy", "cuptiRangeProfilerStart=26", "another program holds the hardware counters", "dcgmi profile");
    refused("no reading", "cuptiRangeProfilerDecodeData=999", "cuptiRangeProfilerDecodeData", "fits the driver");
    refused("another profiler", "cuptiSubscribe=39", "another profiler", "--no-capture");
    QTest::newRow("WSL2") << "STAGECRAFT_FAKE_CUPTI_LACKS"
                          << "wsl"
                          << "WSL2"
                          << "Windows driver";
    QTest::newRow("an old GPU") << "STAGECRAFT_FAKE_CUPTI_LACKS"
                                << "architecture"
                                << "7.0 and above"
                                << "newer GPU";
    QTest::newRow("no metric") << "STAGECRAFT_CAPTURE_METRICS"
                               << "instructions please"
                               << "\"instructions please\" is no name of a metric"
                               << "ncu --query-metrics";
    QTest::newRow("none of them") << "STAGECRAFT_CAPTURE_METRICS"
                                  << "absent__x.sum"
                                  << "none of the 1 metrics"
                                  << "ncu --query-metrics";
    QTest::newRow("an older CUPTI") << "STAGECRAFT_CUDA_LIBRARIES" << STAGECRAFT_FAKE_OLDER_CUPTI_FOLDER
                                    << " has no cupti"
                                    << "install the CUPTI";
}

// The program itself goes on, and records are there all the same.
void TestCaptureCounting::refusedCounters()
{
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QString, reason);
    QFETCH(QString, fix);
    count();
    m_environment.insert(variable, value);
    run({"init", "start", "launch:a", "wait", "stop", "record", "start", "launch:b", "stop"});
    const auto brackets = files().at(0).brackets;
    const auto &counted = brackets.at(0);
    QVERIFY(counted.unavailable.has_value() && !counted.counters);
    QVERIFY2(QString::fromStdString(counted.unavailable->reason).contains(reason), counted.unavailable->reason.c_str());
    QVERIFY2(QString::fromStdString(counted.unavailable->fix).contains(fix), counted.unavailable->fix.c_str());
    if (value != "cuptiSubscribe=39") // then no bracket is seen
        QCOMPARE(kernels(brackets.at(1)), QStringList{"b -1"});
}

void TestCaptureCounting::countersOfOtherThreads()
{
    count();
    const QString active = "active:libcupti.so." STAGECRAFT_FAKE_CUPTI_MAJOR;
    run({"init", "elsewhere:cuProfilerStart", "launch:a", "stop", "start", "launch:b", "elsewhere:cuProfilerStop",
         active, "start", "launch:c", "stop"});
    const auto brackets = files().at(0).brackets;
    QVERIFY(QString::fromStdString(brackets.at(0).unavailable.value().reason).contains("no CUDA context"));
    QVERIFY(QString::fromStdString(brackets.at(1).unavailable.value().reason).contains("another thread"));
    QVERIFY2(m_printed.contains("active 9\n"), qPrintable(m_printed));
    QVERIFY(brackets.at(2).counters.has_value());
}

void TestCaptureCounting::countersOfAFailedGpu()
{
    count();
    run({"init", "start", "launch:a", "fail:700", "stop", "active:libcupti.so." STAGECRAFT_FAKE_CUPTI_MAJOR});
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(!bracket.counters && bracket.unavailable->reason.starts_with("the GPU failed before cuProfilerStop"));
    QVERIFY2(m_printed.contains("active 9\n"), qPrintable(m_printed));
}

void TestCaptureCounting::anEndInsideACountedBracket()
{
    count();
    run({"init", "start", "launch:done", "wait", "launch:running"});
    const CaptureBracket bracket = onlyBracket();
    QVERIFY(bracket.unterminated);
    QCOMPARE(bracket.counters.value().kernels.size(), 1u);
}

void TestCaptureCounting::aForkInsideACountedBracket()
{
    count();
    run({"init", "start", "launch:a", "fork", "launch:b", "stop"});
    QCOMPARE(files()[0].pid, m_pid);
    QCOMPARE(onlyBracket().counters.value().kernels.size(), 2u);
}

QTEST_GUILESS_MAIN(TestCaptureCounting)
#include "tst_capturecounting.moc"
