// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nsyslaunches.h"

#include <map>

namespace stagecraft::import {

// What a worker of this project was doing, by its NVTX ranges of the domain "stagecraft": operation, implementation,
// round and phase inside each other.
struct NsysPhase
{
    QString operation, implementation, phase; // "matmul", "cuda", "spans"
    int round = 0;                            // from 0
};

// The ranges of a report, and the launches that were made inside of them.
class NsysRanges
{
public:
    NsysRanges(ForeignDatabase &database, const Cancelled &cancelled);

    bool isEmpty() const { return m_phases.empty(); }

    // nullptr: launched outside of all phases, or the report does not say when it was.
    const NsysPhase *phaseOf(const NsysLaunch &launch) const;

private:
    struct Range
    {
        qint64 start, end;
        QString text;
    };
    struct Phase
    {
        qint64 end;
        NsysPhase what;
    };
    struct Call
    {
        qint64 time, thread;
    };

    void readRanges(ForeignDatabase &database, const Cancelled &cancelled);
    void nest(qint64 thread, QList<Range> ranges);
    void readCalls(ForeignDatabase &database, const Cancelled &cancelled);

    std::map<std::pair<qint64, qint64>, Phase> m_phases; // by thread and start
    QHash<std::pair<qint64, qint64>, Call> m_calls;      // by process and correlation
};

} // namespace stagecraft::import
