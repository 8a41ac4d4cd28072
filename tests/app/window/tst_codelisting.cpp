// SPDX-License-Identifier: GPL-3.0-or-later
#include "codelisting.h"
#include "messagejson.h"
#include "waitstable.h"

#include <nlohmann/json.hpp>
#include <QFile>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

QString recorded(const QString &name)
{
    QFile file(STAGECRAFT_SOURCE_DIR "/tests/app/run/machinecode/" + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList linesAt(const CodeListing &listing, const QList<int> &numbers)
{
    const QStringList all = listing.text.split('\n');
    QStringList lines;
    for (const int number : numbers)
        lines.append(all.value(number - 1));
    return lines;
}

double number(const widgets::ValueTable &table, const QString &kind, int column)
{
    for (const auto &row : table.rows) {
        if (row.first().text == kind)
            return row.at(column).number.value_or(-1);
    }
    return -2;
}

} // namespace

class TestCodeListing : public QObject
{
    Q_OBJECT

private slots:
    void linesKnowTheirSource();
    void inlinedCodeBelongsToEachCaller();
    void localMemoryHasASign();
    void ptxIsTheTextItself();
    void theMixOfSeveralSections();
    void longSections();
    void samplesStandBeforeTheirInstructions();
    void linesAreSortedByTheirSamples();

private:
    const protocol::SampleResult m_sampled =
        nlohmann::json::parse(recorded("matmul-tiled-h200.samples.json").toStdString()).get<protocol::SampleResult>();
    const run::Disassembly m_tiled = run::parseDisassembly(recorded("matmul-tiled-sm_90a.sass"));
};

void TestCodeListing::linesKnowTheirSource()
{
    const CodeListing listing = sassListing(run::parseDisassembly(recorded("matmul-tiled-sm_90a.sass")), "tiled.cu");
    const QStringList loads = linesAt(listing, listing.linesOf.value(58));
    QVERIFY2(loads.contains("/*  58 0330  */ @!P3 LDG.E.CONSTANT R24, desc[UR6][R10.64]"),
             qPrintable(loads.join('\n')));
    for (const int line : listing.linesOf.value(58))
        QCOMPARE(listing.sourceLines.value(line), 58);
    QCOMPARE(listing.mixes.value(64).count(run::InstructionKind::SharedLoad), 32);
    QCOMPARE(listing.mixes.value(64).count(run::InstructionKind::Fma32), 16);
    QCOMPARE(listing.mixes.value(64).total(), listing.linesOf.value(64).size());
    QVERIFY(listing.linesOf.value(66).isEmpty()); // of stagecraft.cuh, not of the stage's file
    QVERIFY(listing.text.startsWith("// matmul_tiled\n/*  45 0000  */ LDC R1, c[0x0][0x28]\n"));
    QVERIFY(listing.text.contains("\n.L_x_0:\n/*  58 0270"));
    QVERIFY(!listing.text.contains(".text."));
    QVERIFY(listing.flagged.isEmpty());
}

void TestCodeListing::inlinedCodeBelongsToEachCaller()
{
    const auto code = run::parseDisassembly(recorded("layernorm-rows-in-registers-sm_90a.sass"));
    const CodeListing listing = sassListing(code, "rows-in-registers.cu");
    const QStringList callers = linesAt(listing, listing.linesOf.value(136));
    const QString load = "/*  80 01a0  */ LDG.E.128.CONSTANT R16, desc[UR4][R24.64]";
    QVERIFY2(callers.contains(load), qPrintable(callers.join('\n')));
    QVERIFY(linesAt(listing, listing.linesOf.value(80)).contains(load));
}

void TestCodeListing::localMemoryHasASign()
{
    const auto code = run::parseDisassembly(recorded("layernorm-quad-array-sm_80.sass"));
    const CodeListing listing = sassListing(code, "quad-array.cu");
    QCOMPARE(listing.flagged.size(), 3);
    for (const QString &line : linesAt(listing, listing.flagged)) {
        QVERIFY2(line.contains("▲*/ "), qPrintable(line));
        QVERIFY2(line.endsWith("// local memory"), qPrintable(line));
    }
    QCOMPARE(listing.text.count("▲"), 3);
    QCOMPARE(number(mixTable(code), "▲ local memory", 1), 3.0);
    const CodeListing ptx = ptxListing(recorded("layernorm-quad-array-sm_80.ptx"), "quad-array.cu");
    QCOMPARE(ptx.flagged.size(), 4);
}

void TestCodeListing::ptxIsTheTextItself()
{
    const QString text = recorded("matmul-tiled-sm_90a.ptx");
    const CodeListing listing = ptxListing(text, "tiled.cu");
    QCOMPARE(listing.text, text);
    const QStringList barriers = linesAt(listing, listing.linesOf.value(60));
    QVERIFY2(barriers.join('\n').contains("bar.sync"), qPrintable(barriers.join('\n')));
    const QStringList reads = linesAt(listing, listing.linesOf.value(64));
    QVERIFY2(reads.join('\n').contains("ld.volatile.shared.f32"), qPrintable(reads.join('\n')));
    QVERIFY(listing.mixes.isEmpty());
}

void TestCodeListing::theMixOfSeveralSections()
{
    const auto code = run::parseDisassembly(".section .text.first,\"ax\"\n/*0000*/ FFMA R1, R2, R3, R4 ;\n"
                                            "/*0010*/ FFMA R1, R2, R3, R4 ;\n/*0020*/ EXIT ;\n/*0030*/ NOP ;\n"
                                            ".section .text.second,\"ax\"\n/*0000*/ EXIT ;\n");
    const widgets::ValueTable table = mixTable(code);
    QCOMPARE(table.columns.size(), 5);
    QCOMPARE(table.columns.at(1).id, QString("first"));
    QCOMPARE(table.columns.at(3).id, QString("second"));
    QCOMPARE(table.rows.size(), 3); // multiply-adds, control, and all
    QCOMPARE(number(table, "FMA FP32", 1), 2.0);
    QCOMPARE(number(table, "FMA FP32", 3), 0.0);
    QCOMPARE(number(table, "control", 4), 100.0);
    QCOMPARE(table.rows.last().at(1).number.value(), 3.0);
}

// As many as a much unrolled kernel has: nothing is left out, addresses grow a digit.
void TestCodeListing::longSections()
{
    QString text = ".section .text.k,\"ax\"\n";
    constexpr int count = 20'000;
    for (int i = 0; i < count; ++i) {
        if (i % 5 == 0)
            text += QStringLiteral("//## File \"/x/k.cu\", line %1\n").arg(1 + i % 50);
        text += QStringLiteral("/*%1*/ FFMA R1, R2, R3, R4 ;\n").arg(16 * i, 4, 16, QLatin1Char('0'));
    }
    const CodeListing listing = sassListing(run::parseDisassembly(text), "k.cu");
    QCOMPARE(listing.text.count('\n'), count);
    QCOMPARE(listing.linesOf.value(6).size(), count / 10);
    QVERIFY(listing.text.endsWith("/*  46 4e1f0  */ FFMA R1, R2, R3, R4"));
}

// Recorded on an H200. The listing knows the same lines as without samples.
void TestCodeListing::samplesStandBeforeTheirInstructions()
{
    const run::SampledCode samples = run::placeSamples(m_sampled, m_tiled);
    const CodeListing listing = sassListing(m_tiled, "tiled.cu", &samples);
    const CodeListing compiled = sassListing(m_tiled, "tiled.cu");
    QCOMPARE(listing.linesOf, compiled.linesOf);
    QVERIFY(!compiled.text.contains("throttle"));
    QVERIFY2(listing.text.contains("\n/*  7.7 % mio throttle         58 0330  */ @!P3 LDG.E.CONSTANT R24"),
             qPrintable(listing.text));
    QVERIFY(listing.text.contains("\n/* <0.1 % ")); // not "0.0 %"
    // What was never sampled has no share; addresses stay below each other.
    const QString never = "/*" + QString(27, ' ');
    QVERIFY(listing.text.contains('\n' + never));
    qsizetype place = -1;
    for (const QString &line : listing.text.split('\n')) {
        if (!line.startsWith("/*"))
            continue;
        QVERIFY2(place < 0 || line.indexOf("*/") == place, qPrintable(line));
        place = line.indexOf("*/");
    }
    const run::SampledCode issued =
        run::placeSamples({256, 30, 0, {{"matmul_tiled", {{16, {{"selected", 30}}}}}}}, m_tiled);
    QVERIFY(sassListing(m_tiled, "tiled.cu", &issued).text.contains("\n/*100.0 % issued "));
}

void TestCodeListing::linesAreSortedByTheirSamples()
{
    const run::SampledCode samples = run::placeSamples(m_sampled, m_tiled);
    QString source = QString(57, '\n') + "    tile[row] = a[k];\n";
    const auto lines = run::samplesByLine(samples, m_tiled, "tiled.cu");
    const widgets::ValueTable table = waitsTable(lines, samples.total.all, source);
    QCOMPARE(table.rows.size(), lines.size());
    QCOMPARE(table.rows.at(0).at(0).number.value(), 64.0);
    QCOMPARE(qRound(table.rows.at(0).at(1).number.value()), 56);
    QCOMPARE(table.rows.at(0).at(2).text, QString("mio throttle 43.4 %"));
    const auto &load = table.rows.at(1);
    QCOMPARE(load.at(0).number.value(), 58.0);
    QCOMPARE(load.at(5).number.value(), 1'882'129.0);
    QCOMPARE(load.at(2).text, QString("long scoreboard 44.3 %"));
    QCOMPARE(load.at(3).text, QString("mio throttle 37.0 %"));
    QCOMPARE(widgets::fixedNumber(load.at(4).number.value(), 1), QString("0.7"));
    QCOMPARE(load.at(6).text, QString("tile[row] = a[k];"));
    QCOMPARE(samplingText(m_sampled, samples.total),
             QString("6820347 samples, one per 256 cycles of each SM; none dropped; 3.6 % issued"));
    // Of no line: a word instead of a number.
    const auto elsewhere = waitsTable(run::samplesByLine(samples, m_tiled, "other.cu"), samples.total.all, source);
    QCOMPARE(elsewhere.rows.size(), 1);
    QVERIFY(!elsewhere.rows.first().first().number);
    QCOMPARE(elsewhere.rows.first().first().text, QString("none"));
}

QTEST_GUILESS_MAIN(TestCodeListing)
#include "tst_codelisting.moc"
