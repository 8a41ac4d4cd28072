// SPDX-License-Identifier: GPL-3.0-or-later
#include "compilemessages.h"

#include <QRegularExpression>

namespace stagecraft::run {

QList<CompileMessage> compileMessages(const QString &log, const QString &fileName)
{
    // "matmul/mine.cu(12): error: identifier "x" is undefined", "… warning #177-D: …", "… catastrophic error: …".
    static const QRegularExpression form(
        QStringLiteral("^(.+)\\((\\d{1,7})\\): (?:catastrophic )?(error|warning|remark|note)(?: #[\\w-]+)?: (.*)$"));
    QList<CompileMessage> messages;
    for (const QString &line : log.split(QLatin1Char('\n'))) {
        const QRegularExpressionMatch match = form.match(line.trimmed());
        if (!match.hasMatch() || match.captured(1) != fileName)
            continue;
        const QString word = match.captured(3);
        messages.append({match.captured(2).toInt(),
                         word == QLatin1String("error")     ? CompileMessage::Error
                         : word == QLatin1String("warning") ? CompileMessage::Warning
                                                            : CompileMessage::Note,
                         match.captured(4)});
    }
    return messages;
}

} // namespace stagecraft::run
