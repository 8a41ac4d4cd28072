// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>

#include <atomic>
#include <chrono>

// Measures how long the event loop of the thread it is made in keeps an event waiting: another thread posts one every
// millisecond, as soon as the one before has been handled. The longest wait is the longest turn of the loop.
class EventPulse : public QObject
{
    Q_OBJECT
public:
    EventPulse();
    ~EventPulse() override;

    void reset();
    double longestMs() const { return m_longestMs; }
    double longestCpuMs() const
    {
        return m_longestCpuMs;
    } // of it, what this thread computed: the rest is the machine's
    long turns() const { return m_turns; }

protected:
    bool event(QEvent *event) override;

private:
    using Clock = std::chrono::steady_clock;

    void beat();

    std::unique_ptr<QThread> m_thread;
    std::atomic<bool> m_stop = false, m_waiting = false;
    std::atomic<Clock::rep> m_posted = 0;
    double m_lastCpuMs = 0, m_longestMs = 0, m_longestCpuMs = 0;
    long m_turns = 0;
};
