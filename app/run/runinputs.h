// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

#include <map>
#include <memory>
#include <QLockFile>
#include <QTemporaryDir>
#include <string>

namespace stagecraft::run {

// A temporary directory that a later start removes where this program was killed before it could: the lock file beside
// it says whose it is, and is held as long as it lives.
class InputDirectory
{
public:
    InputDirectory();
    ~InputDirectory();
    InputDirectory(const InputDirectory &) = delete;
    InputDirectory &operator=(const InputDirectory &) = delete;

    QString path() const { return m_directory.path(); }
    QString problem() const; // why there is none; empty where there is one

private:
    std::unique_ptr<QLockFile> m_lock; // goes after the directory
    QTemporaryDir m_directory;
};

// Removes those of programs of this user that are gone. Nothing whose lock is held or absent is touched.
void removeAbandonedInputs();

// The inputs of one operation of a run. Copies share the temporary directory, which goes with the last of them.
struct RunInputs
{
    std::shared_ptr<InputDirectory> directory; // none where workers generate their own
    std::map<std::string, std::string> sha256;
    QString problem; // why there are none; empty on success

    std::string path() const { return directory ? directory->path().toStdString() : std::string(); }
};

// Generates the inputs and, where workers share this machine's files, writes them with their FP64 reference to a
// temporary directory. Takes seconds for large dims: for a thread of its own. Reentrant.
RunInputs makeRunInputs(const RunPlan &plan, const PlannedOperation &planned, bool shared);

} // namespace stagecraft::run
