// SPDX-License-Identifier: MIT
#include "nvidialibraries.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace stagecraft::capture {

namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

// Newest first, as names of releases sort. Unreadable folders are as good as absent.
Folders matchingChildren(const fs::path &folder, const std::string &prefix)
{
    Folders children;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
        if (entry.path().filename().string().starts_with(prefix))
            children.push_back(entry.path());
    }
    std::sort(children.rbegin(), children.rend());
    return children;
}

Folders colonSeparated(const std::string &text)
{
    Folders folders;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ':');) {
        if (!part.empty())
            folders.emplace_back(part);
    }
    return folders;
}

Folders toolkits()
{
    Folders roots;
    for (const char *name : {"CUDA_PATH", "CUDA_HOME"}) {
        if (const std::string root = environment(name); !root.empty())
            roots.emplace_back(root);
    }
    for (const fs::path &folder : colonSeparated(environment("PATH"))) {
        std::error_code error;
        const fs::path compiler = fs::canonical(folder / "nvcc", error);
        if (!error)
            roots.push_back(compiler.parent_path().parent_path());
    }
    roots.emplace_back("/usr/local/cuda");
    for (const fs::path &root : matchingChildren("/usr/local", "cuda-1"))
        roots.push_back(root);
    roots.emplace_back("/opt/cuda");
    return roots;
}

void addWheels(const fs::path &environmentRoot, Folders &folders)
{
    for (const fs::path &python : matchingChildren(environmentRoot / "lib", "python3")) {
        for (const fs::path &wheel : matchingChildren(python / "site-packages/nvidia", ""))
            folders.push_back(wheel / "lib");
    }
}

// Libraries that the wanted one would look for by its own means, which fail where the folder is not in the loader's
// search; loaded first, they are found by their sonames. Only those of the same major: "libX.so.13" for ".so.13".
void loadCompanions(const LibraryRequest &request, const std::string &soname, const fs::path &folder)
{
    if (folder.empty())
        return;
    const std::string ending = soname.substr(soname.find(".so."));
    for (const std::string &stem : request.companions) {
        for (const fs::path &file : matchingChildren(folder, stem + ending))
            SharedLibrary::load(file.filename().string(), folder);
    }
}

bool isThere(const fs::path &file)
{
    std::error_code error;
    return fs::exists(file, error);
}

// `damage` becomes the loader's message about a file that is there but does not load.
SharedLibrary firstThatLoads(const LibraryRequest &request, const std::string &soname, const Folders &folders,
                             std::string &damage)
{
    for (const fs::path &folder : folders) {
        if (!folder.empty() && !isThere(folder / soname))
            continue;
        loadCompanions(request, soname, folder);
        SharedLibrary library = SharedLibrary::load(soname, folder);
        if (library.loaded())
            return library;
        if (!folder.empty())
            damage = library.problem();
    }
    return {};
}

} // namespace

Folders namedFolders()
{
    return colonSeparated(environment("STAGECRAFT_CUDA_LIBRARIES"));
}

Folders usualFolders()
{
    Folders folders{{}};
    for (const fs::path &root : toolkits()) {
        for (const char *part : {"lib64", "lib", "targets/x86_64-linux/lib", "extras/CUPTI/lib64"})
            folders.push_back(root / part);
    }
    if (const std::string root = environment("VIRTUAL_ENV"); !root.empty())
        addWheels(root, folders);
    for (const char *place : {"/usr/lib/wsl/lib", "/usr/local/nvidia/lib64", "/usr/lib/x86_64-linux-gnu"})
        folders.emplace_back(place);
    return folders;
}

LibraryResult findLibrary(const LibraryRequest &request)
{
    LibraryResult result;
    for (const std::string &soname : request.sonames) {
        result.library = SharedLibrary::alreadyLoaded(soname);
        if (result.library.loaded())
            return result;
    }
    std::string damage;
    for (const Folders &folders : {namedFolders(), usualFolders()}) {
        for (const std::string &soname : request.sonames) {
            result.library = firstThatLoads(request, soname, folders, damage);
            if (result.library.loaded())
                return result;
        }
    }
    std::string wanted;
    for (const std::string &soname : request.sonames)
        wanted += (wanted.empty() ? "" : " or ") + soname;
    result.reason = damage.empty() ? wanted + " was not found" : wanted + " cannot be loaded: " + damage;
    result.fix = "install " + request.package + ", or name its folder in LD_LIBRARY_PATH or STAGECRAFT_CUDA_LIBRARIES";
    return result;
}

std::vector<std::string> sonamesFor(const std::string &stem, int driverVersion)
{
    const std::string newer = stem + ".so.13", older = stem + ".so.12";
    if (driverVersion != 0 && driverVersion < 13000)
        return {older, newer};
    return {newer, older};
}

} // namespace stagecraft::capture
