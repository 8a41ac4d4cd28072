// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "runner.h"

#include <QSignalSpy>
#include <QTest>

using namespace stagecraft::run;

class tst_Surveyor : public QObject
{
    Q_OBJECT

    // Every report of one survey, by worker; fails the test where one reports twice.
    static QMap<QString, WorkerReport> survey()
    {
        Surveyor surveyor;
        QSignalSpy finished(&surveyor, &Surveyor::finished);
        QMap<QString, WorkerReport> reports;
        bool once = true;
        connect(&surveyor, &Surveyor::reported, &surveyor, [&](const WorkerReport &report) {
            once = once && !reports.contains(report.worker);
            reports.insert(report.worker, report);
        });
        surveyor.start({}, 0);
        if (!finished.wait(30'000) || !once)
            return {};
        return reports;
    }

private slots:
    void countersAreAskedForApartAndOnlyWhereWanted()
    {
        FakeWorkers workers;
        workers.writeFake({}, "--behaviour counters --trace '" + workers.path() + "/trace'");
        const auto asked = [&] {
            QFile file(workers.path() + "/trace");
            return file.open(QIODevice::ReadOnly) ? file.readAll().count("begin cuda describe") : -1;
        };
        QVERIFY(!survey()["cuda"].description.counters); // as the window asks
        QCOMPARE(asked(), 1);
        Surveyor surveyor;
        surveyor.setAsksForCounters(true);
        QSignalSpy finished(&surveyor, &Surveyor::finished);
        QStringList order;
        connect(&surveyor, &Surveyor::reported, &surveyor, [&](const WorkerReport &report) {
            if (report.worker == QLatin1String("cuda"))
                order.append(report.description.counters ? "report with counters" : "report");
        });
        connect(&surveyor, &Surveyor::countersReported, &surveyor,
                [&](const QString &worker, const stagecraft::protocol::CaptureSupport &counters) {
                    order.append(QString("%1 %2").arg(worker).arg(counters.available));
                });
        surveyor.start({}, 0);
        QVERIFY(finished.wait(30'000));
        QCOMPARE(order, QStringList({"report", "cuda 1"}));
        QCOMPARE(asked(), 3);
    }

    void everyWorkerReports()
    {
        FakeWorkers workers;
        const auto reports = survey();
        QCOMPARE(reports.keys(), QStringList({"cuda", "host", "python"}));
        QVERIFY(!reports["python"].answered);
        QCOMPARE(reports["python"].command, QString("python-fake worker.py"));
        QVERIFY(reports["python"].fix.contains("--python PATH"));
        QVERIFY(reports["cuda"].answered);
        QCOMPARE(reports["cuda"].command, QString("stagecraft-worker-cuda"));
        QCOMPARE(reports["cuda"].description.devices.at(0).name, std::string("Fake GPU"));
        QVERIFY(reports["host"].answered);
        QVERIFY(reports["host"].description.selfTest.passed);
    }

    void absentWorkerReportsWhy()
    {
        FakeWorkers workers;
        workers.remove("stagecraft-worker-cuda");
        const auto reports = survey();
        QVERIFY(!reports["cuda"].answered);
        QVERIFY(reports["cuda"].reason.contains("not part of this build"));
        QVERIFY(!reports["cuda"].fix.isEmpty());
        QVERIFY(reports["host"].answered);
    }

    void brokenWorkerReportsWhy()
    {
        FakeWorkers workers("--behaviour exit-at-start");
        const auto reports = survey();
        QVERIFY(!reports["cuda"].answered);
        QVERIFY2(reports["cuda"].reason.contains("exit status 3"), qPrintable(reports["cuda"].reason));
    }

    void destructionEndsTheWorkers()
    {
        FakeWorkers workers("--behaviour silent");
        {
            Surveyor surveyor;
            surveyor.start({}, 0);
            QTRY_COMPARE_WITH_TIMEOUT(workers.pids().size(), 1, 30'000);
        }
        // Nothing waits for its end, which the event loop sees to.
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(QStringLiteral("/proc/%1").arg(workers.pids().first())), 30'000);
    }
};

QTEST_GUILESS_MAIN(tst_Surveyor)
#include "tst_surveyor.moc"
