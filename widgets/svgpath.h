// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPainterPath>
#include <QPolygonF>

namespace stagecraft::widgets {

// A number as SVG takes it: at most two decimals, none where it is whole.
QByteArray svgNumber(double value);

// Path data with coordinates relative to the point before. Points are rounded and then subtracted, so that rounding
// does not add up along a curve.
QByteArray svgPathData(const QPainterPath &path);
QByteArray svgPathData(const QPolygonF &points, bool closed);

} // namespace stagecraft::widgets
