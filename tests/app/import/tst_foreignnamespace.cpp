// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignfixture.h"
#include "foreignnamespace.h"
#include "recordbudget.h"

#include <algorithm>

using namespace stagecraft;
using namespace stagecraft::import;
using namespace fixtures;

namespace {

const Tool tool{QStringLiteral("NVBench"), QStringLiteral("by its own clock")};

ForeignSeries kernels(const QString &operation, const QList<double> &us, int iterations = 0)
{
    ForeignSeries series;
    series.operation = operation;
    series.backend = QStringLiteral("nsys");
    series.noSpan = QStringLiteral("it records none");
    series.iterations = iterations;
    for (const double value : us)
        series.records.append({operation + "(int)", value, "1,1,1", "32,1,1", 16, 0});
    return series;
}

ForeignSeries spans(const QString &operation, const QList<double> &us, std::optional<int> round = {})
{
    ForeignSeries series;
    series.operation = operation;
    series.noKernels = QStringLiteral("it records no kernels");
    series.round = round;
    evidence::Measurement measurement;
    measurement.samplesUs = us;
    measurement.source = QStringLiteral("event");
    series.span = measurement;
    return series;
}

ForeignFile fileOf(const QList<ForeignSeries> &series)
{
    ForeignFile file;
    file.gpu = QStringLiteral("NVIDIA H200");
    file.series = series;
    return file;
}

} // namespace

// What is made of files that were read, whatever their format.
class TestForeignNamespace : public QObject
{
    Q_OBJECT

private slots:
    void spansWithoutACheckAreNoContradiction()
    {
        const auto made = foreignNamespace(tool, "one", {{"one", fileOf({spans("sort", {1, 2, 3, 4, 5})})}});
        const auto back = written(made);
        const auto rows = evidence::valueRows(back);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].span.estimate->mean, 3.0);
        QCOMPARE(rows[0].span.source, "event");
        QCOMPARE(rows[0].kernel.state, evidence::State::Unavailable);
        QCOMPARE(rows[0].kernel.reason, "it records no kernels");
        QVERIFY2(problemTexts(back).contains("Not checked"), qPrintable(problemTexts(back)));
        QCOMPARE(QString::fromStdString(back.resultsDocument["imported"]["tool"].get<std::string>()), "NVBench");
    }

    void withoutTheirOriginTheyAreOne()
    {
        auto made = foreignNamespace(tool, "one", {{"one", fileOf({spans("sort", {1, 2, 3, 4, 5})})}});
        made.resultsDocument.erase("imported");
        QTemporaryDir folder;
        QCOMPARE(evidence::writeNamespace(made, folder.filePath("out")), "");
        QVERIFY(contradictions(evidence::readNamespace(folder.filePath("out"))).join(' ').contains("no correctness"));
    }

    void roundsThatOneLacksAreFilled()
    {
        ForeignSeries other = spans("sort", {7, 7});
        other.implementation = "other";
        other.round = 1;
        const auto made = foreignNamespace(
            tool, "one", {{"one", fileOf({spans("sort", {1, 3}, 0), spans("sort", {2, 4}, 1), other})}});
        const auto rows = evidence::valueRows(written(made));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rowOf(rows, "sort", "one")->span.estimate->roundMeans, (QList<double>{2, 3}));
        QCOMPARE(rowOf(rows, "sort", "other")->span.estimate->roundMeans, (QList<double>{7}));
    }

    void whatIsThereTwiceIsSaid()
    {
        const auto made = foreignNamespace(tool, "one", {{"one", fileOf({spans("a", {1}), spans("a", {9})})}});
        QVERIFY(problemTexts(made).contains("there twice"));
        QCOMPARE(evidence::valueRows(written(made)).first().span.estimate->mean, 1.0);
    }

    void stagesAreOfTheImplementationThatMayBeOne()
    {
        const auto file = [](double own) {
            ForeignSeries library = kernels("gemm", {100, 100});
            library.implementation = "cublas";
            library.isProgressionStage = false;
            ForeignSeries cuda = kernels("gemm", {own, own});
            cuda.implementation = "cuda";
            return fileOf({library, cuda});
        };
        const auto made = foreignNamespace(tool, "series", {{"first", file(8)}, {"second", file(4)}});
        const auto back = written(made);
        QVERIFY(back.progression);
        const auto &stages = back.progression->operations.first().stages;
        QCOMPARE(stages.size(), 2);
        QCOMPARE(stages[0].kernelUs.value(), 8.0);
        QCOMPARE(stages[1].kernelUs.value(), 4.0);
        QVERIFY(rowOf(evidence::valueRows(back), "gemm", "second/cublas"));
    }

    void operationsOfOneNameStayApart()
    {
        const auto made = foreignNamespace(
            tool, "one", {{"one", fileOf({kernels("a b", {1}), kernels("a-b", {2}), kernels("a/b", {3})})}});
        const auto rows = evidence::valueRows(written(made));
        QCOMPARE(rows.size(), 3);
        QList<double> means;
        for (const auto &row : rows)
            means.append(row.kernel.estimate->mean);
        std::ranges::sort(means);
        QCOMPARE(means, (QList<double>{1, 2, 3}));
    }

    void tooManyRecordsAreCutAndThatIsSaid()
    {
        QList<ForeignFile> files{fileOf({kernels("long", QList<double>(1000, 2.0)), kernels("short", {5, 7}),
                                         kernels("pairs", QList<double>(1000, 3.0), 500)})};
        limitRecords(files, 100 * 300);
        QVERIFY(files[0].series[0].records.size() < 60 && files[0].series[0].records.size() > 20);
        QCOMPARE(files[0].series[1].records.size(), 2);
        QCOMPARE(files[0].series[2].records.size(), 2 * files[0].series[2].iterations);
        QCOMPARE(files[0].leftOut.size(), 2);
        QVERIFY(files[0].leftOut[0].contains("of 1000 launches are kept"));
        const auto rows = evidence::valueRows(written(foreignNamespace(tool, "one", {{"one", files[0]}})));
        QCOMPARE(rowOf(rows, "pairs", "one")->kernel.estimate->mean, 6.0);
        QCOMPARE(rowOf(rows, "pairs", "one")->launches.estimate->mean, 2.0);
    }

    void whatFitsStays()
    {
        QList<ForeignFile> files{fileOf({kernels("a", QList<double>(100, 2.0))})};
        limitRecords(files);
        QCOMPARE(files[0].series[0].records.size(), 100);
        QVERIFY(files[0].leftOut.isEmpty());
    }

    void namespacesAreCalledAsTheirFilesAre()
    {
        QCOMPARE(importedName({"/data/report.sqlite"}), "report");
        QCOMPARE(importedName({"/data/report1.sqlite", "/data/report2.sqlite"}), "report");
        QCOMPARE(importedName({"a.json", "b.json", "c.json"}), "a-and-2-more");
        QCOMPARE(importedName({"x/same.json", "y/same.json"}), "same");
        QCOMPARE(importedName({}), "import");
    }
};

QTEST_GUILESS_MAIN(TestForeignNamespace)
#include "tst_foreignnamespace.moc"
