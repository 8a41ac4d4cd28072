// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordbudget.h"

#include "privacy.h"

#include <algorithm>

namespace stagecraft::import {

namespace {

// What the writer makes of a record beside its name.
constexpr qint64 bytesBesideName = 260;

qint64 bytesOf(const evidence::KernelRecord &record)
{
    return bytesBesideName + record.kernelName.size();
}

// Of all series, were each cut to its first `count` records.
qint64 totalBytes(const QList<ForeignFile> &files, qsizetype count)
{
    qint64 total = 0;
    for (const ForeignFile &file : files) {
        for (const ForeignSeries &series : file.series) {
            for (qsizetype i = 0; i < std::min(count, series.records.size()); ++i)
                total += bytesOf(series.records[i]);
        }
    }
    return total;
}

// The most records of each series that fit.
qsizetype fittingCount(const QList<ForeignFile> &files, qint64 budget)
{
    qsizetype most = 0;
    for (const ForeignFile &file : files) {
        for (const ForeignSeries &series : file.series)
            most = std::max(most, series.records.size());
    }
    if (totalBytes(files, most) <= budget)
        return most;
    qsizetype fits = 0;
    while (fits + 1 < most) {
        const qsizetype middle = fits + (most - fits) / 2;
        (totalBytes(files, middle) <= budget ? fits : most) = middle;
    }
    return fits;
}

void cut(ForeignSeries &series, qsizetype count, QStringList &leftOut)
{
    const qsizetype launches = series.records.size();
    if (series.iterations > 0) { // whole iterations only
        const qsizetype perIteration = std::max<qsizetype>(launches / series.iterations, 1);
        count -= count % perIteration;
        series.iterations = static_cast<int>(count / perIteration);
    }
    series.records.resize(count);
    leftOut.append(QStringLiteral("%1: the first %2 of %3 launches are kept; all of them would make the evidence "
                                  "larger than it may be.")
                       .arg(withoutPaths(series.operation))
                       .arg(count)
                       .arg(launches));
}

} // namespace

void limitRecords(QList<ForeignFile> &files, qint64 budget)
{
    const qsizetype count = fittingCount(files, budget);
    for (ForeignFile &file : files) {
        for (ForeignSeries &series : file.series) {
            if (series.records.size() > count)
                cut(series, count, file.leftOut);
        }
    }
}

} // namespace stagecraft::import
