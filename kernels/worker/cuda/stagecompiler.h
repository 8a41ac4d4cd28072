// SPDX-License-Identifier: MIT
#pragma once

#include "stagemacros.h"

#include "messages.h"

namespace stagecraft::worker {

// What NVRTC is asked to make.
struct CompileTarget
{
    std::string architecture; // "sm_90a": machine code; "compute_90": PTX, which the driver finishes
    std::string note;         // why it is not the device's own architecture; empty where it is
};

struct CompiledCode
{
    std::vector<char> image;                        // cubin or PTX, as cuModuleLoadData takes it
    std::string ptx;                                // what a cubin was made from; the image itself where that is PTX
    std::string log;                                // NVRTC's and ptxas's words
    std::vector<protocol::KernelResources> kernels; // of machine code; empty for PTX
};

// "sm_75, sm_80, …": those that this NVRTC compiles for; empty where there is no NVRTC to ask.
std::string knownArchitectures();

// Throws WorkerError(invalid) for what is no architecture, or none that this NVRTC knows: names those that it knows.
// Only the shape is checked where there is no NVRTC to ask.
void requireArchitecture(const std::string &architecture);

// The device's real architecture (sm_90a on 9.0, whose wgmma plain sm_90 lacks). Where this NVRTC is too old for it:
// the newest of the same major, whose code the device runs, else PTX of the newest that it knows. Throws
// WorkerError(unavailable) without NVRTC.
CompileTarget targetFor(int computeMajor, int computeMinor);

// Compiles a source with these macros; `fileName` is what messages call it. Throws WorkerError: unavailable without
// NVRTC, failed with the compiler's log and its first error where the source does not compile.
CompiledCode compileSource(const std::string &text, const std::string &fileName,
                           const std::vector<stagefile::Macro> &macros, const std::string &architecture);

// Throws also where a launch of the stage names an entry that the source lacks.
CompiledCode compileStage(const stagefile::Stage &stage, const operations::Dims &dims, const std::string &architecture);

} // namespace stagecraft::worker
