// SPDX-License-Identifier: GPL-3.0-or-later
#include "codelisting.h"

#include "ptxlines.h"

#include <algorithm>

namespace stagecraft::window {

namespace {

constexpr int lineWidth = 4, instructionWidth = 56, reasonWidth = 18;
const QString localSign = QStringLiteral("▲");

class Writer
{
public:
    explicit Writer(const QString &file) : m_file(file) {}

    void add(const QString &text, const run::SourcePlaces &places = {}, bool flagged = false)
    {
        m_lines.append(text);
        const auto line = static_cast<int>(m_lines.size());
        if (flagged)
            m_listing.flagged.append(line);
        if (const int source = run::lineIn(places, m_file))
            m_listing.sourceLines.insert(line, source);
        for (const int source : linesIn(places))
            m_listing.linesOf[source].append(line);
    }

    void count(const run::Instruction &instruction)
    {
        for (const int source : linesIn(instruction.places))
            m_listing.mixes[source].add(instruction);
    }

    CodeListing listing()
    {
        m_listing.text = m_lines.join(QLatin1Char('\n'));
        return std::move(m_listing);
    }

private:
    // A recursion could name a line twice.
    QList<int> linesIn(const run::SourcePlaces &places) const
    {
        QList<int> lines;
        for (const run::SourcePlace &place : places) {
            if (place.file == m_file && !lines.contains(place.line))
                lines.append(place.line);
        }
        return lines;
    }

