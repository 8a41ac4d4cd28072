// SPDX-License-Identifier: GPL-3.0-or-later
#include "programfixture.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>

using fixtures::Outcome;
using fixtures::runStagecraft;

namespace {

QString contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The commands of the help page, in its order.
QStringList commandsOf(const QString &page)
{
    QStringList commands;
    for (const QString &line : page.split('\n'))
        if (line.startsWith(QLatin1String("stagecraft ")))
            commands.append(line);
    return commands;
}

// A Markdown table as it is read: cells by the titles of their columns.
class Table
{
public:
    explicit Table(const QString &path)
    {
        for (const QString &line : contents(path).split('\n'))
            if (line.startsWith('|') && !line.startsWith(QLatin1String("| ---")))
                m_lines.append(cellsOf(line));
    }

    // These columns of the rows whose first cells are as given; an empty start is any cell.
    QList<QStringList> rows(const QStringList &start, const QStringList &columns) const
    {
        QList<QStringList> found;
        for (const QStringList &line : m_lines.mid(1)) {
            if (!startsWith(line, start))
                continue;
            QStringList cells;
            for (const QString &column : columns)
                cells.append(line.value(m_lines.value(0).indexOf(column), QStringLiteral("no column ") + column));
            found.append(cells);
        }
        return found;
    }

private:
    static QStringList cellsOf(const QString &line)
    {
        QStringList cells = line.split('|').mid(1);
        cells.removeLast();
        for (QString &cell : cells)
            cell = cell.trimmed();
        return cells;
    }
    static bool startsWith(const QStringList &line, const QStringList &start)
    {
        for (qsizetype i = 0; i < start.size(); ++i)
            if (!start[i].isEmpty() && line.value(i) != start[i])
                return false;
        return true;
    }

    QList<QStringList> m_lines; // the titles first
};

const QStringList operations{"Matrix multiplication", "Bias + GELU", "LayerNorm", "Triangle contraction",
                             "Neighbor aggregation"};

} // namespace

