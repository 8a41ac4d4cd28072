// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

namespace stagecraft::stagefile {

inline constexpr std::size_t maximumStageBytes = 1u << 20;

// Reads the front matter of a stage's text. `operation` must be of the catalogue and `id` a stage id (lower-case
// letters, digits and '-'). The text is untrusted: every key is checked for type, range and spelling. Throws
// StageError.
Stage parseStage(const std::string &operation, const std::string &id, std::string text);

} // namespace stagecraft::stagefile
