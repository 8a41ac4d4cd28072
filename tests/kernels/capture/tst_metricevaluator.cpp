// SPDX-License-Identifier: GPL-3.0-or-later
#include "countermetrics.h"
#include "metricevaluator.h"
#include "nvidialibraries.h"

#include <QTest>

using namespace stagecraft::capture;
using namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE;

// What is counted, as NVIDIA's own libcupti of one CUDA major sees it. Its knowledge of chips needs neither GPU nor
// driver; where it is not installed the tests are skipped and say so.
class TestMetricEvaluator : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theUsualMetricsAreThere_data();
    void theUsualMetricsAreThere();
    void unitsAreTold();
    void anUnknownMetricSpoilsNoOther();
    void noneOfTheMetrics();
    void anUnknownChip();

private:
    LibraryResult m_cupti;
};

void TestMetricEvaluator::initTestCase()
{
    m_cupti = findLibrary({{"libcupti.so." + std::to_string(STAGECRAFT_CUPTI_MAJOR)}, {}, "CUPTI"});
    if (!m_cupti.library.loaded())
        QSKIP(m_cupti.reason.c_str());
}

void TestMetricEvaluator::theUsualMetricsAreThere_data()
{
    QTest::addColumn<QStringList>("missing");
    const QStringList wgmma{"smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio"};
    const QStringList constants{"smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio"};
    QTest::newRow("GH100") << QStringList();
    QTest::newRow("AD102") << wgmma;
    QTest::newRow("GA102") << wgmma;
    QTest::newRow("GA100") << wgmma;
    QTest::newRow("TU102") << QStringList{"sm__ops_path_tensor_src_tf32_dst_fp32.sum",
                                          "smsp__inst_executed_op_ldgsts.sum"} +
                                  wgmma;
    QTest::newRow("GB100") << wgmma + constants;
    QTest::newRow("GB202") << QStringList{"dram__bytes_read.sum", "dram__bytes_write.sum"} + wgmma + constants;
}

void TestMetricEvaluator::theUsualMetricsAreThere()
{
    QFETCH(QStringList, missing);
    const MetricEvaluator evaluator(m_cupti.library, QTest::currentDataTag(), {}, usualMetrics());
    QStringList found;
    for (const auto &metric : evaluator.missing()) {
        found.append(QString::fromStdString(metric.name));
        QVERIFY2(metric.reason.starts_with("CUPTI does not count it on "), metric.reason.c_str());
    }
    QVERIFY2(found == missing, qPrintable(found.join(' ')));
    QCOMPARE(evaluator.metrics().size() + evaluator.missing().size(), usualMetrics().size());
    QVERIFY2(evaluator.passes() >= 1 && evaluator.passes() <= 20, qPrintable(QString::number(evaluator.passes())));
}

void TestMetricEvaluator::unitsAreTold()
{
    const MetricEvaluator evaluator(m_cupti.library, "GH100", {},
                                    {"smsp__inst_executed.sum", "dram__bytes_read.sum", "gpu__time_duration.sum"});
    for (const auto &metric : evaluator.metrics())
        QVERIFY2(!metric.unit.empty(), metric.name.c_str());
}

void TestMetricEvaluator::anUnknownMetricSpoilsNoOther()
{
    const std::vector<std::string> metrics{"smsp__inst_executed.sum", "smsp__made_up.sum", "dram__bytes_read.sum"};
    const MetricEvaluator evaluator(m_cupti.library, "GH100", {}, metrics);
    QCOMPARE(evaluator.missing().size(), 1u);
    QCOMPARE(evaluator.missing()[0].name, std::string("smsp__made_up.sum"));
    QVERIFY2(evaluator.missing()[0].reason.find("GH100 (CUPTI_ERROR") != std::string::npos,
             evaluator.missing()[0].reason.c_str());
    QCOMPARE(evaluator.metrics().size(), 2u);
    QVERIFY(evaluator.passes() >= 1);
}

void TestMetricEvaluator::noneOfTheMetrics()
{
    QVERIFY_EXCEPTION_THROWN(MetricEvaluator(m_cupti.library, "GH100", {}, {"smsp__made_up.sum"}), CaptureError);
}

void TestMetricEvaluator::anUnknownChip()
{
    try {
        const MetricEvaluator evaluator(m_cupti.library, "GX999", {}, {"smsp__inst_executed.sum"});
        QFAIL("made");
    } catch (const CaptureError &error) {
        QVERIFY2(QString(error.what()).contains("cuptiProfilerHostInitialize"), error.what());
        QVERIFY(!error.fix.empty());
    }
}

QTEST_APPLESS_MAIN(TestMetricEvaluator)
#include "tst_metricevaluator.moc"
