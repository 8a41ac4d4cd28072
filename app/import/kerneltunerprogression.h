// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kerneltunersession.h"

namespace stagecraft::import {

// Figures stay legible, and files small, with so many of the thousands that a tuner tries.
inline constexpr qsizetype mostTunedStages = 16;
inline constexpr qsizetype mostFastest = 10;

// How the tuner got where it is: each configuration that was the fastest so far when it was tried, by its place in
// session.configurations. Of more than mostTunedStages the first, and the largest steps.
QList<qsizetype> tunedStages(const TuningSession &session);

// The fastest ones, fastest first, at most mostFastest.
QList<qsizetype> fastestConfigurations(const TuningSession &session);

// A stage for each of these, with what changed from the one before; attempts for those that were slower, together, and
// for each way in which others failed.
evidence::OperationProgression tunedProgression(const TuningSession &session, const QString &operation,
                                                const QList<qsizetype> &stages);

// "12 configurations: it did not compile", for each reason, most frequent first.
QStringList failureTexts(const TuningSession &session);

} // namespace stagecraft::import
