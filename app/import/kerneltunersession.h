// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"
#include "jsonnode.h"

#include <QByteArray>

namespace stagecraft::import {

// One point of the search: values of the tunable parameters, and what came of it.
struct TunedConfiguration
{
    QString id;             // its values, "32_4", or its number where those are long
    QStringList parameters; // "block_size_x=32", in the order of the session's parameters
    QList<double> timesUs;  // empty with any state but Ok
    double meanUs = 0;
    evidence::State state = evidence::State::Ok;
    QString reason;
    QString timestamp; // "2023-12-22 09:54:05.502007+00:00"; empty: not recorded
};

// A cache, or an output file in the T4 format, of Kernel Tuner.
struct TuningSession
{
    QString kernel;      // empty: the file does not say
    QList<qint64> dims;  // problem size, where it is whole numbers
    QString problemSize; // otherwise, as the file has it; empty: it does not say
    QString device, objective, version, utc;
    QList<TunedConfiguration> configurations; // in the order in which they were tried
    bool isOpen = false;                      // the session had not ended
};

// Damage goes to the log, file.error says where nothing can be read.
TuningSession readTuningSession(QByteArray text, evidence::ProblemLog &log, ForeignFile &file);

} // namespace stagecraft::import
