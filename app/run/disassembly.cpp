// SPDX-License-Identifier: GPL-3.0-or-later
#include "disassembly.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <QRegularExpression>

namespace stagecraft::run {

namespace {

const QLatin1String sectionMark(".section");
const QLatin1String codeSection(".text.");
const QLatin1String placeMark("//## File ");
const QLatin1String inlinedMark(" inlined at ");
const QLatin1String lineMark(", line ");

QString lastName(QStringView path)
{
    return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1).toString();
}

// `"…/tiled.cu", line 64`, from the start of the text on.
std::optional<SourcePlace> placeIn(QStringView text)
{
    const qsizetype end = text.indexOf(QLatin1Char('"'), 1);
    if (!text.startsWith(QLatin1Char('"')) || end < 0 || !text.mid(end + 1).startsWith(lineMark))
        return std::nullopt;
    const QStringView number = text.mid(end + 1 + lineMark.size());
    const auto *const last =
        std::ranges::find_if_not(number, [](QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); });
    bool ok = false;
    const int line = number.first(last - number.begin()).toInt(&ok);
    if (!ok || line < 1)
        return std::nullopt;
    return SourcePlace{lastName(text.mid(1, end - 1)), line};
}

// Not ".sectioninfo", which says how many registers there are.
bool isSection(QStringView line)
{
    return line.startsWith(sectionMark) && line.size() > sectionMark.size() && line.at(sectionMark.size()).isSpace();
}

class Parser
{
public:
    void take(QStringView line)
    {
        line = line.trimmed();
        if (line.startsWith(placeMark))
            takePlace(line.mid(placeMark.size()));
        else if (line.startsWith(QLatin1String("/*")))
            takeInstruction(line);
        else if (line.startsWith(QLatin1String(".target")))
            m_result.target = line.mid(7).trimmed().toString();
        else if (isSection(line))
            takeSection(line.mid(sectionMark.size()).trimmed());
        else if (line.endsWith(QLatin1Char(':')))
            m_labels.append(line.chopped(1).toString());
    }

    Disassembly result()
    {
        m_result.sections.removeIf([](const CodeSection &section) { return section.instructions.isEmpty(); });
        return std::move(m_result);
    }

private:
    void takeSection(QStringView text)
    {
        m_inCode = text.startsWith(codeSection);
        m_labels.clear();
        m_places.clear();
        m_inlinedAt.reset();
        if (m_inCode) {
            const QStringView name = text.first(std::max<qsizetype>(text.indexOf(QLatin1Char(',')), 0));
            m_result.sections.append({name.mid(codeSection.size()).toString(), {}});
        }
    }

    // Lines of places that follow each other are one chain, from the inside out.
    void takePlace(QStringView text)
    {
        if (!m_inChain)
            m_places.clear();
        m_inChain = true;
        const auto place = placeIn(text);
        if (!place)
            return;
        m_places.append(*place);
        const qsizetype inlined = text.indexOf(inlinedMark);
        m_inlinedAt = inlined < 0 ? std::nullopt : placeIn(text.mid(inlined + inlinedMark.size()));
    }

    // The last of a chain is said twice, or only as what the one before is inlined at.
    void endChain()
    {
        if (m_inlinedAt)
            m_places.append(*m_inlinedAt);
        m_inlinedAt.reset();
        m_inChain = false;
    }

    // "/*0330*/   @!P3 LDG.E.CONSTANT R24, desc[UR6][R10.64] ;"
    void takeInstruction(QStringView line)
    {
        endChain();
        const qsizetype end = line.indexOf(QLatin1String("*/"));
        bool ok = false;
        Instruction instruction;
        instruction.address = end < 0 ? 0 : line.mid(2, end - 2).toULongLong(&ok, 16);
        QStringView rest = ok ? line.mid(end + 2) : QStringView();
        rest = rest.first(std::max<qsizetype>(rest.lastIndexOf(QLatin1Char(';')), 0)).trimmed();
        if (rest.startsWith(QLatin1Char('@')))
            instruction.predicate = takeWord(rest);
        instruction.opcode = takeWord(rest);
        if (instruction.opcode.isEmpty() || !m_inCode) {
            m_result.notUnderstood += m_inCode ? 1 : 0;
            return;
        }
        instruction.operands = rest.toString();
        instruction.places = m_places;
        instruction.labels = std::exchange(m_labels, {});
        m_result.sections.last().instructions.append(instruction);
    }

    static QString takeWord(QStringView &text)
    {
        const auto *const end = std::ranges::find_if(text, [](QChar c) { return c.isSpace(); });
        const QStringView word = text.first(end - text.begin());
        text = text.mid(word.size()).trimmed();
        return word.toString();
    }

    Disassembly m_result;
    SourcePlaces m_places;
    std::optional<SourcePlace> m_inlinedAt;
    QStringList m_labels;
    bool m_inCode = false, m_inChain = false;
};

} // namespace

int lineIn(const SourcePlaces &places, const QString &file)
{
    const auto found = std::ranges::find(places, file, &SourcePlace::file);
    return found == places.end() ? 0 : found->line;
}

bool isFrom(const SourcePlaces &places, const QString &file, int line)
{
    return places.contains(SourcePlace{file, line});
}

qsizetype Disassembly::instructions() const
{
    return std::accumulate(sections.begin(), sections.end(), qsizetype(0),
                           [](qsizetype sum, const CodeSection &section) { return sum + section.instructions.size(); });
}

Disassembly parseDisassembly(const QString &text)
{
    Parser parser;
    for (const QStringView line : QStringView(text).tokenize(QLatin1Char('\n')))
        parser.take(line);
    return parser.result();
}

QString withoutFolders(const QString &text)
{
    // nvdisasm's places and the .file directives of PTX.
    static const QRegularExpression path(
        QStringLiteral("^(\\s*//## File |\\s*\\.file\\s+\\d+\\s+|.* inlined at )\"[^\"\\n]*/([^\"/\\n]*)\""),
        QRegularExpression::MultilineOption);
    QString result = text;
    // Twice: a line of nvdisasm can name two places.
    return result.replace(path, QStringLiteral("\\1\"\\2\"")).replace(path, QStringLiteral("\\1\"\\2\""));
}

} // namespace stagecraft::run
