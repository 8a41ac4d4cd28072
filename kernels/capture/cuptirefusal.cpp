// SPDX-License-Identifier: MIT
#include "cuptirefusal.h"

namespace stagecraft::capture {

namespace {

// CUptiResult of cupti_result.h. Spelt out here because headers of early CUDA 12 lack the last ones.
enum Code
{
    NotInitialized = 15,
    HardwareBusy = 26,
    NotSupported = 27,
    VirtualizedDevice = 33,
    InsufficientPrivileges = 35,
    MultipleSubscribers = 39,
    VirtualizedDevicePrivileges = 40,
    ConfidentialComputing = 41,
    CmpDevice = 42,
    MigDevice = 43,
    SliDevice = 44,
    WslDevice = 45,
};

std::string permissionFix(const Surroundings &where)
{
    if (where.wsl)
        return "in Windows, open NVIDIA Control Panel, Desktop, Enable Developer Settings, then Developer, Manage GPU "
               "Performance Counters, and allow access to all users";
    const std::string host = "set the kernel module option NVreg_RestrictProfilingToAdminUsers=0 for nvidia (a line in "
                             "/etc/modprobe.d) and restart";
    if (where.container)
        return "start the container with --cap-add=SYS_ADMIN, or on the host " + host;
    return host + ", or run as root";
}

Refusal known(int code, const Surroundings &where)
{
    switch (code) {
    case InsufficientPrivileges:
    case VirtualizedDevicePrivileges:
        return {"the driver does not let this user profile the GPU", permissionFix(where)};
    case MultipleSubscribers:
        return {"another profiler is using CUPTI in this process (Nsight Systems, Nsight Compute or a debugger)",
                "start without that tool, or leave the device to it with --no-capture"};
    case VirtualizedDevice:
        return {"CUPTI does not record on this virtualized GPU",
                "allow profiling for the virtual GPU on its host, or use a GPU that is passed through whole"};
    case ConfidentialComputing:
        return {"CUPTI does not record while confidential computing is on", "measure on a GPU where it is off"};
    case CmpDevice:
        return {"CUPTI does not record on a mining GPU (CMP)", "measure on another GPU"};
    case MigDevice:
        return {"CUPTI does not record on this slice of a GPU (MIG)", "measure on a whole GPU"};
    case SliDevice:
        return {"CUPTI does not record on GPUs joined by SLI", "turn SLI off"};
    case WslDevice:
        return {"CUPTI does not work under WSL2 on this GPU", "update the Windows driver, or measure on Linux itself"};
    case NotInitialized:
        return {"CUPTI could not initialize", "check that libcupti is not newer than the driver (stagecraft doctor "
                                              "lists both versions)"};
    case NotSupported:
        return {"CUPTI does not support this GPU or driver",
                "install the CUPTI that belongs to the driver's CUDA version"};
    default:
        return {"CUPTI failed",
                where.wsl ? "under WSL2, update the Windows driver" : "check that libcupti fits the driver"};
    }
}

} // namespace

Refusal explainRefusal(int code, const std::string &name, const std::string &call, const Surroundings &where)
{
    Refusal refusal = known(code, where);
    refusal.reason += " (" + call + ": " + name + ")";
    return refusal;
}

Refusal explainCounterRefusal(int code, const std::string &name, const std::string &call, const Surroundings &where)
{
    Refusal refusal;
    switch (code) {
    case InsufficientPrivileges:
    case VirtualizedDevicePrivileges:
        refusal = {"the driver does not let this user read hardware counters", permissionFix(where)};
        break;
    case HardwareBusy:
        refusal = {"another program holds the hardware counters of this GPU (Nsight Compute, Nsight Systems, DCGM)",
                   "end it, or pause its counters (dcgmi profile --pause)"};
        break;
    case NotSupported:
        refusal = {"CUPTI has no hardware counters of this GPU",
                   "install the CUPTI that belongs to the driver's CUDA version"};
        break;
    default:
        return explainRefusal(code, name, call, where);
    }
    refusal.reason += " (" + call + ": " + name + ")";
    return refusal;
}

Refusal explainUncounted(const CounterObstacles &obstacles)
{
    if (obstacles.architecture)
        return {"CUPTI counts on GPUs of compute capability 7.0 and above, and this one is older",
                "count on a newer GPU"};
    if (obstacles.wsl)
        return known(WslDevice, {});
    if (obstacles.virtualGpu)
        return {"this virtualized GPU has no hardware counters for its guests",
                "allow profiling for the virtual GPU on its host, or use a GPU that is passed through whole"};
    if (obstacles.confidentialComputing)
        return {"there are no hardware counters while confidential computing is on", "count on a GPU where it is off"};
    if (obstacles.miningGpu)
        return {"a mining GPU (CMP) has no hardware counters", "count on another GPU"};
    if (obstacles.sli)
        return {"there are no hardware counters on GPUs joined by SLI", "turn SLI off"};
    return {"CUPTI does not count on this GPU, and does not say why",
            "install the CUPTI that belongs to the driver's CUDA version"};
}

} // namespace stagecraft::capture
