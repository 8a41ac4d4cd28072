// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplesequence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace stagecraft::widgets {

namespace {

constexpr qsizetype kBucket = 32;     // samples under one entry of the lowest level
constexpr qsizetype kBranches = 4;    // entries under one of the level above
constexpr double kOutlierSpreads = 5; // from the median
constexpr double kSameValue = 1 / 4096.0;

constexpr SampleExtremes kEmpty{.low = std::numeric_limits<double>::infinity(),
                                .high = -std::numeric_limits<double>::infinity()};

bool hasValue(double sample)
{
    return std::isfinite(sample) && sample >= 0;
}

SampleExtremes merged(const SampleExtremes &first, const SampleExtremes &second)
{
    const bool lowInFirst = first.low <= second.low, highInFirst = first.high >= second.high;
    const bool lowFirst = lowInFirst == highInFirst ? (lowInFirst ? first : second).lowFirst : lowInFirst;
    return {.low = std::min(first.low, second.low),
            .high = std::max(first.high, second.high),
            .missing = first.missing + second.missing,
            .lowFirst = lowFirst};
}

SampleExtremes extremesOf(double sample)
{
    SampleExtremes result = kEmpty;
    if (hasValue(sample))
        result.low = result.high = sample;
    else
        result.missing = 1;
    return result;
}

std::vector<ValueCount> counted(const std::vector<double> &sorted)
{
    std::vector<ValueCount> counts;
    for (const double value : sorted) {
        if (counts.empty() || value > counts.back().value * (1 + kSameValue))
            counts.push_back({value, 1});
        else
            ++counts.back().count;
    }
    return counts;
}

double middle(std::vector<double> &values) // which it reorders
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), at, values.end());
    return values.size() % 2 == 1 ? *at : (*std::max_element(values.begin(), at) + *at) / 2;
}

} // namespace

struct SampleSequence::Data
{
    QList<QList<double>> parts;
    QList<qsizetype> starts;
    qsizetype size = 0;
    std::vector<std::vector<SampleExtremes>> levels;
    SampleStatistics statistics;
    std::vector<ValueCount> counts;

    template <typename Visit>
    void each(Visit visit) const
    {
        for (const QList<double> &part : parts)
            std::for_each(part.begin(), part.end(), visit);
    }
    void addParts(const QList<QList<double>> &given);
    void buildLevels();
    void summarize();
};

void SampleSequence::Data::addParts(const QList<QList<double>> &given)
{
    for (const QList<double> &part : given) {
        if (part.isEmpty())
            continue;
        starts.append(size);
        parts.append(part);
        size += part.size();
    }
}

void SampleSequence::Data::buildLevels()
{
    std::vector<SampleExtremes> lowest;
    lowest.reserve(static_cast<size_t>(size / kBucket + 1));
    qsizetype index = 0;
    each([&](double sample) {
        if (index++ % kBucket == 0)
            lowest.push_back(kEmpty);
        lowest.back() = merged(lowest.back(), extremesOf(sample));
    });
    levels.push_back(std::move(lowest));
    while (levels.back().size() > static_cast<size_t>(kBranches)) {
        const std::vector<SampleExtremes> &below = levels.back();
        std::vector<SampleExtremes> level;
        for (size_t i = 0; i < below.size(); ++i) {
            if (i % static_cast<size_t>(kBranches) == 0)
                level.push_back(kEmpty);
            level.back() = merged(level.back(), below[i]);
        }
        levels.push_back(std::move(level));
    }
}

void SampleSequence::Data::summarize()
{
    std::vector<double> values;
    values.reserve(static_cast<size_t>(size));
    each([&values](double sample) {
        if (hasValue(sample))
            values.push_back(sample);
    });
    statistics.count = static_cast<qint64>(values.size());
    statistics.missing = size - statistics.count;
    if (values.empty())
        return;
    std::sort(values.begin(), values.end());
    counts = counted(values);
    statistics.least = values.front();
    statistics.most = values.back();
    const double median = statistics.median = middle(values);
    for (double &value : values)
        value = std::abs(value - median);
    double spread = middle(values);
    if (spread == 0)
        spread = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    statistics.usualLow = median - kOutlierSpreads * spread;
    statistics.usualHigh = median + kOutlierSpreads * spread;
    each([this](double sample) { statistics.outliers += hasValue(sample) && statistics.isOutlier(sample); });
}

