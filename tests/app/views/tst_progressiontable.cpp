// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionfixtures.h"

// The note's progression as a table: stages with factors, steps, attempts, experiment and A/B runs. The literals are
// the note's.
using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::cell;
using fixtures::shown;
using widgets::ValueTable;

class TestProgressionTable : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void init()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        m_note = fixtures::note("mage-003");
        m_table = buildTable(ViewId::Progression, m_note, options);
        QVERIFY2(m_table.unavailable.isEmpty(), qPrintable(m_table.unavailable));
    }

    void stagesWithTheirFactors()
    {
        QCOMPARE(lines("stage", {"operation", "id", "kernel_us", "span_us", "kernel_factor", "origin"}),
                 QStringList({"matmul tiled 343.99 326.72  mage-001", "matmul registers 141.70 144.41 2.43 mage-002",
                              "matmul k64 80.00 82.60 1.77 mage-003", "layernorm block-per-row 18.64 19.47  mage-001",
                              "layernorm warp-per-row 11.03 15.43 1.69 documented",
                              "layernorm two-warps-per-row 10.05 12.91 1.10 mage-003"}));
        for (const qsizetype row : rowsOf("stage")) {
            QVERIFY(!cell(m_table, row, "change").text.isEmpty());
            QVERIFY(!cell(m_table, row, "retained_in").text.isEmpty());
            QVERIFY(cell(m_table, row, "resources").text.contains("blocks"));
        }
    }

    void stepsStandInTheColumnOfTheirMetric()
    {
        QCOMPARE(lines("step", {"metric", "kernel_us", "span_us"}),
                 QStringList({"span  145.61", "span  114.90", "span  89.90", "kernel time 80.00 "}));
    }

    void attemptsWithWhatTheyAreComparedWith()
    {
        QCOMPARE(
            lines("attempt", {"metric", "kernel_us", "span_us", "to_us", "compared_us"}),
            QStringList({"span  210.51  145.61", "span  147.74  145.61", "span  14.40  12.69", "span  14.30  12.69",
                         "span  13.40 14.00 12.69", "span  13.30 13.70 12.69", "kernel time 22.12   11.02"}));
        for (const qsizetype row : rowsOf("attempt")) {
            QVERIFY(!cell(m_table, row, "compared_with").text.isEmpty());
            QVERIFY(!cell(m_table, row, "change").text.isEmpty());
        }
    }

    void experimentAndRepeatedRuns()
    {
        QCOMPARE(lines("experiment", {"predicted_ratio", "measured_ratio"}), QStringList({"1.50 1.45"}));
        QCOMPARE(cell(m_table, rowsOf("experiment").value(0), "measured_ratio").number.value_or(0), 1.4457);
        QVERIFY(cell(m_table, rowsOf("experiment").value(0), "change").text.contains("2×4 register tile 0.75"));
        QCOMPARE(lines("A/B mean", {"title", "span_us"}),
                 QStringList({"one warp per row 13.64", "two warps per row 12.69"}));
        QCOMPARE(lines("A/B run", {"span_us"}), QStringList({"13.76", "13.55", "13.60", "13.53", "13.76", "12.87",
                                                             "12.58", "12.53", "12.54", "12.94"}));
    }

    void limitsAndDeviceStandBelow()
    {
        const QString footer = m_table.footer.join('\n');
        QVERIFY(footer.contains("128 SMs with at most 1536 resident threads each"));
        for (const QString &limit : m_note.progression->limits)
            QVERIFY(footer.contains(limit));
    }

    void storedPrecisionStays()
    {
        const qsizetype row = rowsOf("stage").value(1);
        QCOMPARE(cell(m_table, row, "kernel_factor").number.value_or(0), 343.99 / 141.7);
        ViewOptions options;
        options.decimals = 4;
        const ValueTable precise = buildTable(ViewId::Progression, m_note, options);
        QCOMPARE(shown(precise, 1, "kernel_factor"), QStringLiteral("2.4276"));
    }

    void peopleReadTitles()
    {
        const ValueTable table = buildTable(ViewId::Progression, m_note);
        QCOMPARE(shown(table, 0, "operation"), QStringLiteral("Matrix multiplication"));
        QVERIFY(!fixtures::columnIds(table).contains("resources"));
    }

    void aStageWithoutATimeIsUnavailable()
    {
        evidence::Namespace evidence = m_note;
        evidence.progression->operations[0].stages[1].kernelUs.reset();
        const ValueTable table = buildTable(ViewId::Progression, evidence);
        QCOMPARE(shown(table, 1, "kernel_us"), QStringLiteral("unavailable"));
        QVERIFY(!cell(table, 1, "kernel_factor").number);
        QVERIFY(!cell(table, 2, "kernel_factor").number);
    }

    void attemptsStandAgainstWhatTheyAreComparedWith()
    {
        QCOMPARE(lines("attempt", {"compared_ratio", "compared_ratio_to"}),
                 QStringList({"1.45 ", "1.01 ", "1.13 ", "1.13 ", "1.06 1.10", "1.05 1.08", "2.01 "}));
        QCOMPARE(lines("step", {"span_factor", "kernel_factor"}), QStringList({" ", "1.27 ", "1.28 ", " "}));
    }

    void statesOfARunAreSaidWithTheirReason()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        m_table = buildTable(ViewId::Progression, fixtures::stagesRun(), options);
        const QStringList stages = lines("stage", {"id", "kernel_us", "kernel_factor", "state", "reason"});
        QCOMPARE(stages[2], QStringLiteral("s2 256.00 1.25 ok "));
        QCOMPARE(stages[3], QStringLiteral("s3 failed  failed ") + fixtures::failure);
        QCOMPARE(stages[4], QStringLiteral("s4 163.84  ok "));
        QCOMPARE(stages[9], QStringLiteral("s9 not run  not run not measured yet"));
        QCOMPARE(lines("attempt", {"id", "kernel_us", "to_us", "compared_ratio", "state"}),
                 QStringList({"a1 238.00  1.45 ok", "a2 170.00 176.00 1.04 ok", "a3 failed   failed"}));
        for (qsizetype row = 0; row < m_table.rows.size(); ++row)
            for (const char *column : {"kernel_us", "span_us"})
                QVERIFY(cell(m_table, row, column).number.value_or(1) > 0); // what is not there is never 0
    }

    void stagesOfOtherArithmeticHaveNoFactor()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        evidence::Namespace run = fixtures::stagesRun();
        QVERIFY(!fixtures::columnIds(buildTable(ViewId::Progression, run)).contains("arithmetic"));
        run.progression->operations[0].stages[1].arithmetic = QStringLiteral("3xtf32");
        m_table = buildTable(ViewId::Progression, run, options);
        const QStringList stages = lines("stage", {"id", "arithmetic", "kernel_factor", "span_factor"});
        QCOMPARE(stages[1], QStringLiteral("s1 3xtf32 other arithmetic other arithmetic"));
        QCOMPARE(stages[2], QStringLiteral("s2  other arithmetic other arithmetic"));
        QVERIFY(!cell(m_table, rowsOf("stage")[1], "kernel_factor").number);
        QCOMPARE(shown(buildTable(ViewId::Progression, run), 1, "arithmetic"), QStringLiteral("3xtf32"));
    }

    void aMissingKernelTimeHasItsReason()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        evidence::Namespace run = fixtures::stagesRun();
        evidence::ProgressionStage &stage = run.progression->operations[0].stages[1];
        stage.kernelUs.reset();
        stage.kernelState = evidence::State::Unavailable;
        stage.kernelReason = QStringLiteral("another profiler holds the GPU");
        m_table = buildTable(ViewId::Progression, run, options);
        QCOMPARE(lines("stage", {"id", "kernel_us", "span_us", "state", "reason"})[1],
                 QStringLiteral("s1 unavailable 336.00 ok kernel time unavailable: another profiler holds the GPU"));
        QCOMPARE(cell(m_table, 1, "kernel_us").toolTip, stage.kernelReason);
        const QString people = buildTable(ViewId::Progression, run).footer.join('\n');
        QVERIFY(people.contains("s1, kernel time unavailable: another profiler holds the GPU."));
    }

    void theSameOperationWithOtherDimsIsToldApart()
    {
        evidence::Namespace run = fixtures::stagesRun();
        QVERIFY(!fixtures::columnIds(buildTable(ViewId::Progression, run)).contains("dims"));
        evidence::OperationProgression small = run.progression->operations[0];
        small.dims = {64, 64, 64};
        run.progression->operations.append(small);
        const ValueTable table = buildTable(ViewId::Progression, run);
        QCOMPARE(shown(table, 0, "dims"), QStringLiteral("1024 × 1024 × 1024"));
        QCOMPARE(shown(table, table.rows.size() - 1, "dims"), QStringLiteral("64 × 64 × 64"));
    }

    void itsAbsenceIsSaid()
    {
        const evidence::Namespace other = fixtures::note("mage-001");
        QCOMPARE(buildTable(ViewId::Progression, other).unavailable,
                 QStringLiteral("mage-001 records no progression (progression.json)"));
    }

private:
    QList<qsizetype> rowsOf(const char *kind) const
    {
        QList<qsizetype> rows;
        for (qsizetype row = 0; row < m_table.rows.size(); ++row)
            if (cell(m_table, row, "kind").text == QLatin1String(kind))
                rows.append(row);
        return rows;
    }

    QStringList lines(const char *kind, std::initializer_list<const char *> columns) const
    {
        QStringList lines;
        for (const qsizetype row : rowsOf(kind)) {
            QStringList cells;
            for (const char *column : columns)
                cells.append(shown(m_table, row, column));
            lines.append(cells.join(' '));
        }
        return lines;
    }

    evidence::Namespace m_note;
    ValueTable m_table;
};

QTEST_APPLESS_MAIN(TestProgressionTable)
#include "tst_progressiontable.moc"
