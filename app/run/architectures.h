// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagefit.h"

#include <optional>
#include <QString>
#include <QStringList>

// The architectures that stages are compiled for, with or without a GPU.
namespace stagecraft::run {

const QStringList &knownArchitectures(); // "sm_75" to "sm_120", oldest first
QString usualArchitecture();             // without a GPU: "sm_90a"

// "9.0" → "sm_90a"; empty for no compute capability.
QString architectureOf(const QString &computeCapability);

// What stages can ask for, of such an architecture; the SM count is not known and 1.
std::optional<stagefile::GpuFacts> gpuFactsOf(const QString &architecture);

} // namespace stagecraft::run
