// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMetaType>
#include <QStringList>

// Machine code as values, read from the text that NVIDIA's nvdisasm prints of a cubin.
namespace stagecraft::run {

// A line of a source, from 1; the file by its last name ("tiled.cu", "stagecraft.cuh").
struct SourcePlace
{
    QString file;
    int line = 0;
    bool operator==(const SourcePlace &) const = default;
};

// Where an instruction comes from: the place itself first, then those that each is inlined at.
using SourcePlaces = QList<SourcePlace>;

// The innermost line of this file, 0 where none of the places is in it.
int lineIn(const SourcePlaces &places, const QString &file);
bool isFrom(const SourcePlaces &places, const QString &file, int line);

struct Instruction
{
    quint64 address = 0; // bytes from the section's start
    QString predicate;   // "@!P3"; empty: none
    QString opcode;      // "LDG.E.CONSTANT"
    QString operands;    // "R24, desc[UR6][R10.64]"
    SourcePlaces places; // empty: the compiler says nothing
    QStringList labels;  // that stand before it, ".L_x_0"
};

// A section of code: an entry, or a function that was not inlined.
struct CodeSection
{
    QString name; // "matmul_tiled"
    QList<Instruction> instructions;
};

struct Disassembly
{
    QString target; // "sm_90a", as the text says
    QList<CodeSection> sections;
    int notUnderstood = 0; // lines that begin like an instruction and are none

    qsizetype instructions() const;
};

// Any text is read: what is not understood is left out, and counted where it looks like an instruction.
Disassembly parseDisassembly(const QString &text);

// The text with its files by their last names: it then names no folder of this machine.
QString withoutFolders(const QString &text);

} // namespace stagecraft::run
