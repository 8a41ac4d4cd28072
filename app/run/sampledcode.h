// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disassembly.h"
#include "messages.h"

#include <QHash>
#include <QMap>

// Which instructions and source lines the samples of a stage belong to.
namespace stagecraft::run {

// What was sampled at one place. A warp that was just issued waits for nothing: it is counted apart.
struct PlaceSamples
{
    qint64 all = 0, issued = 0;
    QMap<QString, qint64> waits; // by reason, as the instrument says it: "long_scoreboard"

    void add(const protocol::SampledInstruction &instruction);
    void add(const PlaceSamples &other);
};

struct Wait
{
    QString reason;   // "long scoreboard"
    double share = 0; // of all samples of the place, in percent
    bool operator==(const Wait &) const = default;
};

// Those with the most samples first.
QList<Wait> leadingWaits(const PlaceSamples &samples, int most);

// `part` of `all`, in percent; 0 where there are none.
double sampleShare(qint64 part, qint64 all);

struct SampledCode
{
    PlaceSamples total;
    QList<QHash<quint64, PlaceSamples>> sections; // those of the disassembly, in its order; by address
    PlaceSamples elsewhere;                       // at what the disassembly does not have
};

// Why these samples are not to be believed; empty: they may be. They come from a worker.
QString sampleProblem(const protocol::SampleResult &result);

// `code` must be of the machine code that was sampled: addresses are all that the two have in common. Only for a result
// without a problem.
SampledCode placeSamples(const protocol::SampleResult &result, const Disassembly &code);

// By line of `file`, by the one that each instruction is from most closely; 0: of none. Each sample counts once.
QMap<int, PlaceSamples> samplesByLine(const SampledCode &samples, const Disassembly &code, const QString &file);

} // namespace stagecraft::run
