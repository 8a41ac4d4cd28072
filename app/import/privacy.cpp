// SPDX-License-Identifier: GPL-3.0-or-later
#include "privacy.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>

namespace stagecraft::import {

namespace {

constexpr qsizetype longestStem = 48;

// One or two letters stand in too many names' places to be worth hiding.
void removeWord(QString &text, const QString &word)
{
    if (word.size() < 3)
        return;
    static const QString edge = QStringLiteral("[A-Za-z0-9]");
    text.remove(QRegularExpression(QStringLiteral("(?<!%1)%2(?!%1)[._-]*").arg(edge, QRegularExpression::escape(word)),
                                   QRegularExpression::CaseInsensitiveOption));
}

void removeSuffixes(QString &name)
{
    static const QRegularExpression suffixes(QStringLiteral("(\\.(gz|json|sqlite3?|db|trace|pt|nsys-rep|qdrep))+\\z"),
                                             QRegularExpression::CaseInsensitiveOption);
    name.remove(suffixes);
}

} // namespace

QString withoutPaths(const QString &text)
{
    // A slash or drive that starts a word starts a path: not the slash of "a/b", "a / b" or "operator/".
    static const QRegularExpression posix(
        QStringLiteral("(?<![\\w/.~-])(?:file://)?~?/+(?:[^\\s/\"'<>|:;,(){}\\[\\]]+/+)*"
                       "(?=[^\\s/\"'<>|:;,(){}\\[\\]])"),
        QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression home(QStringLiteral("(?<![\\w/.-])~[\\w-]*/+(?:[^\\s/\"'<>|:;,(){}\\[\\]]+/+)*"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression windows(
        QStringLiteral("(?<!\\w)(?:[A-Za-z]:[\\\\/]|\\\\\\\\)(?:[^\\\\/\"'<>|:;,(){}\\[\\]]+[\\\\/])*"),
        QRegularExpression::UseUnicodePropertiesOption);
    QString clean = text.simplified();
    clean.removeIf([](QChar c) { return c.category() == QChar::Other_Control; });
    if (clean.contains(u'/') || clean.contains(u'\\'))
        clean.remove(windows).remove(home).remove(posix);
    return clean;
}

QString publicStem(const QString &path)
{
    // torch.profiler.tensorboard_trace_handler: HOST_PID.TIMESTAMP.pt.trace.json
    static const QRegularExpression handler(QStringLiteral("\\A.*_(\\d+)\\.\\d+(\\.pt\\.trace\\.json(\\.gz)?)\\z"));
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9._-]+"));
    static const QRegularExpression edges(QStringLiteral("\\A[^A-Za-z0-9]+|[^A-Za-z0-9]+\\z"));
    static const QString host = QSysInfo::machineHostName(), user = qEnvironmentVariable("USER");
    QString name = QFileInfo(path).fileName();
    name.replace(handler, QStringLiteral("trace_\\1\\2"));
    removeSuffixes(name);
    removeWord(name, host);
    if (user != QLatin1String("root"))
        removeWord(name, user);
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
