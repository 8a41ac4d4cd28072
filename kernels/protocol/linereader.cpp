// SPDX-License-Identifier: MIT
#include "linereader.h"

#include "protocolerror.h"

namespace stagecraft::protocol {

void LineReader::append(std::string_view chunk)
{
    m_buffer.append(chunk);
}

// Moving the rest to the front only when it is the smaller part keeps the cost linear for many short lines in a chunk.
void LineReader::dropStart(std::size_t length)
{
    m_start += length;
    m_scanned = m_start;
    if (m_start >= m_buffer.size() - m_start) {
        m_buffer.erase(0, m_start);
        m_start = m_scanned = 0;
    }
}

std::optional<std::string> LineReader::next()
{
    for (;;) {
        const auto end = m_buffer.find('\n', m_scanned);
        const bool complete = end != std::string::npos;
        const auto length = (complete ? end : m_buffer.size()) - m_start;
        const bool tooLong = !m_dropping && length > m_maximum;
        if (!complete && !tooLong && !m_dropping) {
            m_scanned = m_buffer.size();
            return std::nullopt;
        }
        if (complete && !tooLong && !m_dropping) {
            std::string line = m_buffer.substr(m_start, length);
            dropStart(length + 1);
            if (!line.empty() && line.back() == '\r')
                line.pop_back();
            return line;
        }
        dropStart(complete ? length + 1 : length);
        m_dropping = !complete;
        if (tooLong)
            throw ProtocolError(rpc::parseError, {},
                                "a line is longer than " + std::to_string(m_maximum) + " bytes and was dropped");
        if (!complete)
            return std::nullopt;
    }
}

} // namespace stagecraft::protocol
