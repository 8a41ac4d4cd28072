// SPDX-License-Identifier: GPL-3.0-or-later
#include "tabulartext.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>

#include <algorithm>

namespace stagecraft::widgets {

namespace {

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

// Kept for the few fonts that a thread measures with: every text with a digit asks. By key and not by font: a font that
// outlives the application would hold an engine whose library is gone.
double digitCell(const QFont &font, const QFontMetricsF &metrics)
{
    constexpr qsizetype mostFonts = 32;
    thread_local QHash<QString, double> cells;
    const QString key = font.key();
    if (const auto known = cells.constFind(key); known != cells.cend())
        return *known;
    double cell = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        cell = std::max(cell, metrics.horizontalAdvance(QLatin1Char(digit)));
    if (cells.size() == mostFonts)
        cells.clear();
    cells.insert(key, cell);
    return cell;
}

// Visits single digits and the runs between them with their x; returns the whole width.
template <typename Visit>
double forEachPiece(const QString &text, const QFont &font, Visit visit)
{
    const QFontMetricsF metrics(font);
    const double cell = std::any_of(text.begin(), text.end(), isDigit) ? digitCell(font, metrics) : 0;
    double x = 0;
    for (qsizetype start = 0; start < text.size();) {
        if (isDigit(text[start])) {
            visit(x + (cell - metrics.horizontalAdvance(text[start])) / 2, text.mid(start, 1));
            x += cell;
            ++start;
            continue;
        }
        const auto end = std::find_if(text.begin() + start, text.end(), isDigit);
        const QString run = text.mid(start, end - text.begin() - start);
        visit(x, run);
        x += metrics.horizontalAdvance(run);
        start += run.size();
    }
    return x;
}

// Draws the ends nearer to each other around the length at which the text, which takes `whole` up to `high`, should be
// as wide as `width`.
void narrow(const QString &text, const QFont &font, double width, double whole, qsizetype &low, qsizetype &high)
{
    constexpr qsizetype margin = 3;
    const auto guess = static_cast<qsizetype>(static_cast<double>(high) * std::max(0.0, width) / whole);
    for (const qsizetype length : {guess - margin, guess + margin}) {
        if (length <= low || length >= high)
            continue;
        if (tabularWidth(text.left(length), font) <= width)
            low = length;
        else
            high = length - 1;
    }
}

// How many leading characters fit; never splits a surrogate pair. Measures little more than what fits, however long the
// text is.
qsizetype fittingLength(const QString &text, const QFont &font, double width)
{
    qsizetype low = 0, high = std::min<qsizetype>(128, text.size());
    // Most texts are short and fit; and where they do not, letters are much alike in width.
    const double probed = tabularWidth(text.left(high), font);
    if (probed <= width && high == text.size())
        return high;
    if (probed > width)
        narrow(text, font, width, probed, low, high);
    while (high < text.size() && tabularWidth(text.left(high), font) <= width) {
        low = high;
        high = std::min(2 * high, text.size());
    }
    while (low < high) {
        const qsizetype middle = (low + high + 1) / 2;
        if (tabularWidth(text.left(middle), font) <= width)
            low = middle;
        else
            high = middle - 1;
    }
    return low > 0 && low < text.size() && text[low - 1].isHighSurrogate() ? low - 1 : low;
}

} // namespace

double tabularWidth(const QString &text, const QFont &font)
{
    return forEachPiece(text, font, [](double, const QString &) {});
}

QString tabularElided(const QString &text, const QFont &font, double width)
{
    if (fittingLength(text, font, width) == text.size())
        return text;
    static const QString ellipsis(u'…');
    const qsizetype length = fittingLength(text, font, width - tabularWidth(ellipsis, font));
    return length > 0 ? text.left(length).trimmed() + ellipsis : QString();
}

QStringList tabularWrapped(const QString &text, const QFont &font, double width)
{
    QStringList lines;
    QString rest = text.simplified();
    while (!rest.isEmpty()) {
        qsizetype length = std::max<qsizetype>(1, fittingLength(rest, font, width));
        if (length < rest.size() && rest[length] != u' ') {
            const qsizetype space = rest.left(length).lastIndexOf(u' ');
            length = space > 0 ? space : length;
        }
        lines << rest.left(length).trimmed();
        rest = rest.mid(length).trimmed();
    }
    return lines;
}

void drawTabular(QPainter &painter, const QPointF &baseline, const QString &text, const QFont &font)
{
    painter.setFont(font);
    forEachPiece(text, font,
                 [&](double x, const QString &piece) { painter.drawText(baseline + QPointF(x, 0), piece); });
}

} // namespace stagecraft::widgets
