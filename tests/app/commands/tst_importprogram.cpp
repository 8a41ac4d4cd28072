// SPDX-License-Identifier: GPL-3.0-or-later
#include "nsysfixture.h"
#include "programfixture.h"

#include <QDir>
#include <QTemporaryDir>

using fixtures::addTwoKernels;
using fixtures::NsysExport;
using fixtures::Outcome;
using fixtures::runStagecraft;

// `stagecraft import` as a process, to the end: what it prints and writes, and that the other commands take it.
class TestImportProgram : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aSeriesBecomesAProgression()
    {
        makeReport("before.sqlite");
        makeReport("after.sqlite", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start + (end - start) / 2");
        const Outcome imported = import({"before.sqlite", "after.sqlite"}, "series");
        QVERIFY2(imported.status == 0, qPrintable(imported.err));
        QCOMPARE(imported.err, "");
        const QStringList lines = imported.out.split('\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.first().startsWith("operation") && lines.first().contains("kernel time µs"),
                 qPrintable(imported.out));
        QCOMPARE(wordsOf(lines, "fill", "before"), (QStringList{"fill", "before", "3.000", "5", "1.00", "nsys"}));
        QCOMPARE(wordsOf(lines, "fill", "after"), (QStringList{"fill", "after", "1.500", "5", "1.00", "nsys"}));
        QVERIFY(lines.last().startsWith("Evidence: "));

        const Outcome checked = runStagecraft({"check", path("series")});
        QVERIFY2(checked.status == 0, qPrintable(checked.out));
        QVERIFY(checked.out.contains("series: sound") && checked.out.contains("2 operations, 2 implementations"));

        const Outcome exported = runStagecraft({"export", path("series"), "--view", "kernel,progression,resources",
                                                "--format", "csv,svg", "--output", path("figures")});
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        const auto rows = fixtures::csvRows(path("figures/progression.csv"));
        const QString all = contents("figures/progression.csv");
        QVERIFY2(all.contains("before") && all.contains("after") && all.contains("1.5"), qPrintable(all));
        QVERIFY(rows.size() >= 5); // two stages of two operations
        QVERIFY(QFile::exists(path("figures/progression-desktop.svg")));
        for (const QString &file : QDir(path("figures")).entryList(QDir::Files)) {
            for (const QString &secret : fixtures::secrets)
                QVERIFY2(!contents("figures/" + file).contains(secret), qPrintable(file + ": " + secret));
        }
    }

    void whatIsLeftOutIsSaid()
    {
        makeReport("report.sqlite", "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN registersPerThread");
        const Outcome outcome = import({"report.sqlite"}, "out");
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.err.contains("stagecraft import: report: ") &&
                     outcome.err.contains("registers are not recorded"),
                 qPrintable(outcome.err));
    }

    void damageIsAFailureAndSoundFilesAreWritten()
    {
        makeReport("report.sqlite");
        QFile whole(path("report.sqlite"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QFile cut(path("cut.sqlite"));
        QVERIFY(cut.open(QIODevice::WriteOnly) && cut.write(whole.read(5000)) == 5000);
        cut.close();
        const Outcome outcome = import({"cut.sqlite", "report.sqlite"}, "out");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.err.contains("cut: "), qPrintable(outcome.err));
        QCOMPARE(runStagecraft({"check", path("out")}).status, 0);
        const Outcome nothing = import({"cut.sqlite"}, "nothing");
        QCOMPARE(nothing.status, 1);
        QVERIFY(!QFile::exists(path("nothing")));
    }

    void evidenceIsNeverOverwritten()
    {
        makeReport("report.sqlite");
        QCOMPARE(import({"report.sqlite"}, "out").status, 0);
        const QString before = contents("out/comparison-profiles.json");
        const Outcome again = import({"report.sqlite"}, "out");
        QCOMPARE(again.status, 2);
        QVERIFY2(again.err.contains("holds evidence already"), qPrintable(again.err));
        QCOMPARE(contents("out/comparison-profiles.json"), before);
    }

    void anEmptyDirectoryIsTaken()
    {
        makeReport("report.sqlite");
        QVERIFY(QDir(m_folder->path()).mkdir("empty"));
        QCOMPARE(import({"report.sqlite"}, "empty").status, 0);
        QCOMPARE(QDir(path("empty")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{"comparison-profiles.json", "comparison-results.json"}));
        // Nothing of the way there stays.
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{"empty", "report.sqlite"}));
    }

    void wrongUsageIsSaid()
    {
        QCOMPARE(runStagecraft({"import"}).status, 2);
        QCOMPARE(runStagecraft({"import", "x.sqlite"}).status, 2);
        QCOMPARE(runStagecraft({"import", "--output", path("out")}).status, 2);
        const Outcome absent = import({"absent.sqlite"}, "out");
        QCOMPARE(absent.status, 1);
        QVERIFY(absent.err.contains("absent.sqlite: There is no such file."));
        const Outcome help = runStagecraft({"import", "--help"});
        QCOMPARE(help.status, 0);
        for (const char *title : {"Nsight Systems", "PyTorch profiler", "NVBench", "Google Benchmark", "Kernel Tuner"})
            QVERIFY2(help.out.simplified().contains(title), title);
    }

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }

    QString contents(const QString &name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    void makeReport(const QString &name, const QString &change = {}) const
    {
        NsysExport nsys(path(name));
        nsys.schema("3.25.0");
        addTwoKernels(nsys);
        if (!change.isEmpty())
            nsys.sql(change);
    }

    Outcome import(const QStringList &files, const QString &output) const
    {
        return runStagecraft(QStringList{"import"} + files + QStringList{"--output", output}, m_folder->path());
    }

    static QStringList wordsOf(const QStringList &lines, const QString &operation, const QString &implementation)
    {
        for (const QString &line : lines) {
            const QStringList words = line.simplified().split(' ');
            if (words.value(0) == operation && words.value(1) == implementation)
                return words;
        }
        return {};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestImportProgram)
#include "tst_importprogram.moc"
