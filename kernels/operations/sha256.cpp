// SPDX-License-Identifier: MIT
#include "sha256.h"

#include <array>
#include <sys/types.h>

#include <sha2.h>

namespace stagecraft::operations {

std::string sha256(std::span<const std::byte> bytes)
{
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
    std::array<char, SHA256_DIGEST_STRING_LENGTH> text{};
    return SHA256End(&context, text.data());
}

} // namespace stagecraft::operations
