// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourceview.h"

namespace stagecraft::window {

// CUDA C++ as a stage is written in it.
const widgets::SourceLanguage &cudaLanguage();

} // namespace stagecraft::window
