// SPDX-License-Identifier: MIT
#include "sharedlibrary.h"

#include <dlfcn.h>
#include <link.h>

namespace stagecraft::capture {

SharedLibrary SharedLibrary::alreadyLoaded(const std::string &soname)
{
    SharedLibrary library;
    library.adopt(dlopen(soname.c_str(), RTLD_LAZY | RTLD_NOLOAD));
    return library;
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
