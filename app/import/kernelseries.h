// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"

#include <QHash>

// Kernel launches of a trace that says no more of them than their kernels: grouped by base name.
namespace stagecraft::import {

class KernelSeries
{
public:
    // `backend` is the timing source of each launch; `noSpan` says why a trace of this kind holds no spans.
    KernelSeries(QString backend, QString noSpan);

    // A launch whose duration is no time is counted and left out. `implementation` as in ForeignSeries.
    void add(const evidence::KernelRecord &launch, const QString &implementation = {});

    // The longest in all first; says in `file` how many launches had no usable time.
    void moveTo(ForeignFile &file);

private:
    QString m_backend, m_noSpan;
    QHash<QString, QString> m_baseNames; // by full name
    QHash<QString, qsizetype> m_places;
    QList<ForeignSeries> m_series;
};

// Adds a launch to a series, or counts it where its duration is not above 0 and below a year.
void addLaunch(ForeignSeries &series, const evidence::KernelRecord &launch);

// "3 launches have no duration above 0; …" for `leftOut`; empty where all have one.
QString lostLaunches(const QList<ForeignSeries> &series);

} // namespace stagecraft::import
