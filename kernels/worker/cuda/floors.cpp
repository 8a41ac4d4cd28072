// SPDX-License-Identifier: MIT
#include "floors.h"

#include "coldcache.h"
#include "emptyspan.h"
#include "floorformulas.h"
#include "floorprobes.h"
#include "operationmessages.h"

#include <algorithm>
#include <bit>

namespace stagecraft::worker {

namespace {

constexpr std::int64_t quadBytes = 16;

// A family of stream kernels, FLIGHT elements of a thread under way: ENTRY_FLIGHT.
struct Shape
{
    const char *entry, *text;
    int flight;     // quads of a thread
    double traffic; // times the array's bytes: 2 for a copy
};

constexpr Shape copyShapes[] = {{"floor_copy_quads_1", "1 float4 a thread", 1, 2},
                                {"floor_copy_quads_2", "2 float4 a thread", 2, 2},
                                {"floor_copy_quads_4", "4 float4 a thread", 4, 2},
                                {"floor_copy_quads_8", "8 float4 a thread", 8, 2},
                                {"floor_copy_once_1", "1 float4 a thread past the L1", 1, 2},
                                {"floor_copy_once_2", "2 float4 a thread past the L1", 2, 2},
                                {"floor_copy_once_4", "4 float4 a thread past the L1", 4, 2},
                                {"floor_copy_once_8", "8 float4 a thread past the L1", 8, 2},
                                {"floor_copy_pairs_2", "2 float2 a thread", 1, 2},
                                {"floor_copy_pairs_4", "4 float2 a thread", 2, 2}};
constexpr Shape readShapes[] = {{"floor_read_quads_4", "4 float4 a thread", 4, 1},
                                {"floor_read_quads_8", "8 float4 a thread", 8, 1}};
constexpr Shape writeShapes[] = {{"floor_write_quads_1", "1 float4 a thread", 1, 1},
                                 {"floor_write_quads_4", "4 float4 a thread", 4, 1}};
constexpr Shape gatherShapes[] = {{"floor_gather_32", "runs of 32 bytes", 8, 1},
                                  {"floor_gather_256", "rows of 256 bytes", 8, 1},
                                  {"floor_gather_32_async", "runs of 32 bytes by cp.async", 8, 1}};
constexpr unsigned streamBlocks[] = {192, 256, 512};
constexpr unsigned gatherBlocks[] = {256}; // that the kernels are made for

struct Peak
{
    const char *entry, *text;
    unsigned threads;
    int rounds;            // that take about a quarter of a millisecond on a GPU of 2024
    double flopsPerThread; // in a round
};

constexpr Peak ffmaPeaks[] = {{"floor_ffma", "FFMA", 256, 256, 256},
                              {"floor_ffma", "FFMA", 1024, 256, 256},
                              {"floor_ffma_pairs", "FFMA2", 256, 256, 512}};
constexpr Peak tf32Peaks[] = {{"floor_tf32_mma", "mma.sync m16n8k8 TF32", 128, 128, 65536.0 / 32},
                              {"floor_tf32_mma", "mma.sync m16n8k8 TF32", 256, 128, 65536.0 / 32},
                              {"floor_tf32_wgmma_64", "wgmma m64n64k8 TF32", 512, 128, 524288.0 / 128},
                              {"floor_tf32_wgmma_128", "wgmma m64n128k8 TF32", 512, 64, 1048576.0 / 128}};

// What a probe took, and its rate in bytes or operations per µs.
struct Outcome
{
    double us = 0, rate = 0;
    std::string name;
    unsigned blocks = 0, threads = 0;

    std::string variant() const { return name + ", blocks of " + std::to_string(threads); }
};

class Benchmark
{
public:
    Benchmark(const protocol::FloorsParams &params, const Gpu &gpu, capture::KernelRecorder &recorder,
              const std::atomic<bool> &cancelRequested)
        : m_params(params),
          m_gpu(gpu),
          m_recorder(recorder),
          m_cancelRequested(cancelRequested),
          m_kernels(gpu),
          m_cache(params.cache == "cold" ? "cold" : "warm"),
          m_l2Bytes(gpu.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE))
    {
    }

    protocol::FloorsResult run()
    {
        requireOutgrowableCache();
        m_result.backend = "cupti";
        m_result.timestampMode = m_recorder.support().timestampMode;
        m_rates.keptBytes = m_cache == "cold" ? m_l2Bytes : 0;
        m_rates.emptyKernelUs = emptyKernel();
        peaks();
        streamRates();
        for (const protocol::FloorsOperation &wanted : m_params.operations) {
            const operations::Operation &operation = requireOperation(wanted.operation);
            const auto floors =
                operationFloors(operation, wanted.dims, m_cache, m_rates, copyTime(operation, wanted.dims));
            m_result.floors.insert(m_result.floors.end(), floors.begin(), floors.end());
        }
        return std::move(m_result);
    }

private:
    // What is not known cannot be outgrown, and a warm stream is no cold one's rate.
    void requireOutgrowableCache() const
    {
        if (m_cache == "cold" && m_l2Bytes <= 0)
            throw WorkerError(
                protocol::error::unavailable,
                "cold floors need copies that outgrow the L2, and the driver does not say how large it is",
                "measure with a warm cache (--cache warm)");
    }

