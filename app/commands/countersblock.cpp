// SPDX-License-Identifier: GPL-3.0-or-later
#include "countersblock.h"

#include "console.h"

#include <algorithm>
#include <QMap>

namespace stagecraft::commands {

namespace {

constexpr int width = 100;

QString dimsText(const QList<qint64> &dims)
{
    QStringList parts;
    for (const qint64 extent : dims)
        parts.append(QString::number(extent));
    return parts.join(QLatin1Char('x'));
}

QString subject(const evidence::CounterCapture &capture)
{
    return QStringLiteral("%1 %2 %3").arg(capture.operation, dimsText(capture.dims), capture.language);
}

QString counted(qsizetype count, const QString &word, const QString &ending)
{
    return QStringLiteral("%1 %2%3").arg(count).arg(word, count == 1 ? QString() : ending);
}

QString takenText(const evidence::CounterCapture &capture)
{
    QString text = QStringLiteral("%1 of %2")
                       .arg(counted(capture.units.size(), QStringLiteral("metric"), QStringLiteral("s")),
                            counted(capture.kernels.size(), QStringLiteral("kernel"), QStringLiteral("s")));
    if (capture.passes)
        text += QStringLiteral(" in %1").arg(counted(*capture.passes, QStringLiteral("pass"), QStringLiteral("es")));
    if (!capture.lacking.isEmpty())
        text += QStringLiteral("; lacking: ") + QStringList(capture.lacking.keys()).join(QStringLiteral(", "));
    return text;
}

} // namespace

QStringList countersBlock(const evidence::Namespace &evidence)
{
    if (evidence.counters.isEmpty())
        return {};
    qsizetype widest = 0;
    for (const evidence::CounterCapture &capture : evidence.counters)
        widest = std::max(widest, subject(capture).size());
    QStringList lines = {QStringLiteral("Hardware counters")};
    QMap<QString, QString> told; // a lack is told once, with the first that has it
    for (const evidence::CounterCapture &capture : evidence.counters) {
        const QString own = subject(capture);
        QString text = takenText(capture);
        if (capture.state != evidence::State::Ok) {
            const QString first = told.value(capture.reason);
            text = evidence::stateName(capture.state) +
                   (first.isEmpty() ? QStringLiteral(": ") + capture.reason : QStringLiteral(", as ") + first);
            told.insert(capture.reason, first.isEmpty() ? own : first);
        }
        QString indent = QStringLiteral("  ") + own.leftJustified(widest) + QStringLiteral("  ");
        for (const QString &line : wrapped(text, std::max<int>(40, width - static_cast<int>(indent.size())))) {
            lines.append(indent + line);
            indent.fill(QLatin1Char(' '));
        }
    }
    return lines;
}

} // namespace stagecraft::commands
