// SPDX-License-Identifier: GPL-3.0-or-later
#include "measuredgpu.h"

#include "publictext.h"

#include <algorithm>

namespace stagecraft::run {

namespace {

// Whole GPUs only: of a part of one, libraries name the part or the whole.
bool isOtherUuid(const QString &uuid, const QString &other)
{
    const QString whole = QStringLiteral("GPU-");
    return uuid.startsWith(whole) && other.startsWith(whole) && uuid.compare(other, Qt::CaseInsensitive) != 0;
}

} // namespace

const protocol::Device *measuredGpu(const protocol::DescribeResult &description, int device)
{
    const auto found = std::ranges::find_if(description.devices, [device](const protocol::Device &candidate) {
        return candidate.index == device && !candidate.computeCapability.empty();
    });
    return found == description.devices.end() ? nullptr : &*found;
}

std::optional<WorkerFault> otherGpuFault(const protocol::DescribeResult &description, const protocol::Device &runs)
{
    const protocol::Device *own = measuredGpu(description, runs.index);
    if (!own)
        return std::nullopt;
    const bool isOther =
        own->name != runs.name || isOtherUuid(QString::fromStdString(own->uuid), QString::fromStdString(runs.uuid));
    if (!isOther)
        return std::nullopt;
    const QString name = publicText(own->name), expected = publicText(runs.name);
    return WorkerFault{
        evidence::State::Unavailable,
        QStringLiteral("the %1 worker runs on %2, and the run measures on %3")
            .arg(publicText(description.worker), name == expected ? QStringLiteral("another ") + name : name, expected),
        QStringLiteral("let --worker start every worker on the same GPU, as within one allocation, and "
                       "give all libraries the same CUDA_VISIBLE_DEVICES"),
        false};
}

} // namespace stagecraft::run
