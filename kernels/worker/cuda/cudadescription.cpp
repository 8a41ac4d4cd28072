// SPDX-License-Identifier: MIT
#include "cudadescription.h"

#include "gpu.h"
#include "libraryimplementations.h"
#include "machine.h"
#include "stagecompiler.h"
#include "stagefolder.h"
#include "stageresources.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

using namespace protocol;

Library cuptiLibrary(const capture::RecorderSupport &recorder)
{
    return {"CUPTI", recorder.libraryPath, recorder.version, recorder.available, recorder.reason, recorder.fix};
}

void setUnavailable(Implementation &implementation, const std::string &reason, const std::string &fix)
{
    implementation.available = false;
    implementation.reason = reason;
    implementation.fix = fix;
}

// The first lack of several: the driver and its GPU, then the library that the implementation needs.
void judge(Implementation &implementation, const std::vector<Device> &devices, const std::string &libraryName,
           const LibraryState &library)
{
    implementation.available = true;
    if (!driver().state.available)
        setUnavailable(implementation, driver().state.reason, driver().state.fix);
    else if (devices.empty())
        setUnavailable(implementation, "CUDA shows no GPU", "check nvidia-smi and CUDA_VISIBLE_DEVICES");
    else if (!library.available)
        setUnavailable(implementation, libraryName + ": " + library.reason, library.fix);
}

Implementation cudaImplementation(const std::vector<Device> &devices)
{
    Implementation cuda;
    cuda.id = "cuda";
    cuda.timingSource = "event";
    cuda.note = "this project's stages, compiled by NVRTC for the GPU at hand";
    const stagefile::StageListing listing = stagefile::listStages(stagesFolder());
    for (const stagefile::Stage &stage : listing.stages) {
        if (std::ranges::find(cuda.operations, stage.operation) == cuda.operations.end())
            cuda.operations.push_back(stage.operation);
    }
    judge(cuda, devices, "NVRTC", nvrtc().state);
    if (cuda.available && listing.stages.empty())
        setUnavailable(cuda, listing.problems.empty() ? "the stages folder is empty" : listing.problems.front(),
                       "install Stagecraft again, or correct STAGECRAFT_RESOURCES");
    return cuda;
}

Implementation describeLibrary(const LibraryImplementation &known, const std::vector<Device> &devices)
{
    Implementation library;
    library.id = known.id;
    for (const LibraryOperation &one : known.operations)
        library.operations.push_back(one.operation);
    library.timingSource = "event";
    library.note = known.note;
    judge(library, devices, known.library, known.state());
    return library;
}

Library nvrtcLibrary()
{
    Library library = nvrtc().state.report("NVRTC");
    if (const std::string known = knownArchitectures(); !known.empty())
        library.note = "compiles for " + known;
    return library;
}

std::vector<Device> devices()
{
    std::vector<Device> list;
    for (int index = 0; index < gpuCount(); ++index)
        list.push_back(describeGpu(index));
    return list;
}

} // namespace

DescribeResult describeMachine(int device, const capture::RecorderSupport &recorder)
{
    DescribeResult result;
    result.platform = operatingSystem() + ", " + cpuModel();
    result.devices = devices();
    const int count = static_cast<int>(result.devices.size());
    if (count > 0 && (device < 0 || device >= count))
        throw WorkerError(error::invalid,
                          "device " + std::to_string(device) + " is not there; CUDA shows " + std::to_string(count),
                          "choose a device from 0 to " + std::to_string(count - 1));
    result.libraries = {driver().state.report("libcuda"), nvrtcLibrary(), cuptiLibrary(recorder)};
    result.implementations = {cudaImplementation(result.devices)};
    for (const LibraryImplementation &known : libraryImplementations()) {
        result.libraries.push_back(known.state().report(known.library));
        result.implementations.push_back(describeLibrary(known, result.devices));
    }
    result.capture.backend = "cupti";
    result.capture.timestampMode = recorder.timestampMode;
    const bool hasGpu = count > 0;
    result.capture.available = hasGpu && recorder.available;
    if (!result.capture.available) {
        result.capture.reason = hasGpu ? recorder.reason : result.implementations.front().reason;
        result.capture.fix = hasGpu ? recorder.fix : result.implementations.front().fix;
    }
    return result;
}

} // namespace stagecraft::worker
