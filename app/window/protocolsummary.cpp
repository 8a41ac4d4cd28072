// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocolsummary.h"

#include <QObject>

namespace stagecraft::window {

const QList<ProtocolPreset> &protocolPresets()
{
    static const run::RunPlan standard;
    static const QList<ProtocolPreset> presets{
        {QObject::tr("Standard: 5 rounds"),
         QObject::tr("Five rounds, the least from which two implementations can be called different"), standard.rounds,
         standard.warmup, standard.iterations, standard.captureIterations},
        {QObject::tr("Field note: 3 rounds"), QObject::tr("The protocol of the bundled field note's namespaces"), 3, 25,
         100, 100},
        {QObject::tr("Quick look: 1 round"),
         QObject::tr("One short round: to see whether everything runs, not to compare"), 1, 5, 20, 20},
    };
    return presets;
}

void applyPreset(const ProtocolPreset &preset, run::RunPlan &plan)
{
    plan.rounds = preset.rounds;
    plan.warmup = preset.warmup;
    plan.iterations = preset.iterations;
    plan.captureIterations = preset.captureIterations;
}

int presetIndex(const run::RunPlan &plan)
{
    const QList<ProtocolPreset> &presets = protocolPresets();
    for (int i = 0; i < presets.size(); ++i) {
        const ProtocolPreset &preset = presets.at(i);
        if (plan.rounds == preset.rounds && plan.warmup == preset.warmup && plan.iterations == preset.iterations &&
            plan.captureIterations == preset.captureIterations)
            return i;
    }
    return -1;
}

QString protocolSummary(const run::RunPlan &plan)
{
    QString summary =
        QObject::tr("%1 × %2, %3 warm-up, %4").arg(plan.rounds).arg(plan.iterations).arg(plan.warmup).arg(plan.cache);
    if (plan.arithmetic != run::arithmeticChoices().first())
        summary += QObject::tr(", exact FP32");
    if (plan.runs > 1)
        summary += QObject::tr(", %1 runs").arg(plan.runs);
    if (!plan.capture)
        summary += QObject::tr(", no capture");
    if (plan.counters)
        summary += QObject::tr(", counters");
    return summary;
}

QString durationText(qint64 milliseconds)
{
    const qint64 seconds = (qMax<qint64>(milliseconds, 0) + 999) / 1000;
    const auto twoDigits = [](qint64 value) { return QString::number(value).rightJustified(2, QLatin1Char('0')); };
    const QString tail = twoDigits(seconds % 60);
    if (seconds < 3600)
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(tail);
    return QStringLiteral("%1:%2:%3").arg(seconds / 3600).arg(twoDigits(seconds / 60 % 60), tail);
}

} // namespace stagecraft::window
