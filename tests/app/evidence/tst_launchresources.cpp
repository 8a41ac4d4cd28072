// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "launchresources.h"

using namespace stagecraft::evidence;
using nlohmann::json;

class TestLaunchResources : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void theNotesFormIsOneLaunch()
    {
        const Namespace note = readNamespace(bundledPath("mage-003"));
        const json &tiled = note.progression->operations[0].stages[0].resources;
        const QList<LaunchResources> launches = launchResources(tiled);
        QCOMPARE(launches.size(), 1);
        QCOMPARE(launches[0].blocks, 4096);
        QCOMPARE(launches[0].threadsPerBlock, 256);
        QCOMPARE(launches[0].registersPerThread, 37);
        QCOMPARE(launches[0].sharedMemBytes, 2048);
        QVERIFY(!launches[0].localBytes && !launches[0].residentThreadsPerSm);
        QCOMPARE(stageCounts(tiled), (QMap<QString, double>{{"shared reads per multiply-add", 2.0}}));
        QVERIFY(launchResources(note.progression->operations[0].attempts[0].resources).isEmpty());
    }

    void productsComeFromTheExtents()
    {
        const QList<LaunchResources> launches = launchResources({{"grid", "16,32,2"}, {"block", "16, 16,1"}});
        QCOMPARE(launches[0].blocks, 1024);
        QCOMPARE(launches[0].threadsPerBlock, 256);
        QVERIFY(!launchResources({{"entry", "k"}, {"grid", "16,x"}})[0].blocks);
    }

    void bothFormsAreWrittenAndReadBack()
    {
        LaunchResources first;
        first.entry = "matmul_split";
        first.grid = "16,16,2";
        first.block = "256,1,1";
        first.blocks = 512;
        first.threadsPerBlock = 256;
        first.registersPerThread = 64;
        first.barriers = 2;
        first.residentThreadsPerSm = 1024;
        first.sharedMemBytes = 33792;
        first.localBytes = 0;
        first.spillBytes = 16;
        LaunchResources second;
        second.entry = "matmul_sum";
        second.blocks = 1024;
        const json flat = launchResourcesJson({first});
        QVERIFY(!flat.contains("launches"));
        QCOMPARE(fixtures::text(launchResourcesJson(launchResources(flat))), fixtures::text(flat));
        const json list = launchResourcesJson({first, second});
        QCOMPARE(list["launches"].size(), std::size_t(2));
        QVERIFY(!list["launches"][1].contains("spill_bytes"));
        const QList<LaunchResources> back = launchResources(list);
        QCOMPARE(back[0].spillBytes, 16);
        QCOMPARE(back[0].localBytes, 0);
        QCOMPARE(back[1].entry, QString("matmul_sum"));
        QVERIFY(launchResources(launchResourcesJson({})).isEmpty());
    }

    void whatHasTheWrongTypeIsNotRecorded()
    {
        const json odd = {{"entry", 5},
                          {"blocks", -1},
                          {"threads_per_block", "256"},
                          {"barriers", 1e300},
                          {"shared_mem_bytes", 1.5},
                          {"registers_per_thread", 40},
                          {"counts", {{"a", "b"}, {"c", -1}, {"d", 0.5}}}};
        const LaunchResources launch = launchResources(odd).value(0);
        QCOMPARE(launch.entry, QString());
        QVERIFY(!launch.blocks && !launch.threadsPerBlock && !launch.barriers && !launch.sharedMemBytes);
        QCOMPARE(launch.registersPerThread, 40);
        QCOMPARE(stageCounts(odd).keys(), QStringList({"d"}));
        for (const json &other : {json(nullptr), json(3), json::array({1}), json("text"), json{{"launches", 5}}}) {
            QVERIFY(launchResources(other).isEmpty());
            QVERIFY(stageCounts(other).isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(TestLaunchResources)
#include "tst_launchresources.moc"
