// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>

// The look of a report: one set of colours, each with its value in the dark, for page and figures alike.
namespace stagecraft::views {

QString reportStyle(); // the style sheet

// What a figure drawn in the light theme says in place of a colour: the page's variable for it.
QByteArray reportInk(const QColor &light);

} // namespace stagecraft::views