    QString m_file;
    QStringList m_lines;
    CodeListing m_listing;
};

int addressWidth(const run::CodeSection &section)
{
    return std::max(4, static_cast<int>(QString::number(section.instructions.last().address, 16).size()));
}

// " 12.3 % long scoreboard   ", as wide for every instruction.
QString waitText(const run::PlaceSamples &samples, qint64 all)
{
    if (samples.all == 0)
        return QString(9 + reasonWidth, QLatin1Char(' '));
    const double share = run::sampleShare(samples.all, all);
    const QString number = share < 0.05 ? QStringLiteral("<0.1") : widgets::fixedNumber(share, 1);
    const QList<run::Wait> leading = run::leadingWaits(samples, 1);
    return QStringLiteral("%1 % %2 ")
        .arg(number, 5)
        .arg(leading.isEmpty() ? QObject::tr("issued") : leading.first().reason, -reasonWidth);
}

QString instructionText(const run::Instruction &instruction, const QString &file, int width, const QString &waits)
{
    const int line = run::lineIn(instruction.places, file);
    const bool local = run::usesLocalMemory(instruction);
    QString text = QStringLiteral("/*%4%1 %2 %3*/ ")
                       .arg(line > 0 ? QString::number(line) : QString(), lineWidth)
                       .arg(instruction.address, width, 16, QLatin1Char('0'))
                       .arg(local ? localSign : QStringLiteral(" "), waits);
    if (!instruction.predicate.isEmpty())
        text += instruction.predicate + QLatin1Char(' ');
    text += instruction.opcode;
    if (!instruction.operands.isEmpty())
        text += QLatin1Char(' ') + instruction.operands;
    return local ? text.leftJustified(instructionWidth) + QObject::tr(" // local memory") : text;
}

QStringList split(const char *text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

widgets::ValueColumn column(const QString &id, const QString &title, const QString &unit, int decimals)
{
    widgets::ValueColumn column;
    column.id = id;
    column.title = title;
    column.unit = unit;
    column.numeric = true;
    column.decimals = decimals;
    return column;
}

QList<widgets::ValueCell> cells(const run::InstructionMix &mix, qsizetype count)
{
    const auto number = static_cast<double>(count);
    const qsizetype total = mix.total();
    return {{{}, number, {}}, {{}, total > 0 ? 100 * number / static_cast<double>(total) : 0, {}}};
}

} // namespace

CodeListing sassListing(const run::Disassembly &code, const QString &file, const run::SampledCode *samples)
{
    Writer writer(file);
    for (const run::CodeSection &section : code.sections) {
        const qsizetype index = &section - code.sections.data();
        writer.add(QStringLiteral("// %1").arg(section.name));
        const int width = addressWidth(section);
        for (const run::Instruction &instruction : section.instructions) {
            for (const QString &label : instruction.labels) {
                if (label != section.name && !label.startsWith(QLatin1String(".text.")))
                    writer.add(label + QLatin1Char(':'));
            }
            const QString waits =
                samples ? waitText(samples->sections.at(index).value(instruction.address), samples->total.all)
                        : QString();
            writer.add(instructionText(instruction, file, width, waits), instruction.places,
                       run::usesLocalMemory(instruction));
            writer.count(instruction);
        }
    }
    return writer.listing();
}

CodeListing ptxListing(const QString &ptx, const QString &file)
{
    Writer writer(file);
    const QList<run::SourcePlaces> places = run::ptxPlaces(ptx);
    qsizetype number = 0;
    for (const QStringView view : QStringView(ptx).tokenize(QLatin1Char('\n'))) {
        const QString line = view.toString();
        const bool local = run::ptxUsesLocalMemory(line);
        writer.add(local ? QStringLiteral("%1 // %2 %3").arg(line, localSign, QObject::tr("local memory")) : line,
                   places.at(number++), local);
    }
    return writer.listing();
}

widgets::ValueTable mixTable(const run::Disassembly &code)
{
    widgets::ValueTable table;
    table.id = QStringLiteral("instructions");
    table.title = QObject::tr("Instruction mix");
    widgets::ValueColumn kinds;
    kinds.id = QStringLiteral("kind");
    kinds.title = QObject::tr("kind");
    table.columns.append(kinds);
    QList<run::InstructionMix> mixes;
    run::InstructionMix all;
    for (const run::CodeSection &section : code.sections) {
        mixes.append(run::mixOf(section.instructions));
        const QString title = code.sections.size() == 1 ? QObject::tr("count") : section.name;
        table.columns.append(column(section.name, title, {}, 0));
        table.columns.append(
            column(section.name + QStringLiteral("_share"), QObject::tr("share"), QStringLiteral("%"), 1));
        for (std::size_t kind = 0; kind < run::instructionKinds; ++kind)
            all.counts[kind] += mixes.last().counts[kind];
    }
    QList<run::InstructionKind> present;
    for (std::size_t kind = 0; kind < run::instructionKinds; ++kind) {
        const auto one = run::InstructionKind(kind);
        if (all.count(one) > 0 && one != run::InstructionKind::NoOperation)
            present.append(one);
    }
    std::ranges::stable_sort(present, std::ranges::greater(), [&](run::InstructionKind one) { return all.count(one); });
    for (const run::InstructionKind one : std::as_const(present)) {
        const bool local = one == run::InstructionKind::Local;
        QList<widgets::ValueCell> row{
            {local ? localSign + QLatin1Char(' ') + run::kindTitle(one) : run::kindTitle(one), {}, {}}};
        for (const run::InstructionMix &mix : std::as_const(mixes))
            row += cells(mix, mix.count(one));
        table.rows.append(row);
    }
    QList<widgets::ValueCell> total{{QObject::tr("all, without padding"), {}, {}}};
    for (const run::InstructionMix &mix : std::as_const(mixes))
        total += cells(mix, mix.total());
    table.rows.append(total);
    return table;
}

const widgets::SourceLanguage &sassLanguage()
{
    // Arithmetic, memory, and what waits or branches.
    static const widgets::SourceLanguage language{split("FFMA FFMA2 FADD FADD2 FMUL FMUL2 MUFU FMNMX FSETP FSEL HFMA2 "
                                                        "HADD2 HMUL2 DFMA DADD DMUL HMMA IMMA DMMA HGMMA "
                                                        "IGMMA UTCHMMA IMAD IADD IADD3 LEA LOP3 SHF ISETP VIADD"),
                                                  split("LDS LDSM STS STSM LDG STG LDL STL LDC LDCU ULDC LD ST LDGSTS "
                                                        "UTMALDG UTMASTG UBLKCP ATOM ATOMG ATOMS RED REDG "
                                                        "LDTM STTM"),
                                                  split("BAR DEPBAR LDGDEPBAR MEMBAR SYNCS FENCE WARPSYNC WARPGROUP "
                                                        "UCGABAR_ARV UCGABAR_WAIT BRA BRX JMP CALL RET EXIT "
                                                        "BSSY BSYNC BREAK NANOSLEEP")};
    return language;
}

const widgets::SourceLanguage &ptxLanguage()
{
    static const widgets::SourceLanguage language{
        split(
            "fma add sub mul mad div rem neg abs min max sqrt rsqrt rcp sin cos ex2 lg2 tanh setp selp and or xor shl "
            "shr mov cvt cvta mma wgmma prmt shf popc clz bfe bfi bfind brev"),
        split(
            "ld st ldmatrix stmatrix atom red prefetch param local shared global entry visible reg func file loc pred "
            "version target address_size maxntid align"),
        split("bar barrier mbarrier fence membar bra brx call ret exit cp elect shfl vote activemask griddepcontrol")};
    return language;
}

} // namespace stagecraft::window
