// SPDX-License-Identifier: GPL-3.0-or-later
#include "headerbar.h"
#include "protocolsummary.h"
#include "runstore.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

class tst_Protocol : public QObject
{
    Q_OBJECT

private slots:
    void summaryIsOneLine()
    {
        run::RunPlan plan;
        QCOMPARE(protocolSummary(plan), QStringLiteral("5 × 100, 25 warm-up, warm"));
        plan.capture = false;
        QCOMPARE(protocolSummary(plan), QStringLiteral("5 × 100, 25 warm-up, warm, no capture"));
        plan.capture = true;
        plan.counters = true;
        QCOMPARE(protocolSummary(plan), QStringLiteral("5 × 100, 25 warm-up, warm, counters"));
        plan.capture = plan.counters = false;
        plan.cache = "cold";
        plan.arithmetic = "fp32";
        QCOMPARE(protocolSummary(plan), QStringLiteral("5 × 100, 25 warm-up, cold, exact FP32, no capture"));
    }

    void theNotesPresetHasThreeRounds()
    {
        run::RunPlan plan;
        QCOMPARE(presetIndex(plan), 0);
        applyPreset(protocolPresets().at(1), plan);
        QCOMPARE(plan.rounds, 3);
        QCOMPARE(presetIndex(plan), 1);
        plan.warmup = 7;
        QCOMPARE(presetIndex(plan), -1);
    }

    void durationsRoundUp()
    {
        QCOMPARE(durationText(0), QStringLiteral("0:00"));
        QCOMPARE(durationText(1), QStringLiteral("0:01"));
        QCOMPARE(durationText(38'000), QStringLiteral("0:38"));
        QCOMPARE(durationText(3'725'000), QStringLiteral("1:02:05"));
    }

    void progressIsSaidInWords()
    {
        run::Progress progress;
        progress.operation = "matmul";
        progress.implementation = "cublas";
        progress.phase = "spans";
        progress.round = 2;
        progress.rounds = 5;
        QCOMPARE(progressWhat(progress), QStringLiteral("Matrix multiplication · cuBLAS · spans"));
        QCOMPARE(progressHowFar(progress), QStringLiteral("round 2 of 5"));
        progress.remainingMs = 37'400;
        QCOMPARE(progressHowFar(progress), QStringLiteral("round 2 of 5 · 0:38 left"));
        run::Progress after; // of no operation
        after.phase = "floors";
        QCOMPARE(progressWhat(after), QStringLiteral("Measuring floors…"));
    }

    void runsOfOneSecondGetNamesOfTheirOwn()
    {
        const QTemporaryDir runs;
        const QDateTime now = QDateTime::fromString("2026-09-10T14:03:12Z", Qt::ISODate);
        const QString first = newRunDirectory(runs.path(), now);
        QCOMPARE(QDir(first).dirName(), QStringLiteral("run-20260910T140312Z"));
        QVERIFY(QDir().mkpath(first));
        QCOMPARE(QDir(newRunDirectory(runs.path(), now)).dirName(), QStringLiteral("run-20260910T140312Z-2"));
    }
};

QTEST_GUILESS_MAIN(tst_Protocol)
#include "tst_protocol.moc"
