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
    return text;
}

// What is told once: later entries of the same name the first.
class Told
{
public:
    // Empty where `own` is the first that says this.
    QString firstOf(const QString &what, const QString &own)
    {
        if (const auto found = m_first.constFind(what); found != m_first.cend())
            return *found;
        m_first.insert(what, own);
        return {};
    }

private:
    QMap<QString, QString> m_first;
};

QString stateText(const evidence::CounterCapture &capture, Told &told)
{
    const QString first = told.firstOf(capture.reason, subject(capture));
    return evidence::stateName(capture.state) +
           (first.isEmpty() ? QStringLiteral(": ") + capture.reason : QStringLiteral(", as ") + first);
}

QString lackingText(const evidence::CounterCapture &capture, Told &told)
{
    if (capture.lacking.isEmpty())
        return {};
    const QString names = QStringList(capture.lacking.keys()).join(QStringLiteral(", "));
    const QString first = told.firstOf(names, subject(capture));
    return first.isEmpty() ? QStringLiteral("; lacking: ") + names
                           : QStringLiteral("; lacking what %1 lacks").arg(first);
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
    Told told;
    for (const evidence::CounterCapture &capture : evidence.counters) {
        const bool taken = capture.state == evidence::State::Ok;
        const QString text = taken ? takenText(capture) + lackingText(capture, told) : stateText(capture, told);
        QString indent = QStringLiteral("  ") + subject(capture).leftJustified(widest) + QStringLiteral("  ");
        for (const QString &line : wrapped(text, std::max<int>(40, width - static_cast<int>(indent.size())))) {
            lines.append(indent + line);
            indent.fill(QLatin1Char(' '));
        }
    }
    return lines;
}

} // namespace stagecraft::commands
