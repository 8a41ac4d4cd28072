// SPDX-License-Identifier: GPL-3.0-or-later
#include "scatterparts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagecraft::widgets {

namespace {

constexpr double kMargin = 0.25;     // decades around what is drawn
constexpr double kLeastDecades = 2;  // that a scale spans
constexpr double kFineDecades = 2.6; // up to which decades are divided
constexpr int kMostTicks = 7;

void addDecades(DecadeScale &scale, double stride)
{
    const double high = std::log10(scale.high);
    for (double power = std::ceil(std::log10(scale.low) / stride) * stride; power <= high; power += stride)
        scale.ticks.append(std::pow(10.0, power));
}

void addFineTicks(DecadeScale &scale)
{
    for (double power = std::floor(std::log10(scale.low)); power <= std::log10(scale.high); ++power)
        for (const double step : {1.0, 2.0, 5.0})
            if (const double value = step * std::pow(10.0, power); value >= scale.low && value <= scale.high)
                scale.ticks.append(value);
}

class Bounds
{
public:
    void include(double value)
    {
        m_low = m_any ? std::min(m_low, value) : value;
        m_high = m_any ? std::max(m_high, value) : value;
        m_any = true;
    }

    DecadeScale scale() const
    {
        DecadeScale scale;
        if (!m_any)
            return scale;
        double low = std::log10(m_low) - kMargin, high = std::log10(m_high) + kMargin;
        const double lacking = std::max(0.0, kLeastDecades - (high - low));
        low -= lacking / 2;
        high += lacking / 2;
        scale.low = std::pow(10.0, low);
        scale.high = std::pow(10.0, high);
        if (high - low <= kFineDecades)
            addFineTicks(scale);
        else
            addDecades(scale, std::ceil((high - low) / kMostTicks));
        return scale;
    }

private:
    bool m_any = false;
    double m_low = 0, m_high = 0;
};

} // namespace

double DecadeScale::part(double value) const
{
    return std::clamp((std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low)), 0.0, 1.0);
}

bool isPositive(const std::optional<double> &value)
{
    return value && std::isfinite(*value) && *value > 0;
}

bool isDrawn(const FigureScatterItem &item)
{
    return isPositive(item.y) && std::ranges::any_of(item.x, isPositive);
}

// Where slopes meet the highest level is shown too: left of it bytes limit, right of it arithmetic.
ScatterRange scatterRange(const FigureScatter &scatter)
{
    ScatterRange range;
    Bounds x, y;
    for (const FigureScatterItem &item : scatter.items) {
        if (!isDrawn(item))
            continue;
        y.include(item.y);
        for (const std::optional<double> &value : item.x)
            if (isPositive(value))
                x.include(*value);
    }
    double shallowest = 0;
    for (const FigureScatterCeiling &ceiling : scatter.ceilings) {
        if (isPositive(ceiling.level)) {
            y.include(*ceiling.level);
            range.highestLevel = std::max(range.highestLevel, *ceiling.level);
        } else if (isPositive(ceiling.slope)) {
            range.steepest = std::max(range.steepest, *ceiling.slope);
            shallowest = shallowest > 0 ? std::min(shallowest, *ceiling.slope) : *ceiling.slope;
        }
    }
    if (range.highestLevel > 0 && shallowest > 0)
        x.include(range.highestLevel / shallowest);
    range.x = x.scale();
    range.y = y.scale();
    if (!(range.highestLevel > 0))
        range.highestLevel = range.y.high;
    return range;
}

QString decadeText(double value)
{
    return QString::number(value, 'g', 6);
}

QList<double> spreadTexts(QList<double> wanted, double top, double bottom, double height)
{
    QList<qsizetype> order(wanted.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](qsizetype index) { return wanted[index]; });
    double free = top;
    for (const qsizetype index : order) {
        wanted[index] = std::max(wanted[index], free);
        free = wanted[index] + height;
    }
    double end = bottom;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        wanted[*it] = std::min(wanted[*it], end - height);
        end = wanted[*it];
    }
    return wanted;
}

} // namespace stagecraft::widgets
