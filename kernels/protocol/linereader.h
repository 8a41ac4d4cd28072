// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stagecraft::protocol {

// Bytes in, lines out, from chunks of any size, with at most `maximum` bytes held for a line.
class LineReader
{
public:
    explicit LineReader(std::size_t maximum = maximumLineBytes) : m_maximum(maximum) {}

    void append(std::string_view chunk);

    // The next complete line without its line end ("\n" or "\r\n"); nullopt until more bytes come. Throws
    // ProtocolError once for a line that is too long, which is dropped up to its end; later lines are read as usual.
    std::optional<std::string> next();

private:
    void dropStart(std::size_t length);

    std::size_t m_maximum;
    std::string m_buffer;
    std::size_t m_start = 0;   // of the line that is being read
    std::size_t m_scanned = 0; // up to here there is no line end
    bool m_dropping = false;   // inside a line that was too long
};

} // namespace stagecraft::protocol
