// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// NVIDIA's cuobjdump (and the nvdisasm that it runs), from the folder that STAGECRAFT_CUDA_TOOLS names, from PATH, from
// the Toolkit that this build found, or from the wheels that packaging/test.sh brings.
namespace stagecraft::tests {

// Empty where there is none, or none that has an nvdisasm to run.
QString findCuobjdump();

// What it prints; fails the test and returns nothing where it ends otherwise than well.
std::string runCuobjdump(const QString &program, const QString &option, const QString &cubin);

} // namespace stagecraft::tests
