// SPDX-License-Identifier: GPL-3.0-or-later
#include "decimation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stagecraft::widgets {

namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();
constexpr SampleEnvelope::Bucket kEmpty{.low = kNothing, .high = -kNothing, .lowFirst = true};

bool isEmpty(const SampleEnvelope::Bucket &bucket)
{
    return bucket.low > bucket.high;
}

SampleEnvelope::Bucket merged(const SampleEnvelope::Bucket &first, const SampleEnvelope::Bucket &second)
{
    const bool lowInFirst = first.low <= second.low, highInFirst = first.high >= second.high;
    const bool lowFirst = lowInFirst == highInFirst ? (lowInFirst ? first : second).lowFirst : lowInFirst;
    return {.low = std::min(first.low, second.low), .high = std::max(first.high, second.high), .lowFirst = lowFirst};
}

void appendPoints(QList<QPointF> &points, double x, const SampleEnvelope::Bucket &bucket)
{
    points.append({x, bucket.lowFirst ? bucket.low : bucket.high});
    if (bucket.low != bucket.high)
        points.append({x, bucket.lowFirst ? bucket.high : bucket.low});
}

} // namespace

SampleEnvelope::SampleEnvelope(int mostBuckets) : m_mostBuckets(static_cast<size_t>(std::max(2, mostBuckets)))
{
    m_buckets.reserve(m_mostBuckets);
}

void SampleEnvelope::clear()
{
    m_buckets.clear();
    m_count = 0;
    m_samplesPerBucket = 1;
}

void SampleEnvelope::append(double value)
{
    if (m_count % m_samplesPerBucket == 0) {
        if (m_buckets.size() == m_mostBuckets)
            mergeNeighbours();
        if (m_count % m_samplesPerBucket == 0)
            m_buckets.push_back(kEmpty);
    }
    ++m_count;
    if (std::isfinite(value))
        m_buckets.back() = merged(m_buckets.back(), {.low = value, .high = value, .lowFirst = true});
}

void SampleEnvelope::mergeNeighbours()
{
    const size_t half = (m_buckets.size() + 1) / 2;
    for (size_t i = 0; i < half; ++i) {
        const Bucket second = 2 * i + 1 < m_buckets.size() ? m_buckets[2 * i + 1] : kEmpty;
        m_buckets[i] = merged(m_buckets[2 * i], second);
    }
    m_buckets.resize(half);
    m_samplesPerBucket *= 2;
}

QList<QPointF> SampleEnvelope::line(double lastIndex, int columns) const
{
    QList<QPointF> points;
    const double columnWidth = lastIndex / std::max(1, columns);
    const auto stride =
        static_cast<size_t>(std::max(1.0, std::ceil(columnWidth / static_cast<double>(m_samplesPerBucket))));
    points.reserve(static_cast<qsizetype>(2 * (m_buckets.size() / stride + 1)));
    for (size_t start = 0; start < m_buckets.size(); start += stride) {
        const size_t end = std::min(start + stride, m_buckets.size());
        Bucket column = m_buckets[start];
        for (size_t i = start + 1; i < end; ++i)
            column = merged(column, m_buckets[i]);
        const double centre = (static_cast<double>(start + end) - 1) / 2 * static_cast<double>(m_samplesPerBucket) +
                              static_cast<double>(m_samplesPerBucket - 1) / 2;
        if (!isEmpty(column))
            appendPoints(points, centre, column);
    }
    return points;
}

double sampleScaleTop(const QList<const SampleEnvelope *> &envelopes)
{
    std::vector<double> highs;
    for (const SampleEnvelope *envelope : envelopes)
        for (const SampleEnvelope::Bucket &bucket : envelope->buckets())
            if (!isEmpty(bucket))
                highs.push_back(bucket.high);
    if (highs.empty())
        return 0;
    const double largest = *std::max_element(highs.begin(), highs.end());
    // 19 of 20: a burst of stalls may not squeeze the rest; twice that leaves ordinary tails in the picture.
    const auto usual = highs.begin() + static_cast<std::ptrdiff_t>((highs.size() - 1) * 19 / 20);
    std::nth_element(highs.begin(), usual, highs.end());
    const bool enough = highs.size() >= 20;
    return enough && *usual > 0 && largest > 4 * *usual ? 2 * *usual : largest;
}

} // namespace stagecraft::widgets
