// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "envelope.h"
#include "evidencemodel.h"

#include <QString>

namespace stagecraft::run {

// Why a worker did not do what it was asked: what becomes the state and reason of a measurement.
struct WorkerFault
{
    evidence::State state = evidence::State::Failed;
    QString reason, fix;
    bool lost = false;     // the worker is gone; false: it answered with an error and can be asked on
    bool timedOut = false; // lost because it said nothing for the time limit
    QString log = {};      // lines of a compiler that refused a stage; not part of text()

    QString text() const; // reason and fix as one line
};

// unavailable, no such method → Unavailable, invalid inputs, dims or handle → Invalid, cancelled → NotRun, anything
// else → Failed.
WorkerFault faultOf(const protocol::ErrorReply &reply);

// How a child process ended, as a sentence: the signal's name, or the exit status. For QProcess's values.
QString endText(bool crashed, int exitCode);
QString endFix(bool crashed, int exitCode);

} // namespace stagecraft::run