// The help page's commands, run as a reader runs them, print what the field note prints. The literals are the note's.
class TestFieldNote : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const QStringList commands = commandsOf(contents(STAGECRAFT_SOURCE_DIR "/resources/help/field-note.md"));
        QCOMPARE(commands.size(), 6);
        for (const QString &command : commands) {
            const Outcome outcome = runStagecraft(command.split(' ').mid(1), m_directory.path());
            QVERIFY2(outcome.status == 0, qPrintable(command + '\n' + outcome.err));
            m_printed += outcome.out;
        }
    }

    void stages()
    {
        const Table table = read("progression");
        const QStringList columns{"label", "kernel (µs)", "span (µs)", "factor"};
        QCOMPARE(table.rows({operations[0], "stage"}, columns),
                 (QList<QStringList>{{"original · mage-001", "343.99", "326.72", ""},
                                     {"first rewrite · PR #42", "141.70", "144.41", "2.43"},
                                     {"second rewrite · PR #43", "80.00", "82.60", "1.77"}}));
        QCOMPARE(table.rows({operations[2], "stage"}, columns),
                 (QList<QStringList>{{"original · mage-001", "18.64", "19.47", ""},
                                     {"first rewrite · PR #42", "11.03", "15.43", "1.69"},
                                     {"second rewrite · PR #44", "10.05", "12.91", "1.10"}}));
    }

    // What the stage table says besides times.
    void whatChangedAndWhereItWasRetained()
    {
        const Table table = read("progression");
        const auto rows = table.rows({operations[0], "stage"}, {"retained in", "what changed"}) +
                          table.rows({operations[2], "stage"}, {"retained in", "what changed"});
        const QList<QPair<QString, QStringList>> expected{
            {"mage-001", {"16×16 tile", "two reads"}},
            {"mage-002", {"4×4 outputs", "64×64 block tile", "K step 32", "eight shared reads serve 16 multiply-adds"}},
            {"mage-003", {"128-bit quad", "row stride 68", "K step is 64"}},
            {"mage-001", {"256 threads per row", "three passes", "19 barriers"}},
            {"mage-002, mage-003", {"One warp per row", "128-bit quads"}},
            {"mage-003", {"Two warps", "64 B", "one barrier"}}};
        QCOMPARE(rows.size(), expected.size());
        for (qsizetype i = 0; i < rows.size(); ++i) {
            QCOMPARE(rows[i][0], expected[i].first);
            for (const QString &words : expected[i].second)
                QVERIFY2(rows[i][1].contains(words), qPrintable(rows[i][1]));
        }
    }

    void stepsBetweenTheRewrites()
    {
        QCOMPARE(
            read("progression").rows({operations[0], "step"}, {"metric", "kernel (µs)", "span (µs)"}),
            (QList<QStringList>{
                {"span", "", "145.61"}, {"span", "", "114.90"}, {"span", "", "89.90"}, {"kernel time", "80.00", ""}}));
    }

    void attempts()
    {
        const Table table = read("progression");
        const QStringList columns{"metric", "kernel (µs)", "span (µs)", "to (µs)", "that measured (µs)"};
        QCOMPARE(table.rows({operations[0], "attempt"}, columns),
                 (QList<QStringList>{{"span", "", "210.51", "", "145.61"}, {"span", "", "147.74", "", "145.61"}}));
        QCOMPARE(table.rows({operations[2], "attempt"}, columns),
                 (QList<QStringList>{{"span", "", "14.40", "", "12.69"},
                                     {"span", "", "14.30", "", "12.69"},
                                     {"span", "", "13.40", "14.00", "12.69"},
                                     {"span", "", "13.30", "13.70", "12.69"},
                                     {"kernel time", "22.12", "", "", "11.02"}}));
    }

    void repeatedRuns()
    {
        const Table table = read("progression");
        QStringList runs;
        for (const QStringList &row : table.rows({operations[2], "A/B run"}, {"span (µs)"}))
            runs.append(row);
        QCOMPARE(runs.join(' '), QString("13.76 13.55 13.60 13.53 13.76 12.87 12.58 12.53 12.54 12.94"));
        QCOMPARE(table.rows({operations[2], "A/B mean"}, {"title", "span (µs)"}),
                 (QList<QStringList>{{"one warp per row", "13.64"}, {"two warps per row", "12.69"}}));
    }

    void experiment()
    {
        QCOMPARE(read("prediction")
                     .rows({operations[0]},
                           {"predicted", "measured", "count of", "count against", "time of (µs)", "time against (µs)"}),
                 (QList<QStringList>{{"1.50", "1.45", "0.750", "0.500", "210.51", "145.61"}}));
    }

    void resources()
    {
        const Table table = read("resources");
        const QStringList columns{"blocks", "threads", "registers", "shared (B)", "resident", "limit"};
        QCOMPARE(table.rows({operations[0]}, columns),
                 (QList<QStringList>{{"4096", "256", "37", "2048", "1536", "1536"},
                                     {"256", "256", "55", "16384", "512", "1536"},
                                     {"256", "256", "56", "33792", "512", "1536"}}));
        QCOMPARE(table.rows({operations[2]}, columns),
                 (QList<QStringList>{{"4096", "256", "27", "1024", "1536", "1536"},
                                     {"512", "256", "40", "0", "1024", "1536"},
                                     {"1024", "256", "39", "64", "1536", "1536"}}));
    }

    void ownKernelsAndEarlierNamespaces()
    {
        const QList<QStringList> expected{{"80.0", "82.6", "344.0", "141.7"},
                                          {"11.0", "13.3", "11.2", "11.0"},
                                          {"10.1", "12.9", "18.6", "11.1"},
                                          {"80.1", "83.5", "81.2", "80.4"},
                                          {"10.3", "12.9", "10.3", "10.3"}};
        QCOMPARE(read("kernel-span")
                     .rows({"", "", "Rust"},
                           {"kernel (µs)", "span (µs)", "kernel in mage-001 (µs)", "kernel in mage-002 (µs)"}),
                 expected);
    }

    void threeImplementations_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("column");
        QTest::addColumn<QString>("values"); // PyTorch, Triton, Rust of each operation
        QTest::newRow("kernel time") << "kernel"
                                     << "kernel (µs)"
                                     << "44.0 71.9 80.0 15.8 7.6 11.0 11.2 8.0 10.1 28.5 81.6 80.1 67.3 8.0 10.3";
        QTest::newRow("span") << "span"
                              << "span (µs)"
                              << "58.2 97.4 82.6 23.7 21.2 13.3 17.3 20.6 12.9 54.1 94.4 83.5 89.6 25.7 12.9";
        QTest::newRow("launches") << "launches"
                                  << "launches"
                                  << "1 1 1 2 1 1 1 1 1 3 1 1 4 1 1";
    }

    void threeImplementations()
    {
        QFETCH(QString, view);
        QFETCH(QString, column);
        const Table table = read(view);
        QStringList found;
        for (const QString &operation : operations)
            for (const char *implementation : {"PyTorch", "Triton", "Rust"})
                for (const QStringList &row : table.rows({operation, "", implementation}, {column}))
                    found.append(row);
        QTEST(found.join(' '), "values");
    }

    void drift()
    {
        const QStringList columns{
            "kernel in mage-001 (µs)", "kernel in mage-003 (µs)", "Δ kernel (%)", "drift (%)", "unchanged", "verdict"};
        QCOMPARE(read("compare").rows({}, columns),
                 (QList<QStringList>{{"344.0", "80.0", "-76.7", "2.1", "no", "faster, beyond drift"},
                                     {"18.6", "10.1", "-46.1", "2.1", "no", "faster, beyond drift"},
                                     {"11.2", "11.0", "-2.1", "1.3", "yes", "unchanged, sets the drift"},
                                     {"81.2", "80.1", "-1.3", "2.1", "yes", "within drift"},
                                     {"10.3", "10.3", "0.5", "2.1", "yes", "within drift"}}));
        // The command prints the same table.
        for (const QString &line :
             {QString("Bias \\+ GELU .* -2\\.1 .* yes"), QString("Triangle contraction .* -1\\.3 .* yes"),
              QString("Neighbor aggregation .* 0\\.5 .* yes")})
            QVERIFY2(m_printed.contains(QRegularExpression(line)), qPrintable(line));
    }

    // The kernel times behind the drift, with the note's two digits.
    void kernelTimesBehindTheDrift()
    {
        const auto rows = fixtures::csvRows(m_directory.filePath("note/compare.csv"));
        QMap<QString, QStringList> times;
        const QStringList operations = fixtures::csvColumn(rows, "operation");
        const QStringList before = fixtures::rounded(fixtures::csvColumn(rows, "base_kernel_us"), 2);
        const QStringList after = fixtures::rounded(fixtures::csvColumn(rows, "kernel_us"), 2);
        for (qsizetype i = 0; i < operations.size(); ++i)
            times[operations[i]] = {before[i], after[i]};
        QCOMPARE(times["gelu"], QStringList({"11.21", "10.97"}));
        QCOMPARE(times["triangle"], QStringList({"81.16", "80.07"}));
        QCOMPARE(times["neighbor"], QStringList({"10.28", "10.33"}));
    }

    // The value that the note documents beside the one that the second namespace recorded.
    void layernormOfTheSecondNamespace()
    {
        const auto rows = fixtures::csvRows(m_directory.filePath("note/kernel-span.csv"));
        const QStringList earlier = fixtures::rounded(fixtures::csvColumn(rows, "mage-002_kernel_us"), 2);
        QVERIFY2(earlier.contains("11.09"), qPrintable(earlier.join(' ')));
    }

private:
    Table read(const QString &view) const { return Table(m_directory.filePath("note/" + view + ".md")); }

    QTemporaryDir m_directory;
    QString m_printed; // by all commands
};

QTEST_GUILESS_MAIN(TestFieldNote)
#include "tst_fieldnote.moc"
