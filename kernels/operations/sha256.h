// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace stagecraft::operations {

// SHA-256 in lower-case hexadecimal, of buffers and of stage files alike.
std::string sha256(std::span<const std::byte> bytes);

} // namespace stagecraft::operations
