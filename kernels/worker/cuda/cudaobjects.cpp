// SPDX-License-Identifier: MIT
#include "cudaobjects.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

CUdeviceptr allocate(std::size_t bytes)
{
    CUdeviceptr address = 0;
    STAGECRAFT_CHECK(driver().memAlloc(&address, std::max<std::size_t>(bytes, 4)));
    return address;
}

// Copies and fills run on the default stream and may still be under way when they return; a stream that does not wait
// for the default one could overtake them.
void waitForDefaultStream()
{
    STAGECRAFT_CHECK(driver().streamSynchronize(nullptr));
}

} // namespace

CUmodule loadModule(const std::vector<char> &image)
{
    CUmodule module = nullptr;
    STAGECRAFT_CHECK(driver().moduleLoadData(&module, image.data()));
    return module;
}

Stream createStream()
{
    CUstream stream = nullptr;
    STAGECRAFT_CHECK(driver().streamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return Stream(stream);
}

Event createEvent()
{
    CUevent event = nullptr;
    STAGECRAFT_CHECK(driver().eventCreate(&event, CU_EVENT_DEFAULT));
    return Event(event);
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : m_memory(allocate(bytes)), m_bytes(bytes) {}

DeviceBuffer::DeviceBuffer(std::span<const std::byte> content) : DeviceBuffer(content.size())
{
    if (content.empty())
        return;
    STAGECRAFT_CHECK(driver().memcpyHtoD(address(), content.data(), content.size()));
    waitForDefaultStream();
}

void DeviceBuffer::poison() const
{
    if (m_bytes < 4)
        return;
    STAGECRAFT_CHECK(driver().memsetD32(address(), poisonBits, m_bytes / 4));
    waitForDefaultStream();
}

void DeviceBuffer::read(std::span<std::byte> content) const
{
    if (!content.empty())
        STAGECRAFT_CHECK(driver().memcpyDtoH(content.data(), address(), std::min(content.size(), m_bytes)));
}

} // namespace stagecraft::worker
