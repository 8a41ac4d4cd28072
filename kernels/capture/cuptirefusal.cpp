// SPDX-License-Identifier: MIT
#include "cuptirefusal.h"

namespace stagecraft::capture {

namespace {

// CUptiResult of cupti_result.h. Spelt out here because headers of early CUDA 12 lack the last ones.
enum Code
{
    NotInitialized = 15,
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
        return {"CUPTI does not record under WSL2 on this GPU",
                "update the Windows driver, or measure on Linux itself"};
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

} // namespace stagecraft::capture
