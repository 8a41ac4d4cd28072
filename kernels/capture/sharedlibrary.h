// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft::capture {

// A library loaded at run time, and where it came from. It stays loaded until the process ends: NVIDIA's libraries keep
// threads and exit handlers that outlive any sensible scope.
class SharedLibrary
{
public:
    SharedLibrary() = default;

    // The copy that is in this process already, whoever loaded it; not loaded() where there is none.
    static SharedLibrary alreadyLoaded(const std::string &soname);

    // The files of the libraries in this process whose names begin with the stem ("libcupti": libcupti.so.13,
    // libcupti-8f31.so.12.8), as alreadyLoaded() takes them.
    static std::vector<std::string> loadedFiles(const std::string &stem);

    // By the loader's own search where `folder` is empty, else from that folder alone. Where it cannot be loaded,
    // problem() is the loader's message.
    static SharedLibrary load(const std::string &soname, const std::filesystem::path &folder = {});

    bool loaded() const { return m_handle != nullptr; }
    const std::string &path() const { return m_path; } // of the file that was loaded
    const std::string &problem() const { return m_problem; }

    // nullptr where the library has no such symbol.
    void *symbol(const char *name) const;

    template <typename Function>
    bool bind(Function *&target, const char *name) const
    {
        target = reinterpret_cast<Function *>(symbol(name));
        return target != nullptr;
    }

private:
    void adopt(void *handle);
    void *m_handle = nullptr;
    std::string m_path, m_problem;
};

} // namespace stagecraft::capture
