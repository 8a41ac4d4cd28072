// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <QDateTime>

// Where runs are kept: one namespace directory each, named by its start in UTC, so that the list sorts by time.
namespace stagecraft::window {

// AppDataLocation/runs
QString runsDirectory();

// A directory below `runs` that does not exist yet: "run-20260910T140312Z", with "-2" and so on behind it where one
// second saw two runs. It is not created.
QString newRunDirectory(const QString &runs, const QDateTime &now);

// Writes a copy of the namespace into `directory`; an error text that names file and cause, empty on success. A
// directory that holds another namespace is refused.
QString copyRun(const evidence::Namespace &evidence, const QString &directory);

} // namespace stagecraft::window
