// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventpulse.h"

#include <QCoreApplication>
#include <QEvent>

#include <algorithm>
#include <ctime>
#include <thread>

namespace {

const QEvent::Type pulseType = static_cast<QEvent::Type>(QEvent::registerEventType());

double threadCpuMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

} // namespace

EventPulse::EventPulse() : m_thread(QThread::create([this] { beat(); }))
{
    m_lastCpuMs = threadCpuMs();
    m_thread->start();
}

EventPulse::~EventPulse()
{
    m_stop = true;
    m_thread->wait();
}

void EventPulse::beat()
{
    while (!m_stop) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (m_waiting)
            continue;
        m_posted = Clock::now().time_since_epoch().count();
        m_waiting = true;
        QCoreApplication::postEvent(this, new QEvent(pulseType));
    }
}

bool EventPulse::event(QEvent *event)
{
    if (event->type() != pulseType)
        return QObject::event(event);
    const Clock::duration wait(Clock::now().time_since_epoch().count() - m_posted);
    const double cpu = threadCpuMs();
    m_longestMs = std::max(m_longestMs, std::chrono::duration<double, std::milli>(wait).count());
    m_longestCpuMs = std::max(m_longestCpuMs, cpu - m_lastCpuMs);
    m_lastCpuMs = cpu;
    ++m_turns;
    m_waiting = false;
    return true;
}

void EventPulse::reset()
{
    m_longestMs = m_longestCpuMs = 0;
    m_turns = 0;
    m_lastCpuMs = threadCpuMs();
}
