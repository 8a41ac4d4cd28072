// SPDX-License-Identifier: GPL-3.0-or-later
// What a profiler is to NVTX: a library that NVTX loads through NVTX_INJECTION64_PATH. It writes a line per call to
// the file that STAGECRAFT_TEST_NVTX_LOG names: "domain NAME", "push DOMAIN DEPTH NAME", "pop DOMAIN DEPTH".
#include <cstdio>
#include <cstdlib>
#include <nvtx3/nvToolsExt.h>

namespace {

std::FILE *logFile = nullptr;
const char *domainName = "";
int depth = 0;

nvtxDomainHandle_t NVTX_API createDomain(const char *name)
{
    domainName = name;
    std::fprintf(logFile, "domain %s\n", name);
    return reinterpret_cast<nvtxDomainHandle_t>(&domainName);
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
    const bool known = domain == reinterpret_cast<nvtxDomainHandle_t>(&domainName);
    std::fprintf(logFile, "push %s %d %s\n", known ? domainName : "?", depth, attributes->message.ascii);
    return depth++;
}

int NVTX_API pop(nvtxDomainHandle_t)
{
    std::fprintf(logFile, "pop %s %d\n", domainName, --depth);
    return depth;
}

template <class Function>
void place(NvtxFunctionTable table, unsigned size, unsigned index, Function *function)
{
    if (index < size && table[index])
        *table[index] = reinterpret_cast<NvtxFunctionPointer>(function);
}

} // namespace

extern "C" NVTX_DYNAMIC_EXPORT int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t getExportTable)
{
    const auto *callbacks = static_cast<const NvtxExportTableCallbacks *>(getExportTable(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size))
        return 0;
    const char *path = std::getenv("STAGECRAFT_TEST_NVTX_LOG");
    logFile = path ? std::fopen(path, "w") : nullptr;
    if (!logFile)
        return 0;
    std::setvbuf(logFile, nullptr, _IOLBF, 0);
    place(table, size, NVTX_CBID_CORE2_DomainCreateA, createDomain);
    place(table, size, NVTX_CBID_CORE2_DomainRangePushEx, push);
    place(table, size, NVTX_CBID_CORE2_DomainRangePop, pop);
    return 1;
}
