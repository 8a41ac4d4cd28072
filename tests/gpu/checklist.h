// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace stagecraft::tests {

struct CheckFailed : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

// What is to be checked cannot be on this machine; the text says why.
struct CheckSkipped : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

// Throws CheckFailed with the text where the condition does not hold.
void require(bool condition, const std::string &otherwise);

enum class Outcome
{
    Passed,
    Failed,
    Skipped
};

struct CheckRecord
{
    std::string name;
    Outcome outcome;
    std::string detail; // what is worth knowing, or why not
};

// Runs named checks, prints a line for each, and keeps what became of them.
class Checklist
{
public:
    // `check` returns what is worth printing beside "ok"; any exception but CheckSkipped fails it.
    void run(const std::string &name, const std::function<std::string()> &check);

    const std::vector<CheckRecord> &records() const { return m_records; }
    int count(Outcome outcome) const;

private:
    std::vector<CheckRecord> m_records;
};

} // namespace stagecraft::tests
