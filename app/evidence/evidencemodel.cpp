// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencemodel.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stagecraft::evidence {

namespace {

constexpr std::array<std::pair<State, const char *>, 7> stateNames{{
    {State::Ok, "ok"},
    {State::Failed, "failed"},
    {State::Invalid, "invalid"},
    {State::Throttled, "throttled"},
    {State::Unavailable, "unavailable"},
    {State::Undecided, "undecided"},
    {State::NotRun, "not run"},
}};

} // namespace

QString stateName(State state)
{
    const auto entry =
        std::find_if(stateNames.begin(), stateNames.end(), [state](const auto &pair) { return pair.first == state; });
    return entry == stateNames.end() ? QString() : QString::fromLatin1(entry->second);
}

std::optional<State> stateFromName(const QString &name)
{
    const auto entry = std::find_if(stateNames.begin(), stateNames.end(),
                                    [&name](const auto &pair) { return name == QLatin1String(pair.second); });
    return entry == stateNames.end() ? std::nullopt : std::optional(entry->first);
}

bool Namespace::hasContradiction() const
{
    return std::any_of(problems.begin(), problems.end(), [](const Problem &problem) { return problem.fatal; });
}

} // namespace stagecraft::evidence
