// SPDX-License-Identifier: MIT
#include "errortail.h"

#include <sstream>
#include <vector>

namespace stagecraft::worker {

namespace {

constexpr std::size_t keptBytes = 2000;
constexpr std::size_t keptLines = 5;

} // namespace

void ErrorTail::append(std::string_view bytes)
{
    m_bytes += bytes;
    if (m_bytes.size() <= keptBytes)
        return;
    auto begin = m_bytes.size() - keptBytes;
    while (begin < m_bytes.size() && (static_cast<unsigned char>(m_bytes[begin]) & 0xC0) == 0x80)
        ++begin; // the middle of a character of UTF-8
    m_bytes.erase(0, begin);
}

std::string ErrorTail::lastLines() const
{
    std::vector<std::string> lines;
    std::istringstream stream(m_bytes);
    for (std::string line; std::getline(stream, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            lines.push_back(line);
    }
    std::string joined;
    for (auto i = lines.size() - std::min(lines.size(), keptLines); i < lines.size(); ++i)
        joined += (joined.empty() ? "" : " | ") + lines[i];
    return joined;
}

} // namespace stagecraft::worker
