// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "programfixture.h"

// `stagecraft compare` as a process: the note's changes, the formats, and what a build server is told.
using fixtures::json;
using fixtures::Outcome;
using fixtures::runStagecraft;

class TestCompareProgram : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theNotesChanges()
    {
        const Outcome outcome = runStagecraft({"compare", "mage-001", "mage-003", "--implementation", "rust"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        const QStringList lines = outcome.out.split('\n');
        QCOMPARE(numbersIn(lines, "Matrix multiplication"),
                 QStringList({"344.0", "80.0", "-76.7", "2.1", "326.7", "82.6", "-74.7"}));
        QCOMPARE(numbersIn(lines, "Bias + GELU").mid(2, 2), QStringList({"-2.1", "1.3"}));
        QCOMPARE(numbersIn(lines, "Triangle contraction").mid(2, 2), QStringList({"-1.3", "2.1"}));
        QCOMPARE(numbersIn(lines, "Neighbor aggregation").mid(2, 2), QStringList({"0.5", "2.1"}));
        QVERIFY(lineWith(lines, "Triangle contraction").contains("within drift"));
        QVERIFY(lineWith(lines, "LayerNorm").contains("faster, beyond drift"));
        QVERIFY(outcome.out.contains("Drift of what is unchanged: Rust 2.1 % (gelu, triangle, neighbor)"));
        // Differences before the first number.
        QVERIFY(outcome.out.indexOf("What differs besides:") >= 0);
        QVERIFY(outcome.out.indexOf("What differs besides:") < outcome.out.indexOf("344.0"));
    }

    void formatsParse()
    {
        const QStringList arguments{"compare", "mage-001", "mage-003", "--implementation", "rust", "--format"};
        const Outcome asJson = runStagecraft(arguments + QStringList{"json", "--fail-above", "3"});
        QVERIFY2(asJson.status == 0, qPrintable(asJson.err));
        const json document = json::parse(asJson.out.toStdString());
        QCOMPARE(document["rows"].size(), size_t(5));
        QCOMPARE(document["drift"][0]["unchanged"].size(), size_t(3));
        QVERIFY(document["gate"]["passed"].get<bool>());
        QVERIFY(document["differences"].is_array());
        const Outcome csv = runStagecraft(arguments + QStringList{"csv"});
        QCOMPARE(csv.out.count("\r\n"), 6); // a heading and five rows, nothing besides
        QVERIFY(csv.out.startsWith("operation,dims,cache,implementation,base_implementation,"));
        QVERIFY(csv.err.contains("differs: "));
        const Outcome md = runStagecraft(arguments + QStringList{"md", "--precision", "2"});
        QVERIFY(md.out.contains("| 343.99 | 80.00 | -76.75 |"));
        QVERIFY(md.out.startsWith("## mage-001 (base) → mage-003 (new)"));
    }

    void theGateLetsTheNotePassAndTheWayBackNot()
    {
        QCOMPARE(
            runStagecraft({"compare", "mage-001", "mage-003", "--implementation", "rust", "--fail-above", "3"}).status,
            0);
        const Outcome back =
            runStagecraft({"compare", "mage-003", "mage-001", "--implementation", "rust", "--fail-above", "3"});
        QCOMPARE(back.status, 1);
        QVERIFY(back.out.contains(
            "gate: matmul 1024x1024x1024 rust: kernel time 80.00 → 343.99 µs, +330.02 %, beyond drift"));
        QVERIFY(back.out.contains("gate: layernorm"));
        QVERIFY(!back.out.contains("gate: gelu"));
        QCOMPARE(runStagecraft({"compare", "mage-003", "mage-001", "--implementation", "rust"}).status, 0); // no gate
    }

    // One kernel that became 5 % slower; whether that fails depends on what the unchanged ones did.
    void aMutationTurnsTheVerdict()
    {
        const auto gate = [this](const char *operation, double factor) {
            mutate(operation, factor);
            return runStagecraft({"compare", "mage-003", m_folder->filePath("new.json"), "--implementation", "rust",
                                  "--fail-above", "3"});
        };
        const Outcome slower = gate("matmul", 1.05);
        QCOMPARE(slower.status, 1);
        QVERIFY2(slower.out.contains("gate: matmul"), qPrintable(slower.out));
        QCOMPARE(gate("matmul", 1.02).status, 0);
        QCOMPARE(gate("matmul", 0.5).status, 0);
        json summary = mutated("matmul", 1.05); // everything else 6 % faster: the machine moves by more than matmul
        for (json &row : summary["rows"])
            if (row["op"] != "matmul")
                row["measurements"]["rust"]["kernel"] = row["measurements"]["rust"]["kernel"].get<double>() * 0.94;
        fixtures::write(m_folder->filePath("new.json"), summary);
        const QStringList compare{"compare",          "mage-003", m_folder->filePath("new.json"),
                                  "--implementation", "rust",     "--fail-above"};
        const Outcome drifted = runStagecraft(compare + QStringList{"4"});
        QCOMPARE(drifted.status, 0);
        QVERIFY(lineWith(drifted.out.split('\n'), "Matrix multiplication").contains("within drift"));
        // With the reader's word that nothing is unchanged, percentages count alone.
        const Outcome alone = runStagecraft(compare + QStringList{"4", "--unchanged", "none"});
        QCOMPARE(alone.status, 1);
        QVERIFY(alone.out.contains("gate: matmul 1024x1024x1024 rust"));
        QVERIFY(alone.out.contains("by the percentage alone"));
    }

    void whatIsLostFailsTheGate()
    {
        json summary = mutated("matmul", 1);
        summary["rows"][0]["measurements"].erase("rust");
        fixtures::write(m_folder->filePath("new.json"), summary);
        const Outcome outcome =
            runStagecraft({"compare", "mage-003", m_folder->filePath("new.json"), "--fail-above", "3"});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.out.contains("gate: matmul 1024x1024x1024 rust: lost, new has no such row"),
                 qPrintable(outcome.out));
        QVERIFY(lineWith(outcome.out.split('\n'), "only in mage-003").contains("Rust"));
    }

    void twoGpusAreNotJudged()
    {
        const QStringList arguments{"compare",   "mage-003",         "h200-peers", "--pair",
                                    "rust=cuda", "--implementation", "cuda"};
        const Outcome outcome = runStagecraft(arguments);
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.out.contains("GPU: NVIDIA GeForce RTX 4090 → NVIDIA H200"));
        QCOMPARE(runStagecraft(arguments + QStringList{"--fail-above", "1000"}).status, 1);
    }

    void likelyPairsAreNamed()
    {
        QVERIFY(runStagecraft({"compare", "mage-003", "h200-peers"}).out.contains("--pair rust=cuda"));
    }

    void severalAreATrend()
    {
        const Outcome outcome =
            runStagecraft({"compare", "mage-001", "mage-002", "mage-003", "--implementation", "rust"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        QCOMPARE(numbersIn(outcome.out.split('\n'), "Matrix multiplication"),
                 QStringList({"344.0", "141.7", "80.0", "-76.7", "2.1"}));
    }

    // As a build server has them: baseline/h and out/h.
    void namesakesAreToldApart()
    {
        for (const char *folder : {"old", "new"})
            fixtures::write(m_folder->filePath(QString(folder) + "/h/summary.json"), mutated("matmul", 1));
        const Outcome outcome = runStagecraft({"compare", "old/h", "new/h"}, m_folder->path());
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        QVERIFY2(outcome.out.startsWith("old/h (base) → new/h (new)"), qPrintable(outcome.out));
    }

    void wrongUsageIsTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *part, const QStringList &arguments) {
            QTest::newRow(part) << (QStringList{"compare"} + arguments) << QString::fromUtf8(part);
        };
        row("BASE and NEW", {"mage-001"});
        row("neither a file", {"mage-001", "mage-999"});
        row("--fail-above takes", {"mage-001", "mage-003", "--fail-above", "much"});
        row("not '-3'", {"mage-001", "mage-003", "--fail-above=-3"});
        row("--pair takes BASE=NEW", {"mage-001", "mage-003", "--pair", "rust"});
        row("no namespace has 'cud'", {"mage-001", "mage-003", "--pair", "rust=cud"});
        row("no namespace has 'ruts'; did you mean rust?", {"mage-001", "mage-003", "--implementation", "ruts"});
        row("--unchanged: no namespace has 'gelo'", {"mage-001", "mage-003", "--unchanged", "gelo"});
        row("or none alone", {"mage-001", "mage-003", "--unchanged", "gelu,none"});
        row("--format does not know", {"mage-001", "mage-003", "--format", "xml"});
        row("--precision", {"mage-001", "mage-003", "--precision", "12"});
    }

    void wrongUsageIsTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        const Outcome outcome = runStagecraft(arguments);
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains(part), qPrintable(outcome.err));
        QCOMPARE(outcome.out, QString());
    }

    void theViewIsExported()
    {
        const Outcome outcome = runStagecraft({"export", "mage-003", "--view", "compare", "--baseline", "mage-001",
                                               "--layout", "both", "--format", "png,svg,csv,md,html,json",
                                               "--unchanged", "gelu", "--output", m_folder->path()});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        for (const char *name : {"compare-desktop.png", "compare-mobile.svg", "compare.csv", "compare.html"})
            QVERIFY2(QFile::exists(m_folder->filePath(name)), name);
        QVERIFY(fixtures::contents(m_folder->filePath("compare.md")).contains("as the reader says: gelu"));
        const json table = fixtures::parsed(m_folder->filePath("compare.json"));
        QCOMPARE(table["rows"].size(), size_t(15));
        const Outcome alone =
            runStagecraft({"export", "mage-003", "--view", "compare", "--format", "md", "--output", m_folder->path()});
        QCOMPARE(alone.status, 0);
        QVERIFY(fixtures::contents(m_folder->filePath("compare.md")).contains("--baseline"));
        QCOMPARE(runStagecraft({"export", "mage-003", "--view", "compare", "--baseline", "mage-001", "--pair", "rust=x",
                                "--output", m_folder->path()})
                     .status,
                 2);
    }

private:
    static QString lineWith(const QStringList &lines, const QString &part)
    {
        for (const QString &line : lines)
            if (line.contains(part))
                return line;
        return {};
    }

    // The numbers with a point in the line.
    static QStringList numbersIn(const QStringList &lines, const QString &part)
    {
        QStringList numbers;
        for (const QString &word : lineWith(lines, part).split(' ', Qt::SkipEmptyParts)) {
            bool isNumber = false;
            word.toDouble(&isNumber);
            if (isNumber && word.contains('.'))
                numbers.append(word);
        }
        return numbers;
    }

    // mage-003 with one kernel time of Rust changed.
    static json mutated(const char *operation, double factor)
    {
        json summary = fixtures::parsed(STAGECRAFT_SOURCE_DIR "/resources/evidence/mage-003/summary.json");
        for (json &row : summary["rows"])
            if (row["op"] == operation) {
                json &kernel = row["measurements"]["rust"]["kernel"];
                kernel = kernel.get<double>() * factor;
            }
        return summary;
    }

    void mutate(const char *operation, double factor)
    {
        fixtures::write(m_folder->filePath("new.json"), mutated(operation, factor));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestCompareProgram)
#include "tst_compareprogram.moc"
