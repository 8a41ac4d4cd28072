// SPDX-License-Identifier: GPL-3.0-or-later
#include "availability.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

protocol::Device device(int index, const std::string &name, const std::string &uuid, int sms = 132)
{
    protocol::Device device;
    device.index = index;
    device.name = name;
    device.uuid = uuid;
    device.computeCapability = "9.0";
    device.smCount = sms;
    return device;
}

run::WorkerReport report(const QString &worker, const std::vector<protocol::Device> &devices,
                         const QStringList &implementations = {})
{
    run::WorkerReport report;
    report.worker = worker;
    report.answered = true;
    report.description.devices = devices;
    for (const QString &id : implementations) {
        protocol::Implementation implementation;
        implementation.id = id.toStdString();
        implementation.available = true;
        report.description.implementations.push_back(implementation);
    }
    return report;
}

const ImplementationStatus *find(const QList<ImplementationStatus> &statuses, const QString &id)
{
    const auto found = std::ranges::find(statuses, id, &ImplementationStatus::id);
    return found == statuses.end() ? nullptr : &*found;
}

} // namespace

class tst_Availability : public QObject
{
    Q_OBJECT

private slots:
    void oneGpuOfTwoWorkersIsListedOnce_data()
    {
        QTest::addColumn<bool>("pythonFirst");
        QTest::addColumn<QString>("pythonUuid");
        QTest::newRow("same uuid") << false << "GPU-6f1d";
        QTest::newRow("python answers first") << true << "GPU-6f1d";
        QTest::newRow("bare uuid") << false << "6F1D";
        QTest::newRow("no uuid") << true << "";
    }

    void oneGpuOfTwoWorkersIsListedOnce()
    {
        QFETCH(bool, pythonFirst);
        QFETCH(QString, pythonUuid);
        const run::WorkerReport cuda =
            report("cuda", {device(1, "NVIDIA H200", "GPU-77aa"), device(0, "NVIDIA H200", "GPU-6f1d")});
        const run::WorkerReport python = report("python", {device(0, "NVIDIA H200", pythonUuid.toStdString(), 0)});
        Availability availability;
        availability.reset();
        availability.add(pythonFirst ? python : cuda);
        availability.add(pythonFirst ? cuda : python);
        QCOMPARE(availability.devices().size(), 2);
        QCOMPARE(availability.devices().at(0).index, 0);
        QVERIFY(availability.devices().at(0).detail.contains("132 SMs")); // the driver's own word
        QCOMPARE(availability.devices().at(1).index, 1);
    }

    void twoGpusOfOneNameAreTwo()
    {
        Availability availability;
        availability.reset();
        availability.add(report("cuda", {device(0, "NVIDIA H200", "GPU-1"), device(1, "NVIDIA H200", "GPU-2")}));
        availability.add(report("python", {device(0, "NVIDIA H200", "GPU-1"), device(1, "NVIDIA H200", "GPU-2")}));
        QCOMPARE(availability.devices().size(), 2);
    }

    void aGpuThatOnlyPythonSeesIsThere()
    {
        Availability availability;
        availability.reset();
        run::WorkerReport cuda;
        cuda.worker = "cuda";
        cuda.reason = "stagecraft-worker-cuda is not part of this build";
        availability.add(cuda);
        QCOMPARE(availability.gpu(), GpuPresence::Absent);
        availability.add(report("python", {device(0, "NVIDIA H200", "GPU-1")}));
        QCOMPARE(availability.gpu(), GpuPresence::Present);
        QVERIFY(availability.noDeviceReason().isEmpty());
    }

    void aCpuIsNoDevice()
    {
        protocol::Device cpu;
        cpu.name = "A CPU";
        Availability availability;
        availability.reset();
        availability.add(report("host", {cpu}));
        availability.add(report("python", {cpu}));
        QVERIFY(availability.devices().isEmpty());
        QCOMPARE(availability.hostName(), QStringLiteral("A CPU"));
        QCOMPARE(availability.gpu(), GpuPresence::Unknown);
    }

    void externalProgramsAreImplementationsOfWorkersOfTheirOwn()
    {
        Availability availability;
        availability.reset({{}, {}, {{"mine", "/a", {}}, {"yours", "/b", {}}}});
        QCOMPARE(find(availability.implementations("gelu"), "mine")->state, ImplementationStatus::Asking);
        availability.add(report("external/mine", {}, {"mine", "cuda"}));
        run::WorkerReport yours;
        yours.worker = "external/yours";
        yours.reason = "/b is not there";
        availability.add(yours);
        const QList<ImplementationStatus> statuses = availability.implementations("gelu");
        QCOMPARE(find(statuses, "mine")->state, ImplementationStatus::Ready);
        QCOMPARE(find(statuses, "yours")->state, ImplementationStatus::Unavailable);
        QCOMPARE(find(statuses, "yours")->reason, QStringLiteral("/b is not there"));
        QCOMPARE(find(statuses, "cuda")->state, ImplementationStatus::Asking); // not for it to say
        QCOMPARE(statuses.last().id, QStringLiteral("yours"));
    }

    void aWorkerThatNeverReportsIsUnavailable()
    {
        Availability availability;
        availability.reset({{}, {}, {{"mine", "/a", {}}}});
        availability.finish();
        for (const ImplementationStatus &status : availability.implementations())
            QCOMPARE(status.state, ImplementationStatus::Unavailable);
        QVERIFY(find(availability.implementations(), "mine")->reason.contains("external/mine"));
    }

    void oneCauseIsOneLine()
    {
        QList<ImplementationStatus> statuses;
        for (const char *id : {"cuda", "host", "cublas", "triton"})
            statuses.append({id, "worker", ImplementationStatus::Unavailable, "no driver", "Install it", {}});
        statuses[1].state = ImplementationStatus::Ready;
        statuses[3].reason = "no triton";
        QCOMPARE(unavailableCauses(statuses), QStringList({"cuda, cublas: no driver. What to do: Install it",
                                                           "triton: no triton. What to do: Install it"}));
    }
};

QTEST_GUILESS_MAIN(tst_Availability)
#include "tst_availability.moc"
