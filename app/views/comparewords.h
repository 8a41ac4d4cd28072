// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"
#include "viewrows.h"

// What figures and tables say of two namespaces alike. Internal to the views.
namespace stagecraft::views {

// What of a view's options concerns the comparison.
evidence::ComparisonOptions comparisonOptions(const ViewOptions &options);

// Why there is nothing to compare at all; empty where there may be.
QString compareUnavailable(const evidence::Namespace &evidence, const ViewOptions &options);

QString signedPercent(double percent, int decimals);         // "−76.7 %", "+0.5 %"
QString changeText(const QString &base, const QString &now); // "a → b"; one of them where they are equal

QString comparedLabel(const evidence::ComparedRow &row);  // "Rust", "Rust → CUDA"
QString comparedStages(const evidence::ComparedRow &row); // "tiled → k64", "k64"; empty without stages

// "faster, beyond drift", "within drift", "unchanged, sets the drift", "another GPU: not drift", or that there is no
// percentage. A change that is shown as 0 with these decimals is none.
QString verdictWords(const evidence::ComparedRow &row, int decimals);
QString
changeLack(const evidence::Change &change); // "unavailable" where neither side has a value, else "not comparable"
QString boundText(const evidence::ComparedRow &row, int decimals); // "drift 2.1 %"; empty where it is unknown
QList<evidence::Flag> comparedFlags(const evidence::ComparedRow &row, Metric metric); // of either side

// The first dozen of them and how many more there are, for a line or a tool tip.
QString someOf(const QStringList &names);

// Digits after the point for a column of bounds: two where one of them is below 0.1 %.
int boundDecimals(const evidence::Comparison &comparison, int decimals);

// "Rust 2.1 % (gelu, triangle, neighbor) · PyTorch unknown", the drift of every implementation.
QString driftsLine(const evidence::Comparison &comparison, int decimals);

// Digits after the point of times and percentages: one, unless the reader asks for others.
int compareDecimals(const ViewOptions &options);

// How a change is computed and judged, as lines.
QStringList compareRules(const ViewOptions &options);

} // namespace stagecraft::views
