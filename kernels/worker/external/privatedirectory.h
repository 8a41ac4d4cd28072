// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace stagecraft::worker {

// A new directory that nobody else knows and that goes with this object.
class PrivateDirectory
{
public:
    // Below `parent` where that is a directory that can be written to: who made that one removes what a killed process
    // leaves in it. Else below the system's directory for temporary files. Throws WorkerError(error::failed).
    explicit PrivateDirectory(const std::filesystem::path &parent);
    ~PrivateDirectory();
    PrivateDirectory(const PrivateDirectory &) = delete;
    PrivateDirectory &operator=(const PrivateDirectory &) = delete;

    // All that there are, from any thread: for a process that ends with no destructor called.
    static void removeAll();

    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace stagecraft::worker
