// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "statistics.h"

// Every number that the field note prints, table by table, as text: it must come out of the bundled evidence after
// rounding. The literals are the note's.
using namespace stagecraft::evidence;

namespace {

const QStringList operations{"matmul", "gelu", "layernorm", "triangle", "neighbor"};

QString rounded(double value, int decimals = 1)
{
    return QString::number(value, 'f', decimals);
}

class Tables
{
public:
    explicit Tables(const QString &name) : m_rows(valueRows(readNamespace(bundledPath(name)))) {}

    QString cell(const QString &operation, const QString &implementation, Value ValueRow::*metric,
                 int decimals = 1) const
    {
        return rounded(number(operation, implementation, metric), decimals);
    }

    double number(const QString &operation, const QString &implementation, Value ValueRow::*metric) const
    {
        for (const ValueRow &row : m_rows) {
            const Value &value = row.*metric;
            if (row.operation == operation && row.implementation == implementation && value.estimate)
                return value.state == State::Ok ? value.estimate->mean : -1;
        }
        return -1;
    }

    QList<QStringList> table(Value ValueRow::*metric, int decimals) const
    {
        QList<QStringList> lines;
        for (const QString &operation : operations)
            lines.append({cell(operation, "python", metric, decimals), cell(operation, "triton", metric, decimals),
                          cell(operation, "rust", metric, decimals)});
        return lines;
    }

    const QList<ValueRow> &rows() const { return m_rows; }

private:
    QList<ValueRow> m_rows;
};

const OperationProgression &progressionOf(const Namespace &evidence, const QString &operation)
{
    const auto &operationsOf = evidence.progression->operations;
    return *std::find_if(operationsOf.begin(), operationsOf.end(),
                         [&](const OperationProgression &entry) { return entry.operation == operation; });
}

QStringList attempts(const OperationProgression &progression)
{
    QStringList lines;
    for (const ProgressionAttempt &attempt : progression.attempts) {
        QString value = QString::number(attempt.low);
        if (attempt.low != attempt.high)
            value += QStringLiteral("–") + rounded(attempt.high);
        lines.append(attempt.metric + QLatin1Char(' ') + value + QStringLiteral(" against ") +
                     rounded(attempt.valueOfThat.value_or(-1), 2));
    }
    return lines;
}

} // namespace

