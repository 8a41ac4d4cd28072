// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "stagefixture.h"
#include "stagesampler.h"

#include <csignal>
#include <QSignalSpy>

using namespace stagecraft;
using namespace stagecraft::run;

namespace {

SampleOrder order(const QString &instruction = "none")
{
    SampleOrder order;
    order.stage = fakeStage({.id = "mine", .marks = {instruction}});
    return order;
}

bool isGone(int pid)
{
    return QTest::qWaitFor([pid] { return ::kill(pid, 0) != 0; }, 30'000);
}

} // namespace

class TestStageSampler : public QObject
{
    Q_OBJECT

private slots:
    void theWorkersSamplesAndItsCodeArrive()
    {
        const FakeWorkers workers;
        StageSampler sampler;
        QSignalSpy sampled(&sampler, &StageSampler::sampled), failed(&sampler, &StageSampler::failed);
        SampleOrder wanted = order();
        wanted.cubin = workers.path() + "/out.cubin";
        sampler.sample(wanted);
        QVERIFY(sampler.isBusy());
        QVERIFY(sampled.wait(30'000));
        QVERIFY(!sampler.isBusy());
        const auto result = sampled.first().first().value<protocol::SampleResult>();
        QCOMPARE(result.samples, std::int64_t(100));
        QCOMPARE(result.periodCycles, std::int64_t(256));
        QCOMPARE(result.kernels.size(), 1U);
        QCOMPARE(result.kernels.front().entry, std::string("fake"));
        QVERIFY(QFile::exists(wanted.cubin));
        QVERIFY(failed.isEmpty());
        QVERIFY(isGone(workers.pids().value(0))); // what was sampled in a process, it must not time
    }

    void failuresAreTold_data()
    {
        QTest::addColumn<QString>("instruction");
        QTest::addColumn<QString>("reason");
        QTest::newRow("refused") << "sample-refused"
                                 << "the made-up driver refuses sampling";
        QTest::newRow("death") << "kill-in-sample"
                               << "SIGKILL";
        QTest::newRow("hang") << "hang-in-sample"
                              << "sent nothing for 0.7 s";
    }

    void failuresAreTold()
    {
        QFETCH(QString, instruction);
        QFETCH(QString, reason);
        const FakeWorkers workers;
        StageSampler sampler;
        QSignalSpy sampled(&sampler, &StageSampler::sampled), failed(&sampler, &StageSampler::failed);
        sampler.setTimeLimit(700);
        sampler.sample(order(instruction));
        QVERIFY(failed.wait(60'000));
        const auto fault = failed.first().first().value<WorkerFault>();
        QVERIFY2(fault.reason.contains(reason), qPrintable(fault.reason));
        QVERIFY(!fault.fix.isEmpty());
        QVERIFY(sampled.isEmpty());
        QCOMPARE(failed.size(), 1);
        QVERIFY(isGone(workers.pids().value(0)));
        sampler.setTimeLimit(60'000);
        sampler.sample(order()); // the next one has a worker of its own
        QVERIFY(sampled.wait(30'000));
    }

    void cancellingEndsTheWorker()
    {
        const FakeWorkers workers;
        StageSampler sampler;
        QSignalSpy sampled(&sampler, &StageSampler::sampled), failed(&sampler, &StageSampler::failed);
        sampler.sample(order("hang-in-sample"));
        QVERIFY(QTest::qWaitFor([&] { return workers.pids().size() == 1; }, 30'000));
        sampler.cancel();
        QVERIFY(!sampler.isBusy());
        QVERIFY(isGone(workers.pids().value(0)));
        QVERIFY(sampled.isEmpty() && failed.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestStageSampler)
#include "tst_stagesampler.moc"
