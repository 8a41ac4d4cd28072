// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

namespace stagecraft::import {

// The stage that a file's series stands for, as evidence names it: "elementwise_kernel/before".
QString stageName(const QString &operation, const QString &fileId);

// A progression with a stage per file, in their order, of every operation for which all of them have a stage. What is
// in some files only is added to `leftOut`. Nothing where no operation is in all of them.
std::optional<evidence::Progression> fileProgression(const evidence::Namespace &evidence, const QStringList &fileIds,
                                                     QStringList &leftOut);

} // namespace stagecraft::import