    std::int64_t copiesOf(std::int64_t bytes) const
    {
        return m_cache == "cold" ? copiesBeyond(m_l2Bytes, std::max<std::int64_t>(1, bytes)) : 1;
    }

    // For what is told as `what`; nullopt, with a sentence in `missing`, where there is no room for them.
    std::optional<ProbeArrays> arraysFor(const std::string &what, std::int64_t bytes, std::int64_t copies)
    {
        const std::int64_t needed = ProbeArrays::neededBytes(bytes, copies), free = m_gpu.freeBytes();
        std::string reason =
            "this takes " + std::to_string(needed) + " bytes of GPU memory, and " + std::to_string(free) + " are free";
        if (needed <= free) {
            try {
                return std::optional<ProbeArrays>(std::in_place, bytes, copies);
            } catch (const WorkerError &refused) { // what is free can be in pieces, or taken in between
                reason = refused.what();
            }
        }
        m_result.missing.push_back("The " + what + " could not be measured: " + reason + ".");
        return std::nullopt;
    }

    void tell(const std::string &what, const char *unit, double value, const std::string &note)
    {
        m_result.measurements.push_back({what, unit, value, note});
    }

    void appendStream(std::vector<Probe> &probes, const Shape &shape, unsigned threads, std::int64_t bytes) const
    {
        const CUfunction function = m_kernels.find(shape.entry);
        if (!function)
            return;
        const std::int64_t quads = bytes / quadBytes;
        const std::int64_t perBlock = std::int64_t{threads} * shape.flight;
        const auto blocks = static_cast<unsigned>(std::max<std::int64_t>(1, (quads + perBlock - 1) / perBlock));
        probes.push_back({shape.text, function, blocks, threads,
                          StreamWork{quads, shape.traffic * static_cast<double>(quads * quadBytes)}});
    }

    std::vector<Probe> streams(std::span<const Shape> shapes, std::span<const unsigned> blocks,
                               std::int64_t bytes) const
    {
        std::vector<Probe> probes;
        for (const Shape &shape : shapes) {
            for (const unsigned threads : blocks)
                appendStream(probes, shape, threads, bytes);
        }
        return probes;
    }

    static double workOf(const Probe &probe)
    {
        const auto *streaming = std::get_if<StreamWork>(&probe.work);
        return streaming ? streaming->bytes : std::get<ArithmeticWork>(probe.work).flops;
    }

    std::vector<Outcome> outcomes(const std::vector<Probe> &probes, const ProbeArrays &arrays)
    {
        const std::vector<double> means = probeMeans(probes, arrays, m_gpu, m_recorder, m_cancelRequested);
        std::vector<Outcome> all;
        for (std::size_t i = 0; i < probes.size(); ++i)
            all.push_back(
                {means[i], workOf(probes[i]) / means[i], probes[i].name, probes[i].blocks, probes[i].threads});
        return all;
    }

    static const Outcome &fastestOf(const std::vector<Outcome> &all)
    {
        return *std::ranges::max_element(all, {}, &Outcome::rate);
    }

    double emptyKernel()
    {
        const Probe probe{"empty kernel", m_kernels.find("floor_empty"), 1, 32, StreamWork{}};
        const double us = probeMeans({probe}, ProbeArrays(quadBytes, 1), m_gpu, m_recorder, m_cancelRequested).front();
        tell("empty kernel", "µs", us, "one block of 32 threads");
        tell("span of an empty kernel", "µs", emptyKernelSpan(probe.function, m_gpu, m_cancelRequested),
             "the time around a call of one launch, its kernel included");
        return us;
    }

    std::vector<Probe> peakProbes(std::span<const Peak> candidates) const
    {
        std::vector<Probe> probes;
        for (const Peak &candidate : candidates) {
            const CUfunction function = m_kernels.find(candidate.entry);
            const int blocks = function ? m_kernels.blocksPerSm(function, candidate.threads) : 0;
            if (blocks < 1)
                continue;
            const auto grid = static_cast<unsigned>(blocks * m_gpu.facts().smCount);
            probes.push_back({candidate.text, function, grid, candidate.threads,
                              ArithmeticWork{candidate.rounds,
                                             candidate.flopsPerThread * candidate.threads * grid * candidate.rounds}});
        }
        return probes;
    }

    // Tells each candidate's rate, then, as `what`, the highest, which formulas divide by.
    std::optional<Outcome> peak(const char *what, std::span<const Peak> candidates)
    {
        const std::vector<Probe> probes = peakProbes(candidates);
        if (probes.empty())
            return std::nullopt;
        const std::vector<Outcome> all = outcomes(probes, ProbeArrays(quadBytes, 1));
        for (const Outcome &one : all)
            tell("peak of " + one.variant(), "TFLOP/s", one.rate * 1e-6, std::to_string(one.blocks) + " blocks");
        const Outcome &best = fastestOf(all);
        tell(what, "TFLOP/s", best.rate * 1e-6, best.variant());
        return best;
    }

