// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPointF>
#include <QStringList>

class QPainter;

// Text whose digits all take the same width, whatever the font: Qt 6.4 cannot ask a font for its tabular numerals, and
// columns of numbers must align. Any thread.
namespace stagecraft::widgets {

double tabularWidth(const QString &text, const QFont &font);

// The text, or as much of it as fits followed by an ellipsis; empty where not even that fits.
QString tabularElided(const QString &text, const QFont &font, double width);

// Lines of at most that width, broken at spaces; a word that is wider is broken inside.
QStringList tabularWrapped(const QString &text, const QFont &font, double width);

void drawTabular(QPainter &painter, const QPointF &baseline, const QString &text, const QFont &font);

} // namespace stagecraft::widgets
