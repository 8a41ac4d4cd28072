// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernelseries.h"

#include "names.h"

#include <algorithm>

namespace stagecraft::import {

namespace {

double totalUs(const ForeignSeries &series)
{
    double total = 0;
    for (const evidence::KernelRecord &record : series.records)
        total += record.durationUs;
    return total;
}

} // namespace

KernelSeries::KernelSeries(QString backend, QString noSpan) : m_backend(std::move(backend)), m_noSpan(std::move(noSpan))
{
}

void KernelSeries::add(const evidence::KernelRecord &launch, const QString &implementation)
{
    auto base = m_baseNames.constFind(launch.kernelName);
    if (base == m_baseNames.constEnd())
        base = m_baseNames.insert(launch.kernelName, baseName(launch.kernelName));
    const QString key = *base + u'\n' + implementation;
    auto place = m_places.constFind(key);
    if (place == m_places.constEnd()) {
        place = m_places.insert(key, m_series.size());
        ForeignSeries &series = m_series.emplace_back();
        series.operation = *base;
        series.implementation = implementation;
        series.backend = m_backend;
        series.noSpan = m_noSpan;
    }
    addLaunch(m_series[*place], launch);
}

void KernelSeries::moveTo(ForeignFile &file)
{
    QList<std::pair<double, qsizetype>> order;
    for (qsizetype i = 0; i < m_series.size(); ++i)
        order.append({-totalUs(m_series[i]), i});
    std::ranges::sort(order);
    if (const QString lost = lostLaunches(m_series); !lost.isEmpty())
        file.leftOut.append(lost);
    for (const auto &[total, index] : std::as_const(order))
        file.series.append(std::move(m_series[index]));
}

void addLaunch(ForeignSeries &series, const evidence::KernelRecord &launch)
{
    if (launch.durationUs > 0 && launch.durationUs <= longestTimeUs) {
        series.records.append(launch);
        return;
    }
    ++series.invalidRecords;
    if (!series.knownKernels.contains(launch.kernelName)) {
        series.knownKernels.insert(launch.kernelName);
        series.kernelNames.append(launch.kernelName);
    }
}

QString lostLaunches(const QList<ForeignSeries> &series)
{
    qint64 lost = 0;
    for (const ForeignSeries &entry : series)
        lost += entry.invalidRecords;
    if (lost == 0)
        return {};
    return (lost == 1
                ? QStringLiteral("%1 launch has no duration above 0 and below a year; it is counted and left out.")
                : QStringLiteral(
                      "%1 launches have no duration above 0 and below a year; they are counted and left out."))
        .arg(lost);
}

} // namespace stagecraft::import
