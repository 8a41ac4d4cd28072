// SPDX-License-Identifier: GPL-3.0-or-later
#include "measurementtext.h"
#include "stagefixture.h"

using namespace stagecraft;
using namespace stagecraft::run;
using evidence::State;

class tst_MeasurementText : public QObject
{
    Q_OBJECT

private slots:
    void preparationIsWhatWasAskedFor()
    {
        const stagefile::Stage stage = fakeStage({"mine"});
        protocol::PrepareResult result;
        result.timingSource = "event";
        QVERIFY(!preparationFault(result, nullptr));
        result.timingSource = "host";
        QVERIFY(!preparationFault(result, nullptr));
        result.stage = "matmul/mine";
        result.sourceSha256 = stage.sha256;
        QVERIFY(!preparationFault(result, &stage));
    }

    void anUnknownTimingSourceIsRefused_data()
    {
        QTest::addColumn<QString>("source");
        for (const char *source : {"", "cupti", "guess", "Event"})
            QTest::newRow(source) << QString(source);
    }

    void anUnknownTimingSourceIsRefused()
    {
        QFETCH(QString, source);
        protocol::PrepareResult result;
        result.timingSource = source.toStdString();
        const auto fault = preparationFault(result, nullptr);
        QVERIFY(fault);
        QCOMPARE(fault->state, State::Invalid);
        QVERIFY2(fault->text().contains("neither event nor host"), qPrintable(fault->text()));
    }

    void exactFp32IsStated()
    {
        RunPlan plan;
        protocol::PrepareResult result;
        QVERIFY(!wishFault(result, plan));
        plan.arithmetic = "fp32";
        const auto fault = wishFault(result, plan);
        QVERIFY(fault);
        QCOMPARE(fault->state, State::Invalid);
        QVERIFY2(fault->reason.contains("does not say what it computes in"), qPrintable(fault->reason));
        result.arithmetic = "fp32";
        QVERIFY(!wishFault(result, plan));
        result.arithmetic = "tf32";
        QCOMPARE(wishFault(result, plan)->state, State::Unavailable);
    }

    void anotherStageIsRefused()
    {
        const stagefile::Stage stage = fakeStage({"mine"});
        protocol::PrepareResult result;
        result.timingSource = "event";
        result.stage = "matmul/other";
        result.sourceSha256 = stage.sha256;
        QVERIFY(preparationFault(result, &stage)->reason.contains("matmul/other where matmul/mine was asked for"));
        result.stage = "matmul/mine";
        result.sourceSha256 = std::string(64, 'a');
        const auto fault = preparationFault(result, &stage);
        QVERIFY2(fault->reason.contains("aaaaaaaaaaaa…") &&
                     fault->reason.contains(QString::fromStdString(stage.sha256).left(12)),
                 qPrintable(fault->reason));
        QCOMPARE(fault->state, State::Invalid);
    }
};

QTEST_GUILESS_MAIN(tst_MeasurementText)
#include "tst_measurementtext.moc"
