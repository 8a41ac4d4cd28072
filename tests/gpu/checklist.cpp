// SPDX-License-Identifier: GPL-3.0-or-later
#include "checklist.h"

#include <algorithm>
#include <iostream>

namespace stagecraft::tests {

namespace {

CheckRecord outcomeOf(const std::string &name, const std::function<std::string()> &check)
{
    try {
        return {name, Outcome::Passed, check()};
    } catch (const CheckSkipped &reason) {
        return {name, Outcome::Skipped, reason.what()};
    } catch (const std::exception &error) {
        return {name, Outcome::Failed, error.what()};
    }
}

const char *wordFor(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Passed:
        return "ok    ";
    case Outcome::Failed:
        return "FAIL  ";
    case Outcome::Skipped:
        return "skip  ";
    }
    return "";
}

} // namespace

void require(bool condition, const std::string &otherwise)
{
    if (!condition)
        throw CheckFailed(otherwise);
}

void Checklist::run(const std::string &name, const std::function<std::string()> &check)
{
    const CheckRecord &record = m_records.emplace_back(outcomeOf(name, check));
    std::cout << wordFor(record.outcome) << name << (record.detail.empty() ? "" : ": ") << record.detail << std::endl;
}

int Checklist::count(Outcome outcome) const
{
    return static_cast<int>(std::ranges::count(m_records, outcome, &CheckRecord::outcome));
}

} // namespace stagecraft::tests
