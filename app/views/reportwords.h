// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

#include <QPair>

// What a report says besides its figures. Internal to the report.
namespace stagecraft::views {

// What was measured, where, when and with what; what is not recorded says so.
QList<QPair<QString, QString>> reportFacts(const evidence::Namespace &evidence, const ViewOptions &options);

// How it was measured, a sentence or two an item.
QStringList reportMethod(const evidence::Namespace &evidence, const QList<evidence::ValueRow> &rows);

// What the evidence itself says that it does not hold or cannot tell.
QStringList reportLimits(const evidence::Namespace &evidence);

// What the reader of its files found: contradictions, damage, recorded states; with file and place.
QStringList reportProblems(const evidence::Namespace &evidence);

} // namespace stagecraft::views
