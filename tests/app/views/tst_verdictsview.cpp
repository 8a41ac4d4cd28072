// SPDX-License-Identifier: GPL-3.0-or-later
#include "peerfixtures.h"

#include <QRegularExpression>

using namespace stagecraft;
using namespace stagecraft::views;
using fixtures::shown;
using widgets::Figure;
using widgets::ValueTable;

namespace {

// The row of this implementation and metric, as ids; −1 where there is none.
qsizetype rowOf(const ValueTable &table, const QString &operation, const QString &implementation, const QString &metric)
{
    for (qsizetype row = 0; row < table.rows.size(); ++row)
        if (shown(table, row, "operation") == operation && shown(table, row, "implementation") == implementation &&
            shown(table, row, "metric") == metric)
            return row;
    return -1;
}

evidence::OperationResult &resultOf(evidence::Namespace &evidence, const QString &operation)
{
    for (evidence::OperationResult &result : evidence.results)
        if (result.operation == operation)
            return result;
    qFatal("no %s", qPrintable(operation));
}

} // namespace

class TestVerdictsView : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        fixtures::useSourceResources();
        m_programs.audience = Audience::Programs;
    }
    void init()
    {
        m_peers = fixtures::peersRun();
        m_programs.implementations.clear();
        m_programs.reference.clear();
    }

    void everyImplementationIsComparedWithThisProjectsKernels()
    {
        const ValueTable table = verdicts();
        // 6 + 4 + 4 + 5 + 5 others than cuda, in two metrics.
        QCOMPARE(table.rows.size(), 48);
        for (qsizetype row = 0; row < table.rows.size(); ++row) {
            QCOMPARE(shown(table, row, "reference"), QString("cuda"));
            QVERIFY(shown(table, row, "implementation") != "cuda");
        }
        const qsizetype cublas = rowOf(table, "matmul", "cublas", "kernel_us");
        QVERIFY(std::abs(*fixtures::cell(table, cublas, "median_ratio").number - 55.71 / 79.8) < 0.01);
        QCOMPARE(shown(table, cublas, "rounds_in_favour"), QString("5"));
        QCOMPARE(shown(table, cublas, "rounds"), QString("5"));
        QCOMPARE(shown(table, cublas, "ranges"), QString("apart"));
        QCOMPARE(shown(table, cublas, "verdict"), QString("faster"));
        QCOMPARE(shown(table, rowOf(table, "neighbor", "pytorch", "span_us"), "verdict"), QString("slower"));
    }

    void anyTwoCanBeCompared()
    {
        m_programs.implementations = {QStringLiteral("triton")};
        m_programs.reference = QStringLiteral("cublas");
        const ValueTable table = verdicts();
        QCOMPARE(table.rows.size(), 10); // one implementation, two metrics, five operations
        const qsizetype matmul = rowOf(table, "matmul", "triton", "kernel_us");
        QCOMPARE(shown(table, matmul, "reference"), QString("cublas"));
        QCOMPARE(shown(table, matmul, "verdict"), QString("slower"));
        // cuBLAS has no layernorm: said, and not left out.
        const qsizetype layernorm = rowOf(table, "layernorm", "triton", "kernel_us");
        QCOMPARE(shown(table, layernorm, "verdict"), QString("not run"));
        QCOMPARE(shown(table, layernorm, "reason"), QString("cuBLAS: no measurement of this operation"));
    }

    void withoutOwnKernelsTheFirstIsTheReference()
    {
        m_programs.implementations = {QStringLiteral("triton"), QStringLiteral("pytorch")};
        const ValueTable table = verdicts();
        QCOMPARE(table.rows.size(), 10);
        QCOMPARE(shown(table, 0, "reference"), QString("pytorch"));
        QCOMPARE(shown(table, 0, "implementation"), QString("triton"));
    }

    void statesStandInPlaceOfVerdicts()
    {
        for (evidence::Round &round : resultOf(m_peers, "matmul").rounds) {
            round.implementations["cublaslt"] = fixtures::stateOnly(evidence::State::Failed, "the result is wrong");
            round.implementations["pytorch"].arithmetic = QStringLiteral("tf32");
            round.implementations["host"] = fixtures::measured({900, 910, 905, 902, 907}, QStringLiteral("host"));
        }
        const ValueTable table = verdicts();
        const auto words = [&](const char *implementation) {
            const qsizetype row = rowOf(table, "matmul", QString::fromUtf8(implementation), "span_us");
            return shown(table, row, "verdict") + ": " + shown(table, row, "reason");
        };
        QCOMPARE(words("cublaslt"), QString("failed: the result is wrong"));
        QCOMPARE(words("pytorch"), QString("not comparable: another arithmetic: tf32 against fp32, so another error"));
        QCOMPARE(shown(table, rowOf(table, "matmul", "pytorch", "span_us"), "next_step"),
                 QString("name a reference of the same arithmetic, or measure with --arithmetic fp32"));
        QCOMPARE(words("host"), QString("not comparable: another instrument: host against event"));
        const qsizetype host = rowOf(table, "matmul", "host", "span_us");
        QVERIFY(!fixtures::cell(table, host, "median_ratio").number);
        QCOMPARE(shown(table, host, "rounds"), QString("not comparable"));
        QCOMPARE(shown(table, rowOf(table, "matmul", "host", "kernel_us"), "verdict"), QString("not run"));
    }

    void aReferenceThatFailedIsNamed()
    {
        for (evidence::Round &round : resultOf(m_peers, "gelu").rounds)
            round.implementations["cuda"] = fixtures::stateOnly(evidence::State::Failed, "an illegal address");
        m_programs.reference = QStringLiteral("cuda");
        const ValueTable table = verdicts();
        const qsizetype row = rowOf(table, "gelu", "triton", "span_us");
        QCOMPARE(shown(table, row, "verdict"), QString("failed"));
        QCOMPARE(shown(table, row, "reason"), QString("CUDA: an illegal address"));
    }

    void theDefaultReferenceWasMeasured()
    {
        for (evidence::Round &round : resultOf(m_peers, "gelu").rounds)
            for (const char *id : {"cuda", "pytorch"})
                round.implementations[id] = fixtures::stateOnly(evidence::State::Failed, "an illegal address");
        m_peers.captures.removeIf([](const evidence::Capture &capture) {
            return capture.operation == QLatin1String("gelu") &&
                   (capture.language == QLatin1String("cuda") || capture.language == QLatin1String("pytorch"));
        });
        const ValueTable table = verdicts();
        const qsizetype row = rowOf(table, "gelu", "triton", "span_us");
        QCOMPARE(shown(table, row, "reference"), QString("pytorch-compile"));
        QCOMPARE(shown(table, rowOf(table, "gelu", "cuda", "span_us"), "verdict"), QString("failed"));
        QCOMPARE(shown(table, rowOf(table, "matmul", "triton", "span_us"), "reference"), QString("cuda"));
    }

    void aSlowerOneSaysInHowManyRoundsItWas()
    {
        for (evidence::Round &round : resultOf(m_peers, "gelu").rounds)
            for (double &sample : round.implementations["triton"].samplesUs)
                sample *= 100;
        const Figure figure = buildFigure(ViewId::Verdicts, m_peers);
        const auto rows = figure.ladders[1].dots[1].rows;
        const auto triton =
            std::find_if(rows.begin(), rows.end(), [](const auto &row) { return row.label == "Triton"; });
        QVERIFY(triton != rows.end());
        const QString words = triton->valueText + ' ' + triton->rangeText;
        static const QRegularExpression wanted("\\A\\d+\\.\\d{3}× · slower in 5 of 5 rounds\\z");
        QVERIFY2(wanted.match(words).hasMatch(), qPrintable(words));
        const ValueTable table = verdicts();
        const qsizetype row = rowOf(table, "gelu", "triton", "span_us");
        QCOMPARE(shown(table, row, "rounds_in_favour"), QString("0"));
        const qsizetype column = fixtures::columnIds(table).indexOf("rounds_in_favour");
        QCOMPARE(table.columns[column].title, QString("faster in (rounds)"));
    }

    void tooFewRoundsAreUndecidedWithTheNextStep()
    {
        resultOf(m_peers, "gelu").rounds.removeLast();
        const ValueTable table = verdicts();
        const qsizetype row = rowOf(table, "gelu", "pytorch", "span_us");
        QCOMPARE(shown(table, row, "verdict"), QString("undecided"));
        QCOMPARE(shown(table, row, "reason"), QString("fewer than 5 rounds"));
        QVERIFY(shown(table, row, "next_step").contains("at least 5 rounds"));
        QVERIFY(fixtures::cell(table, row, "median_ratio").number);
        // The captures of the fifth round are still there.
        QCOMPARE(shown(table, rowOf(table, "gelu", "pytorch", "kernel_us"), "verdict"), QString("slower"));
    }

    void lowClocksLeaveItUndecided()
    {
        for (evidence::Round &round : resultOf(m_peers, "gelu").rounds)
            round.implementations["triton"].state = evidence::State::Throttled;
        const ValueTable table = verdicts();
        for (const char *metric : {"span_us", "kernel_us"}) {
            const qsizetype row = rowOf(table, "gelu", "triton", QString::fromUtf8(metric));
            QCOMPARE(shown(table, row, "verdict"), QString("undecided"));
            QCOMPARE(shown(table, row, "reason"), QString("throttled"));
            QVERIFY(shown(table, row, "next_step").contains("locked clocks"));
            QVERIFY(fixtures::cell(table, row, "median_ratio").number);
        }
        QCOMPARE(shown(table, rowOf(table, "gelu", "pytorch", "span_us"), "verdict"), QString("slower"));
        const Figure figure = buildFigure(ViewId::Verdicts, m_peers);
        const auto rows = figure.ladders[1].dots[1].rows;
        const auto triton =
            std::find_if(rows.begin(), rows.end(), [](const auto &row) { return row.label == "Triton"; });
        QVERIFY(triton != rows.end());
        QVERIFY2(triton->valueText.endsWith("× · undecided"), qPrintable(triton->valueText));
        QCOMPARE(triton->rangeText, QString("throttled"));
        QVERIFY(figure.altText.contains("undecided (throttled)"));
    }

    void aThrottledReferenceLeavesAllUndecided()
    {
        for (evidence::Round &round : resultOf(m_peers, "gelu").rounds)
            round.implementations["cuda"].state = evidence::State::Throttled;
        const ValueTable table = verdicts();
        QCOMPARE(shown(table, rowOf(table, "gelu", "pytorch", "span_us"), "reason"), QString("throttled"));
        QCOMPARE(shown(table, rowOf(table, "matmul", "pytorch", "span_us"), "verdict"), QString("faster"));
    }

    void anOperationWithOneImplementationSaysSo()
    {
        for (evidence::Round &round : resultOf(m_peers, "gelu").rounds)
            round.implementations = {{"cuda", round.implementations["cuda"]}};
        m_peers.captures.removeIf([](const evidence::Capture &capture) {
            return capture.operation == QLatin1String("gelu") && capture.language != QLatin1String("cuda");
        });
        const ValueTable table = verdicts();
        const qsizetype row = rowOf(table, "gelu", {}, "span_us");
        QCOMPARE(shown(table, row, "verdict"), QString("not run"));
        QVERIFY(shown(table, row, "reason").contains("nothing else was measured"));
        const Figure figure = buildFigure(ViewId::Verdicts, m_peers);
        QVERIFY(figure.ladders[1].dots[1].note.contains("nothing else was measured"));
    }

    void unavailableWithItsReason_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("summary") << "mage-001"
                                 << "mage-001 is a summary: it holds means and ranges, no rounds to pair";
        QTest::newRow("one") << ""
                             << "a verdict takes two implementations of an operation; cpu-fixture shows only "
                                "Host (CPU)";
    }
    void unavailableWithItsReason()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        const evidence::Namespace evidence =
            name.isEmpty() ? fixtures::cpuRun() : fixtures::note(name.toUtf8().constData());
        QCOMPARE(buildTable(ViewId::Verdicts, evidence).unavailable, reason);
        const Figure figure = buildFigure(ViewId::Verdicts, evidence);
        QCOMPARE(figure.unavailable, reason);
        QVERIFY(figure.ladders.isEmpty());
        QVERIFY(figure.altText.contains(reason));
    }

    void peopleReadLabelsAndOnlyFilledColumns()
    {
        const ValueTable table = buildTable(ViewId::Verdicts, m_peers);
        QCOMPARE(shown(table, 0, "implementation"), QString("PyTorch"));
        QCOMPARE(shown(table, 1, "implementation"), QString("PyTorch, compiled"));
        QCOMPARE(shown(table, 0, "reference"), QString("CUDA"));
        QCOMPARE(shown(table, 0, "metric"), QString("kernel time"));
        QCOMPARE(shown(table, 0, "median_ratio"), QString("0.700"));
        QVERIFY(!fixtures::columnIds(table).contains("next_step"));
        QVERIFY(fixtures::columnIds(verdicts()).contains("next_step"));
        QVERIFY(table.footer.join(' ').contains("at least 5 rounds"));
    }

    void theFigureHasADotForEachRound()
    {
        const Figure figure = buildFigure(ViewId::Verdicts, m_peers);
        QCOMPARE(figure.ladders.size(), 5);
        const widgets::FigureLadder &matmul = figure.ladders[0];
        QCOMPARE(matmul.title, QString("Matrix multiplication"));
        QVERIFY(matmul.subtitle.contains("against CUDA"));
        QCOMPARE(matmul.dots.size(), 2); // kernel time and span, never one scale
        QCOMPARE(matmul.dots[0].title, QString("Kernel time"));
        QCOMPARE(matmul.dots[0].rows.size(), 6);
        QVERIFY(matmul.dots[0].areRatios);
        QCOMPARE(matmul.dots[0].limit->value, 1.0);
        const widgets::FigureDotRow &row = matmul.dots[0].rows[0];
        QCOMPARE(row.label, QString("PyTorch"));
        QCOMPARE(row.values.size(), 5);
        QCOMPARE(row.valueText, QString("0.700× · faster"));
        QCOMPARE(row.rangeText, QString("in 5 of 5 rounds"));
        QVERIFY(figure.altText.contains("PyTorch takes 0.700 times as long, faster in 5 of 5 rounds"));
    }

    void aReasonThatAllShareIsSaidOnce()
    {
        for (evidence::Capture &capture : m_peers.captures) {
            capture.state = evidence::State::Unavailable;
            capture.reason = QStringLiteral("another profiler holds the device");
        }
        const Figure figure = buildFigure(ViewId::Verdicts, m_peers);
        QCOMPARE(figure.ladders[0].dots[0].note, QString("unavailable: another profiler holds the device"));
        QVERIFY(figure.ladders[0].dots[0].rows.isEmpty());
        QCOMPARE(figure.ladders[0].dots[1].rows.size(), 6);
    }

private:
    ValueTable verdicts() const { return buildTable(ViewId::Verdicts, m_peers, m_programs); }

    evidence::Namespace m_peers;
    ViewOptions m_programs;
};

QTEST_GUILESS_MAIN(TestVerdictsView)
#include "tst_verdictsview.moc"
