// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace stagecraft::evidence {

// Whether results are those of another tool, by its own protocol: `imported` names a tool that this program imports
// from and the files that it read, and nothing stands beside it that only this project's own runs record (hashes of
// sources and inputs, declared rounds and iterations, the GPU's state). Takes the root of comparison-results.json.
bool isImported(const nlohmann::json &results);

} // namespace stagecraft::evidence
