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

} // namespace

Traffic compulsoryTraffic(const operations::Operation &operation, const operations::Dims &dims)
{
    Traffic traffic;
    for (const operations::BufferSpec &buffer : operations::inputBuffers(operation, dims))
        traffic.read += buffer.bytes();
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

std::vector<protocol::OperationFloor> operationFloors(const operations::Operation &operation,
                                                      const operations::Dims &dims, const std::string &cache,
                                                      const MeasuredRates &rates, std::optional<double> copyUs)
{
    const Traffic traffic = compulsoryTraffic(operation, dims);
    const auto bytes = static_cast<double>(traffic.read + traffic.written);
    std::vector<Bound> common{
        {"an empty kernel", rates.emptyKernelUs},
        {"all compulsory bytes ÷ the rate of the fastest " + rates.stream, bytes / (rates.streamGbs * 1e3)}};
    if (copyUs)
        common.push_back(
            {(cache == "cold" ? "cold copy" : "L2-warm copy") + std::string(" of the same bytes"), *copyUs});
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
    const std::optional<double> flops = multiplyAddFlops(operation, dims);
    if (!flops) {
        add("", common);
        return floors;
    }
    add("fp32", with(arithmeticBound("multiply-adds", *flops, rates.ffmaTflops, rates.ffma)));
    if (rates.tf32Tflops)
        add("3xtf32",
            with(arithmeticBound("three times the multiply-adds", 3 * *flops, *rates.tf32Tflops, rates.tf32)));
    return floors;
}

} // namespace stagecraft::worker
