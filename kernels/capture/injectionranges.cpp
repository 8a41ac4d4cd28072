// SPDX-License-Identifier: MIT
// Ranges in the NVTX domain "stagecraft" for processes that have no other way to them, as Python through ctypes.
// Without NVTX's headers at build time, and without a profiler, they do nothing.
#ifdef STAGECRAFT_HAS_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

#define STAGECRAFT_EXPORT extern "C" __attribute__((visibility("default")))

#ifdef STAGECRAFT_HAS_NVTX

namespace {

// Never destroyed: a range may still be open when the process ends.
nvtxDomainHandle_t domain()
{
    static const nvtxDomainHandle_t handle = nvtxDomainCreateA("stagecraft");
    return handle;
}

} // namespace

STAGECRAFT_EXPORT void stagecraft_range_push(const char *name)
{
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name ? name : "";
    nvtxDomainRangePushEx(domain(), &attributes);
}

STAGECRAFT_EXPORT void stagecraft_range_pop(void)
{
    nvtxDomainRangePop(domain());
}

#else

STAGECRAFT_EXPORT void stagecraft_range_push(const char *) {}

STAGECRAFT_EXPORT void stagecraft_range_pop(void) {}

#endif
