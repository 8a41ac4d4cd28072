// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandparser.h"

#include "commandtable.h"
#include "console.h"

#include <algorithm>

namespace stagecraft::commands {
namespace {

constexpr int helpWidth = 80;
constexpr int optionColumn = 30; // where an option's description starts

QString lineBreak(int indent)
{
    return QLatin1Char('\n') + QString(indent, QLatin1Char(' '));
}

QString paragraphs(const QString &text, int indent)
{
    QStringList blocks;
    for (const QString &paragraph : text.split(QStringLiteral("\n\n")))
        blocks.append(QString(indent, QLatin1Char(' ')) +
                      wrapped(paragraph, helpWidth - indent).join(lineBreak(indent)));
    return blocks.join(QStringLiteral("\n\n"));
}

QString optionNames(const QCommandLineOption &option)
{
    QStringList names;
    for (const QString &name : option.names())
        names.append((name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name);
    const QString value = option.valueName().isEmpty() ? QString() : QLatin1Char(' ') + option.valueName();
    return names.join(QStringLiteral(", ")) + value;
}

QString optionHelp(const QCommandLineOption &option)
{
    QString description = option.description();
    if (!option.defaultValues().isEmpty())
        description += QStringLiteral(" Default: %1.").arg(option.defaultValues().join(QLatin1Char(',')));
    const QString names = QStringLiteral("  ") + optionNames(option);
    const QString body = wrapped(description, helpWidth - optionColumn).join(lineBreak(optionColumn));
    if (names.size() + 2 > optionColumn)
        return names + lineBreak(optionColumn) + body;
    return names.leftJustified(optionColumn) + body;
}

QCommandLineOption helpOption()
{
    return {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help.")};
}

QString usageLines(const CommandSyntax &syntax)
{
    QStringList lines;
    const QString start = QStringLiteral("stagecraft %1 ").arg(syntax.name);
    for (const QString &line : syntax.synopsis) {
        const QString lead = (lines.isEmpty() ? QStringLiteral("Usage: ") : QStringLiteral("       ")) + start;
        const int indent = static_cast<int>(lead.size());
        lines.append(lead + wrapped(line, helpWidth - indent).join(lineBreak(indent)));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QString helpText(const CommandSyntax &syntax)
{
    QStringList blocks{usageLines(syntax), paragraphs(syntax.description, 0)};
    QStringList options{QStringLiteral("Options:")};
    for (const QCommandLineOption &option : syntax.options + QList<QCommandLineOption>{helpOption()})
        options.append(optionHelp(option));
    blocks.append(options.join(QLatin1Char('\n')));
    for (const auto &[title, text] : syntax.sections)
        blocks.append(title + QStringLiteral(":\n") + paragraphs(text, 2));
    if (!syntax.examples.isEmpty())
        blocks.append(QStringLiteral("Examples:\n  ") + syntax.examples.join(QStringLiteral("\n  ")));
    return blocks.join(QStringLiteral("\n\n"));
}

CommandParser::CommandParser(CommandSyntax syntax) : m_syntax(std::move(syntax))
{
    m_parser.addOptions(m_syntax.options);
    m_parser.addOption(helpOption());
}

std::optional<int> CommandParser::parse(const QStringList &arguments)
{
    const bool understood = m_parser.parse(QStringList{m_syntax.name} + arguments);
    if (m_parser.isSet(QStringLiteral("help"))) {
        printLine(helpText(m_syntax));
        return ExitDone;
    }
    if (understood) {
        const QString twice = repeatedOption();
        return twice.isEmpty() ? std::nullopt : std::optional(usageError(twice + QStringLiteral(" is given twice")));
    }
    QStringList known;
    for (const QCommandLineOption &option : m_syntax.options)
        known.append(option.names());
    const QStringList unknown = m_parser.unknownOptionNames();
    if (unknown.isEmpty())
        return usageError(m_parser.errorText());
    return usageError(
        QStringLiteral("there is no option --%1%2").arg(unknown.first(), didYouMean(unknown.first(), known)));
}

QString CommandParser::repeatedOption() const
{
    const QStringList given = m_parser.optionNames();
    for (const QCommandLineOption &option : m_syntax.options) {
        const auto times =
            std::ranges::count_if(given, [&](const QString &name) { return option.names().contains(name); });
        const QString name = option.names().last();
        if (times > 1 && !m_syntax.lists.contains(name))
            return QStringLiteral("--") + name;
    }
    return {};
}

QStringList CommandParser::list(const QString &option) const
{
    QStringList parts;
    for (const QString &value : values(option))
        for (const QString &part : value.split(QLatin1Char(','), Qt::SkipEmptyParts))
            parts.append(part.trimmed());
    return parts;
}

std::optional<int> CommandParser::integer(const QString &option, int least, int most) const
{
    bool ok = false;
    const int number = value(option).toInt(&ok);
    if (ok && number >= least && number <= most)
        return number;
    usageError(QStringLiteral("--%1 takes a whole number from %2 to %3, not '%4'")
                   .arg(option)
                   .arg(least)
                   .arg(most)
                   .arg(value(option)));
    return std::nullopt;
}

int CommandParser::usageError(const QString &message) const
{
    complainLine(QStringLiteral("stagecraft %1: %2").arg(m_syntax.name, message));
    complainLine(QStringLiteral("See: stagecraft %1 --help").arg(m_syntax.name));
    return ExitUsage;
}

} // namespace stagecraft::commands
