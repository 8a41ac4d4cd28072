// SPDX-License-Identifier: MIT
#include "nvtxranges.h"

#ifdef STAGECRAFT_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace stagecraft::worker {

#ifdef STAGECRAFT_HAS_NVTX

namespace {

// Never destroyed: a range may still be open when the process ends.
nvtxDomainHandle_t domain()
{
    static const nvtxDomainHandle_t handle = nvtxDomainCreateA("stagecraft");
    return handle;
}

void push(const std::string &name)
{
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name.c_str();
    nvtxDomainRangePushEx(domain(), &attributes);
}

} // namespace

NvtxRanges::NvtxRanges(std::initializer_list<std::string> names) : m_count(names.size())
{
    for (const auto &name : names)
        push(name);
}

NvtxRanges::~NvtxRanges()
{
    for (std::size_t i = 0; i < m_count; ++i)
        nvtxDomainRangePop(domain());
}

protocol::Library nvtxLibrary()
{
    return {"NVTX", {}, std::to_string(NVTX_VERSION), true, {}, {}};
}

#else

NvtxRanges::NvtxRanges(std::initializer_list<std::string> names) : m_count(names.size()) {}

NvtxRanges::~NvtxRanges() = default;

protocol::Library nvtxLibrary()
{
    return {"NVTX",
            {},
            {},
            false,
            "this worker was built without NVTX's headers, so profilers see no ranges of it",
            "install the CUDA Toolkit or the package nvidia-nvtx and build again"};
}

#endif

} // namespace stagecraft::worker
