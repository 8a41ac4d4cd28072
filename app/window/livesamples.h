// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner.h"
#include "stripchart.h"

#include <QMap>

namespace stagecraft::window {

// The samples of the operation being measured, as they arrive: a line for each of its implementations, on one scale.
// The next operation starts an empty chart, since its times are of another size.
class LiveSamples : public widgets::StripChart
{
    Q_OBJECT
public:
    using StripChart::StripChart;

    void reset();
    void append(const run::SampleBatch &batch);

private:
    struct Line
    {
        int series = 0;
        int round = 0;
    };
    Line &lineOf(const QString &implementation, int round);

    QString m_operation;
    QMap<QString, Line> m_lines;
};

} // namespace stagecraft::window
