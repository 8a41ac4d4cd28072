// SPDX-License-Identifier: MIT
#include "floorformulas.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

struct Bound
{
    std::string what;
    double us = 0;
};

Bound arithmeticBound(const char *formula, double flops, double tflops, const std::string &instruction)
{
    return {std::string(formula) + " ÷ the measured peak of " + instruction, flops / (tflops * 1e6)};
}

Bound streamBound(const std::string &which, std::int64_t bytes, const StreamRate &rate)
{
    return {which + " ÷ the rate of the fastest " + rate.name, static_cast<double>(bytes) / (rate.gbs * 1e3)};
}

std::vector<Bound> streamBounds(const Traffic &traffic, const MeasuredRates &rates)
{
    const std::int64_t written = std::max<std::int64_t>(0, traffic.written - rates.keptBytes);
    const std::string left = rates.keptBytes > 0 ? ", but for what the L2 can keep," : "";
    std::vector<Bound> bounds;
    if (rates.read)
        bounds.push_back(streamBound("compulsory bytes read", traffic.read, *rates.read));
    if (rates.written)
        bounds.push_back(streamBound("compulsory bytes written" + left, written, *rates.written));
    if (rates.moved)
        bounds.push_back(streamBound("all compulsory bytes" + left, traffic.read + written, *rates.moved));
    return bounds;
}

// Rows that no edge can refer to. Which ones edges do refer to is the inputs' affair, and not known here.
std::int64_t unreadBytes(const operations::Operation &operation, const operations::Dims &dims)
{
    if (operation.id != "neighbor")
        return 0;
    const std::int64_t nodes = dims.at(0), width = dims.at(1), edges = dims.at(2);
    return (nodes - std::min(nodes, edges)) * width * std::int64_t{sizeof(float)};
}

} // namespace

Traffic compulsoryTraffic(const operations::Operation &operation, const operations::Dims &dims)
{
    Traffic traffic;
    for (const operations::BufferSpec &buffer : operations::inputBuffers(operation, dims))
        traffic.read += buffer.bytes();
    traffic.read -= unreadBytes(operation, dims);
    traffic.written = operations::outputElements(operation, dims) * std::int64_t{sizeof(float)};
    return traffic;
}

std::int64_t copiedBytes(const Traffic &traffic)
{
    return std::min(traffic.read, traffic.written);
}

std::optional<double> multiplyAddFlops(const operations::Operation &operation, const operations::Dims &dims)
{
    const auto dim = [&](std::size_t i) { return static_cast<double>(dims.at(i)); };
    if (operation.id == "matmul")
        return 2 * dim(0) * dim(1) * dim(2);
    if (operation.id == "triangle")
        return 2 * dim(0) * dim(0) * dim(0) * dim(1);
    return std::nullopt;
}

std::string copyName(std::int64_t bytes, const std::string &cache, std::int64_t l2Bytes)
{
    const bool inL2 = cache == "warm" && bytes <= l2Bytes / 2;
    return (inL2 ? "L2-warm" : cache) + " copy of " + std::to_string(bytes) + " bytes";
}

std::vector<protocol::OperationFloor> operationFloors(const operations::Operation &operation,
                                                      const operations::Dims &dims, const std::string &cache,
                                                      const MeasuredRates &rates,
                                                      const std::optional<MeasuredCopy> &copy)
{
    std::vector<Bound> common = streamBounds(compulsoryTraffic(operation, dims), rates);
    common.push_back({"an empty kernel", rates.emptyKernelUs});
    if (copy)
        common.push_back({copy->name, copy->us});
    std::vector<protocol::OperationFloor> floors;
    const auto add = [&](const char *arithmetic, std::vector<Bound> bounds) {
        const Bound highest = *std::ranges::max_element(bounds, {}, &Bound::us);
        floors.push_back({operation.id, dims, arithmetic, cache, highest.what, highest.us});
    };
    const auto with = [&](Bound bound) {
        std::vector<Bound> bounds = common;
        bounds.push_back(std::move(bound));
        return bounds;
    };
    if (const std::optional<double> flops = multiplyAddFlops(operation, dims)) {
        add("fp32", with(arithmeticBound("multiply-adds", *flops, rates.ffmaTflops, rates.ffma)));
        if (rates.tf32Tflops)
            add("3xtf32",
                with(arithmeticBound("three times the multiply-adds", 3 * *flops, *rates.tf32Tflops, rates.tf32)));
    }
    add("", common);
    return floors;
}

} // namespace stagecraft::worker
