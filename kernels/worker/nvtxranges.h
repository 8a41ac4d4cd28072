// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <initializer_list>
#include <string>

// Ranges in the NVTX domain "stagecraft", so that a profiler shows this project's words. NVTX loads the library that
// NVTX_INJECTION64_PATH names, if any, at the first range; without one a range costs next to nothing. Without NVTX's
// headers at build time nothing is marked, and nvtxLibrary() says so.
namespace stagecraft::worker {

// Opens ranges inside each other, in the order given, on this thread; closes them all when it goes.
class NvtxRanges
{
public:
    explicit NvtxRanges(std::initializer_list<std::string> names);
    ~NvtxRanges();
    NvtxRanges(const NvtxRanges &) = delete;
    NvtxRanges &operator=(const NvtxRanges &) = delete;

private:
    std::size_t m_count;
};

// For describe: whether ranges are marked, with the version of the headers, else why not and what to do.
protocol::Library nvtxLibrary();

} // namespace stagecraft::worker
