// SPDX-License-Identifier: GPL-3.0-or-later
#include "googlebenchmarkname.h"

#include "privacy.h"

#include <QRegularExpression>

namespace stagecraft::import {

namespace {

// At the slashes outside of brackets: "Sum<a/b>/8" has two parts.
QStringList partsOf(const QString &name)
{
    QStringList parts;
    int depth = 0;
    qsizetype start = 0;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar c = name[i];
        if (c == u'<' || c == u'(')
            ++depth;
        else if (c == u'>' || c == u')')
            --depth;
        else if (c == u'/' && depth <= 0) {
            parts.append(name.sliced(start, i - start));
            start = i + 1;
        }
    }
    parts.append(name.sliced(start));
    return parts;
}

// What the library adds of how it measures; it changes no work.
bool isProtocol(const QString &part)
{
    static const QRegularExpression form(
        QStringLiteral("\\A(real_time|process_time|(repeats|iterations|min_time|min_warmup_time):[0-9.]+s?)\\z"));
    return form.match(part).hasMatch();
}

} // namespace

GoogleBenchmarkName googleBenchmarkName(const QString &runName)
{
    static const QRegularExpression argument(QStringLiteral("\\A(?:[^:]+:)?([0-9]{1,18})\\z"));
    GoogleBenchmarkName name;
    QStringList words;
    bool inPath = false;
    // Two slashes where a user's folder was, so that what is below it is told as a path; a drive's path is told anyway.
    const QString visible = withoutHomes(runName, runName.contains(u'\\') ? QString() : QStringLiteral("/"));
    for (const QString &part : partsOf(visible)) {
        if (part.isEmpty()) { // two slashes: an argument that is a path from the root
            inPath = name.hasPath = true;
            words.append(QString());
            continue;
        }
        const bool isThreads = part.startsWith(QLatin1String("threads:"));
        const QRegularExpressionMatch match = argument.match(part);
        if (words.isEmpty() || (match.hasMatch() && isThreads))
            words.append(part);
        else if (part == QLatin1String("manual_time"))
            name.isManual = true;
        else if (isProtocol(part))
            continue;
        else if (match.hasMatch())
            name.dims.append(match.captured(1).toLongLong());
        else if (inPath)
            words.last() = part; // what is in which folder is nobody else's business
        else
            words.append(part);
    }
    words.removeAll(QString());
    name.operation = words.join(u' ');
    return name;
}

} // namespace stagecraft::import
