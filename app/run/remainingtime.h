// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runschedule.h"

#include <QHash>

namespace stagecraft::run {

// How long the rest of a schedule takes, from how long its steps took so far: a step like an earlier one (same
// operation, implementation and kind) is expected to take that one's mean, another the mean of its kind.
class RemainingTime
{
public:
    void add(const RunStep &step, qint64 ms);

    // Milliseconds for steps[from] and all after it; −1 until one span step was timed.
    qint64 estimate(const QList<RunStep> &steps, qsizetype from) const;
    qint64 estimateOne(const RunStep &step) const; // 0 where nothing like it was timed

private:
    struct Mean
    {
        double sum = 0;
        int count = 0;
        double value() const { return count > 0 ? sum / count : 0; }
    };

    QHash<QString, Mean> m_alike;
    QHash<int, Mean> m_kinds;
};

} // namespace stagecraft::run
