// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

// Many stages without counters are told by their reason, lest they fill a figure. Internal to the views.
namespace stagecraft::views {

// What was not counted for one reason, told in one line instead of one each.
struct Uncounted
{
    evidence::State state = evidence::State::Unavailable;
    QString reason;
    QStringList names;
    bool areStages = true;
    QString title() const;    // "tiled", "7 stages"
    QString sentence() const; // "7 stages: not run, the run was cancelled (tiled, …)."
};
void addUncounted(QList<Uncounted> &all, const Uncounted &one);

widgets::FigureEntry uncountedEntry(const Uncounted &uncounted); // of a list

} // namespace stagecraft::views
