// SPDX-License-Identifier: GPL-3.0-or-later
#include "instructionmix.h"
#include "ptxlines.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTest>

using namespace stagecraft::run;

namespace {

const QString folder = STAGECRAFT_SOURCE_DIR "/tests/app/run/machinecode/";

QString recorded(const QString &name)
{
    QFile file(folder + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

Instruction instruction(const QString &opcode, const QString &operands = {})
{
    Instruction result;
    result.opcode = opcode;
    result.operands = operands;
    return result;
}

const Instruction &at(const CodeSection &section, quint64 address)
{
    return *std::ranges::find(section.instructions, address, &Instruction::address);
}

QString text(const SourcePlaces &places)
{
    QStringList parts;
    for (const SourcePlace &place : places)
        parts.append(QStringLiteral("%1:%2").arg(place.file).arg(place.line));
    return parts.join(' ');
}

} // namespace

class TestDisassembly : public QObject
{
    Q_OBJECT

private slots:
    void aKernelIsRead();
    void inliningIsAChain();
    void localMemoryIsSeen();
    void mixesCountWhatIsThere();
    void kinds_data();
    void kinds();
    void oddTexts_data();
    void oddTexts();
    void damagedTextsAreSurvived();
    void foldersAreLeftOut();
    void ptxHasPlaces();
    void ptxOfDamagedTexts();
};

void TestDisassembly::aKernelIsRead()
{
    const Disassembly code = parseDisassembly(recorded("matmul-tiled-sm_90a.sass"));
    QCOMPARE(code.target, QString("sm_90a"));
    QCOMPARE(code.sections.size(), 1);
    QCOMPARE(code.notUnderstood, 0);
    const CodeSection &section = code.sections.first();
    QCOMPARE(section.name, QString("matmul_tiled"));
    QCOMPARE(section.instructions.size(), 136);
    QCOMPARE(code.instructions(), 136);
    const Instruction &load = at(section, 0x330);
    QCOMPARE(load.predicate, QString("@!P3"));
    QCOMPARE(load.opcode, QString("LDG.E.CONSTANT"));
    QCOMPARE(load.operands, QString("R24, desc[UR6][R10.64]"));
    QCOMPARE(text(load.places), QString("tiled.cu:58"));
    // What follows without a place of its own is of the same line.
    QCOMPARE(text(at(section, 0x2b0).places), QString("tiled.cu:59"));
    QCOMPARE(at(section, 0x270).labels, QStringList{".L_x_0"});
    QVERIFY(at(section, 0x280).labels.isEmpty());
    QCOMPARE(section.instructions.first().labels, (QStringList{"matmul_tiled", ".text.matmul_tiled"}));
    const Instruction &end = at(section, 0x7b0);
    QCOMPARE(end.opcode, QString("EXIT"));
    QVERIFY(end.operands.isEmpty() && end.predicate.isEmpty());
    QCOMPARE(at(section, 0x7c0).operands, QString("`(.L_x_1)"));
}

void TestDisassembly::inliningIsAChain()
{
    const CodeSection tiled = parseDisassembly(recorded("matmul-tiled-sm_90a.sass")).sections.first();
    const SourcePlaces read = at(tiled, 0x400).places;
    QCOMPARE(text(read), QString("stagecraft.cuh:66 tiled.cu:64"));
    QCOMPARE(lineIn(read, "tiled.cu"), 64);
    QCOMPARE(lineIn(read, "stagecraft.cuh"), 66);
    QCOMPARE(lineIn(read, "other.cu"), 0);
    QVERIFY(isFrom(read, "tiled.cu", 64));
    QVERIFY(!isFrom(read, "tiled.cu", 66));
    // Through two functions: the innermost line of the stage's file is its own helper's.
    const CodeSection rows = parseDisassembly(recorded("layernorm-rows-in-registers-sm_90a.sass")).sections.first();
    const SourcePlaces deep = at(rows, 0x1a0).places;
    QCOMPARE(text(deep), QString("stagecraft.cuh:74 rows-in-registers.cu:80 rows-in-registers.cu:136"));
    QCOMPARE(lineIn(deep, "rows-in-registers.cu"), 80);
    QVERIFY(isFrom(deep, "rows-in-registers.cu", 136));
    // Where the last place of a chain has no line of its own.
    const Disassembly brief = parseDisassembly(".section .text.k,\"ax\"\n"
                                               "//## File \"/a/b.cuh\", line 3 inlined at \"/c/d.cu\", line 7\n"
                                               "/*0000*/ NOP ;\n/*0010*/ EXIT ;\n");
    QCOMPARE(text(brief.sections.first().instructions.last().places), QString("b.cuh:3 d.cu:7"));
}

void TestDisassembly::localMemoryIsSeen()
{
    const CodeSection section = parseDisassembly(recorded("layernorm-quad-array-sm_80.sass")).sections.first();
    QStringList found;
    for (const Instruction &one : section.instructions) {
        if (usesLocalMemory(one))
            found.append(one.opcode);
    }
    QCOMPARE(found, (QStringList{"STL.128", "LDL.128", "LDL.128"}));
    QCOMPARE(mixOf(section.instructions).count(InstructionKind::Local), 3);
}

void TestDisassembly::mixesCountWhatIsThere()
{
    const CodeSection section = parseDisassembly(recorded("matmul-tiled-sm_90a.sass")).sections.first();
    const InstructionMix mix = mixOf(section.instructions);
    QCOMPARE(mix.count(InstructionKind::Fma32), 16); // one tile of 16 along k, as the source is unrolled
    QCOMPARE(mix.count(InstructionKind::SharedLoad), 32);
    QCOMPARE(mix.count(InstructionKind::SharedStore), 2);
    QCOMPARE(mix.count(InstructionKind::GlobalLoad), 2);
    QCOMPARE(mix.count(InstructionKind::GlobalStore), 1);
    QCOMPARE(mix.count(InstructionKind::Barrier), 2);
    QCOMPARE(mix.count(InstructionKind::Local), 0);
    QCOMPARE(mix.count(InstructionKind::Other), 0);
    QCOMPARE(mix.count(InstructionKind::NoOperation), 11);
    QCOMPARE(mix.total(), 125);
    QVERIFY2(mixText(mix, 1).contains("integer"), qPrintable(mixText(mix, 1)));
    QVERIFY2(mixText(mix).contains("32 shared loads, "), qPrintable(mixText(mix)));
    QVERIFY(!mixText(mix).contains("padding"));
    QVERIFY(mixText({}).isEmpty());
}

void TestDisassembly::kinds_data()
{
    QTest::addColumn<QString>("opcode");
    QTest::addColumn<QString>("operands");
    QTest::addColumn<QString>("id");
    const auto row = [](const char *opcode, const char *id, const char *operands = "") {
        QTest::addRow("%s %s", opcode, operands) << QString(opcode) << QString(operands) << QString(id);
    };
    row("FFMA.FTZ", "fma_fp32");
    row("MUFU.RSQ", "other_fp32");
    row("HFMA2.MMA", "move", "R18, -RZ, RZ, 0, 0");
    row("HFMA2.MMA", "other_float", "R1, R2, R3, R4");
    row("IMAD.MOV.U32", "move", "R14, RZ, RZ, RZ");
    row("IMAD.WIDE.U32", "integer");
    row("HGMMA.64x128x8.F32.TF32", "tensor");
    row("UTCHMMA.2CTA", "tensor");
    row("UIADD3", "uniform");
    row("UTMALDG.2D.MULTICAST", "async_copy");
    row("LDGSTS.E.BYPASS.128", "async_copy");
    row("LDSM.16.M88.4", "shared_load");
    row("STL.128", "local");
    row("LDL.LU", "local");
    row("LDC.64", "other_memory");
    row("ATOMS.ADD", "atomic");
    row("UCGABAR_WAIT", "barrier");
    row("WARPGROUP.ARRIVE", "barrier");
    row("BRA.U", "control");
    row("F2FP.BF16.F32.PACK_AB", "conversion");
    row("NOP", "padding");
    row("FROB.X", "other");
    row("U", "other");
}

void TestDisassembly::kinds()
{
    QFETCH(QString, opcode);
    QFETCH(QString, operands);
    QTEST(kindId(kindOf(instruction(opcode, operands))), "id");
}

void TestDisassembly::oddTexts_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("instructions");
    QTest::addColumn<int>("notUnderstood");
    QTest::newRow("nothing") << "" << 0 << 0;
    QTest::newRow("no address") << "/*wxyz*/ NOP ;" << 0 << 1;
    QTest::newRow("no end of the address") << "/*0000 NOP ;" << 0 << 1;
    QTest::newRow("no opcode") << "/*0000*/ ;" << 0 << 1;
    QTest::newRow("a predicate alone") << "/*0000*/ @P0 ;" << 0 << 1;
    QTest::newRow("no semicolon") << "/*0000*/ NOP" << 0 << 1;
    QTest::newRow("a huge address") << "/*fffffffffffffffffff*/ NOP ;" << 0 << 1;
    QTest::newRow("a huge line") << "//## File \"a.cu\", line 99999999999\n/*0000*/ NOP ;" << 1 << 0;
    QTest::newRow("no line") << "//## File \"a.cu\", line \n/*0000*/ NOP ;" << 1 << 0;
    QTest::newRow("no file") << "//## File \n/*0000*/ NOP ;" << 1 << 0;
    QTest::newRow("an open quotation") << "//## File \"a.cu, line 3\n/*0000*/ NOP ;" << 1 << 0;
    QTest::newRow("targets in a comment") << "/*0000*/ BRX R2 -0x10 (*\"BRANCH_TARGETS .L_x_1\"*) ;" << 1 << 0;
    QTest::newRow("another section") << "/*0000*/ NOP ;\n.section .nv.info,\"\"\n/*0010*/ NOP ;" << 1 << 0;
}

void TestDisassembly::oddTexts()
{
    QFETCH(QString, body);
    const Disassembly code = parseDisassembly(".section .text.k,\"ax\",@progbits\n" + body);
    QTEST(static_cast<int>(code.instructions()), "instructions");
    QTEST(code.notUnderstood, "notUnderstood");
    for (const CodeSection &section : code.sections) {
        for (const Instruction &one : section.instructions)
            QVERIFY(one.places.isEmpty());
    }
}

// Cut anywhere, bytes changed, lines shuffled: something is read, nothing is made up, nothing crashes.
void TestDisassembly::damagedTextsAreSurvived()
{
    const QString text = recorded("layernorm-rows-in-registers-sm_90a.sass");
    const qsizetype whole = parseDisassembly(text).instructions();
    QVERIFY(whole > 20);
    for (qsizetype size = 0; size < text.size(); size += 7)
        QVERIFY(parseDisassembly(text.first(size)).instructions() <= whole);
    QRandomGenerator random(20260910);
    for (int turn = 0; turn < 200; ++turn) {
        QString damaged = text;
        for (int i = 0; i < 40; ++i)
            damaged[random.bounded(damaged.size())] = QChar(random.bounded(1, 0x250));
        const Disassembly code = parseDisassembly(damaged);
        QVERIFY(code.instructions() <= whole + 40);
        withoutFolders(damaged);
        for (const CodeSection &section : code.sections)
            mixText(mixOf(section.instructions));
    }
}

void TestDisassembly::foldersAreLeftOut()
{
    for (const char *name : {"layernorm-rows-in-registers-sm_90a.sass", "layernorm-rows-in-registers-sm_90a.ptx"}) {
        const QString text = recorded(name);
        QVERIFY(text.contains("/home/reader"));
        const QString clean = withoutFolders(text);
        QVERIFY2(!clean.contains("/home"), qPrintable(clean));
        QVERIFY(clean.contains("\"rows-in-registers.cu\""));
        QCOMPARE(clean.count('\n'), text.count('\n'));
    }
}

void TestDisassembly::ptxHasPlaces()
{
    const QString ptx = recorded("layernorm-rows-in-registers-sm_90a.ptx");
    const QStringList lines = ptx.split('\n');
    const QList<SourcePlaces> places = ptxPlaces(ptx);
    QCOMPARE(places.size(), lines.size());
    const auto placesAfter = [&](const QString &directive) {
        qsizetype line = 0;
        while (line < lines.size() && !lines.at(line).contains(directive))
            ++line;
        return text(places.value(line + 1));
    };
    QCOMPARE(placesAfter(".loc	1 80 9, function_name"), QString());
    QCOMPARE(placesAfter(".loc	2 74 5, function_name"), QString("stagecraft.cuh:74 rows-in-registers.cu:80"));
    for (qsizetype line = 0; line < lines.size(); ++line)
        QVERIFY(!lines.at(line).contains(".reg") || places.at(line).isEmpty());
    int local = 0;
    for (const QString &line : recorded("layernorm-quad-array-sm_80.ptx").split('\n'))
        local += ptxUsesLocalMemory(line) ? 1 : 0;
    QCOMPARE(local, 4); // its declaration, a store and two loads
    QVERIFY(!ptxUsesLocalMemory("\tcvta.to.global.u64 \t%rd1, %rd2; // .local"));
}

void TestDisassembly::ptxOfDamagedTexts()
{
    const QString text = recorded("layernorm-rows-in-registers-sm_90a.ptx");
    for (qsizetype size = 0; size < text.size(); size += 53)
        QCOMPARE(ptxPlaces(text.first(size)).size(), text.first(size).count('\n') + 1);
    QCOMPARE(ptxPlaces(".file 1 \"a.cu\"\n.loc 1 99999999999 2\nadd.s32 a, b;").last().size(), 0);
    QCOMPARE(ptxPlaces(".loc 7 3 2\nadd.s32 a, b;").last().size(), 0);
}

QTEST_GUILESS_MAIN(TestDisassembly)
#include "tst_disassembly.moc"
