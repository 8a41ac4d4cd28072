// SPDX-License-Identifier: GPL-3.0-or-later
#include "countedkernels.h"
#include "countermetrics.h"
#include "metriclist.h"

#include <QSet>
#include <QTest>

using namespace stagecraft::capture;
using stagecraft::protocol::CountersResult;
using stagecraft::protocol::KernelRecord;

namespace {

KernelRecord record(const char *name, std::int64_t blocks)
{
    KernelRecord one;
    one.kernelName = name;
    one.durationUs = 7;
    one.grid = {blocks, 2, 1};
    one.block = {128, 1, 1};
    one.registersPerThread = 40;
    one.sharedMemBytes = 512;
    return one;
}

CounterReading reading(std::size_t kernels)
{
    CounterReading made;
    made.passes = 3;
    made.metrics = {{"a.sum", "inst"}};
    made.missing = {{"b.sum", "not here"}};
    for (std::size_t i = 0; i < kernels; ++i)
        made.kernels.push_back({{"a.sum", 100.0 + static_cast<double>(i)}});
    return made;
}

QString problemOf(const std::string &text)
{
    try {
        metricsNamed(text);
    } catch (const CaptureError &error) {
        return error.fix.empty() ? QString() : QString::fromStdString(error.what());
    }
    return {};
}

} // namespace

// Names of metrics as text, and what a recorded and a counted call say together.
class TestCountedKernels : public QObject
{
    Q_OBJECT

private slots:
    void namesAndCountsAreJoinedInOrder();
    void callsThatDifferAreNotJoined();
    void listsAreRead();
    void listsThatAreNone();
    void listsAreWritten();
    void theUsualOnesAreNames();
};

void TestCountedKernels::namesAndCountsAreJoinedInOrder()
{
    CountersResult result;
    QVERIFY(!joinCounters({record("fill", 1), record("add", 9)}, reading(2), result));
    QCOMPARE(result.replayMode, std::string("kernel"));
    QCOMPARE(result.passes, 3);
    QCOMPARE(result.metrics.at(0).name, std::string("a.sum"));
    QCOMPARE(result.missing.at(0).name, std::string("b.sum"));
    QCOMPARE(result.kernels.size(), 2u);
    QCOMPARE(result.kernels[0].kernelName, std::string("fill"));
    QCOMPARE(result.kernels[1].kernelName, std::string("add"));
    QVERIFY((result.kernels[1].grid == std::array<std::int64_t, 3>{9, 2, 1}));
    QVERIFY((result.kernels[1].block == std::array<std::int64_t, 3>{128, 1, 1}));
    QCOMPARE(result.kernels[1].registersPerThread, 40);
    QCOMPARE(result.kernels[1].sharedMemBytes, 512);
    QCOMPARE(result.kernels[0].values.at("a.sum"), 100.0);
    QCOMPARE(result.kernels[1].values.at("a.sum"), 101.0);
}

void TestCountedKernels::callsThatDifferAreNotJoined()
{
    CountersResult result;
    const auto problem = joinCounters({record("fill", 1), record("add", 9)}, reading(3), result);
    QVERIFY(problem.has_value());
    QCOMPARE(problem->reason,
             std::string("the call launched 2 kernels when it was recorded and 3 when they were counted"));
    QVERIFY(!problem->fix.empty());
    QVERIFY(result.kernels.empty() && result.metrics.empty());
}

void TestCountedKernels::listsAreRead()
{
    using Names = std::vector<std::string>;
    QVERIFY(metricsNamed("").empty());
    QVERIFY(metricsNamed(" , ,").empty());
    QVERIFY(metricsNamed(" usual\n") == usualMetrics());
    QVERIFY((metricsNamed("a.sum") == Names{"a.sum"}));
    QVERIFY((metricsNamed(" b.avg ,a.sum,b.avg,") == Names{"b.avg", "a.sum"}));
}

void TestCountedKernels::listsThatAreNone()
{
    QCOMPARE(problemOf("a.sum b.sum"), QString("\"a.sum b.sum\" is no name of a metric"));
    QCOMPARE(problemOf("\x1b[31m"), QString("\"?[31m\" is no name of a metric"));
    QVERIFY(problemOf(std::string(201, 'x')).endsWith("is no name of a metric"));
    QCOMPARE(problemOf(std::string(200, 'x')), QString());
    std::string many;
    for (std::size_t i = 0; i <= maximumMetrics; ++i)
        many += "m" + std::to_string(i) + ",";
    QVERIFY(problemOf(many).startsWith("1001 metrics are more than 1000"));
}

void TestCountedKernels::listsAreWritten()
{
    QCOMPARE(metricList({}), std::string("usual"));
    QCOMPARE(metricList({"a.sum", "b.avg"}), std::string("a.sum,b.avg"));
    QVERIFY_EXCEPTION_THROWN(metricList({"a.sum", "b,c"}), CaptureError);
    QVERIFY_EXCEPTION_THROWN(metricList({""}), CaptureError);
}

void TestCountedKernels::theUsualOnesAreNames()
{
    QSet<QString> seen;
    for (const std::string &metric : usualMetrics()) {
        QVERIFY2(isMetricName(metric), metric.c_str());
        seen.insert(QString::fromStdString(metric));
    }
    QCOMPARE(std::size_t(seen.size()), usualMetrics().size());
}

QTEST_APPLESS_MAIN(TestCountedKernels)
#include "tst_countedkernels.moc"
