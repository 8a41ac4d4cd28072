// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sampledcode.h"
#include "valuetable.h"

namespace stagecraft::window {

// A row per line of the source that was sampled, the one with the most samples first: its share of all samples, the
// two reasons that its warps wait for most, and what part of them was issued. The first column is the line's number,
// text instead where samples are of no line. `source` is what the stage was made of.
widgets::ValueTable waitsTable(const QMap<int, run::PlaceSamples> &lines, qint64 all, const QString &source);

// "6820347 samples, one per 256 cycles of each SM; none dropped; 3.6 % issued"
QString samplingText(const protocol::SampleResult &result, const run::PlaceSamples &total);

} // namespace stagecraft::window
