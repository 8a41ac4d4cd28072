// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignfixture.h"
#include "nsysfixture.h"

using namespace stagecraft;
using namespace fixtures;

// Exports of Nsight Systems that lack something, are damaged, or mean harm.
class TestNsysDamage : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aReportWithoutKernelsSaysSo()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            nsys.sql("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL");
        });
        QVERIFY(error().contains("holds no kernels"));
        QVERIFY(error().contains("--trace=cuda"));
    }

    void anEmptyKernelTableSaysSo()
    {
        make([](NsysExport &nsys) { nsys.schema("3.25.0"); });
        QVERIFY(error().contains("is empty"));
    }

    void graphsTracedAsAWholeSaySo()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            nsys.sql("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL");
            nsys.sql("CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER)");
        });
        QVERIFY(error().contains("--cuda-graph-trace=node"));
    }

    void missingNamesAreSaid()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            nsys.sql("DROP TABLE StringIds");
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("StringIds is missing"));
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        QCOMPARE(rowOf(rows, "kernel-1", "report")->kernel.estimate->mean, 3.0);
        QCOMPARE(rowOf(rows, "kernel-2", "report")->kernel.estimate->mean, 15.0);
    }

    void missingColumnsAreSaid()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            for (const char *column : {"registersPerThread", "staticSharedMemory", "gridX", "blockZ"})
                nsys.sql(QStringLiteral("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN %1").arg(column));
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        const QString problems = problemTexts(imported.evidence);
        for (const char *text : {"no registersPerThread: registers are not recorded", "no staticSharedMemory",
                                 "no gridX: grids are not recorded", "no blockZ: blocks are not recorded"})
            QVERIFY2(problems.contains(text), qPrintable(problems));
        const auto back = written(imported.evidence);
        QVERIFY(back.excluded.join('\n').contains("registers are not recorded"));
        const auto rows = evidence::valueRows(back);
        QCOMPARE(rowOf(rows, "fill", "report")->kernel.estimate->mean, 3.0);
        QVERIFY(!rows[0].firstKernel->registersPerThread && !rows[0].firstKernel->sharedMemBytes);
        QVERIFY(rows[0].firstKernel->gridSize.isEmpty() && rows[0].firstKernel->blockSize.isEmpty());
    }

    void withoutTimesThereIsNothing()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            nsys.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN end");
        });
        QVERIFY(error().contains("has no column end"));
    }

    void anUnknownGpuAndSchemaAreSaid()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            nsys.sql("DROP TABLE TARGET_INFO_GPU");
            nsys.sql("DROP TABLE META_DATA_EXPORT");
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("which GPU it was"));
        QVERIFY(problemTexts(imported.evidence).contains("no schema version"));
        QCOMPARE(written(imported.evidence).gpu, "");
    }

    void aNewerSchemaIsSaid()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.31.0");
            addTwoKernels(nsys);
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("schema 3.31.0 is outside of those"));
    }

    void durationsThatAreNoneAreCounted()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            nsys.kernel(1, 2000, 0);
            nsys.kernel(1, 2100, -7);
            nsys.kernel(2, 2200, 5);
            nsys.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = NULL WHERE start = 2200000");
            nsys.string(3, "never(int)");
            nsys.kernel(3, 2300, 0);
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("4 launches have no duration above 0"));
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        const auto *fill = rowOf(rows, "fill", "report"), *never = rowOf(rows, "never", "report");
        QCOMPARE(fill->kernel.estimate->mean, 3.0);
        QCOMPARE(fill->kernel.estimate->samples, 5);
        QCOMPARE(rowOf(rows, "reduce", "report")->kernel.estimate->mean, 15.0);
        QCOMPARE(never->kernel.state, evidence::State::Invalid);
        QCOMPARE(never->kernelNames, QStringList{"never(int)"});
    }

    void emptyNamesAreNamed()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            nsys.string(1, "");
            nsys.string(2, "_Z4scanPfi");
            nsys.kernel(1, 0, 1);           // names nothing
            nsys.kernel(QVariant(), 10, 2); // no name at all
            nsys.kernel(77, 20, 3);         // an id that is not there
            nsys.kernel(QVariant(), 30, 4);
            nsys.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET mangledName = 2 WHERE start = 30000");
            nsys.kernel("text(int)", 40, 5); // the name itself in the id's place
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        QCOMPARE(rows.size(), 5);
        QCOMPARE(rowOf(rows, "kernel-1", "report")->kernel.estimate->mean, 1.0);
        QCOMPARE(rowOf(rows, "unnamed-kernel", "report")->kernel.estimate->mean, 2.0);
        QCOMPARE(rowOf(rows, "kernel-77", "report")->kernel.estimate->mean, 3.0);
        QCOMPARE(rowOf(rows, "scan", "report")->kernelNames, QStringList{"scan(float*, int)"});
        QCOMPARE(rowOf(rows, "text", "report")->kernel.estimate->mean, 5.0);
    }

    void namesOfAnyLengthAndWithPathsAreKept()
    {
        const QString arguments = QStringList(3000, "cutlass::Layer<float, 4>").join(", ");
        make([&](NsysExport &nsys) {
            nsys.schema("3.25.0");
            nsys.string(1, "void cutlass::Kernel2<" + arguments + ">(cutlass::Params)");
            nsys.string(2, "run::{lambda at /home/adalovelace/secrethost/x.cu:7}");
            nsys.kernel(1, 0, 1);
            nsys.kernel(2, 10, 2);
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        QCOMPARE(rowOf(rows, "Kernel2", "report")->kernelNames,
                 QStringList{"void cutlass::Kernel2<" + arguments + ">(cutlass::Params)"});
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[1].kernelNames, QStringList{"run::{lambda at x.cu:7}"});
    }

    void hugeNumbersAndWrongTypesDoNoHarm()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            nsys.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 9223372036854775807, blockX = -1, "
                     "registersPerThread = 'many', dynamicSharedMemory = 9e300 WHERE demangledName = 1");
            nsys.sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName) VALUES "
                     "('soon', x'00ff', 2), (9223372036854775807, -9223372036854775808, 2), "
                     "(-9223372036854775808, 9223372036854775807, 2), (1.5, 2.5, 2)");
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("4 launches have no duration"));
        const auto rows = evidence::valueRows(written(imported.evidence));
        QCOMPARE(rowOf(rows, "fill", "report")->kernel.estimate->mean, 3.0);
        QVERIFY(rowOf(rows, "fill", "report")->firstKernel->gridSize.isEmpty());
        QCOMPARE(rowOf(rows, "reduce", "report")->kernel.estimate->mean, 15.0);
    }

    // It would never end.
    void viewsAreNotRead()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            nsys.sql("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL");
            nsys.sql("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
                     "i + 1 FROM n) SELECT i AS start, i + 5 AS end, i AS demangledName FROM n");
        });
        QVERIFY(error().contains("no kernels"));
    }

    // SQLite keeps a statement as it was written, so that one with a comment in it looks like no virtual table's.
    void virtualTablesAreNotRead()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            nsys.sql("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL");
            nsys.sql("CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end, demangledName)");
            nsys.sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 2000, 1)");
            nsys.sql("PRAGMA writable_schema = ON");
            nsys.sql("UPDATE sqlite_master SET sql = replace(sql, 'CREATE VIRTUAL', 'CREATE /**/ VIRTUAL') "
                     "WHERE name = 'CUPTI_ACTIVITY_KIND_KERNEL'");
        });
        QVERIFY2(error().contains("no kernels"), qPrintable(error()));
    }

    void computedColumnsAreNotRead()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            nsys.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN mangledName");
            nsys.sql("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN mangledName TEXT AS "
                     "(printf('%.*c', 100000000, 'x'))");
        });
        const auto imported = import::importFiles({path()});
        QCOMPARE(imported.error, "");
        QCOMPARE(evidence::valueRows(imported.evidence).size(), 2);
    }

    void otherDatabasesAreRefused()
    {
        make([](NsysExport &nsys) { nsys.sql("CREATE TABLE contacts (name TEXT)"); });
        QVERIFY(error().contains("no export of Nsight Systems"));
        make([](NsysExport &nsys) {
            nsys.sql("CREATE TABLE StringTable (_id_ INTEGER, value TEXT)");
            nsys.sql("CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (start INTEGER, end INTEGER)");
        });
        QVERIFY(error().contains("nvprof"));
    }

    void otherFilesAreRefused()
    {
        writeFile(path(), "this is no database");
        QVERIFY(error().contains("none of the kinds"));
        writeFile(path(), "");
        QVERIFY(error().contains("none of the kinds"));
        const QString report = m_folder->filePath("run.nsys-rep");
        writeFile(report, QByteArray(1000, 'n'));
        QVERIFY(import::importFiles({report}).error.contains("nsys export --type sqlite run.nsys-rep"));
        QVERIFY(import::importFiles({m_folder->path()}).error.contains("no file"));
        QVERIFY(import::importFiles({m_folder->filePath("absent.sqlite")}).error.contains("no such file"));
        QVERIFY(!import::importFiles({}).error.isEmpty());
    }

    // Cut anywhere: an error or a part, never a crash; and nothing of a part that is unsound.
    void cutFilesAreSurvived()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
            for (int i = 0; i < 300; ++i)
                nsys.kernel(1 + i % 2, 3000 + 10 * i, 4);
        });
        const QByteArray whole = readFile(path());
        const QString cut = m_folder->filePath("cut.sqlite");
        int cuts = 0, unsound = 0;
        for (qsizetype size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
            writeFile(cut, whole.first(size));
            const auto imported = import::importFiles({cut});
            ++cuts;
            unsound += !imported.error.isEmpty() || imported.evidence.hasContradiction();
            if (imported.error.isEmpty())
                written(imported.evidence, secrets);
        }
        QVERIFY(cuts > 90);
        QCOMPARE(unsound, cuts);
    }

    void damagedBytesAreSurvived()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
        });
        const QByteArray whole = readFile(path());
        const QString damaged = m_folder->filePath("damaged.sqlite");
        for (qsizetype at = 16; at < whole.size(); at += 1 + whole.size() / 83) {
            QByteArray bytes = whole;
            bytes[at] = static_cast<char>(~bytes[at]);
            writeFile(damaged, bytes);
            const auto imported = import::importFiles({damaged});
            if (imported.error.isEmpty())
                written(imported.evidence);
        }
    }

    // One of several cannot be read: the others are, and it is named.
    void aDamagedFileAmongOthersIsNamed()
    {
        make([](NsysExport &nsys) {
            nsys.schema("3.25.0");
            addTwoKernels(nsys);
        });
        const QString broken = m_folder->filePath("broken.sqlite");
        writeFile(broken, readFile(path()).first(3000));
        const auto imported = import::importFiles({broken, path()});
        QCOMPARE(imported.error, "");
        QVERIFY(imported.evidence.hasContradiction());
        QCOMPARE(imported.evidence.problems.first().file, "broken");
        const auto back = written(imported.evidence, secrets);
        QCOMPARE(evidence::valueRows(back).size(), 2);
        QVERIFY(back.excluded.join('\n').contains("broken could not be read"));
    }

private:
    QString path() const { return m_folder->filePath("report.sqlite"); }
    QString error() const { return import::importFiles({path()}).error; }

    template <typename Fill>
    void make(Fill fill)
    {
        QFile::remove(path());
        NsysExport nsys(path());
        fill(nsys);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestNsysDamage)
#include "tst_nsysdamage.moc"
