// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::evidence {

// Writes comparison-results.json and comparison-profiles.json (and summary.json, progression.json, floors.json,
// comparison-counters.json where the namespace has them) into a directory, each atomically (QSaveFile), format 1,
// keeping unknown keys of the documents it was read from. Creates the directory. Returns an error text that names the
// file and cause, empty on success.
QString writeNamespace(const Namespace &evidence, const QString &directory);

// mage's form: format keys dropped, captures of one operation and implementation joined over rounds, implementation
// ids replaced by `map` (cuda → rust, pytorch → python). An implementation that lacks a round, of its spans or of some
// of its captures, is left out of that operation, and so is an operation that keeps none. `excluded` gets a line for
// each, "OPERATION ID, for want of …", which the file has too. Same error convention; nothing left is an error.
QString writeMage(const Namespace &evidence, const QMap<QString, QString> &map, const QString &directory,
                  QStringList &excluded);

} // namespace stagecraft::evidence
