// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// What stands below a progression's bars, because it shares no scale with them. Internal to the views.
namespace stagecraft::views {

// Single steps and attempts, each where there are any, of the namespace of that name.
QList<widgets::FigureList> progressionLists(const evidence::OperationProgression &operation, int decimals,
                                            const QString &name);

// Repeated runs, one chart for each metric.
QList<widgets::FigureDots> progressionDots(const evidence::OperationProgression &operation, int decimals);

// The whole entry in words.
QString entryWords(const widgets::FigureEntry &entry);

} // namespace stagecraft::views
