// SPDX-License-Identifier: GPL-3.0-or-later
#include "instructionmix.h"

#include <algorithm>
#include <numeric>
#include <QHash>

namespace stagecraft::run {

namespace {

struct KindWords
{
    const char *id, *title;
    const char *opcodes; // without what follows their first dot
};

// In the order of InstructionKind. Opcodes as the CUDA binary utilities' manual lists them for sm_75 to sm_120.
constexpr std::array<KindWords, instructionKinds> kinds{{
    {"fma_fp32", "FMA FP32", "FFMA FFMA2 FFMA32I"},
    {"other_fp32", "other FP32",
     "FADD FADD2 FADD32I FCHK FMNMX FMNMX3 FMUL FMUL2 FMUL32I FSEL FSET FSETP FSWZADD MUFU"},
    {"other_float", "FP16, BF16, FP64",
     "HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 HADD2_BF16 HFMA2_BF16 DADD DFMA DMUL DSETP "
     "DMNMX"},
    {"tensor", "tensor",
     "HMMA IMMA BMMA DMMA QMMA OMMA HGMMA IGMMA BGMMA QGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMXQMMA"},
    {"integer", "integer",
     "BFE BFI BMSK BREV FLO IABS IADD IADD3 IADD32I IADD64 IDP IDP4A IMAD IMNMX IMUL IMUL32I ISCADD "
     "ISCADD32I ISET ISETP LEA LOP LOP3 LOP32I PLOP3 POPC PSETP SHF SHL SHR SGXT VABSDIFF VABSDIFF4 VIADD VIADD2 "
     "VIADDMNMX VIMNMX VIMNMX3 XMAD"},
    {"uniform", "uniform", "R2UR S2UR VOTEU CS2UR LDCU REDUX CREDUX"},
    {"conversion", "conversions", "F2F F2FP F2I F2IP FRND I2F I2FP I2I I2IP"},
    {"move", "moves", "MOV MOV32I MOV64IUR SEL PRMT S2R CS2R P2R R2P B2R R2B MOVM"},
    {"lanes", "shuffles and votes", "SHFL VOTE MATCH ELECT"},
    {"shared_load", "shared loads", "LDS LDSM"},
    {"shared_store", "shared stores", "STS STSM STAS"},
    {"global_load", "global loads", "LDG"},
    {"global_store", "global stores", "STG"},
    {"async_copy", "asynchronous copies", "LDGSTS UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAPF UTMAREDG UTCCP"},
    {"atomic", "atomics", "ATOM ATOMG ATOMS RED REDG REDAS ATOMSG"},
    {"local", "local memory", "LDL STL"},
    {"other_memory", "other memory",
     "LD ST LDC LDTM STTM LDT STT CCTL CCTLL CCTLT UCCTL QSPC SULD SUST SUATOM SURED SUQUERY TEX TLD TLD4 TMML TXD "
     "TXQ UTMACCTL UTMACMDFLUSH"},
    {"barrier", "barriers and waits",
     "BAR DEPBAR LDGDEPBAR MEMBAR ERRBAR CGAERRBAR FENCE SYNCS ARRIVES WARPSYNC WARPGROUP WARPGROUPSET UCGABAR_ARV "
     "UCGABAR_WAIT UTMACMDWAIT UTCBAR ACQBULK ACQSHMINIT"},
    {"control", "control",
     "BRA BRX BRXU JMP JMX JMXU CALL RET EXIT BSSY BSYNC BREAK BMOV BPT KILL NANOSLEEP YIELD RPCMOV RTT LEPC PREEXIT "
     "ENDCOLLECTIVE COLLECTIVE USETMAXREG USETSHMSZ PMTRIG GETLMEMBASE SETLMEMBASE SETCTAID SETSMEMSIZE"},
    {"padding", "padding", "NOP"},
    {"other", "other", ""},
}};

QHash<QString, InstructionKind> readOpcodes()
{
    QHash<QString, InstructionKind> table;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        for (const QString &opcode :
             QString::fromLatin1(kinds[kind].opcodes).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            table.insert(opcode, InstructionKind(kind));
    }
    return table;
}

// Constants and copies that the compiler makes with arithmetic, to use that pipe: x·0 + y.
bool isMove(const Instruction &instruction)
{
    return instruction.opcode.startsWith(QLatin1String("IMAD.MOV")) ||
           (instruction.opcode.startsWith(QLatin1String("HFMA2")) &&
            instruction.operands.contains(QLatin1String("-RZ, RZ,")));
}

} // namespace

InstructionKind kindOf(const Instruction &instruction)
{
    static const QHash<QString, InstructionKind> table = readOpcodes();
    if (isMove(instruction))
        return InstructionKind::Move;
    const QString opcode = instruction.opcode.section(QLatin1Char('.'), 0, 0);
    const auto found = table.constFind(opcode);
    if (found != table.constEnd())
        return *found;
    // The uniform datapath's are named like the others with a U before them.
    return opcode.size() > 1 && opcode.startsWith(QLatin1Char('U')) ? InstructionKind::Uniform : InstructionKind::Other;
}

bool usesLocalMemory(const Instruction &instruction)
{
    return kindOf(instruction) == InstructionKind::Local;
}

QString kindId(InstructionKind kind)
{
    return QString::fromLatin1(kinds[std::size_t(kind)].id);
}

QString kindTitle(InstructionKind kind)
{
    return QString::fromLatin1(kinds[std::size_t(kind)].title);
}

qsizetype InstructionMix::total() const
{
    return std::accumulate(counts.begin(), counts.end(), qsizetype(0)) - count(InstructionKind::NoOperation);
}

void InstructionMix::add(const Instruction &instruction)
{
    ++counts[std::size_t(kindOf(instruction))];
}

InstructionMix mixOf(const QList<Instruction> &instructions)
{
    InstructionMix mix;
    for (const Instruction &instruction : instructions)
        mix.add(instruction);
    return mix;
}

QString mixText(const InstructionMix &mix, int most)
{
    QList<InstructionKind> present;
    for (std::size_t kind = 0; kind < instructionKinds; ++kind) {
        if (mix.counts[kind] > 0 && InstructionKind(kind) != InstructionKind::NoOperation)
            present.append(InstructionKind(kind));
    }
    std::ranges::stable_sort(present, std::ranges::greater(), [&](InstructionKind kind) { return mix.count(kind); });
    QStringList parts;
    for (const InstructionKind kind : std::as_const(present)) {
        if (most == 0 || parts.size() < most)
            parts.append(QStringLiteral("%1 %2").arg(mix.count(kind)).arg(kindTitle(kind)));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace stagecraft::run
