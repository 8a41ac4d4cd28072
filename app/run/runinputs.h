// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

#include <map>
#include <memory>
#include <QTemporaryDir>
#include <string>

namespace stagecraft::run {

// The inputs of one operation of a run. Copies share the temporary directory, which goes with the last of them.
struct RunInputs
{
    std::shared_ptr<QTemporaryDir> directory; // none where workers generate their own
    std::map<std::string, std::string> sha256;
    QString problem; // why there are none; empty on success

    std::string path() const { return directory ? directory->path().toStdString() : std::string(); }
};

// Generates the inputs and, where workers share this machine's files, writes them with their FP64 reference to a
// temporary directory. Takes seconds for large dims: for a thread of its own. Reentrant.
RunInputs makeRunInputs(const RunPlan &plan, const PlannedOperation &planned, bool shared);

} // namespace stagecraft::run
