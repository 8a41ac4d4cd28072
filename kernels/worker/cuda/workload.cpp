// SPDX-License-Identifier: MIT
#include "workload.h"

namespace stagecraft::worker {

DeviceArrays uploadArrays(const operations::Operation &operation, const operations::InputSet &inputs)
{
    DeviceArrays arrays;
    for (const operations::BufferSpec &buffer : operations::inputBuffers(operation, inputs.dims))
        arrays.inputs.emplace_back(inputs.bytes(buffer.name));
    const auto elements = static_cast<std::size_t>(operations::outputElements(operation, inputs.dims));
    arrays.output = DeviceBuffer(elements * sizeof(float));
    return arrays;
}

} // namespace stagecraft::worker
