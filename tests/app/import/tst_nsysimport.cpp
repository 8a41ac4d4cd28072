// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignfixture.h"
#include "nsysfixture.h"

#include <QThread>

using namespace stagecraft;
using namespace fixtures;

// Sound exports of Nsight Systems, of all schema versions; several together; with this project's own ranges.
class TestNsysImport : public QObject
{
    Q_OBJECT

private slots:
    void everySchemaIsRead_data()
    {
        QTest::addColumn<QString>("version");
        for (const char *version : {"2.9.1", "3.1.7", "3.15.1", "3.25.0"})
            QTest::newRow(version) << version;
    }
    void everySchemaIsRead()
    {
        QFETCH(QString, version);
        const QString path = file("report.sqlite");
        {
            NsysExport nsys(path);
            nsys.schema(version);
            addTwoKernels(nsys);
        }
        const auto imported = import::importFiles({path});
        QCOMPARE(imported.error, "");
        QCOMPARE(problemTexts(imported.evidence), "");
        const evidence::Namespace back = written(imported.evidence, secrets);
        QCOMPARE(back.gpu, "NVIDIA GeForce RTX 4090");
        QCOMPARE(back.utc, "2026-01-01T00:00:00Z");
        QCOMPARE(back.captureBackend, "nsys");
        QVERIFY(back.resultsDocument["imported"]["files"][0]["version"].get<std::string>().ends_with(
            version.toStdString()));
        const auto rows = evidence::valueRows(back);
        QCOMPARE(rows.size(), 2);
        const auto *fill = rowOf(rows, "fill", "report");
        QVERIFY(fill && fill->kernel.estimate && fill->launches.estimate && fill->firstKernel);
        QCOMPARE(fill->kernel.estimate->mean, 3.0);
        QCOMPARE(fill->kernel.estimate->median.value(), 3.0);
        QCOMPARE(fill->kernel.estimate->samples, 5);
        QCOMPARE(fill->kernel.source, "nsys");
        QCOMPARE(fill->launches.estimate->mean, 1.0);
        QCOMPARE(fill->kernelNames, QStringList{"void ns::fill<float, 4>(T1 *, int)"});
        QCOMPARE(fill->firstKernel->gridSize, "128,2,1");
        QCOMPARE(fill->firstKernel->blockSize, "256,1,1");
        QCOMPARE(fill->firstKernel->registersPerThread.value(), 40);
        QCOMPARE(fill->firstKernel->sharedMemBytes.value(), 1536);
        QCOMPARE(fill->span.state, evidence::State::Unavailable);
        QVERIFY(fill->span.reason.contains("no spans"));
        QCOMPARE(rowOf(rows, "reduce", "report")->kernel.estimate->mean, 15.0);
        QVERIFY(!back.progression);
    }

    void filesBecomeStages()
    {
        QStringList paths;
        for (int i = 1; i <= 3; ++i) {
            paths.append(file(QStringLiteral("report%1.sqlite").arg(i)));
            NsysExport nsys(paths.last());
            nsys.schema("3.20.7");
            nsys.string(1, "fill(float *)");
            nsys.string(2, "other(float *)");
            nsys.kernel(1, 0, 12.0 / i);
            if (i < 3)
                nsys.kernel(2, 100, 1);
        }
        const auto imported = import::importFiles(paths);
        QCOMPARE(imported.error, "");
        QCOMPARE(imported.evidence.name, "report");
        QVERIFY(problemTexts(imported.evidence).contains("other is in report1, report2 only"));
        const evidence::Namespace back = written(imported.evidence, secrets);
        QVERIFY(back.progression);
        QCOMPARE(back.progression->operations.size(), 1);
        const auto &stages = back.progression->operations.first().stages;
        QCOMPARE(stages.size(), 3);
        for (int i = 1; i <= 3; ++i) {
            QCOMPARE(stages[i - 1].id, QStringLiteral("report%1").arg(i));
            QCOMPARE(stages[i - 1].kernelUs.value(), 12.0 / i);
        }
        // They were compared with the records: nothing is left "not checked".
        QVERIFY2(!problemTexts(back).contains("Not checked"), qPrintable(problemTexts(back)));
        QVERIFY(back.excluded.join('\n').contains("other is in report1, report2 only"));
    }

    void otherGpusAreNoProgression()
    {
        QStringList paths{file("a.sqlite"), file("b.sqlite")};
        for (const QString &path : paths) {
            NsysExport nsys(path);
            nsys.schema("3.20.7");
            addTwoKernels(nsys);
            if (path == paths.last())
                nsys.sql("UPDATE TARGET_INFO_GPU SET name = 'NVIDIA H200' WHERE id = 7");
        }
        const auto imported = import::importFiles(paths);
        QCOMPARE(imported.error, "");
        QVERIFY(!imported.evidence.progression);
        QVERIFY(problemTexts(imported.evidence).contains("different GPUs"));
        QCOMPARE(evidence::valueRows(written(imported.evidence)).size(), 4);
    }

