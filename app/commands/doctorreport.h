// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disassemblerplaces.h"
#include "runner.h"

// What the workers said of themselves, and which of NVIDIA's programs are here, for people and for programs.
namespace stagecraft::commands {

QStringList doctorText(const QList<run::WorkerReport> &reports, const run::DisassemblerProgram &disassembler);
nlohmann::json doctorJson(const QList<run::WorkerReport> &reports, const run::DisassemblerProgram &disassembler);

// The host worker answered and its self test passed: what `doctor` itself fails by.
bool hostIsSound(const QList<run::WorkerReport> &reports);

} // namespace stagecraft::commands