class TestNoteFigures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        fixtures::useSourceResources();
        m_note = readNamespace(bundledPath(QStringLiteral("mage-003")));
        QVERIFY(m_note.progression);
    }

    // Table 1.
    void stages()
    {
        QCOMPARE(stageLines("matmul"),
                 QStringList({"tiled 343.99 326.72", "registers 141.70 144.41", "k64 80.00 82.60"}));
        QCOMPARE(stageLines("layernorm"), QStringList({"block-per-row 18.64 19.47", "warp-per-row 11.03 15.43",
                                                       "two-warps-per-row 10.05 12.91"}));
    }

    // Table 2.
    void ownKernelsAndEarlierKernelTimes()
    {
        const Tables third("mage-003"), second("mage-002"), first("mage-001");
        const QList<QStringList> expected{{"80.0", "82.6", "344.0", "141.7"},
                                          {"11.0", "13.3", "11.2", "11.0"},
                                          {"10.1", "12.9", "18.6", "11.1"},
                                          {"80.1", "83.5", "81.2", "80.4"},
                                          {"10.3", "12.9", "10.3", "10.3"}};
        for (qsizetype i = 0; i < operations.size(); ++i) {
            const QStringList line{third.cell(operations[i], "rust", &ValueRow::kernel),
                                   third.cell(operations[i], "rust", &ValueRow::span),
                                   first.cell(operations[i], "rust", &ValueRow::kernel),
                                   second.cell(operations[i], "rust", &ValueRow::kernel)};
            QCOMPARE(line, expected[i]);
        }
    }

    // Table 3.
    void kernelTime()
    {
        const QList<QStringList> expected{{"44.0", "71.9", "80.0"},
                                          {"15.8", "7.6", "11.0"},
                                          {"11.2", "8.0", "10.1"},
                                          {"28.5", "81.6", "80.1"},
                                          {"67.3", "8.0", "10.3"}};
        QCOMPARE(Tables("mage-003").table(&ValueRow::kernel, 1), expected);
    }

    // Table 4.
    void span()
    {
        const QList<QStringList> expected{{"58.2", "97.4", "82.6"},
                                          {"23.7", "21.2", "13.3"},
                                          {"17.3", "20.6", "12.9"},
                                          {"54.1", "94.4", "83.5"},
                                          {"89.6", "25.7", "12.9"}};
        QCOMPARE(Tables("mage-003").table(&ValueRow::span, 1), expected);
    }

    // Table 5.
    void launches()
    {
        const QList<QStringList> expected{
            {"1", "1", "1"}, {"2", "1", "1"}, {"1", "1", "1"}, {"3", "1", "1"}, {"4", "1", "1"}};
        QCOMPARE(Tables("mage-003").table(&ValueRow::launches, 0), expected);
    }

    void whiskersAreTheRangeOfTheRoundMeans()
    {
        const Tables tables("mage-003");
        const ValueRow &matmul = tables.rows().first();
        QCOMPARE(matmul.implementation, QStringLiteral("python"));
        QCOMPARE(rounded(matmul.span.estimate->low, 2), QStringLiteral("48.39"));
        QCOMPARE(rounded(matmul.span.estimate->high, 2), QStringLiteral("71.85"));
    }

    void kernelTimesOfUnchangedOperations()
    {
        const Tables first("mage-001"), third("mage-003");
        const QList<QStringList> expected{{"gelu", "11.21", "10.97", "-2.1"},
                                          {"triangle", "81.16", "80.07", "-1.3"},
                                          {"neighbor", "10.28", "10.33", "0.5"}};
        for (const QStringList &line : expected) {
            const double before = first.number(line[0], "rust", &ValueRow::kernel);
            const double after = third.number(line[0], "rust", &ValueRow::kernel);
            QCOMPARE(rounded(before, 2), line[1]);
            QCOMPARE(rounded(after, 2), line[2]);
            QCOMPARE(rounded((after / before - 1) * 100), line[3]);
        }
    }

    void factorsBetweenStages()
    {
        QCOMPARE(factors("matmul"), QStringList({"2.43", "1.77"}));
        QCOMPARE(factors("layernorm"), QStringList({"1.69", "1.10"}));
    }

    void matmulSteps()
    {
        QStringList lines;
        for (const ProgressionStep &step : progressionOf(m_note, "matmul").steps)
            lines.append(step.metric + QLatin1Char(' ') + rounded(step.value, 2));
        QCOMPARE(lines, QStringList({"span 145.61", "span 114.90", "span 89.90", "kernel time 80.00"}));
    }

    void attemptsNotAdopted()
    {
        QCOMPARE(attempts(progressionOf(m_note, "matmul")),
                 QStringList({"span 210.51 against 145.61", "span 147.74 against 145.61"}));
        QCOMPARE(attempts(progressionOf(m_note, "layernorm")),
                 QStringList({"span 14.4 against 12.69", "span 14.3 against 12.69", "span 13.4–14.0 against 12.69",
                              "span 13.3–13.7 against 12.69", "kernel time 22.12 against 11.02"}));
    }

    void experiment()
    {
        const ProgressionExperiment &experiment = progressionOf(m_note, "matmul").experiments.value(0);
        const auto &reads = experiment.counts["shared reads per multiply-add"];
        QCOMPARE(reads["4×4 register tile"].get<double>(), 0.5);
        QCOMPARE(reads["2×4 register tile"].get<double>(), 0.75);
        QCOMPARE(experiment.predicted, 1.5);
        QCOMPARE(rounded(experiment.measured, 4), QStringLiteral("1.4457"));
        QCOMPARE(rounded(experiment.measured, 2), QStringLiteral("1.45"));
        QCOMPARE(rounded(210.51 / 145.61, 4), rounded(experiment.measured, 4));
    }

    void alternatingRuns()
    {
        const auto &ab = progressionOf(m_note, "layernorm").ab;
        QCOMPARE(ab.size(), 2);
        QCOMPARE(ab[0].runs, QList<double>({13.76, 13.55, 13.60, 13.53, 13.76}));
        QCOMPARE(ab[1].runs, QList<double>({12.87, 12.58, 12.53, 12.54, 12.94}));
        QCOMPARE(rounded(mean(ab[0].runs), 2), QStringLiteral("13.64"));
        QCOMPARE(rounded(mean(ab[1].runs), 2), QStringLiteral("12.69"));
        QCOMPARE(ab[0].mean, 13.64);
        QCOMPARE(ab[1].mean, 12.69);
        QVERIFY(*std::max_element(ab[1].runs.begin(), ab[1].runs.end()) <
                *std::min_element(ab[0].runs.begin(), ab[0].runs.end()));
    }

    void device()
    {
        QCOMPARE(m_note.progression->deviceSms.value_or(0), 128);
        QCOMPARE(m_note.progression->deviceMaxThreadsPerSm.value_or(0), 1536);
        QCOMPARE(m_note.progression->limits.size(), 6);
    }

private:
    QStringList stageLines(const QString &operation) const
    {
        QStringList lines;
        for (const ProgressionStage &stage : progressionOf(m_note, operation).stages)
            lines.append(stage.id + QLatin1Char(' ') + rounded(*stage.kernelUs, 2) + QLatin1Char(' ') +
                         rounded(*stage.spanUs, 2));
        return lines;
    }

    QStringList factors(const QString &operation) const
    {
        QStringList list;
        const auto &stagesOf = progressionOf(m_note, operation).stages;
        for (qsizetype i = 1; i < stagesOf.size(); ++i)
            list.append(rounded(*stagesOf[i - 1].kernelUs / *stagesOf[i].kernelUs, 2));
        return list;
    }

    Namespace m_note;
};

QTEST_GUILESS_MAIN(TestNoteFigures)
#include "tst_notefigures.moc"
