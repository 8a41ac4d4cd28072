// SPDX-License-Identifier: GPL-3.0-or-later
#include "remainingtime.h"

#include <cmath>

namespace stagecraft::run {

namespace {

QString key(const RunStep &step)
{
    return QStringLiteral("%1/%2/%3").arg(step.kind).arg(step.operation).arg(step.implementation);
}

} // namespace

void RemainingTime::add(const RunStep &step, qint64 ms)
{
    for (Mean *mean : {&m_alike[key(step)], &m_kinds[step.kind]}) {
        mean->sum += static_cast<double>(ms);
        ++mean->count;
    }
}

qint64 RemainingTime::estimate(const QList<RunStep> &steps, qsizetype from) const
{
    if (m_kinds.value(RunStep::Spans).count == 0)
        return -1;
    qint64 sum = 0;
    for (qsizetype i = from; i < steps.size(); ++i)
        sum += estimateOne(steps[i]);
    return sum;
}

qint64 RemainingTime::estimateOne(const RunStep &step) const
{
    const auto alike = m_alike.constFind(key(step));
    return std::llround(alike != m_alike.constEnd() ? alike->value() : m_kinds.value(step.kind).value());
}

} // namespace stagecraft::run
