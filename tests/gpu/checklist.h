// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace stagecraft::tests {

struct CheckFailed : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

// Throws CheckFailed with the text where the condition does not hold.
void require(bool condition, const std::string &otherwise);

// Runs named checks, prints a line for each, and counts.
class Checklist
{
public:
    // `check` returns what is worth printing beside "ok"; any exception fails it.
    void run(const std::string &name, const std::function<std::string()> &check);

    int failures() const { return m_failures; }
    int count() const { return m_count; }

private:
    int m_count = 0, m_failures = 0;
};

} // namespace stagecraft::tests