    void peaks()
    {
        if (const auto ffma = peak("FP32 multiply-add peak", ffmaPeaks)) {
            m_rates.ffmaTflops = ffma->rate * 1e-6;
            m_rates.ffma = ffma->name;
        }
        if (const auto tensor = peak("TF32 peak", tf32Peaks)) {
            m_rates.tf32Tflops = tensor->rate * 1e-6;
            m_rates.tf32 = tensor->name;
        }
    }

    // The rate that was told.
    StreamRate streamRate(const char *kind, const std::vector<Probe> &probes, std::int64_t bytes,
                          const ProbeArrays &arrays)
    {
        const std::vector<Outcome> all = outcomes(probes, arrays);
        const Outcome &best = fastestOf(all);
        const std::string name = m_cache + " " + kind;
        tell(name + " of " + std::to_string(bytes) + " bytes", "GB/s", best.rate * 1e-3, best.variant());
        return {best.rate * 1e-3, name};
    }

    static void raise(std::optional<StreamRate> &rate, const StreamRate &measured)
    {
        if (!rate || measured.gbs > rate->gbs)
            rate = measured;
    }

    // Of arrays of one size. Cold, those that the L2 can hold are for people only: what they write can stay in it.
    void streamRatesOf(std::int64_t bytes, bool counts)
    {
        const auto arrays =
            arraysFor(m_cache + " streams of " + std::to_string(bytes) + " bytes", bytes, copiesOf(bytes));
        if (!arrays)
            return;
        const auto gathered = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes)));
        const StreamRate copy = streamRate("copy", streams(copyShapes, streamBlocks, bytes), bytes, *arrays);
        const StreamRate read = streamRate("read", streams(readShapes, streamBlocks, bytes), bytes, *arrays);
        const StreamRate write = streamRate("write", streams(writeShapes, streamBlocks, bytes), bytes, *arrays);
        const StreamRate gather =
            streamRate("gather", streams(gatherShapes, gatherBlocks, gathered), gathered, *arrays);
        if (!counts)
            return;
        raise(m_rates.read, read);
        raise(m_rates.read, gather);
        raise(m_rates.written, write);
        for (const StreamRate &any : {copy, read, write, gather})
            raise(m_rates.moved, any);
    }

    // Arrays of which two fit into the L2 with room to spare, arrays of which one does, and arrays of which none does.
    void streamRates()
    {
        const std::int64_t l2 = std::max<std::int64_t>(m_l2Bytes, std::int64_t{5} << 20);
        for (const std::int64_t bytes : {l2 / 5, l2 * 2 / 5, l2 * 4})
            streamRatesOf(bytes / 4096 * 4096, m_cache == "warm" || bytes > l2);
    }

    std::optional<MeasuredCopy> copyTime(const operations::Operation &operation, const operations::Dims &dims)
    {
        const std::int64_t bytes = copiedBytes(compulsoryTraffic(operation, dims)) / quadBytes * quadBytes;
        if (bytes == 0)
            return std::nullopt; // an empty kernel says it better
        const std::string name = copyName(bytes, m_cache, m_l2Bytes);
        const std::int64_t copies = copiesOf(2 * bytes);
        if (copies > mostColdCopies) {
            m_result.missing.push_back("The " + name + " would take more than " + std::to_string(mostColdCopies) +
                                       " copies to outgrow an L2 of " + std::to_string(m_l2Bytes) + " bytes.");
            return std::nullopt;
        }
        const auto arrays = arraysFor(name, bytes, copies);
        if (!arrays)
            return std::nullopt;
        const std::vector<Outcome> all = outcomes(streams(copyShapes, streamBlocks, bytes), *arrays);
        const Outcome &best = fastestOf(all);
        tell(name, "µs", best.us, best.variant());
        return MeasuredCopy{best.us, name};
    }

    const protocol::FloorsParams &m_params;
    const Gpu &m_gpu;
    capture::KernelRecorder &m_recorder;
    const std::atomic<bool> &m_cancelRequested;
    FloorKernels m_kernels;
    std::string m_cache;
    std::int64_t m_l2Bytes;
    MeasuredRates m_rates;
    protocol::FloorsResult m_result;
};

void requireParams(const protocol::FloorsParams &params)
{
    if (!params.cache.empty() && params.cache != "warm" && params.cache != "cold")
        throw WorkerError(protocol::error::invalid, "cache is \"" + params.cache + "\"", "name warm or cold");
    for (const protocol::FloorsOperation &wanted : params.operations)
        requireDims(requireOperation(wanted.operation), wanted.dims);
}

} // namespace

protocol::FloorsResult measureFloors(const protocol::FloorsParams &params, const Gpu &gpu,
                                     capture::KernelRecorder &recorder, const std::atomic<bool> &cancelRequested)
{
    requireParams(params);
    if (!recorder.support().available)
        throw WorkerError(protocol::error::unavailable,
                          "floors are measured by kernel records alone: " + recorder.support().reason,
                          recorder.support().fix);
    return Benchmark(params, gpu, recorder, cancelRequested).run();
}

} // namespace stagecraft::worker
