// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

// From rows of values to the bars and panels of a figure. Internal to the views.
namespace stagecraft::views {

// How a figure names the row: shorter than rowLabel() where a colour says the rest.
QString barLabel(const evidence::ValueRow &row);

widgets::FigureBar bar(const evidence::ValueRow &row, Metric metric, int decimals);

// One row of panels, a panel per operation. `rows` share one timing source and one cache state, which is said where it
// is cold, or has to be told from another.
widgets::FigureRow panelRow(const QString &title, const QList<evidence::ValueRow> &rows, Metric metric,
                            const ViewOptions &options, bool tellsWarm);

// The whole figure in words, generated from what its bars hold.
QString altText(const widgets::Figure &figure);

// What is said of several things in place of a picture of them: each one's words; or, where they are too many to listen
// to, how many there are, the words of the least and the greatest, and how many have no value.
QStringList spokenWords(const QStringList &words, const QList<std::optional<double>> &values);

} // namespace stagecraft::views
