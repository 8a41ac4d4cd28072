// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "instructionmix.h"
#include "sampledcode.h"
#include "sourceview.h"
#include "valuetable.h"

#include <QHash>

// Code that was made from a stage's file, as text whose lines know the lines of that file. Lines count from 1.
namespace stagecraft::window {

struct CodeListing
{
    QString text;
    QList<int> flagged;                    // lines that touch local memory, in order
    QHash<int, QList<int>> linesOf;        // by line of the file: what was made of it, inlined or not; in order
    QHash<int, int> sourceLines;           // by line of the text: the file's line that it is from most closely
    QHash<int, run::InstructionMix> mixes; // by line of the file; of machine code
};

// `file` is the stage's, by its last name. Of machine code a line is
//   /*  58 0330  */ @!P3 LDG.E.CONSTANT R24, desc[UR6][R10.64]
// the source line (none where it is of another file only), the address, the instruction; ▲ and a comment mark local
// memory. With samples, of this very code, each instruction's share of them and what its warps wait for most come
// first:
//   /* 12.3 % long scoreboard      58 0330  */ @!P3 LDG.E.CONSTANT R24, desc[UR6][R10.64]
CodeListing sassListing(const run::Disassembly &code, const QString &file, const run::SampledCode *samples = nullptr);
CodeListing ptxListing(const QString &ptx, const QString &file);

// A row per kind that is there, the most frequent first; per section its instructions and their share, then all.
widgets::ValueTable mixTable(const run::Disassembly &code);

const widgets::SourceLanguage &sassLanguage();
const widgets::SourceLanguage &ptxLanguage();

} // namespace stagecraft::window
