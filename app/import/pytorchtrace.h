// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"

#include <QHash>

namespace stagecraft::import {

// A kernel launch of a trace.
struct TraceLaunch
{
    double start = 0; // µs, for their order alone
    qint64 device = 0;
    evidence::KernelRecord record; // 0 where the duration is none above 0
};

// What of a PyTorch profiler's trace is about kernels. Call stacks, shapes, processes and the trace's own name, which
// hold paths and host names, are passed over as they are read.
struct PytorchTrace
{
    QList<TraceLaunch> launches; // in the order of the file
    QHash<qint64, QString> deviceNames;
    std::optional<qint64> schemaVersion, cudaRuntimeVersion, baseNs; // 1; 12040; of the launches' times
    QStringList privateWords;                                        // hosts and users that the trace names
    qint64 events = 0;                                               // of any kind
    bool isRocm = false;                                             // recorded by AMD's tools
    bool isCut = false;                                              // there are more launches than are read
    QString damage, damagePointer; // where the text ends early, and why, as a sentence
};

// Reads as a stream: of a trace of any size only its kernels are kept.
PytorchTrace readPytorchTrace(const QString &path, const Cancelled &cancelled);

} // namespace stagecraft::import
