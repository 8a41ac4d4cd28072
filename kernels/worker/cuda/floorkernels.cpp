// SPDX-License-Identifier: MIT
#include "floorkernels.h"

#include "cudacheck.h"
#include "stagecompiler.h"
#include "stagekernels.h"
#include "stageresources.h"

#include <fstream>
#include <iterator>

namespace stagecraft::worker {

namespace {

std::string sourceText(const std::string &name)
{
    std::ifstream stream(stagesFolder().parent_path() / "floors" / name, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream || text.empty())
        throw WorkerError(protocol::error::unavailable, "the microbenchmark floors/" + name + " is not there",
                          "install Stagecraft again, or correct STAGECRAFT_RESOURCES");
    return text;
}

} // namespace

FloorKernels::FloorKernels(const Gpu &gpu)
{
    const stagefile::GpuFacts facts = gpu.facts();
    const std::string architecture = targetFor(facts.computeMajor, facts.computeMinor).architecture;
    std::vector<std::string> names{"streams.cu", "gathers.cu", "arithmetic.cu"};
    if (architecture == "sm_90a")
        names.emplace_back("wgmma.cu");
    for (const std::string &name : names) {
        const CompiledCode code = compileSource(sourceText(name), "floors/" + name, {}, architecture);
        CUmodule module = loadModule(code.image);
        for (const std::string &entry : entriesOf(code))
            STAGECRAFT_CHECK(driver().moduleGetFunction(&m_functions[entry], module, entry.c_str()));
    }
}

CUfunction FloorKernels::find(const std::string &entry) const
{
    const auto found = m_functions.find(entry);
    return found == m_functions.end() ? nullptr : found->second;
}

int FloorKernels::blocksPerSm(CUfunction function, unsigned threads) const
{
    int blocks = 0;
    STAGECRAFT_CHECK(
        driver().occupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, static_cast<int>(threads), 0));
    return blocks;
}

} // namespace stagecraft::worker
