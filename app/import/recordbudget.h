// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"

namespace stagecraft::import {

// Evidence files are read up to 256 MiB, and need several times as much memory while they are; kernel records of all
// files together are kept to this much of one, some 300 000 launches.
inline constexpr qint64 recordBytes = qint64{96} << 20;

// Keeps the first launches of each series, as many for each, where all records would be more than `budget` bytes of a
// file. What is dropped is said in the file's leftOut.
void limitRecords(QList<ForeignFile> &files, qint64 budget = recordBytes);

} // namespace stagecraft::import
