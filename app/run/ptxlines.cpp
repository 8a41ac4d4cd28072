// SPDX-License-Identifier: GPL-3.0-or-later
#include "ptxlines.h"

#include <QHash>
#include <QRegularExpression>

namespace stagecraft::run {

namespace {

// The .file directives stand at the end of the text.
QHash<QString, QString> filesOf(const QString &ptx)
{
    static const QRegularExpression directive(QStringLiteral("^\\s*\\.file\\s+(\\d+)\\s+\"([^\"\\n]*)\""),
                                              QRegularExpression::MultilineOption);
    QHash<QString, QString> files;
    for (const QRegularExpressionMatch &match : directive.globalMatch(ptx))
        files.insert(match.captured(1), match.captured(2).section(QLatin1Char('/'), -1));
    return files;
}

SourcePlaces placesOf(const QString &directive, const QHash<QString, QString> &files)
{
    static const QRegularExpression place(QStringLiteral("(?:\\.loc|inlined_at)\\s+(\\d+)\\s+(\\d+)"));
    SourcePlaces places;
    for (const QRegularExpressionMatch &match : place.globalMatch(directive)) {
        if (const int line = match.captured(2).toInt(); line > 0 && files.contains(match.captured(1)))
            places.append({files.value(match.captured(1)), line});
    }
    return places;
}

// "ld.shared.f32 …;", "@%p1 bra …;", with what precedes it on its line.
bool isInstruction(QStringView line)
{
    return line.endsWith(QLatin1Char(';')) && !line.startsWith(QLatin1Char('.')) &&
           !line.startsWith(QLatin1String("//"));
}

} // namespace

QList<SourcePlaces> ptxPlaces(const QString &ptx)
{
    const QHash<QString, QString> files = filesOf(ptx);
    QList<SourcePlaces> lines;
    SourcePlaces current;
    for (QStringView line : QStringView(ptx).tokenize(QLatin1Char('\n'))) {
        line = line.trimmed();
        if (line.startsWith(QLatin1String(".loc")))
            current = placesOf(line.toString(), files);
        else if (line.contains(QLatin1String(".entry ")) || line.contains(QLatin1String(".func ")))
            current.clear();
        lines.append(isInstruction(line) ? current : SourcePlaces());
    }
    return lines;
}

bool ptxUsesLocalMemory(const QString &line)
{
    static const QRegularExpression use(
        QStringLiteral("^\\s*(?:@!?%\\w+\\s+)?(?:\\.local\\s|(?:ld|st)(?:\\.\\w+)*\\.local\\b)"));
    return use.match(line).hasMatch();
}

} // namespace stagecraft::run
