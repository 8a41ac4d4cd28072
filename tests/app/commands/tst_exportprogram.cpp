// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "programfixture.h"

#include <QImage>

// `stagecraft export` as a process: the note's tables, what is in the files, and what wrong usage is told.
using fixtures::csvColumn;
using fixtures::csvRows;
using fixtures::json;
using fixtures::Outcome;
using fixtures::rounded;
using fixtures::runStagecraft;

class TestExportProgram : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    // The note's tables 3, 4 and 5, and 2 through --baseline: 45 cells and 10.
    void theNotesTables()
    {
        const Outcome outcome = runExport({"mage-003", "--format", "csv", "--baseline", "mage-001,mage-002"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        const QList<QStringList> rows = csvRows(file("kernel-span.csv"));
        QCOMPARE(rounded(csvColumn(rows, "kernel_us"), 1),
                 QStringList({"44.0", "71.9", "80.0", "15.8", "7.6", "11.0", "11.2", "8.0", "10.1", "28.5", "81.6",
                              "80.1", "67.3", "8.0", "10.3"}));
        QCOMPARE(rounded(csvColumn(rows, "span_us"), 1),
                 QStringList({"58.2", "97.4", "82.6", "23.7", "21.2", "13.3", "17.3", "20.6", "12.9", "54.1", "94.4",
                              "83.5", "89.6", "25.7", "12.9"}));
        QCOMPARE(csvColumn(rows, "launches"),
                 QStringList({"1", "1", "1", "2", "1", "1", "1", "1", "1", "3", "1", "1", "4", "1", "1"}));
        QCOMPARE(own(rounded(csvColumn(rows, "mage-001_kernel_us"), 1)),
                 QStringList({"344.0", "11.2", "18.6", "81.2", "10.3"}));
        QCOMPARE(own(rounded(csvColumn(rows, "mage-002_kernel_us"), 1)),
                 QStringList({"141.7", "11.0", "11.1", "80.4", "10.3"}));
        for (const auto &[view, column] :
             {std::pair{"kernel", "kernel_us"}, std::pair{"span", "span_us"}, std::pair{"launches", "launches"}})
            QCOMPARE(csvColumn(csvRows(file(QLatin1String(view) + ".csv")), column), csvColumn(rows, column));
    }

    // Table 1, and everything that the note prints beside it.
    void theNotesProgression()
    {
        const Outcome outcome = runExport({"mage-003", "--view", "progression", "--format", "csv"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        const QList<QStringList> rows = csvRows(file("progression.csv"));
        const QStringList kernel = rounded(csvColumn(rows, "kernel_us"), 2);
        const QStringList span = rounded(csvColumn(rows, "span_us"), 2);
        QCOMPARE(kernel.mid(0, 3), QStringList({"343.99", "141.70", "80.00"}));
        QCOMPARE(span.mid(0, 3), QStringList({"326.72", "144.41", "82.60"}));
        QCOMPARE(span.mid(3, 3), QStringList({"145.61", "114.90", "89.90"}));
        QCOMPARE(kernel[6], QStringLiteral("80.00"));
        QCOMPARE(kernel.mid(10, 3), QStringList({"18.64", "11.03", "10.05"}));
        QCOMPARE(span.mid(10, 3), QStringList({"19.47", "15.43", "12.91"}));
        QStringList factors = rounded(csvColumn(rows, "kernel_factor"), 2);
        factors.removeAll(QString());
        QCOMPARE(factors, QStringList({"2.43", "1.77", "1.69", "1.10"}));
        for (const char *number : {"210.51", "147.74", "14.40", "14.30", "13.40", "13.30", "13.64", "12.69"})
            QVERIFY2(span.contains(QLatin1String(number)), number);
        QVERIFY(kernel.contains("22.12"));
        QVERIFY(rounded(csvColumn(rows, "to_us"), 1).contains("13.7"));
        QVERIFY(rounded(csvColumn(rows, "compared_us"), 2).contains("11.02"));
        QVERIFY(rounded(csvColumn(rows, "measured_ratio"), 2).contains("1.45"));
        QVERIFY(rounded(csvColumn(rows, "predicted_ratio"), 1).contains("1.5"));
    }

    void allViewsOfAMeasuredNamespace()
    {
        store();
        const Outcome outcome = runExport({run(), "--view", "all", "--format", "png,svg,csv"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        for (const char *view : {"kernel-span", "kernel", "span", "launches", "samples", "verdicts"}) {
            const QImage picture(file(QLatin1String(view) + "-desktop.png"));
            QCOMPARE(picture.width(), QLatin1String(view) == QLatin1String("kernel-span") ? 3120 : 1480);
            QVERIFY(QFileInfo(file(QLatin1String(view) + "-desktop.svg")).size() > 1000);
            QVERIFY(outcome.out.contains(QLatin1String(view) + ".csv"));
        }
        QCOMPARE(outcome.out.count('\n'), 36);                            // twelve views as png, svg and csv
        for (const char *lacking : {"progression", "limits", "roofline"}) // stages and hardware counters
            QVERIFY(fixtures::contents(file(QLatin1String(lacking) + ".csv")).startsWith("unavailable\r\n"));
        const QStringList samples = csvColumn(csvRows(file("samples.csv")), "span_us");
        QStringList stored;
        for (const char *implementation : {"cublas", "cuda"})
            for (const json &round : m_results["results"][0]["rounds"])
                for (const json &sample : round["implementations"][implementation]["samples_us"])
                    stored.append(QString::number(sample.get<double>(), 'g', QLocale::FloatingPointShortest));
        QCOMPARE(samples, stored);
    }

    void verdictsAreAgainstTheReference()
    {
        store();
        QCOMPARE(runExport({run(), "--view", "verdicts", "--format", "csv"}).status, 0);
        QCOMPARE(csvColumn(csvRows(file("verdicts.csv")), "reference"), QStringList({"cuda", "cuda"}));
        const Outcome outcome = runExport({run(), "--view", "verdicts", "--format", "csv", "--reference", "cublas"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        const QList<QStringList> rows = csvRows(file("verdicts.csv"));
        QCOMPARE(csvColumn(rows, "reference"), QStringList({"cublas", "cublas"}));
        QCOMPARE(csvColumn(rows, "implementation"), QStringList({"cuda", "cuda"}));
    }

    void aReportOfEachNamespace()
    {
        const Outcome outcome = runExport({"mage-001", "mage-003", "--format", "report", "--view", "kernel,span"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        for (const char *name : {"mage-001", "mage-003"}) {
            const QByteArray page = fixtures::contents(file(QLatin1String(name) + "-report.html"));
            QVERIFY(page.startsWith("<!DOCTYPE html>"));
            QVERIFY(page.contains("<h1>" + QByteArray(name) + "</h1>"));
            QCOMPARE(page.count("<figure"), 2);
            QVERIFY(page.contains("Stagecraft " STAGECRAFT_VERSION));
        }
        QCOMPARE(outcome.out.count('\n'), 2);
        QCOMPARE(runExport({"mage-003", "--format", "report"}).status, 0);
        QVERIFY(QFileInfo::exists(file("report.html")));
    }

    // The default can be read on any page: opaque, but not in its corners.
    void scaleAndThemeOfPictures()
    {
        QCOMPARE(runExport({"mage-003", "--view", "launches", "--format", "png", "--scale", "3.5"}).status, 0);
        const QImage page(file("launches-desktop.png"));
        QCOMPARE(page.width(), 2590);
        QVERIFY(std::abs(page.dotsPerMeterX() * 0.0254 - 336) < 0.1);
        QCOMPARE(page.pixelColor(0, 0).alpha(), 0);
        QCOMPARE(runExport({"mage-003", "--view", "launches", "--format", "png", "--theme", "dark"}).status, 0);
        QCOMPARE(QImage(file("launches-desktop.png")).pixelColor(0, 0).name(), QStringLiteral("#101217"));
    }

    // What mage's form has no place for is said, a line for each implementation of an operation.
    void whatMagesFormLeavesOutIsSaid()
    {
        store();
        for (const int round : {0, 2}) {
            json &entry = m_results["results"][0]["rounds"][round]["implementations"]["cublas"];
            entry["state"] = "failed";
            entry["reason"] = "the worker ended";
        }
        store();
        const Outcome outcome = runExport({run(), "--format", "mage"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        QCOMPARE(outcome.err.count("leaves out"), 1);
        QVERIFY2(
            outcome.err.contains("stagecraft export: run as mage leaves out matmul cublas, for want of rounds 0, 2: "
                                 "failed: the worker ended\n"),
            qPrintable(outcome.err));
    }

    void oneSampleChangesCsvAndPicture()
    {
        store();
        QCOMPARE(runExport({run(), "--view", "span,samples", "--format", "csv,png"}).status, 0);
        const QByteArray table = fixtures::contents(file("span.csv"));
        const QImage span(file("span-desktop.png")), samples(file("samples-desktop.png"));
        json &sample = m_results["results"][0]["rounds"][1]["implementations"]["cuda"]["samples_us"][7];
        sample = sample.get<double>() + 40;
        store();
        QCOMPARE(runExport({run(), "--view", "span,samples", "--format", "csv,png"}).status, 0);
        QVERIFY(fixtures::contents(file("span.csv")) != table);
        QVERIFY(QImage(file("span-desktop.png")) != span);
        QVERIFY(QImage(file("samples-desktop.png")) != samples);
    }

    void contradictoryEvidenceIsWrittenAndEndsWithOne()
    {
        store();
        m_results["results"][0]["rounds"][0]["implementations"]["cublas"]["samples_us"].erase(0);
        store();
        const Outcome outcome = runExport({run(), "--view", "kernel", "--format", "csv,md"});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(
            outcome.err.contains("run/comparison-results.json: /results/0/rounds/0/implementations/cublas/samples_us"),
            qPrintable(outcome.err));
        QCOMPARE(csvRows(file("kernel.csv")).size(), 3);
        QVERIFY(fixtures::contents(file("kernel.md")).contains("1 fault in its files"));
    }

    void severalNamespacesAndLayouts()
    {
        const Outcome outcome = runExport({"mage-001", "mage-002", "--view", "launches", "--format", "md,png",
                                           "--layout", "both", "--theme", "light"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        QCOMPARE(
            QDir(m_folder->filePath("out")).entryList(QDir::Files, QDir::Name),
            QStringList({"mage-001-launches-desktop.png", "mage-001-launches-mobile.png", "mage-001-launches.md",
                         "mage-002-launches-desktop.png", "mage-002-launches-mobile.png", "mage-002-launches.md"}));
        QCOMPARE(QImage(file("mage-001-launches-mobile.png")).width(), 730);
        QVERIFY(QImage(file("mage-001-launches-desktop.png")).pixelColor(0, 0).lightness() > 200);
    }

    void precisionOfPeoplesFormats()
    {
        QCOMPARE(runExport({"mage-003", "--view", "kernel", "--format", "md,csv", "--precision", "3"}).status, 0);
        QVERIFY(fixtures::contents(file("kernel.md")).contains("44.028"));
        QVERIFY(fixtures::contents(file("kernel.csv")).contains("44.02753"));
    }

    void mageFormWithItsNames()
    {
        store();
        const Outcome outcome = runExport({run(), "--format", "mage", "--map", "cuda=rust,cublas=python"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.err));
        const json results = json::parse(fixtures::contents(file("run/comparison-results.json")).toStdString());
        QVERIFY(results["results"][0]["rounds"][0]["implementations"].contains("rust"));
        QVERIFY(results["results"][0]["rounds"][0]["implementations"].contains("python"));
        QVERIFY(!results.contains("format"));
    }

    // Before the work: nothing of the other formats is there then.
    void aSummaryHasNoMageForm()
    {
        const Outcome summary = runExport({"mage-001", "--format", "csv,mage"});
        QCOMPARE(summary.status, 2);
        QVERIFY2(summary.err.contains("--format mage: mage-001 has neither samples nor kernel records"),
                 qPrintable(summary.err));
        QVERIFY(!QFileInfo::exists(file("kernel.csv")));
    }

    // mage's form and a view's table may have the names of the evidence's own files.
    void evidenceIsNeverOverwritten()
    {
        store();
        const QByteArray results = fixtures::contents(run() + "/comparison-results.json");
        const Outcome source =
            runStagecraft({"export", "run", "--format", "mage,csv", "--output", "."}, m_folder->path());
        QCOMPARE(source.status, 2);
        QVERIFY2(source.err.contains("holds evidence already (comparison-results.json)"), qPrintable(source.err));
        QCOMPARE(fixtures::contents(run() + "/comparison-results.json"), results);
        QVERIFY(!QFileInfo::exists(m_folder->filePath("kernel-span.csv")));
        QCOMPARE(runExport({run(), "--format", "mage"}).status, 0);
        QCOMPARE(runExport({run(), "--format", "mage"}).status, 2);
        fixtures::write(run() + "/progression.json", QByteArray("{}"));
        const Outcome table =
            runStagecraft({"export", ".", "--view", "progression", "--format", "json", "--output", "."}, run());
        QCOMPARE(table.status, 1);
        QVERIFY2(table.err.contains("progression.json: this is the evidence itself"), qPrintable(table.err));
        QCOMPARE(fixtures::contents(run() + "/progression.json"), QByteArray("{}"));
    }

    void anUnfinishedRunIsSaid()
    {
        fixtures::write(run() + "/journal.jsonl", QByteArray("{\"cut"));
        for (const QStringList &arguments : {QStringList{run()}, QStringList{"mage-003", "--baseline", run()}}) {
            const Outcome outcome = runExport(arguments + QStringList{"--view", "kernel", "--format", "csv"});
            QCOMPARE(outcome.status, 0);
            QVERIFY2(outcome.err.contains("run/journal.jsonl: recorded: the run did not end"), qPrintable(outcome.err));
        }
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const QStringList &arguments, const char *message) {
            QTest::newRow(name) << arguments << QString::fromUtf8(message);
        };
        row("no namespace", {}, "name at least one NAMESPACE");
        row("unknown namespace", {"mage-004"}, "'mage-004' is neither a file or directory");
        row("unknown view", {"mage-003", "--view", "kernl"}, "did you mean kernel?");
        row("unknown format", {"mage-003", "--format", "pdf"}, "--format does not know 'pdf'");
        row("no format", {"mage-003", "--format", ","}, "--format is empty");
        row("unknown layout", {"mage-003", "--layout", "tablet"}, "there are desktop, mobile, both");
        row("unknown theme", {"mage-003", "--theme", "blue"}, "there are page, dark, light");
        for (const char *scale : {"0.49", "8.1", "two", "nan", "inf", "-1", ""})
            row(scale, {"mage-003", "--scale", QString::fromUtf8(scale)}, "--scale takes a number from 0.5 to 8");
        row("precision", {"mage-003", "--precision", "many"}, "--precision takes a whole number from 0 to 9");
        row("implementation", {"mage-003", "--implementation", "rusty"},
            "no namespace has 'rusty'; did you mean rust?");
        row("baseline", {"mage-003", "--baseline", "nowhere"}, "--baseline: 'nowhere'");
        row("map alone", {"mage-003", "--map", "cuda=rust"}, "--map renames implementations for --format mage");
        row("map", {"mage-003", "--format", "mage", "--map", "cuda"}, "--map takes FROM=TO, not 'cuda'");
        row("map from nowhere", {"mage-003", "--format", "mage", "--map", "cudda=own"},
            "--map: no namespace has 'cudda'");
        row("map to no name", {"mage-003", "--format", "mage", "--map", "rust=../x"},
            "--map: '../x' is no name of an implementation");
        row("same name", {"mage-003", "mage-003"}, "two namespaces are called mage-003");
        row("reference", {"mage-003", "--reference", "rusty"},
            "--reference: no namespace has 'rusty'; did you mean rust?");
        row("no reference", {"mage-003", "--reference", ""}, "--reference names no implementation");
        row("references", {"mage-003", "--reference", "rust", "--reference", "python"}, "--reference is given twice");
        row("option", {"mage-003", "--formta", "csv"}, "did you mean format?");
    }

    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const Outcome outcome = runExport(arguments);
        QVERIFY2(outcome.status == 2, qPrintable(outcome.out + outcome.err));
        QVERIFY2(outcome.err.contains(message), qPrintable(outcome.err));
        QVERIFY(outcome.err.contains("stagecraft export --help"));
        QVERIFY(outcome.out.isEmpty());
        QVERIFY(!QFileInfo::exists(m_folder->filePath("out")));
    }

    void anOutputIsNeeded()
    {
        const Outcome outcome = runStagecraft({"export", "mage-003"});
        QCOMPARE(outcome.status, 2);
        QVERIFY(outcome.err.contains("--output DIR is missing"));
    }

    void anOutputThatCannotBeWrittenEndsWithOne()
    {
        fixtures::write(m_folder->filePath("out"), QByteArray("in the way"));
        const Outcome outcome = runExport({"mage-003", "--format", "csv"});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains("cannot be created"), qPrintable(outcome.err));
    }

private:
    Outcome runExport(const QStringList &arguments) const
    {
        return runStagecraft(QStringList{"export"} + arguments + QStringList{"--output", m_folder->filePath("out")});
    }

    QString file(const QString &name) const { return m_folder->filePath("out/" + name); }
    QString run() const { return m_folder->filePath("run"); }

    void store()
    {
        if (m_results.is_null() || !QFileInfo::exists(run()))
            m_results = fixtures::results(3, 20);
        fixtures::write(run() + "/comparison-results.json", m_results);
        fixtures::write(run() + "/comparison-profiles.json", fixtures::profiles());
    }

    // The rows of this project's own implementation among three.
    static QStringList own(const QStringList &fields)
    {
        QStringList own;
        for (qsizetype i = 2; i < fields.size(); i += 3)
            own.append(fields[i]);
        return own;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results;
};

QTEST_GUILESS_MAIN(TestExportProgram)
#include "tst_exportprogram.moc"
