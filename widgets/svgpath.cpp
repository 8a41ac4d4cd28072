// SPDX-License-Identifier: GPL-3.0-or-later
#include "svgpath.h"

#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr int kUnit = 100; // coordinates are whole multiples of a hundredth

struct Place
{
    qint64 x = 0, y = 0;

    static Place of(const QPointF &point) { return {std::llround(point.x() * kUnit), std::llround(point.y() * kUnit)}; }
    Place operator-(const Place &other) const { return {x - other.x, y - other.y}; }
    bool operator==(const Place &) const = default;
};

QByteArray decimal(qint64 hundredths)
{
    QByteArray text = QByteArray::number(hundredths / kUnit);
    const qint64 rest = std::abs(hundredths % kUnit);
    if (rest == 0)
        return text;
    if (hundredths < 0 && hundredths > -kUnit)
        text.prepend('-');
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0)
        text += static_cast<char>('0' + rest % 10);
    return text;
}

// Commands and numbers; a number needs a space before it only where it would run into the one before.
class PathData
{
public:
    void moveTo(const QPointF &point)
    {
        finishPart();
        m_start = m_last = Place::of(point);
        m_data += 'M' + decimal(m_start.x);
        appendNumber(m_start.y);
        m_command = 'M';
    }

    void lineTo(const QPointF &point)
    {
        const Place place = Place::of(point), step = place - m_last;
        if (step == Place())
            return;
        if (step.y == 0)
            append('h', {step.x});
        else if (step.x == 0)
            append('v', {step.y});
        else
            append('l', {step.x, step.y});
        m_last = place;
    }

    void cubicTo(const QPointF &first, const QPointF &second, const QPointF &end)
    {
        const Place a = Place::of(first) - m_last, b = Place::of(second) - m_last, place = Place::of(end),
                    c = place - m_last;
        append('c', {a.x, a.y, b.x, b.y, c.x, c.y});
        m_last = place;
    }

    void close()
    {
        m_data += 'z';
        m_command = 'z';
    }

    QByteArray take()
    {
        finishPart();
        return std::move(m_data);
    }

private:
    // A painter path that is closed ends where it began; a stroke's corner there needs the command.
    void finishPart()
    {
        if (m_command != 0 && m_command != 'M' && m_command != 'z' && m_last == m_start)
            close();
    }

    void append(char command, std::initializer_list<qint64> numbers)
    {
        const bool again = command == m_command;
        if (!again)
            m_data += command;
        m_command = command;
        bool first = !again;
        for (const qint64 number : numbers) {
            first ? void(m_data += decimal(number)) : appendNumber(number);
            first = false;
        }
    }

    void appendNumber(qint64 number)
    {
        if (number >= 0)
            m_data += ' ';
        m_data += decimal(number);
    }

    QByteArray m_data;
    char m_command = 0;
    Place m_start, m_last;
};

} // namespace

QByteArray svgNumber(double value)
{
    return decimal(std::llround(value * kUnit));
}

QByteArray svgPathData(const QPainterPath &path)
{
    PathData data;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        switch (element.type) {
        case QPainterPath::MoveToElement:
            data.moveTo(element);
            break;
        case QPainterPath::LineToElement:
            data.lineTo(element);
            break;
        case QPainterPath::CurveToElement:
            data.cubicTo(element, path.elementAt(i + 1), path.elementAt(i + 2));
            i += 2;
            break;
        case QPainterPath::CurveToDataElement:
            break;
        }
    }
    return data.take();
}

QByteArray svgPathData(const QPolygonF &points, bool closed)
{
    PathData data;
    for (qsizetype i = 0; i < points.size(); ++i)
        i == 0 ? data.moveTo(points[i]) : data.lineTo(points[i]);
    if (closed)
        data.close();
    return data.take();
}

} // namespace stagecraft::widgets
