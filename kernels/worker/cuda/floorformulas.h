// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include "catalogue.h"

#include <optional>

// Floors by formula from what was measured: nothing here is a data sheet's word.
namespace stagecraft::worker {

// The fastest stream of a kind, in GB/s, and which it was: "warm read".
struct StreamRate
{
    double gbs = 0;
    std::string name;
};

struct MeasuredRates
{
    double emptyKernelUs = 0;
    double ffmaTflops = 0;            // FP32
    std::optional<double> tf32Tflops; // of the faster tensor-core instruction; nullopt: the GPU has none
    std::string ffma, tf32;           // which of them it was
    // In this cache state; cold, of arrays that the L2 cannot hold. nullopt: not measured.
    std::optional<StreamRate> read;    // of reads and gathers
    std::optional<StreamRate> written; // of writes
    std::optional<StreamRate> moved;   // of these and copies, in and out together
    std::int64_t keptBytes = 0;        // of a cold kernel's output: what the L2 may still hold when the kernel ends
};

// The fastest copy of copiedBytes() from one array to another.
struct MeasuredCopy
{
    double us = 0;
    std::string name; // "L2-warm copy of 12582912 bytes"
};

// An operation's compulsory traffic in bytes: every array once; of neighbor's rows only as many as edges can refer to.
struct Traffic
{
    std::int64_t read = 0, written = 0;
};
Traffic compulsoryTraffic(const operations::Operation &operation, const operations::Dims &dims);

// What every implementation has to read and write alike: a copy of so many bytes is part of the work.
std::int64_t copiedBytes(const Traffic &traffic);

// 2·m·n·k and 2·n·n·n·channels; nullopt where arithmetic is not what holds an operation up.
std::optional<double> multiplyAddFlops(const operations::Operation &operation, const operations::Dims &dims);

// "warm copy of 100 bytes", "cold copy of 100 bytes"; "L2-warm" where both arrays fit into the L2.
std::string copyName(std::int64_t bytes, const std::string &cache, std::int64_t l2Bytes);

// The largest of: an empty kernel; the copy of copiedBytes(), where it was measured; the bytes read, the bytes written
// and both, each ÷ the fastest stream of its kind, without the keptBytes of what is written; and for matmul and
// triangle the operations ÷ the peak, for fp32 and, three times as many, for 3xtf32. Each is a lower bound by itself
// and they can overlap, so they are not added. One floor per arithmetic, and last one that holds for any.
std::vector<protocol::OperationFloor> operationFloors(const operations::Operation &operation,
                                                      const operations::Dims &dims, const std::string &cache,
                                                      const MeasuredRates &rates,
                                                      const std::optional<MeasuredCopy> &copy);

} // namespace stagecraft::worker
