// SPDX-License-Identifier: MIT
#include "capturefile.h"

#include <algorithm>

namespace stagecraft::capture {

namespace {

std::string recordsText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " kernel record" : " kernel records");
}

std::string iterationsText(int count)
{
    return std::to_string(count) + (count == 1 ? " iteration" : " iterations");
}

bool isUnmarked(const protocol::KernelRecord &record)
{
    return record.iteration == unmarkedIteration;
}

std::optional<std::string> deal(std::vector<protocol::KernelRecord> &records, int requested)
{
    const auto iterations = static_cast<std::size_t>(requested);
    if (records.size() % iterations != 0)
        return recordsText(records.size()) + (records.size() == 1 ? " does" : " do") + " not divide into " +
               iterationsText(requested);
    const std::size_t each = records.size() / iterations;
    for (std::size_t i = 0; i < records.size(); ++i)
        records[i].iteration = static_cast<int>(i / each);
    return std::nullopt;
}

} // namespace

protocol::KernelRecord kernelRecord(const CapturedKernel &kernel)
{
    protocol::KernelRecord record;
    record.kernelName = kernel.name;
    record.durationUs = kernel.durationUs;
    record.iteration = kernel.iteration;
    record.grid = kernel.grid;
    record.block = kernel.block;
    record.registersPerThread = kernel.registersPerThread;
    record.sharedMemBytes = kernel.sharedBytes;
    record.localBytesPerThread = kernel.localBytesPerThread;
    return record;
}

std::optional<std::string> assignIterations(std::vector<protocol::KernelRecord> &records, int requested)
{
    if (records.empty())
        return "no kernel was recorded";
    const auto unmarked = static_cast<std::size_t>(std::ranges::count_if(records, isUnmarked));
    if (unmarked == records.size())
        return deal(records, requested);
    if (unmarked > 0)
        return recordsText(unmarked) + " of " + std::to_string(records.size()) +
               (unmarked == 1 ? " belongs" : " belong") + " to no marked iteration, the first is of " +
               std::ranges::find_if(records, isUnmarked)->kernelName;
    const auto beyond =
        std::ranges::find_if(records, [=](const auto &record) { return record.iteration >= requested; });
    if (beyond != records.end())
        return "a record of " + beyond->kernelName + " is marked as of iteration " + std::to_string(beyond->iteration) +
               ", counted from 0, of " + iterationsText(requested) + " requested";
    return std::nullopt;
}

} // namespace stagecraft::capture
