// SPDX-License-Identifier: MIT
#include "floors.h"

#include "emptyspan.h"
#include "floorformulas.h"
#include "floorprobes.h"
#include "operationmessages.h"

#include <algorithm>

namespace stagecraft::worker {

namespace {

using protocol::FloorMeasurement;

constexpr std::int64_t quadBytes = 16;
constexpr std::int64_t mostCopies = 1024; // of the rotation, as for cold measurements

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

// The fastest of some probes: its time, its rate, which it was.
struct Fastest
{
    double us = 0, rate = 0; // rate: bytes or operations per µs, the highest of all
    std::string name;
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

    // Enough for the bytes of two caches to pass between two uses of a copy; 0 where mostCopies are too few.
    std::int64_t copiesFor(std::int64_t bytesOfOne) const
    {
        if (m_cache != "cold")
            return 1;
        const std::int64_t copies =
            std::max<std::int64_t>(2, 2 * m_l2Bytes / std::max<std::int64_t>(1, bytesOfOne) + 1);
        return copies <= mostCopies ? copies : 0;
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
        probes.push_back({std::string(shape.text) + ", blocks of " + std::to_string(threads), function, blocks, threads,
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

    Fastest fastest(const std::vector<Probe> &probes, const ProbeArrays &arrays)
    {
        const std::vector<double> means = probeMeans(probes, arrays, m_gpu, m_recorder, m_cancelRequested);
        Fastest best;
        for (std::size_t i = 0; i < probes.size(); ++i) {
            if (const double rate = workOf(probes[i]) / means[i]; i == 0 || rate > best.rate)
                best = {means[i], rate, probes[i].name};
        }
        return best;
    }

    double emptyKernel()
    {
        const Probe probe{"empty kernel", m_kernels.find("floor_empty"), 1, 32, StreamWork{}};
        const double us = probeMeans({probe}, ProbeArrays(quadBytes, 1), m_gpu, m_recorder, m_cancelRequested).front();
        tell("empty kernel", "µs", us, "one block of 32 threads");
        tell("span of an empty kernel", "µs", emptyKernelSpan(probe.function, m_gpu, m_cancelRequested),
             "the time around a call of one launch, beside the kernel's own");
        return us;
    }

    std::optional<Fastest> peak(std::span<const Peak> candidates)
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
        if (probes.empty())
            return std::nullopt;
        return fastest(probes, ProbeArrays(quadBytes, 1));
    }

    void peaks()
    {
        if (const auto ffma = peak(ffmaPeaks)) {
            m_rates.ffmaTflops = ffma->rate * 1e-6;
            m_rates.ffma = ffma->name;
            tell("FP32 multiply-add peak", "TFLOP/s", m_rates.ffmaTflops, ffma->name);
        }
        const auto tensor = peak(tf32Peaks);
        for (const Peak &candidate : tf32Peaks) { // each instruction by itself, for people
            if (const auto one = peak(std::span(&candidate, 1)))
                tell(std::string(candidate.text) + " peak", "TFLOP/s", one->rate * 1e-6,
                     "blocks of " + std::to_string(candidate.threads));
        }
        if (!tensor)
            return;
        m_rates.tf32Tflops = tensor->rate * 1e-6;
        m_rates.tf32 = tensor->name;
    }

    // Of one size and kind; the fastest of all is what formulas divide by.
    void streamRate(const char *kind, std::span<const Shape> shapes, std::span<const unsigned> blocks,
                    const ProbeArrays &arrays)
    {
        const Fastest best = fastest(streams(shapes, blocks, arrays.bytes), arrays);
        const double gbs = best.rate * 1e-3;
        tell(m_cache + " " + kind + " of " + std::to_string(arrays.bytes) + " bytes", "GB/s", gbs, best.name);
        if (gbs > m_rates.streamGbs) {
            m_rates.streamGbs = gbs;
            m_rates.stream = m_cache + " " + kind;
        }
    }

    // Arrays of which two fit into the L2 with room to spare, arrays of which one does, and arrays of which none does.
    void streamRates()
    {
        const std::int64_t l2 = std::max<std::int64_t>(m_l2Bytes, std::int64_t{5} << 20);
        for (const std::int64_t bytes : {l2 / 5, l2 * 2 / 5, l2 * 4}) {
            const std::int64_t whole = bytes / 4096 * 4096;
            const ProbeArrays arrays(whole, std::max<std::int64_t>(1, copiesFor(whole)));
            streamRate("copy", copyShapes, streamBlocks, arrays);
            streamRate("read", readShapes, streamBlocks, arrays);
            streamRate("write", writeShapes, streamBlocks, arrays);
            streamRate("gather", gatherShapes, gatherBlocks, arrays);
        }
    }

    std::optional<double> copyTime(const operations::Operation &operation, const operations::Dims &dims)
    {
        const std::int64_t bytes = copiedBytes(compulsoryTraffic(operation, dims)) / quadBytes * quadBytes;
        if (bytes == 0)
            return std::nullopt; // an empty kernel says it better
        const std::int64_t copies = copiesFor(2 * bytes);
        const std::string what = "copy of " + std::to_string(bytes) + " bytes";
        if (copies == 0) {
            m_result.missing.push_back("The cold " + what + " would take more than " + std::to_string(mostCopies) +
                                       " copies to outgrow an L2 of " + std::to_string(m_l2Bytes) + " bytes.");
            return std::nullopt;
        }
        const Fastest best = fastest(streams(copyShapes, streamBlocks, bytes), ProbeArrays(bytes, copies));
        tell(m_cache + " " + what, "µs", best.us, best.name);
        return best.us;
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
