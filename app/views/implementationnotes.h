// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <QMap>

namespace stagecraft::views {

// What each implementation's worker says of how it computes (workspace, tiles, TF32), each text once.
QMap<QString, QStringList> implementationNotes(const evidence::Namespace &evidence);

} // namespace stagecraft::views
