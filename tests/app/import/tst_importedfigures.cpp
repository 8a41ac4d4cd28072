// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarkfixture.h"
#include "figurepainter.h"
#include "viewcatalogue.h"

using namespace fixtures;
using evidence::Namespace;
using views::ViewId;

namespace {

QByteArray googleResult(double scale)
{
    json runs = json::array();
    for (int repetition = 0; repetition < 5; ++repetition) {
        for (const char *name : {"copy/8", "copy/8/manual_time"})
            runs.push_back({{"name", name},
                            {"run_name", name},
                            {"run_type", "iteration"},
                            {"repetition_index", repetition},
                            {"iterations", 1000},
                            {"real_time", scale * (4 + 0.01 * repetition)},
                            {"time_unit", "us"}});
    }
    return QByteArray::fromStdString(json{{"context", {{"num_cpus", 2}}}, {"benchmarks", runs}}.dump());
}

} // namespace

// What is imported stands in figures as what it is: another tool's protocol, its own clocks.
class TestImportedFigures : public QObject
{
    Q_OBJECT

private slots:
    void footersSpeakOfTheToolsProtocol()
    {
        const Namespace back = imported({m_folder.write("a.json", googleResult(1))});
        for (const ViewId view : {ViewId::Span, ViewId::KernelSpan, ViewId::Samples}) {
            const QString footer = views::buildFigure(view, back).footer.join(u' ');
            QVERIFY2(footer.contains("Google Benchmark: real-time is the host's clock"), qPrintable(footer));
            QVERIFY2(!footer.contains("rotating order") && !footer.contains("warmed"), qPrintable(footer));
            QVERIFY2(footer.contains("a timer of the benchmark's own"), qPrintable(footer));
        }
    }

    void clocksStandApart()
    {
        const Namespace back = imported({m_folder.write("a.json", googleResult(1))});
        const QString words = views::buildFigure(ViewId::Span, back).altText;
        QVERIFY2(words.contains("manual-time") && words.contains("real-time"), qPrintable(words));
        const QString verdicts = views::buildFigure(ViewId::Verdicts, back).altText;
        QVERIFY2(verdicts.contains("another instrument"), qPrintable(verdicts));
    }

    void aSeriesOfFilesIsAProgressionWithItsFactor()
    {
        const Namespace back =
            imported({m_folder.write("before.json", googleResult(1)), m_folder.write("after.json", googleResult(0.5))});
        const widgets::Figure figure = views::buildFigure(ViewId::Progression, back);
        QCOMPARE(figure.unavailable, QString());
        QCOMPARE(figure.ladders.size(), 1);
        QCOMPARE(figure.ladders[0].steps.size(), 2);
        QCOMPARE(figure.ladders[0].steps[1].factor, QStringLiteral("2.00×"));
        QVERIFY(figure.ladders[0].subtitle.contains("Google Benchmark records no kernels"));
    }

private:
    Namespace imported(const QStringList &paths) const
    {
        const import::Imported result = import::importFiles(paths);
        if (!result.error.isEmpty())
            qFatal("%s", qPrintable(result.error));
        return m_folder.written(result);
    }

    ImportFolder m_folder;
};

QTEST_MAIN(TestImportedFigures)
#include "tst_importedfigures.moc"
