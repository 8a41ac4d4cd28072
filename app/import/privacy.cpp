// SPDX-License-Identifier: GPL-3.0-or-later
#include "privacy.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QSysInfo>

namespace stagecraft::import {

namespace {

constexpr qsizetype longestStem = 48;

// Accounts and hosts of every other machine; "nvidia" would take the GPU's name along.
bool isTelling(const QString &word)
{
    static const QSet<QString> shared{QStringLiteral("root"),   QStringLiteral("user"),   QStringLiteral("ubuntu"),
                                      QStringLiteral("runner"), QStringLiteral("nvidia"), QStringLiteral("localhost"),
                                      QStringLiteral("admin"),  QStringLiteral("docker"), QStringLiteral("shared"),
                                      QStringLiteral("public")};
    return word.size() >= 3 && !shared.contains(word.toLower());
}

void removeWord(QString &text, const QString &word, const char *separators)
{
    if (!isTelling(word) || !text.contains(word, Qt::CaseInsensitive))
        return;
    static const QString edge = QStringLiteral("[A-Za-z0-9]");
    text.remove(QRegularExpression(
        QStringLiteral("(?<!%1)%2(?!%1)%3").arg(edge, QRegularExpression::escape(word), QLatin1String(separators)),
        QRegularExpression::CaseInsensitiveOption));
}

// A user's component of a path, in its group 1. Its words end where a path's text does; without a path behind them, the
// second must start like a name.
const QRegularExpression &homeDirectory()
{
    static const QString word = QStringLiteral("[^\\s/\\\\\"'<>|:;,(){}\\[\\]]++");
    static const QRegularExpression form(
        QStringLiteral("(?:\\bfile:)?(?<![/\\\\])[/\\\\]++(?i:home|users)[/\\\\]++(?!\\d++(?:/|\\z))"
                       "(%1(?:(?: %1){1,2}(?=[/\\\\])| \\p{Lu}\\p{Ll}+(?![\\w/]))?)")
            .arg(word),
        QRegularExpression::UseUnicodePropertiesOption);
    return form;
}

void removeSuffixes(QString &name)
{
    static const QRegularExpression suffixes(QStringLiteral("(\\.(gz|json|sqlite3?|db|trace|pt|nsys-rep|qdrep))+\\z"),
                                             QRegularExpression::CaseInsensitiveOption);
    name.remove(suffixes);
}

} // namespace

QString withoutHomes(const QString &text, const QString &replacement)
{
    static const QRegularExpression tilde(QStringLiteral("(?<![\\w~])(?<!::)~[\\p{L}_][\\w.-]*+(?![(<])"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression address(
        QStringLiteral("(?<![\\w.+-])[\\w.+-]++@(?:[\\w.-]++(?::|(?=/))|[\\w.-]*\\.[A-Za-z]{2,}+)"),
        QRegularExpression::UseUnicodePropertiesOption);
    QString clean = text;
    if (clean.contains(u'@'))
        clean.replace(address, replacement);
    if (clean.contains(u'/') || clean.contains(u'\\'))
        clean.replace(homeDirectory(), replacement);
    if (clean.contains(u'~'))
        clean.replace(tilde, replacement);
    return clean;
}

QStringList usersIn(const QString &text)
{
    QStringList users;
    for (auto matches = homeDirectory().globalMatch(text); matches.hasNext();)
        users += matches.next().captured(1).split(u' ', Qt::SkipEmptyParts);
    return users;
}

QStringList hostWords(const QString &host)
{
    const QString whole = host.trimmed();
    return {whole, whole.section(u'.', 0, 0)};
}

QString withoutPaths(const QString &text)
{
    // A slash or drive that starts a word starts a path: not the slash of "a/b", "a / b" or "operator/".
    static const QRegularExpression posix(
        QStringLiteral("(?:(?<![\\w/.~-])|(?<=\\s-[DILW])|(?<=\\(-[DILW])|(?<=\\A-[DILW]))(?:file://)?~?/+(?:[^\\s/"
                       "\"'<>|:;,(){}\\[\\]]+/+)*"
                       "(?=[^\\s/\"'<>|:;,(){}\\[\\]])"),
        QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression windows(
        QStringLiteral("(?<!\\w)(?:[A-Za-z]:[\\\\/]|\\\\\\\\)(?:[^\\\\/\"'<>|:;,(){}\\[\\]]+[\\\\/])*"),
        QRegularExpression::UseUnicodePropertiesOption);
    QString clean = text.simplified();
    clean.removeIf([](QChar c) { return c.category() == QChar::Other_Control; });
    clean = withoutHomes(clean);
    if (clean.contains(u'/') || clean.contains(u'\\'))
        clean.remove(windows).remove(posix);
    return clean.trimmed();
}

QString publicText(const QString &text, const QStringList &words)
{
    QString clean = withoutPaths(text);
    for (const QString &word : words)
        removeWord(clean, word, "");
    return clean;
}

QString publicStem(const QString &path, const QStringList &words)
{
    // torch.profiler.tensorboard_trace_handler: HOST_PID.TIMESTAMP.pt.trace.json
    static const QRegularExpression handler(QStringLiteral("\\A.*_(\\d+)\\.\\d+(\\.pt\\.trace\\.json(\\.gz)?)\\z"));
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9._-]+"));
    static const QRegularExpression edges(QStringLiteral("\\A[^A-Za-z0-9]+|[^A-Za-z0-9]+\\z"));
    static const QString host = QSysInfo::machineHostName(), user = qEnvironmentVariable("USER");
    QString name = QFileInfo(path).fileName();
    name.replace(handler, QStringLiteral("trace_\\1\\2"));
    removeSuffixes(name);
    for (const QString &word : QStringList{host, user} + words)
        removeWord(name, word, "[._-]*");
    name.replace(other, QStringLiteral("-"));
    name = name.left(longestStem).remove(edges);
    return name.isEmpty() ? QStringLiteral("import") : name;
}

QString publicPointer(const QString &pointer)
{
    if (!pointer.contains(QLatin1String("~1")) && !pointer.contains(u'\\'))
        return pointer;
    QString plain = pointer.sliced(1);
    plain.replace(QLatin1String("~1"), QLatin1String("/")).replace(QLatin1String("~0"), QLatin1String("~"));
    plain.replace(QLatin1String("//"), QLatin1String("/ /")); // a key that is a path starts a word
    return u'/' + withoutPaths(plain).replace(QLatin1String("/ "), QLatin1String("/"));
}

QString publicCause(const QString &cause)
{
    static const QRegularExpression lastRead(QStringLiteral("; last read: .*\\z"),
                                             QRegularExpression::DotMatchesEverythingOption);
    QString text = cause;
    return withoutPaths(text.replace(lastRead, QStringLiteral(".")));
}

} // namespace stagecraft::import