    // Two GPUs of one report are never one series.
    void devicesOfOtherNamesStandApart()
    {
        const QString path = file("report.sqlite");
        {
            NsysExport nsys(path);
            nsys.schema("3.20.7");
            nsys.sql("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 1, 4711)");
            nsys.string(1, "fill(float *)");
            nsys.kernel(1, 0, 2);
            nsys.kernel(1, 10, 8, 0, 1);
        }
        const auto imported = import::importFiles({path});
        QCOMPARE(imported.error, "");
        const auto rows = evidence::valueRows(written(imported.evidence));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rowOf(rows, "fill", "device-0")->kernel.estimate->mean, 2.0);
        QCOMPARE(rowOf(rows, "fill", "device-1")->kernel.estimate->mean, 8.0);
        QCOMPARE(imported.evidence.gpu, "Display GPU; NVIDIA GeForce RTX 4090");
    }

    // Launched inside of ranges that this project's workers mark: its own words, rounds and implementations.
    void ownRangesNameWhatRan()
    {
        const QString path = file("report.sqlite");
        {
            NsysExport nsys(path);
            nsys.schema("3.25.0");
            nsys.string(1, "split(float *)");
            nsys.string(2, "join(float *)");
            nsys.sql("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, "
                     "globalTid INTEGER, textId INTEGER, domainId INTEGER)");
            nsys.sql("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, "
                     "correlationId INTEGER, nameId INTEGER)");
            const qint64 thread = NsysExport::process + 99;
            const auto range = [&](double from, double to, const QString &text, int domain) {
                nsys.sql("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, NULL, ?)",
                         {qint64(from * 1000), qint64(to * 1000), text, thread, domain});
            };
            nsys.sql("INSERT INTO NVTX_EVENTS VALUES (0, NULL, 75, 'stagecraft', ?, NULL, 5)", {thread});
            nsys.sql("INSERT INTO NVTX_EVENTS VALUES (0, NULL, 75, 'somebody', ?, NULL, 6)", {thread});
            int correlation = 0;
            const auto launch = [&](int kernel, double at, double us) {
                nsys.sql("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 0)",
                         {qint64(at * 1000), qint64(at * 1000 + 500), thread, ++correlation});
                nsys.kernel(kernel, at + 5000, us, correlation); // runs long after, outside of the range
            };
            range(0, 10'000, "somebody's", 6);
            for (int round = 0; round < 2; ++round) {
                const double base = 1000 * round;
                for (const char *phase : {"check", "spans"}) {
                    const double at = base + (phase[0] == 'c' ? 0 : 500);
                    range(at, at + 400, "matmul", 5);
                    range(at, at + 400, "cuda", 5);
                    range(at, at + 400, QStringLiteral("round %1").arg(round + 1), 5);
                    range(at, at + 400, phase, 5);
                    for (int i = 0; i < 3; ++i) {
                        launch(1, at + 10 + 20 * i, phase[0] == 'c' ? 500 : 2);
                        launch(2, at + 15 + 20 * i, 4);
                    }
                }
            }
            launch(1, 9000, 700);
        }
        const auto imported = import::importFiles({path});
        QCOMPARE(imported.error, "");
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].operation, "matmul");
        QCOMPARE(rows[0].implementation, "cuda");
        QCOMPARE(rows[0].kernel.estimate->mean, 6.0);
        QCOMPARE(rows[0].kernel.estimate->roundMeans, (QList<double>{6, 6}));
        QCOMPARE(rows[0].launches.estimate->mean, 2.0);
        QVERIFY(problemTexts(imported.evidence).contains("13 launches are of no measurement"));
        QVERIFY(problemTexts(imported.evidence).contains("Iterations are not recorded"));
    }

    void severalThreadsReadAtOnce()
    {
        const QString path = file("report.sqlite");
        {
            NsysExport nsys(path);
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
        }
        QList<QThread *> threads;
        std::atomic<int> sound = 0;
        for (int i = 0; i < 4; ++i)
            threads.append(QThread::create([&] { sound += import::importFiles({path}).error.isEmpty(); }));
        for (QThread *thread : threads)
            thread->start();
        for (QThread *thread : threads)
            thread->wait();
        qDeleteAll(threads);
        QCOMPARE(sound.load(), 4);
        QVERIFY(QSqlDatabase::connectionNames().isEmpty());
    }

    void readingCanBeCancelled()
    {
        const QString path = file("report.sqlite");
        {
            NsysExport nsys(path);
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
        }
        int asked = 0;
        const auto imported = import::importFiles({path}, [&asked] { return ++asked > 2; });
        QVERIFY(imported.error.contains("cancelled"));
        QVERIFY(imported.evidence.results.isEmpty());
    }

    void theFileStaysAsItIs()
    {
        const QString path = file("report.sqlite");
        {
            NsysExport nsys(path);
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
        }
        const QByteArray before = readFile(path);
        import::importFiles({path});
        QCOMPARE(readFile(path), before);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"report.sqlite"});
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

private:
    QString file(const QString &name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestNsysImport)
#include "tst_nsysimport.moc"
