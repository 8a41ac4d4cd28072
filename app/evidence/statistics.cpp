// SPDX-License-Identifier: GPL-3.0-or-later
#include "statistics.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace stagecraft::evidence {

QMap<int, double> runMeans(const Estimate &estimate, int roundsPerRun)
{
    QMap<int, double> means;
    if (roundsPerRun <= 0 || estimate.roundIndices.size() != estimate.roundMeans.size())
        return means;
    QMap<int, QList<double>> rounds;
    for (qsizetype i = 0; i < estimate.roundIndices.size(); ++i)
        rounds[estimate.roundIndices[i] / roundsPerRun].append(estimate.roundMeans[i]);
    for (auto it = rounds.begin(); it != rounds.end(); ++it)
        means.insert(it.key(), mean(it.value()));
    return means;
}

double mean(std::span<const double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::span<const double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::vector<double> sorted(values.begin(), values.end());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    if (sorted.size() % 2 == 1)
        return *middle;
    return (*std::max_element(sorted.begin(), middle) + *middle) / 2;
}

} // namespace stagecraft::evidence
