// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"
#include "viewrows.h"

// What figures and tables say of two namespaces alike. Internal to the views.
namespace stagecraft::views {

evidence::ComparisonOptions comparisonOptions(const ViewOptions &options);

// Why there is nothing to compare at all; empty where there may be.
QString compareUnavailable(const evidence::Namespace &evidence, const ViewOptions &options);

QString signedPercent(double percent, int decimals);         // "−76.7 %", "+0.5 %"
QString changeText(const QString &base, const QString &now); // "a → b"; one of them where they are equal

QString comparedLabel(const evidence::ComparedRow &row);  // "Rust", "Rust → CUDA"
QString comparedStages(const evidence::ComparedRow &row); // "tiled → k64", "k64"; empty without stages

// "faster, beyond drift", "within drift", "another GPU: not drift", or why there is no percentage.
QString verdictWords(const evidence::ComparedRow &row);
QString boundText(const evidence::ComparedRow &row, int decimals); // "drift 2.1 %"; empty where it is unknown
QList<evidence::Flag> comparedFlags(const evidence::ComparedRow &row, Metric metric); // of either side

// "GPU: NVIDIA GeForce RTX 4090 → NVIDIA H200 (values of two GPUs …)"
QString differenceLine(const evidence::Difference &difference);
QString differenceSides(const evidence::Difference &difference); // "NVIDIA GeForce RTX 4090 → not recorded"

// "Rust 2.1 % (gelu, triangle, neighbor) · PyTorch unknown", the drift of every implementation.
QString driftsLine(const evidence::Comparison &comparison, int decimals);

int compareDecimals(const ViewOptions &options);

// How a change is computed and judged, as lines.
QStringList compareRules(const ViewOptions &options);

} // namespace stagecraft::views
