// SPDX-License-Identifier: MIT
#include "stagemacros.h"

#include <algorithm>

namespace stagecraft::stagefile {

namespace {

std::string upperCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

} // namespace

std::vector<Macro> macrosOf(const Stage &stage, const operations::Dims &dims)
{
    const operations::Operation *operation = operations::findOperation(stage.operation);
    std::vector<Macro> macros{{"STAGE_OPERATION_" + upperCase(operation->id), "1"}};
    for (std::size_t i = 0; i < operation->dimNames.size(); ++i)
        macros.emplace_back("STAGE_" + upperCase(operation->dimNames[i]), std::to_string(dims.at(i)));
    if (stage.scratchBytes > 0)
        macros.emplace_back("STAGE_SCRATCH", "1");
    if (!stage.tensorMaps.empty())
        macros.emplace_back("STAGE_TENSOR_MAPS", std::to_string(stage.tensorMaps.size()));
    return macros;
}

} // namespace stagecraft::stagefile
