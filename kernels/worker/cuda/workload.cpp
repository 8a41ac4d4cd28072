// SPDX-License-Identifier: MIT
#include "workload.h"

namespace stagecraft::worker {

namespace {

DeviceArrays uploadOnce(const operations::Operation &operation, const operations::InputSet &inputs)
{
    DeviceArrays arrays;
    for (const operations::BufferSpec &buffer : operations::inputBuffers(operation, inputs.dims))
        arrays.inputs.emplace_back(inputs.bytes(buffer.name));
    const auto elements = static_cast<std::size_t>(operations::outputElements(operation, inputs.dims));
    arrays.output = DeviceBuffer(elements * sizeof(float));
    return arrays;
}

} // namespace

std::int64_t arrayBytes(const operations::Operation &operation, const operations::Dims &dims)
{
    std::int64_t bytes = operations::outputElements(operation, dims) * std::int64_t{sizeof(float)};
    for (const operations::BufferSpec &buffer : operations::inputBuffers(operation, dims))
        bytes += buffer.bytes();
    return bytes;
}

std::vector<DeviceArrays> uploadArrays(const operations::Operation &operation, const operations::InputSet &inputs,
                                       std::size_t copies)
{
    std::vector<DeviceArrays> all;
    all.reserve(copies);
    for (std::size_t i = 0; i < copies; ++i)
        all.push_back(uploadOnce(operation, inputs));
    return all;
}

} // namespace stagecraft::worker
