// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include "catalogue.h"

#include <optional>

// Floors by formula from what was measured: nothing here is a data sheet's word.
namespace stagecraft::worker {

struct MeasuredRates
{
    double emptyKernelUs = 0;
    double ffmaTflops = 0;            // FP32
    std::optional<double> tf32Tflops; // of the faster tensor-core instruction; nullopt: the GPU has none
    double streamGbs = 0;             // the fastest of read, write, copy and gather in this cache state
    std::string ffma, tf32, stream;   // which of them it was
};

// An operation's compulsory traffic, every array once, in bytes.
struct Traffic
{
    std::int64_t read = 0, written = 0;
};
Traffic compulsoryTraffic(const operations::Operation &operation, const operations::Dims &dims);

// What every implementation has to read and write alike: a copy of so many bytes is part of the work.
std::int64_t copiedBytes(const Traffic &traffic);

// 2·m·n·k and 2·n·n·n·channels; nullopt where arithmetic is not what holds an operation up.
std::optional<double> multiplyAddFlops(const operations::Operation &operation, const operations::Dims &dims);

// The largest of: an empty kernel; the copy of copiedBytes(), where it was measured; all compulsory bytes ÷ the fastest
// stream; and for matmul and triangle the operations ÷ the peak, for fp32 and, three times as many, for 3xtf32. Each is
// a lower bound by itself and they can overlap, so they are not added. One floor per arithmetic.
std::vector<protocol::OperationFloor> operationFloors(const operations::Operation &operation,
                                                      const operations::Dims &dims, const std::string &cache,
                                                      const MeasuredRates &rates, std::optional<double> copyUs);

} // namespace stagecraft::worker
