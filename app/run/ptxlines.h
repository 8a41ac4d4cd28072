// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disassembly.h"

// Which line of a source each line of PTX was made from.
namespace stagecraft::run {

// One entry per line of the text: the place that the .loc directive before it names, and what that is inlined at; empty
// for lines that are no instructions. PTX says nothing of the calls further out.
QList<SourcePlaces> ptxPlaces(const QString &ptx);

// Whether the line declares, reads or writes local memory. Spilled registers are not seen in PTX.
bool ptxUsesLocalMemory(const QString &line);

} // namespace stagecraft::run
