// SPDX-License-Identifier: MIT
#include "sharedlibrary.h"

#include <dlfcn.h>
#include <link.h>

namespace stagecraft::capture {

namespace {

struct Wanted
{
    const std::string &stem;
    std::vector<std::string> files;
};

int noteLoaded(dl_phdr_info *info, std::size_t, void *data)
{
    auto &wanted = *static_cast<Wanted *>(data);
    const std::string file = info->dlpi_name;
    const std::string name = file.substr(file.rfind('/') + 1);
    if (name.starts_with(wanted.stem) && name.find_first_of(".-", wanted.stem.size()) == wanted.stem.size())
        wanted.files.push_back(file);
    return 0;
}

} // namespace

SharedLibrary SharedLibrary::alreadyLoaded(const std::string &soname)
{
    SharedLibrary library;
    library.adopt(dlopen(soname.c_str(), RTLD_LAZY | RTLD_NOLOAD));
    return library;
}

std::vector<std::string> SharedLibrary::loadedFiles(const std::string &stem)
{
    Wanted wanted{stem, {}};
    dl_iterate_phdr(noteLoaded, &wanted);
    return wanted.files;
}

SharedLibrary SharedLibrary::load(const std::string &soname, const std::filesystem::path &folder)
{
    SharedLibrary library;
    const std::string file = folder.empty() ? soname : (folder / soname).string();
    library.adopt(dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL));
    return library;
}

void SharedLibrary::adopt(void *handle)
{
    m_handle = handle;
    if (!handle) {
        const char *message = dlerror();
        m_problem = message ? message : "not loaded";
        return;
    }
    link_map *map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name)
        m_path = map->l_name;
}

void *SharedLibrary::symbol(const char *name) const
{
    return m_handle ? dlsym(m_handle, name) : nullptr;
}

} // namespace stagecraft::capture
