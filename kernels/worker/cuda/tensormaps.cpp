// SPDX-License-Identifier: MIT
#include "tensormaps.h"

#include "cudacheck.h"
#include "tensormapshape.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

CUtensorMapSwizzle swizzleOf(const std::string &word)
{
    if (word == "32B")
        return CU_TENSOR_MAP_SWIZZLE_32B;
    if (word == "64B")
        return CU_TENSOR_MAP_SWIZZLE_64B;
    return word == "128B" ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE;
}

const DeviceBuffer &bufferOf(const stagefile::Stage &stage, const std::string &name, const operations::Dims &dims,
                             const DeviceArrays &arrays)
{
    if (name == "out")
        return arrays.output;
    const auto specs = operations::inputBuffers(*operations::findOperation(stage.operation), dims);
    const auto found = std::ranges::find(specs, name, &operations::BufferSpec::name);
    return arrays.inputs.at(static_cast<std::size_t>(found - specs.begin()));
}

stagefile::TensorMapShape shapeOf(const stagefile::Stage &stage, std::size_t index, const operations::Dims &dims)
{
    try {
        return stagefile::tensorMapShape(stage, index, dims);
    } catch (const stagefile::StageError &error) {
        throw WorkerError(protocol::error::invalid, error.what(), "correct the map, or choose other dims");
    }
}

CUtensorMap encode(const stagefile::Stage &stage, std::size_t index, const stagefile::TensorMapShape &shape,
                   const DeviceBuffer &buffer)
{
    const std::vector<cuuint64_t> extents(shape.extents.begin(), shape.extents.end());
    const std::vector<cuuint64_t> strides(shape.strides.begin(), shape.strides.end());
    const std::vector<cuuint32_t> elementStrides(shape.box.size(), 1);
    CUtensorMap map{};
    // The type is FLOAT32 and not TFLOAT32, with which the copy itself would round to TF32.
    const CUresult result = driver().tensorMapEncodeTiled(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, static_cast<cuuint32_t>(shape.extents.size()), buffer.pointer(),
        extents.data(), strides.data(), shape.box.data(), elementStrides.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzleOf(stage.tensorMaps[index].swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    try {
        checkResult(result, "driver().tensorMapEncodeTiled(");
    } catch (const WorkerError &error) {
        throw WorkerError(protocol::error::failed,
                          stagefile::tensorMapName(stage, index) + " is refused by the driver: " + error.what(),
                          "the driver demands a box of at most 256 per dim whose row is a multiple of 16 bytes within "
                          "the swizzle's span, strides that are multiples of 16 bytes, and an address that is one");
    }
    return map;
}

} // namespace

std::vector<CUtensorMap> encodeTensorMaps(const stagefile::Stage &stage, const operations::Dims &dims,
                                          const DeviceArrays &arrays)
{
    if (!stage.tensorMaps.empty() && !driver().tensorMapEncodeTiled)
        throw WorkerError(protocol::error::unavailable,
                          stage.name() + " asks for tensor maps, and " + driver().state.path +
                              " has no cuTensorMapEncodeTiled",
                          "install a newer NVIDIA driver (CUDA 12 or newer), or choose a stage without tensor_maps");
    std::vector<CUtensorMap> maps;
    for (std::size_t index = 0; index < stage.tensorMaps.size(); ++index)
        maps.push_back(encode(stage, index, shapeOf(stage, index, dims),
                              bufferOf(stage, stage.tensorMaps[index].buffer, dims, arrays)));
    return maps;
}

} // namespace stagecraft::worker
