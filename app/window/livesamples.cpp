// SPDX-License-Identifier: GPL-3.0-or-later
#include "livesamples.h"

#include "statistics.h"
#include "viewcatalogue.h"

namespace stagecraft::window {

void LiveSamples::reset()
{
    m_operation.clear();
    m_lines.clear();
    clear();
    setTitle(tr("Live samples"), tr("spans as they arrive, lower is better"));
    setUnit(QStringLiteral("µs"));
}

void LiveSamples::append(const run::SampleBatch &batch)
{
    if (batch.operation != m_operation) {
        reset();
        m_operation = batch.operation;
        setTitle(evidence::operationLabel(m_operation), tr("spans as they arrive, µs, lower is better"));
    }
    Line &line = lineOf(batch.implementation, batch.round);
    if (line.round != batch.round) {
        line.round = batch.round;
        markRound(line.series);
    }
    StripChart::append(line.series, batch.us);
}

LiveSamples::Line &LiveSamples::lineOf(const QString &implementation, int round)
{
    auto line = m_lines.find(implementation);
    if (line == m_lines.end()) {
        const int series = addSeries(evidence::implementationLabel(implementation), views::colorRole(implementation));
        line = m_lines.insert(implementation, {series, round});
    }
    return *line;
}

} // namespace stagecraft::window