SampleSequence::SampleSequence(const QList<double> &values) : SampleSequence(QList<QList<double>>{values}) {}

SampleSequence::SampleSequence(const QList<QList<double>> &parts)
{
    auto data = std::make_shared<Data>();
    data->addParts(parts);
    if (data->size == 0)
        return;
    data->buildLevels();
    data->summarize();
    m_data = std::move(data);
}

const SampleSequence::Data &SampleSequence::data() const
{
    static const Data none;
    return m_data ? *m_data : none;
}

qsizetype SampleSequence::size() const
{
    return data().size;
}

double SampleSequence::operator[](qsizetype index) const
{
    const qsizetype part = partOf(index);
    return data().parts[part][index - data().starts[part]];
}

QList<double> SampleSequence::toList() const
{
    QList<double> list;
    list.reserve(size());
    data().each([&list](double sample) { list.append(sample); });
    return list;
}

const QList<qsizetype> &SampleSequence::starts() const
{
    return data().starts;
}

qsizetype SampleSequence::partOf(qsizetype index) const
{
    const QList<qsizetype> &starts = data().starts;
    return std::upper_bound(starts.begin(), starts.end(), index) - starts.begin() - 1;
}

qsizetype SampleSequence::partSize(qsizetype part) const
{
    return data().parts[part].size();
}

const SampleStatistics &SampleSequence::statistics() const
{
    return data().statistics;
}

qint64 SampleSequence::outliersOf(qsizetype part) const
{
    const QList<double> &samples = data().parts[part];
    return std::count_if(samples.begin(), samples.end(),
                         [this](double sample) { return hasValue(sample) && data().statistics.isOutlier(sample); });
}

SampleExtremes SampleSequence::extremes(qsizetype first, qsizetype last) const
{
    const std::vector<std::vector<SampleExtremes>> &levels = data().levels;
    SampleExtremes result = kEmpty;
    first = std::max<qsizetype>(first, 0);
    last = std::min(last, size());
    while (first < last) {
        // The largest entry that starts here and ends in the range; else a single sample.
        qsizetype width = 1, entryWidth = kBucket;
        const SampleExtremes *entry = nullptr;
        for (const std::vector<SampleExtremes> &level : levels) {
            if (first % entryWidth != 0 || first + entryWidth > last)
                break;
            entry = &level[static_cast<size_t>(first / entryWidth)];
            width = entryWidth;
            entryWidth *= kBranches;
        }
        result = merged(result, entry ? *entry : extremesOf((*this)[first]));
        first += width;
    }
    return result;
}

SampleDistribution SampleSequence::distribution(double low, double high, int steps) const
{
    SampleDistribution result;
    result.steps.resize(steps);
    for (const ValueCount &entry : data().counts) {
        const double step = std::floor((entry.value - low) / (high - low) * steps);
        if (step < 0)
            result.below += entry.count;
        else if (entry.value > high)
            result.above += entry.count;
        else
            result.steps[std::min(static_cast<int>(step), steps - 1)] += entry.count;
    }
    return result;
}

std::span<const ValueCount> SampleSequence::valueCounts() const
{
    return data().counts;
}

double sampleScaleTop(const QList<const SampleSequence *> &sequences)
{
    std::vector<ValueCount> all;
    qint64 count = 0;
    double largest = 0;
    for (const SampleSequence *sequence : sequences) {
        all.insert(all.end(), sequence->valueCounts().begin(), sequence->valueCounts().end());
        count += sequence->statistics().count;
        largest = std::max(largest, sequence->statistics().most);
    }
    std::sort(all.begin(), all.end(), [](const ValueCount &a, const ValueCount &b) { return a.value < b.value; });
    // 19 of 20: a burst of stalls may not squeeze the rest; twice that leaves ordinary tails in the picture.
    qint64 before = (count - 1) * 19 / 20;
    const auto usual = std::find_if(all.begin(), all.end(),
                                    [&before](const ValueCount &entry) { return (before -= entry.count) < 0; });
    const bool enough = count >= 20 && usual != all.end() && usual->value > 0;
    return enough && largest > 4 * usual->value ? 2 * usual->value : largest;
}

} // namespace stagecraft::widgets
