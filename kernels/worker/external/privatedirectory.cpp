// SPDX-License-Identifier: MIT
#include "privatedirectory.h"

#include "backend.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;

// Empty, with errno, where none can be made.
fs::path madeBelow(const fs::path &parent)
{
    std::string path = (parent / "stagecraft-external-XXXXXX").string();
    return mkdtemp(path.data()) ? fs::path(path) : fs::path();
}

fs::path madeBelowTemporary()
{
    std::error_code error;
    const auto parent = fs::temp_directory_path(error);
    if (error)
        throw WorkerError(protocol::error::failed,
                          "the directory for temporary files cannot be used: " + error.message(),
                          "set TMPDIR to a directory that can be written to");
    auto path = madeBelow(parent);
    if (path.empty())
        throw WorkerError(protocol::error::failed,
                          std::string("no private directory can be made for the program: ") + std::strerror(errno),
                          "set TMPDIR to a directory that can be written to and has room for the inputs");
    return path;
}

struct Registry
{
    std::mutex mutex;
    std::set<fs::path> paths;
};

// Never destroyed: it is asked for until the process is gone.
Registry &registry()
{
    static auto *const all = new Registry;
    return *all;
}

// Somebody may still write into it, so that it is not empty when it is to go.
void removeWhileInUse(const fs::path &path)
{
    constexpr int attempts = 20;
    std::error_code error;
    for (int i = 0; i < attempts && (i == 0 || error); ++i)
        fs::remove_all(path, error);
}

} // namespace

PrivateDirectory::PrivateDirectory(const fs::path &parent) : m_path(parent.empty() ? fs::path() : madeBelow(parent))
{
    if (m_path.empty())
        m_path = madeBelowTemporary();
    const std::scoped_lock lock(registry().mutex);
    registry().paths.insert(m_path);
}

PrivateDirectory::~PrivateDirectory()
{
    // A program may have taken the right to write from what it made; there is nobody to tell.
    std::error_code error;
    fs::remove_all(m_path, error);
    const std::scoped_lock lock(registry().mutex);
    registry().paths.erase(m_path);
}

void PrivateDirectory::removeAll()
{
    const std::scoped_lock lock(registry().mutex);
    for (const auto &path : registry().paths)
        removeWhileInUse(path);
}

} // namespace stagecraft::worker
