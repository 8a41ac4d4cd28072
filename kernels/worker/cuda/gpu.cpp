// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <array>

namespace stagecraft::worker {

namespace {

void requireGpu(int index)
{
    const LibraryState &state = driver().state;
    if (!state.available)
        throw WorkerError(protocol::error::unavailable, "there is no GPU to run on: " + state.reason, state.fix);
    const int count = gpuCount();
    if (count == 0)
        throw WorkerError(protocol::error::unavailable, "CUDA shows no GPU",
                          "check nvidia-smi and CUDA_VISIBLE_DEVICES");
    if (index < 0 || index >= count)
        throw WorkerError(protocol::error::invalid,
                          "device " + std::to_string(index) + " is not there; CUDA shows " + std::to_string(count),
                          "choose a device from 0 to " + std::to_string(count - 1));
}

CUdevice deviceAt(int index)
{
    CUdevice device = 0;
    STAGECRAFT_CHECK(driver().deviceGet(&device, index));
    return device;
}

int attributeOf(CUdevice device, CUdevice_attribute attribute)
{
    int value = 0;
    STAGECRAFT_CHECK(driver().deviceGetAttribute(&value, attribute, device));
    return value;
}

// As nvidia-smi writes it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.
std::string uuidText(const CUuuid &uuid)
{
    constexpr auto digits = "0123456789abcdef";
    std::string text = "GPU";
    for (std::size_t i = 0; i < 16; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

} // namespace

int gpuCount()
{
    int count = 0;
    if (!driver().state.available || driver().deviceGetCount(&count) != CUDA_SUCCESS)
        return 0;
    return count;
}

protocol::Device describeGpu(int index)
{
    requireGpu(index);
    const CUdevice handle = deviceAt(index);
    std::array<char, 256> name{};
    CUuuid uuid{};
    std::size_t memory = 0;
    STAGECRAFT_CHECK(driver().deviceGetName(name.data(), static_cast<int>(name.size()), handle));
    STAGECRAFT_CHECK(driver().deviceGetUuid(&uuid, handle));
    STAGECRAFT_CHECK(driver().deviceTotalMem(&memory, handle));
    protocol::Device device;
    device.index = index;
    device.name = name.data();
    device.uuid = uuidText(uuid);
    device.computeCapability = std::to_string(attributeOf(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) + "." +
                               std::to_string(attributeOf(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    device.driverVersion = driver().release.empty() ? driver().state.version : driver().release;
    device.smCount = attributeOf(handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device.maxThreadsPerSm = attributeOf(handle, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    device.memoryBytes = static_cast<std::int64_t>(memory);
    device.l2Bytes = attributeOf(handle, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    return device;
}

Gpu::Gpu(int index)
{
    requireGpu(index);
    m_device = deviceAt(index);
    STAGECRAFT_CHECK(driver().devicePrimaryCtxRetain(&m_context, m_device));
    try {
        makeCurrent();
        m_stream = createStream();
    } catch (...) {
        driver().devicePrimaryCtxRelease(m_device);
        throw;
    }
}

Gpu::~Gpu()
{
    driver().ctxSetCurrent(m_context);
    m_stream = {};
    driver().devicePrimaryCtxRelease(m_device);
}

void Gpu::makeCurrent() const
{
    STAGECRAFT_CHECK(driver().ctxSetCurrent(m_context));
}

void Gpu::wait() const
{
    STAGECRAFT_CHECK(driver().streamSynchronize(stream()));
}

stagefile::GpuFacts Gpu::facts() const
{
    return {attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
            attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)};
}

std::int64_t Gpu::freeBytes() const
{
    std::size_t free = 0, total = 0;
    STAGECRAFT_CHECK(driver().memGetInfo(&free, &total));
    return static_cast<std::int64_t>(free);
}

int Gpu::attribute(CUdevice_attribute attribute) const
{
    return attributeOf(m_device, attribute);
}

} // namespace stagecraft::worker
