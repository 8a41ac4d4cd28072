// SPDX-License-Identifier: GPL-3.0-or-later
#include "publictext.h"

#include <algorithm>
#include <QRegularExpression>
#include <QSysInfo>

namespace stagecraft::run {

namespace {

constexpr qsizetype maximumLength = 2000;
constexpr qsizetype maximumLines = 1000, maximumIndent = 200; // of a log

void replaceWord(QString &text, const QString &word, const QString &replacement)
{
    // One or two letters stand in too many other words' places to be a name worth hiding.
    if (word.size() < 3)
        return;
    const QRegularExpression pattern(QStringLiteral("(?<![\\w-])%1(?![\\w-])").arg(QRegularExpression::escape(word)));
    text.replace(pattern, replacement);
}

} // namespace

QString publicText(const QString &text)
{
    // A path has two parts at least, so that "1/2" and "/s" stay; an address such as https://host/page stays whole.
    static const QRegularExpression path(
        QStringLiteral("(?<!http:)(?<!https:)(?<![\\w./])/+(?:[^\\s/\"'<>|]+/+)+([^\\s/\"'<>|]*)"));
    static const QString user = qEnvironmentVariable("USER");
    static const QString host = QSysInfo::machineHostName();
    QString result = text.simplified();
    result.removeIf([](QChar c) { return c.category() == QChar::Other_Control; });
    result.replace(path, QStringLiteral("\\1"));
    replaceWord(result, host, QStringLiteral("HOST"));
    if (user != QLatin1String("root"))
        replaceWord(result, user, QStringLiteral("USER"));
    if (result.size() > maximumLength)
        result = result.left(maximumLength) + QStringLiteral(" … (cut)");
    return result;
}

QString publicText(const std::string &text)
{
    return publicText(QString::fromStdString(text));
}

QString publicLines(const QString &log)
{
    QStringList lines = log.split(QLatin1Char('\n'));
    const bool cut = lines.size() > maximumLines;
    if (cut)
        lines.resize(maximumLines);
    for (QString &line : lines) {
        const auto start = std::ranges::find_if_not(line, [](QChar c) { return c.isSpace(); }) - line.begin();
        line = QString(std::min<qsizetype>(start, maximumIndent), QLatin1Char(' ')) + publicText(line);
    }
    while (!lines.isEmpty() && lines.last().trimmed().isEmpty())
        lines.removeLast();
    return lines.join(QLatin1Char('\n')) + (cut ? QStringLiteral("\n… (cut)") : QString());
}

} // namespace stagecraft::run
