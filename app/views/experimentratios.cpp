// SPDX-License-Identifier: GPL-3.0-or-later
#include "experimentratios.h"

#include <cmath>

namespace stagecraft::views {

using nlohmann::json;

namespace {

// Which of the two is divided by which, the recorded ratio says.
std::optional<LabelledRatio> ratioOf(const QString &what, const json &values, double expected)
{
    if (!values.is_object() || values.size() != 2)
        return std::nullopt;
    const auto first = values.begin(), second = std::next(first);
    if (!first->is_number() || !second->is_number())
        return std::nullopt;
    LabelledRatio ratio{what, QString::fromStdString(first.key()), QString::fromStdString(second.key()),
                        first->get<double>(), second->get<double>()};
    if (!(ratio.numerator > 0) || !(ratio.denominator > 0))
        return std::nullopt;
    const double forward = ratio.numerator / ratio.denominator;
    if (std::abs(1 / forward - expected) < std::abs(forward - expected)) {
        std::swap(ratio.numerator, ratio.denominator);
        std::swap(ratio.numeratorLabel, ratio.denominatorLabel);
    }
    return ratio;
}

double distance(const LabelledRatio &ratio, double expected)
{
    return std::abs(ratio.numerator / ratio.denominator - expected);
}

} // namespace

std::optional<LabelledRatio> countedRatio(const evidence::ProgressionExperiment &experiment)
{
    std::optional<LabelledRatio> best;
    if (!experiment.counts.is_object())
        return best;
    for (const auto &[name, values] : experiment.counts.items()) {
        const auto ratio = ratioOf(QString::fromStdString(name), values, experiment.predicted);
        if (ratio && (!best || distance(*ratio, experiment.predicted) < distance(*best, experiment.predicted)))
            best = ratio;
    }
    return best;
}

std::optional<LabelledRatio> measuredRatio(const evidence::ProgressionExperiment &experiment)
{
    return ratioOf(experiment.metric, experiment.values, experiment.measured);
}

} // namespace stagecraft::views
