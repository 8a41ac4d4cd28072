// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// Finding NVIDIA's nvdisasm, which comes with the CUDA Toolkit and in a wheel of its own.
namespace stagecraft::run {

struct DisassemblerProgram
{
    QString path;        // empty: it was not found
    QString reason, fix; // then
};

// In order: PATH, the Toolkits (CUDA_PATH, CUDA_HOME, the usual prefixes, newest first), and the wheels of VIRTUAL_ENV,
// of this Python interpreter, of the one on PATH and of the user's own packages. Reads folders: not for the GUI thread.
QStringList disassemblerFolders(const QString &python = {});

DisassemblerProgram findDisassembler(const QString &python = {});

} // namespace stagecraft::run
