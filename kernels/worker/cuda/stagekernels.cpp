// SPDX-License-Identifier: MIT
#include "stagekernels.h"

#include "backend.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace stagecraft::worker {

namespace {

std::string identifierAt(std::string_view text, std::size_t at)
{
    const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; };
    const auto *const begin = text.begin() + static_cast<std::ptrdiff_t>(at);
    return {begin, std::find_if_not(begin, text.end(), inside)};
}

std::string joined(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace

std::vector<std::string> entriesOf(const CompiledCode &code)
{
    // Each kernel of machine code has a section ".text.NAME"; PTX spells it ".entry NAME".
    const std::string_view text(code.image.data(), code.image.size());
    const std::string_view mark = text.starts_with("\177ELF") ? ".text." : ".entry ";
    std::vector<std::string> names;
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
        const std::string name = identifierAt(text, at + mark.size());
        if (!name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

void requireEntries(const stagefile::Stage &stage, const CompiledCode &code)
{
    const std::vector<std::string> names = entriesOf(code);
    for (std::size_t i = 0; i < stage.launches.size(); ++i) {
        const std::string &wanted = stage.launches[i].entry;
        if (std::ranges::find(names, wanted) != names.end())
            continue;
        const std::string have = names.empty() ? "it has no kernel" : "its kernels are " + joined(names);
        throw WorkerError(protocol::error::failed,
                          stage.fileName + ": the source has no kernel \"" + wanted + "\" for launch " +
                              std::to_string(i + 1) + "; " + have,
                          "name an extern \"C\" __global__ function of the file (without extern \"C\" its name is "
                          "mangled)",
                          code.log);
    }
}

std::vector<protocol::KernelResources> launchResources(const stagefile::Stage &stage, const CompiledCode &code)
{
    std::vector<protocol::KernelResources> launches;
    for (const stagefile::LaunchSpec &launch : stage.launches) {
        const auto kernel = std::ranges::find(code.kernels, launch.entry, &protocol::KernelResources::entry);
        if (kernel == code.kernels.end())
            throw WorkerError(protocol::error::failed,
                              stage.fileName + ": the compiler does not say what \"" + launch.entry + "\" takes",
                              "name a real architecture such as sm_80; check the NVRTC that stagecraft doctor lists",
                              code.log);
        launches.push_back(*kernel);
        launches.back().sharedBytes += launch.sharedBytes;
    }
    return launches;
}

} // namespace stagecraft::worker
