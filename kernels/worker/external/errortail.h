// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace stagecraft::worker {

// The last lines of what a program wrote to its standard error, however much that is.
class ErrorTail
{
public:
    void append(std::string_view bytes);
    std::string lastLines() const; // five at most, those that are empty left out, joined by " | "

private:
    std::string m_bytes;
};

} // namespace stagecraft::worker
