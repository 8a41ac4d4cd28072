// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

#include <chrono>
#include <string>

namespace stagecraft::worker {

// Tells whoever waits that a program goes on, as what it prints shows: a silent one may hang.
class ProgramProgress
{
public:
    ProgramProgress(const Session &session, std::string name) : m_session(session), m_name(std::move(name)) {}

    // At most one notification a second, none in the first, which shows no hang; none after half an hour, so that a
    // program that prints without end is found out too.
    void printed()
    {
        const auto now = Clock::now();
        if (now < m_next || now - m_begin > limit)
            return;
        m_next = now + period;
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - m_begin).count();
        m_session.log({"info", "the program " + m_name + " runs and prints, for " + std::to_string(seconds) + " s"});
    }

private:
    using Clock = std::chrono::steady_clock;

    static constexpr std::chrono::seconds period{1};
    static constexpr std::chrono::minutes limit{30};

    const Session &m_session;
    std::string m_name;
    Clock::time_point m_begin = Clock::now(), m_next = m_begin + period;
};

} // namespace stagecraft::worker
