// SPDX-License-Identifier: GPL-3.0-or-later
#include "declarationchecks.h"

#include <QHash>

#include <cmath>
#include <numeric>

namespace stagecraft::evidence {

namespace {

// Everything that could be pooled into one value: the times of an implementation of an operation.
using Totals = QHash<std::pair<QString, QString>, double>;

bool isShown(State state)
{
    return state == State::Ok || state == State::Throttled;
}

// Leaves out of the total what would make it infinite.
template <typename Entry>
void addOrRefuse(double sum, double &total, Entry &entry, const JsonNode &node, const char *key)
{
    if (std::isfinite(total + sum)) {
        total += sum;
        return;
    }
    node.contradiction(key, QStringLiteral("The times are finite, their sum is not: no mean can be formed."));
    entry.state = State::Invalid;
    entry.reason = QStringLiteral("the sum of the times is out of range");
}

} // namespace

void checkSampleTotals(const JsonNode &root, Namespace &evidence)
{
    Totals totals;
    const JsonNode results = root.member("results");
    for (qsizetype i = 0; i < evidence.results.size(); ++i) {
        OperationResult &result = evidence.results[i];
        const JsonNode rounds = results.element(static_cast<std::size_t>(i)).member("rounds");
        for (qsizetype r = 0; r < result.rounds.size(); ++r) {
            const JsonNode implementations = rounds.element(static_cast<std::size_t>(r)).member("implementations");
            auto &measurements = result.rounds[r].implementations;
            for (auto it = measurements.begin(); it != measurements.end(); ++it) {
                if (isShown(it->state))
                    addOrRefuse(std::accumulate(it->samplesUs.begin(), it->samplesUs.end(), 0.0),
                                totals[{result.operation, it.key()}], *it,
                                implementations.member(it.key().toUtf8().constData()), "samples_us");
            }
        }
    }
}

void checkKernelTotals(const JsonNode &root, Namespace &evidence)
{
    Totals totals;
    const JsonNode captures = root.member("captures");
    for (qsizetype i = 0; i < evidence.captures.size(); ++i) {
        Capture &capture = evidence.captures[i];
        if (!isShown(capture.state))
            continue;
        const double sum =
            std::accumulate(capture.records.begin(), capture.records.end(), 0.0,
                            [](double before, const KernelRecord &record) { return before + record.durationUs; });
        addOrRefuse(sum, totals[{capture.operation, capture.language}], capture,
                    captures.element(static_cast<std::size_t>(i)), "kernel_metrics");
    }
}

} // namespace stagecraft::evidence
