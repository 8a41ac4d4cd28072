// SPDX-License-Identifier: GPL-3.0-or-later
#include "occupancy.h"
#include "resourcerows.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::LaunchResources;

namespace {

QString limitWords(stagefile::Occupancy::Limit limit)
{
    using stagefile::Occupancy;
    switch (limit) {
    case Occupancy::Threads:
        return QStringLiteral("threads");
    case Occupancy::Blocks:
        return QStringLiteral("blocks");
    case Occupancy::Registers:
        return QStringLiteral("registers");
    case Occupancy::SharedMemory:
        break;
    }
    return QStringLiteral("shared memory");
}

std::optional<stagefile::SmLimits> limitsOf(const SmFacts &facts)
{
    return stagefile::smLimits(facts.computeCapability.toStdString());
}

// What calculating needs and the evidence lacks.
QString missingFact(const LaunchResources &launch, const SmFacts &facts)
{
    if (!launch.threadsPerBlock)
        return QStringLiteral("threads per block are not recorded");
    if (!launch.registersPerThread)
        return QStringLiteral("registers are not recorded");
    if (!launch.sharedMemBytes)
        return QStringLiteral("shared memory is not recorded");
    if (facts.computeCapability.isEmpty())
        return QStringLiteral("the GPU's compute capability is not recorded");
    if (!limitsOf(facts))
        return QStringLiteral("the limits of compute capability %1 are not known here").arg(facts.computeCapability);
    return {};
}

std::optional<stagefile::Occupancy> calculated(const LaunchResources &launch, const SmFacts &facts)
{
    if (!missingFact(launch, facts).isEmpty())
        return std::nullopt;
    return stagefile::occupancy(*limitsOf(facts),
                                {*launch.threadsPerBlock, *launch.registersPerThread, *launch.sharedMemBytes});
}

// The driver's figure is taken as it is; which limit it met is told only where the calculation agrees.
Residency recordedFit(const LaunchResources &launch, const std::optional<stagefile::Occupancy> &calculation)
{
    Residency fit;
    fit.threads = launch.residentThreadsPerSm;
    fit.source = QStringLiteral("driver");
    if (launch.threadsPerBlock && *launch.threadsPerBlock > 0)
        fit.blocksPerSm = static_cast<int>(*fit.threads / *launch.threadsPerBlock);
    if (calculation && calculation->residentThreads == *fit.threads)
        fit.limitedBy = limitWords(calculation->limitedBy);
    return fit;
}

Residency kernelFit(const LaunchResources &launch, const SmFacts &facts)
{
    const std::optional<stagefile::Occupancy> calculation = calculated(launch, facts);
    if (launch.residentThreadsPerSm && *launch.residentThreadsPerSm > 0)
        return recordedFit(launch, calculation);
    Residency fit;
    fit.reason = missingFact(launch, facts);
    if (!fit.reason.isEmpty())
        return fit;
    if (!calculation) {
        fit.reason =
            QStringLiteral("not one block of it fits on an SM of compute capability %1").arg(facts.computeCapability);
        return fit;
    }
    fit.threads = calculation->residentThreads;
    fit.blocksPerSm = calculation->blocksPerSm;
    fit.source = QStringLiteral("calculated");
    fit.limitedBy = limitWords(calculation->limitedBy);
    return fit;
}

} // namespace

SmFacts smFacts(const evidence::Namespace &evidence)
{
    SmFacts facts;
    if (!evidence.progression)
        return facts;
    facts.computeCapability = evidence.progression->deviceComputeCapability;
    facts.sms = evidence.progression->deviceSms;
    facts.threads = evidence.progression->deviceMaxThreadsPerSm;
    if (const auto limits = limitsOf(facts); !facts.threads && limits)
        facts.threads = limits->threads;
    return facts;
}

Residency residency(const LaunchResources &launch, const SmFacts &facts)
{
    Residency result = kernelFit(launch, facts);
    if (!result.threads || !result.blocksPerSm || *result.blocksPerSm < 1 || !launch.blocks || !facts.sms ||
        *facts.sms < 1)
        return result;
    result.waves = static_cast<double>(*launch.blocks) / (static_cast<double>(*result.blocksPerSm) * *facts.sms);
    const qint64 given = (*launch.blocks + *facts.sms - 1) / *facts.sms; // on the SM with the most blocks
    if (given < *result.blocksPerSm) {
        result.threads = static_cast<int>(given * *launch.threadsPerBlock);
        result.source = QStringLiteral("grid");
        result.limitedBy = QStringLiteral("the grid: too few blocks to fill the GPU");
    }
    return result;
}

} // namespace stagecraft::views
