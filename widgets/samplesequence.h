// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <memory>
#include <span>

// Samples in the order taken, however many, with what a plot asks of them again and again computed once. Values that
// are not finite or negative have a place in the order, and no other: they are *missing*.
namespace stagecraft::widgets {

// Of neighbouring samples: the smallest and the largest, and which of the two came first.
struct SampleExtremes
{
    double low, high;
    qint64 missing = 0;
    bool lowFirst = true;

    bool isEmpty() const { return low > high; } // no sample that has a value
};

struct SampleStatistics
{
    qint64 count = 0, missing = 0;          // with a value, without one
    double least = 0, most = 0, median = 0; // of those with a value; 0 for none
    // What lies outside is an outlier: median ± 5 × the median absolute deviation; where that is 0 because more than
    // half of the samples are equal, ± 5 × the mean absolute deviation.
    double usualLow = 0, usualHigh = 0;
    qint64 outliers = 0;

    bool isOutlier(double value) const { return value < usualLow || value > usualHigh; }
};

// How many samples lie in each of equal steps of a range, below it and above it.
struct SampleDistribution
{
    qint64 below = 0, above = 0;
    QList<qint64> steps;
};

struct ValueCount
{
    double value;
    qint64 count;
};

// A value: copies share everything. The lists that it is made from are shared too, never copied. Any thread.
class SampleSequence
{
public:
    SampleSequence() = default;
    SampleSequence(const QList<double> &values); // one part
    SampleSequence(std::initializer_list<double> values) : SampleSequence(QList<double>(values)) {}
    explicit SampleSequence(const QList<QList<double>> &parts); // rounds; empty ones are left out

    bool isEmpty() const { return size() == 0; }
    qsizetype size() const;
    double operator[](qsizetype index) const; // as given: what is missing, too
    QList<double> toList() const;

    const QList<qsizetype> &starts() const; // the index of the first sample of each part
    qsizetype partOf(qsizetype index) const;
    qsizetype partSize(qsizetype part) const;

    const SampleStatistics &statistics() const;
    qint64 outliersOf(qsizetype part) const;
    // Of the samples first ≤ index < last. Costs about as much for ten million samples as for a hundred.
    SampleExtremes extremes(qsizetype first, qsizetype last) const;
    SampleDistribution distribution(double low, double high, int steps) const;
    // Ascending. Values that differ by less than a part in 4096 are counted as one, so that this stays short.
    std::span<const ValueCount> valueCounts() const;

private:
    struct Data;
    const Data &data() const;

    std::shared_ptr<const Data> m_data;
};

// The top of a zero-based scale for the samples: their largest value, unless a few stand so far above the rest that
// these would be flat; then a little above the rest. What lies above is drawn at the edge and counted by the caller.
double sampleScaleTop(const QList<const SampleSequence *> &sequences);

} // namespace stagecraft::widgets
