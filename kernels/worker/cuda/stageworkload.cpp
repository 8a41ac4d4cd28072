// SPDX-License-Identifier: MIT
#include "stageworkload.h"

#include "faultphrases.h"
#include "stagecompiler.h"
#include "tensormaps.h"

#include <algorithm>
#include <deque>

namespace stagecraft::worker {

namespace {

constexpr std::int64_t sharedBytesWithoutOptIn = 48 * 1024;
constexpr std::int64_t portableClusterBlocks = 8;

std::int64_t product(const stagefile::Extent3 &extent)
{
    return extent[0] * extent[1] * extent[2];
}

int functionAttribute(CUfunction function, CUfunction_attribute attribute)
{
    int value = 0;
    STAGECRAFT_CHECK(driver().funcGetAttribute(&value, attribute, function));
    return value;
}

// The driver's figures where it has them; barriers and spills only ptxas tells.
protocol::KernelResources resourcesOf(const std::string &entry, CUfunction function, std::int64_t dynamicSharedBytes,
                                      const CompiledCode &code)
{
    protocol::KernelResources resources;
    const auto told = std::ranges::find(code.kernels, entry, &protocol::KernelResources::entry);
    if (told != code.kernels.end())
        resources = *told;
    resources.entry = entry;
    resources.registers = functionAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    resources.sharedBytes = functionAttribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + dynamicSharedBytes;
    resources.localBytes = functionAttribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    return resources;
}

[[noreturn]] void impossible(const stagefile::Stage &stage, const stagefile::LaunchSpec &spec, const std::string &why)
{
    throw WorkerError(
        protocol::error::invalid,
        stage.name() + ": " + spec.entry + std::string(protocol::phrase::cannotBeLaunched) + why,
        "correct the stage's block, shared_bytes or __launch_bounds__, or choose a GPU that has the room");
}

// What the driver would refuse at the launch with a word or two, said before with its numbers.
void requireRoom(const stagefile::Stage &stage, const stagefile::LaunchSpec &spec, CUfunction function, const Gpu &gpu)
{
    const int mostThreads = functionAttribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (product(spec.block) > mostThreads)
        impossible(stage, spec,
                   "a block has " + std::to_string(product(spec.block)) +
                       " threads, the kernel was compiled for at most " + std::to_string(mostThreads));
    const std::int64_t sharedBytes =
        functionAttribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + spec.sharedBytes;
    const int mostBytes = gpu.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (sharedBytes > mostBytes)
        impossible(stage, spec,
                   "a block takes " + std::to_string(sharedBytes) + " bytes of shared memory, this GPU has " +
                       std::to_string(mostBytes));
}

// Opts in to what a launch uses beyond every GPU's minimum. That minimum is of static and dynamic shared memory
// together, and only the dynamic part is asked for: the static one is the function's own.
void allow(CUfunction function, const stagefile::LaunchSpec &spec)
{
    const std::int64_t staticBytes = functionAttribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    if (spec.sharedBytes > 0 && staticBytes + spec.sharedBytes > sharedBytesWithoutOptIn)
        STAGECRAFT_CHECK(driver().funcSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                   static_cast<int>(spec.sharedBytes)));
    if (product(spec.cluster) > portableClusterBlocks)
        STAGECRAFT_CHECK(driver().funcSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
}

void requireFit(const stagefile::Stage &stage, const operations::Dims &dims, const stagefile::GpuFacts &facts)
{
    if (const auto problem = stagefile::gpuMisfit(stage, facts))
        throw WorkerError(protocol::error::unavailable, *problem, "choose another stage, or a GPU that it is made for");
    if (const auto problem = stagefile::dimsMisfit(stage, dims, facts.smCount))
        throw WorkerError(protocol::error::invalid, *problem, "choose another stage, or dims that it is made for");
}

// Of another arithmetic than FP32 nobody is to think that it was.
std::string arithmeticRemark(const stagefile::Stage &stage)
{
    return stage.arithmetic == "fp32" ? "" : "; computes in " + stage.arithmetic + ", which is not exact FP32";
}

// Every launch of a stage takes the same STAGE_ARGS: the addresses of the inputs, of the output and of the scratch, and
// the tensor maps themselves. One for each copy of the arrays, ready before any call.
class StageArguments
{
public:
    StageArguments(const DeviceArrays &arrays, const DeviceBuffer &scratch, std::vector<CUtensorMap> maps)
        : m_maps(std::move(maps))
    {
        for (const DeviceBuffer &input : arrays.inputs)
            m_addresses.push_back(input.address());
        m_addresses.push_back(arrays.output.address());
        if (scratch.bytes() > 0)
            m_addresses.push_back(scratch.address());
        for (CUdeviceptr &address : m_addresses)
            m_parameters.push_back(&address);
        for (CUtensorMap &map : m_maps)
            m_parameters.push_back(&map);
    }
    StageArguments(const StageArguments &) = delete; // the parameters point into the other two
    StageArguments &operator=(const StageArguments &) = delete;

