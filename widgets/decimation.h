// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPolygonF>

#include <vector>

// Long runs of samples reduced to what a plot can show: the smallest and the largest of each column, so that no
// extreme is lost.
namespace stagecraft::widgets {

// Samples as they arrive, kept as (smallest, largest) of equal buckets. While the samples fit, a bucket is one sample;
// then neighbours are merged, so that memory and the cost of a redraw stay bounded however long a run lasts.
class SampleEnvelope
{
public:
    struct Bucket
    {
        double low, high;
        bool lowFirst; // which of the two came first
    };

    explicit SampleEnvelope(int mostBuckets = 4096);

    void append(double value); // amortised constant; a value that is not finite is counted but has no place
    void clear();

    qsizetype count() const { return m_count; }
    qsizetype samplesPerBucket() const { return m_samplesPerBucket; }
    const std::vector<Bucket> &buckets() const { return m_buckets; }

    // The polyline through index (x) and value (y), at most two points per column of `columns` over 0…lastIndex.
    QList<QPointF> line(double lastIndex, int columns) const;

private:
    void mergeNeighbours();

    std::vector<Bucket> m_buckets;
    size_t m_mostBuckets;
    qsizetype m_count = 0;
    qsizetype m_samplesPerBucket = 1;
};

// The top of a zero-based scale for samples: their largest value, unless a few stand so far above the rest that these
// would be flat; then a little above the rest. What lies above is drawn at the edge and counted by the caller.
double sampleScaleTop(const QList<const SampleEnvelope *> &envelopes);

} // namespace stagecraft::widgets