    void **parameters() { return m_parameters.data(); }

private:
    std::vector<CUdeviceptr> m_addresses;
    std::vector<CUtensorMap> m_maps;
    std::vector<void *> m_parameters;
};

class StageWorkload final : public Workload
{
public:
    StageWorkload(const stagefile::Stage &stage, const operations::Dims &dims, const Gpu &gpu, ArrayCopies copies,
                  const std::string &remark)
        : Workload(copies), m_name(stage.name()), m_sha256(stage.sha256), m_arithmetic(stage.arithmetic)
    {
        const stagefile::GpuFacts facts = gpu.facts();
        requireFit(stage, dims, facts);
        const CompileTarget target = targetFor(facts.computeMajor, facts.computeMinor);
        CompiledCode code = compileStage(stage, dims, target.architecture);
        m_note = "compiled by NVRTC " + nvrtc().state.version + " for " + target.architecture +
                 (target.note.empty() ? "" : "; " + target.note) + arithmeticRemark(stage) + remark;
        m_module = loadModule(code.image);
        if (stage.scratchBytes > 0)
            m_scratch = DeviceBuffer(static_cast<std::size_t>(stage.scratchBytes));
        for (const DeviceArrays &arrays : copies)
            m_arguments.emplace_back(arrays, m_scratch, encodeTensorMaps(stage, dims, arrays));
        m_parameters = m_arguments.front().parameters();
        m_launches.reserve(stage.launches.size()); // configurations point into their launch
        for (const stagefile::LaunchSpec &spec : stage.launches)
            addLaunch(stage, spec, stagefile::gridOf(stage, spec, dims, facts.smCount), gpu, code);
        m_code = std::move(code.image);
    }

    void enqueue() override
    {
        for (const Ready &launch : m_launches)
            STAGECRAFT_CHECK(driver().launchKernelEx(&launch.configuration, launch.function, m_parameters, nullptr));
    }

    void poisonScratch() override { m_scratch.poison(); }

    std::string stage() const override { return m_name; }
    std::string sourceSha256() const override { return m_sha256; }
    std::string arithmetic() const override { return m_arithmetic; }
    std::string note() const override { return m_note; }
    std::vector<char> machineCode() const override { return m_code; }

    std::vector<protocol::Launch> launches() const override
    {
        std::vector<protocol::Launch> result;
        for (const Ready &launch : m_launches)
            result.push_back(launch.description);
        return result;
    }

private:
    struct Ready
    {
        CUfunction function = nullptr;
        CUlaunchAttribute cluster{};
        CUlaunchConfig configuration{};
        protocol::Launch description;
    };

    void use(std::size_t copy) override { m_parameters = m_arguments[copy].parameters(); }

    void addLaunch(const stagefile::Stage &stage, const stagefile::LaunchSpec &spec, const stagefile::Extent3 &grid,
                   const Gpu &gpu, const CompiledCode &code)
    {
        Ready &launch = m_launches.emplace_back();
        STAGECRAFT_CHECK(driver().moduleGetFunction(&launch.function, m_module, spec.entry.c_str()));
        requireRoom(stage, spec, launch.function, gpu);
        allow(launch.function, spec);
        configure(launch, spec, grid, gpu.stream());
        const auto threads = static_cast<int>(product(spec.block));
        int blocksPerSm = 0;
        STAGECRAFT_CHECK(driver().occupancyMaxActiveBlocksPerMultiprocessor(
            &blocksPerSm, launch.function, threads, static_cast<std::size_t>(spec.sharedBytes)));
        if (blocksPerSm < 1)
            impossible(stage, spec, "not one block fits a multiprocessor of this GPU");
        launch.description = {spec.entry, grid, spec.block,
                              resourcesOf(spec.entry, launch.function, spec.sharedBytes, code), blocksPerSm * threads};
    }

    static void configure(Ready &launch, const stagefile::LaunchSpec &spec, const stagefile::Extent3 &grid,
                          CUstream stream)
    {
        const auto extent = [](std::int64_t value) { return static_cast<unsigned>(value); };
        CUlaunchConfig &configuration = launch.configuration;
        configuration.gridDimX = extent(grid[0]);
        configuration.gridDimY = extent(grid[1]);
        configuration.gridDimZ = extent(grid[2]);
        configuration.blockDimX = extent(spec.block[0]);
        configuration.blockDimY = extent(spec.block[1]);
        configuration.blockDimZ = extent(spec.block[2]);
        configuration.sharedMemBytes = extent(spec.sharedBytes);
        configuration.hStream = stream;
        if (product(spec.cluster) == 1)
            return;
        launch.cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        launch.cluster.value.clusterDim.x = extent(spec.cluster[0]);
        launch.cluster.value.clusterDim.y = extent(spec.cluster[1]);
        launch.cluster.value.clusterDim.z = extent(spec.cluster[2]);
        configuration.attrs = &launch.cluster;
        configuration.numAttrs = 1;
    }

    std::string m_name, m_sha256, m_arithmetic, m_note;
    CUmodule m_module = nullptr; // its context's
    std::vector<char> m_code;
    DeviceBuffer m_scratch;
    std::deque<StageArguments> m_arguments; // one for each copy
    void **m_parameters = nullptr;          // the next call's, of m_arguments
    std::vector<Ready> m_launches;
};

} // namespace

std::unique_ptr<Workload> prepareStage(const stagefile::Stage &stage, const operations::Dims &dims, const Gpu &gpu,
                                       ArrayCopies copies, const std::string &remark)
{
    return std::make_unique<StageWorkload>(stage, dims, gpu, copies, remark);
}

} // namespace stagecraft::worker
