// SPDX-License-Identifier: MIT
/* stage
{
  "title": "3×TF32 by wgmma, tiles by TMA, warps with roles of their own",
  "change": "wgmma instead of mma.sync: it is half as fast again, works in the background, and reads one operand from shared memory and drops the low bits itself. TMA brings the tiles; one warp orders them, three make the low parts of a, eight multiply.",
  "after": "split-tf32-mma",
  "status": "retained",
  "label": "3×TF32, wgmma",
  "arithmetic": "3xtf32",
  "launches": [{"entry": "matmul_split_tf32_wgmma", "block": 384, "grid": [{"cover": "m", "by": 64}, {"cover": "n", "by": 128}], "shared_bytes": 197776}],
  "tensor_maps": [{"buffer": "a", "box": [64, 32], "swizzle": "128B"}, {"buffer": "b", "box": [32, 32], "swizzle": "128B"}],
  "requires": {"arch": "sm_90a", "multiple_of": {"n": 4, "k": 4}, "min": {"m": 1, "n": 4, "k": 4}, "max": {"m": 2147483000, "n": 2147483000, "k": 2147483000}},
  "counts": {"outputs per thread": 32, "tensor products per multiply-add": 3},
  "source": "three products, sums outside the tensor core: Ootomo and Yokota 2022; the operands exchanged for row-major inputs: NVIDIA CUTLASS's register-source mainloop"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major, by the tensor cores of sm_90a with nearly the precision of FP32.
//
// What it does. As in matmul/split-tf32-mma each value is split, x = high + low, and the product is low·high + high·low
// + high·high; the tensor core's sums start from zero every 32 k and are added up in FP32 registers. Error and promise
// are the same: a result is finite and near the exact sum, or what a chain of FFMA gives (but for overflows that
// cancel). A block owns 128 columns n by 64 rows m. wgmma wants its operands along k, which b is not: the block
// computes outᵀ = bᵀ·aᵀ, so that the operand in shared memory is a, and bᵀ goes through registers, which read it in any
// order. The tiles come by TMA into a ring of 6 stages of 32 k: b 16 KB, a 8 KB, and 8 KB for the low parts of a.
//
// What changed, and why it should help. wgmma is half as fast again as mma.sync, and takes plain floats as high parts:
// the bits that make the low part it drops itself. The low parts of a are made once, not by every warp. And it works in
// the background, so a consumer always has its next half block queued when it waits for the last one: reading,
// splitting and adding up hide behind it. This takes two sets of sums on the tensor core and two half blocks of b in
// registers; whole blocks need more than the 168 registers of three warpgroups, and then the compiler lets every wgmma
// wait for the last. The loop is unrolled around the ring, and the warp's number made uniform by a shuffle: all
// descriptors are then constants added to uniform registers, where a tenth of the instructions had moved them there.
//
// Limits. Shared memory: for 32 k wgmma reads 48 KB, TMA writes 24, the consumers read 16 of b, splitting reads and
// writes
// 16. At 128 B a clock that is 832 clocks, where the tensor core needs 768. That makes 26,600 clocks for
// 1024 k; Nsight Compute saw 32,100 for a block, with rounded low parts, the first tiles' way and the last results'
// included. 128 of 132 multiprocessors have a block. n and k must be multiples of 4, for TMA.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 19.15 µs kernel time after 30.31 of
// matmul/split-tf32-mma, namespace h200-kernels; relative error 3.8e-07 after 4.2e-07. cuBLASLt takes 55.4 µs in FP32.
// wgmma's measured 476 TFLOP/s would make 13.5 µs.
//
// Resources. 157 registers on sm_90a (NVRTC 13.0), 197776 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;

// ---- PTX: what CUDA C++ has no words for. Shared memory is named by its 32-bit address. ----

// The dynamic shared memory from its first multiple of 1024 bytes on: the 128-byte swizzle repeats every 1024.
__device__ __forceinline__ unsigned char *aligned_shared()
{
    extern __shared__ __align__(1024) unsigned char shared[];
    return shared + (-static_cast<unsigned>(__cvta_generic_to_shared(shared)) & 1023u);
}

// What this thread wrote to shared memory becomes visible to wgmma and to copies, which go past the ordinary path.
__device__ __forceinline__ void show_writes()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// One arrival, and so many bytes that copies still have to bring.
__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Returns once the phase of this parity is complete. The first phase has parity 0.
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity)
{
    unsigned done = 0;
    for (unsigned attempts = 0; done == 0; ++attempts) {
        asm volatile("{\n\t"
                     ".reg .pred complete;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, complete;\n\t"
                     "}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
        if (attempts == 1u << 20) // a fault of this kernel, and better an error than a program that hangs
            __trap();
    }
}

// Copies the map's box at (column, row) of its matrix; the barrier is told of the bytes as they land.
__device__ __forceinline__ void load_box(unsigned destination, const CUtensorMap &map, int column, int row,
                                         unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(destination),
                 "l"(&map), "r"(column), "r"(row), "r"(barrier)
                 : "memory");
}

// d (64×64) = r (64×8) · s (8×64), plus d if `add`, in TF32: the low 13 bits of every input are dropped. r is spread
// over the threads of the warpgroup, s lies in shared memory: `tile` is the low half of its descriptor. The high half
// says rows of 32 floats under the 128-byte swizzle (1 in the top bits), 1024 bytes from eight rows to the next eight.
template <bool add>
__device__ __forceinline__ void wgmma_64x64x8(float (&d)[32], const unsigned (&r)[4], unsigned tile)
{
    asm volatile("{\n\t"
                 ".reg .b64 s;\n\t"
                 "mov.b64 s, {%36, 0x40000040};\n\t"
                 "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "{%32, %33, %34, %35}, s, %37, 1, 1;\n\t"
                 "}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
                   "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                   "+f"(d[30]), "+f"(d[31])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(tile), "n"(static_cast<int>(add)));
}

// Before wgmma may read registers that were written since it last was at work.
__device__ __forceinline__ void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Returns once no more than `pending` of the groups committed last are still at work.
template <int pending>
__device__ __forceinline__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// ---- end of PTX ----

constexpr int tile_n = 128; // columns and rows of the block's part of the output
constexpr int tile_m = 64;
constexpr int k_step = 32; // of a stage of the ring
constexpr int stages = 6;
constexpr int splitters = 96;        // threads
constexpr int half = k_step / 2 / 8; // wgmmas along half a stage
constexpr int sums = tile_m / 2;     // outputs of a consumer's thread
constexpr int box_n = 32;            // columns of b of a box: 128 bytes, as much as the swizzle spans
constexpr int box_bytes = k_step * box_n * 4;
constexpr int b_bytes = k_step * tile_n * 4;
constexpr int a_bytes = tile_m * k_step * 4;
constexpr int stage_bytes = b_bytes + 2 * a_bytes; // b, a, low parts of a
constexpr int blocks = static_cast<int>((STAGE_K + Index(k_step) - 1) / k_step);

// What TF32 drops of x: x - high. The tensor core drops the low bits of that in turn, on average a bit more than an ulp
// of x, and so much is added by the same instruction: x · (1 + 2^-23) - high. For ±Inf this is a NaN: see
// store_outputs.
__device__ __forceinline__ unsigned low_part(unsigned x)
{
    return __float_as_uint(fmaf(__uint_as_float(x), 1.00000012f, -__uint_as_float(x & 0xffffe000u)));
}

// The ring of tiles, and three barriers of each stage: `full` when the copies have landed, `ready` when a's low parts
// are written too, `empty` when both consumers are done with it.
struct Ring
{
    unsigned char *tiles;
    unsigned address; // of the tiles

    __device__ __forceinline__ unsigned full(int stage) const { return address + stages * stage_bytes + stage * 8; }
    __device__ __forceinline__ unsigned ready(int stage) const { return full(stage) + stages * 8; }
    __device__ __forceinline__ unsigned empty(int stage) const { return full(stage) + 2 * stages * 8; }

    __device__ __forceinline__ void init() const
    {
        for (int stage = 0; stage < stages; ++stage) {
            barrier_init(full(stage), 1);
            barrier_init(ready(stage), splitters / 32); // warps
            barrier_init(empty(stage), 8);              // warps
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        show_writes();
    }
};

// Orders the tiles of a block of k. Boxes that reach past the matrix are filled with zeros, and counted whole.
__device__ __forceinline__ void fill(const Ring &ring, int stage, const CUtensorMap &a_map, const CUtensorMap &b_map,
                                     int row0, int column0, int block)
{
    const unsigned full = ring.full(stage);
    const unsigned tiles = ring.address + stage * stage_bytes;
    barrier_expect(full, b_bytes + a_bytes);
    load_box(tiles + b_bytes, a_map, block * k_step, row0, full);
#pragma unroll
    for (int box = 0; box < tile_n / box_n; ++box)
        load_box(tiles + box * box_bytes, b_map, column0 + box * box_n, block * k_step, full);
}

// The producer, one thread, keeps the ring filled. The first round was ordered when the kernel began.
__device__ __forceinline__ void produce(const Ring &ring, const CUtensorMap &a_map, const CUtensorMap &b_map, int row0,
                                        int column0)
{
    int stage = 0;
    unsigned parity = 0;
#pragma unroll 1
    for (int block = stages; block < blocks; ++block) {
        barrier_wait(ring.empty(stage), parity);
        fill(ring, stage, a_map, b_map, row0, column0, block);
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
}

// Three warps make the low parts of a's tiles: element by element at the same places, so there is no swizzle to mind.
__device__ __forceinline__ void split(const Ring &ring, int thread)
{
    constexpr int quads = a_bytes / 16;
    constexpr int rounds = (quads + splitters - 1) / splitters;
    int stage = 0;
    unsigned parity = 0;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
        barrier_wait(ring.full(stage), parity);
        float *const tile = reinterpret_cast<float *>(ring.tiles + stage * stage_bytes + b_bytes);
        float4 part[rounds]; // all are read before the first is used; where quads run out, threads share the last one
#pragma unroll
        for (int i = 0; i < rounds; ++i)
            part[i] = load_quad(tile + min(thread + i * splitters, quads - 1) * 4);
#pragma unroll
        for (int i = 0; i < rounds; ++i)
            store_quad(tile + a_bytes / 4 + min(thread + i * splitters, quads - 1) * 4,
                       make_float4(__uint_as_float(low_part(__float_as_uint(part[i].x))),
                                   __uint_as_float(low_part(__float_as_uint(part[i].y))),
                                   __uint_as_float(low_part(__float_as_uint(part[i].z))),
                                   __uint_as_float(low_part(__float_as_uint(part[i].w)))));
        show_writes();
        __syncwarp();
        if (thread % 32 == 0)
            barrier_arrive(ring.ready(stage));
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
}

// A consumer: a warpgroup with 64 of the block's columns n. wgmma gives its thread rows g and g + 8 of each warp's
// sixteen (here columns n), and of each eight columns (rows m) numbers 2 t and 2 t + 1. Which n a row stands for is
// free: g and g + 8 are made neighbours, so that both come by one 64-bit read and leave by one 64-bit store. Group g
// reads the 16-byte chunk `chunk` of its box of 32 n. The swizzle stores it at chunk ^ (k mod 8), and a half-warp reads
// g = 0…3 of rows k = t: its two chunks differ in bit 2, so that with t = 0…3 they fill all 32 banks once.
struct Consumer
{
    Ring ring;
    unsigned a_tile; // low half of the descriptor of the first tile of a
    int lane;
    int n;       // the thread's first column within the block's tile, of two
    int m;       // its first row within each eight, of two
    int rows[2]; // bytes from the tile of b to its pair in rows t and t + 4 of k
    float sum[sums] = {};
    // Half a block of k of bᵀ in the order that wgmma wants, and the low parts. Two halves take turns.
    unsigned high[2][half][4];
    unsigned low[2][half][4];

    __device__ __forceinline__ Consumer(const Ring &ring, int warp, int lane) : ring(ring), lane(lane)
    {
        const int g = lane / 4;
        const int t = lane % 4;
        const int chunk = (g >> 2 & 1) | (warp & 1) << 1 | (g >> 1 & 1) << 2;
        const int box = warp / 2;
        n = box * box_n + chunk * 4 + (g & 1) * 2;
        m = 2 * t;
        for (int i = 0; i < 2; ++i)
            rows[i] = box * box_bytes + (t + 4 * i) * 128 + (chunk ^ (t + 4 * i)) * 16 + (g & 1) * 8;
        a_tile = 1u << 16 | ((ring.address + b_bytes) & 0x3ffffu) >> 4;
    }

    // Takes the i-th half of a stage's tile of b, and queues its products: the small ones first, from zero on if
    // `start`. Eight k on are 32 bytes on, 2 in the descriptor.
    template <int i, bool start>
    __device__ __forceinline__ void queue(float (&part)[sums], int stage)
    {
        const unsigned char *const b_tile = ring.tiles + stage * stage_bytes + i * half * 1024;
        const unsigned tile = a_tile + stage * (stage_bytes >> 4) + i * half * 2;
#pragma unroll
        for (int step = 0; step < half; ++step) {
#pragma unroll
            for (int x = 0; x < 2; ++x) {
                const float2 pair = *reinterpret_cast<const float2 *>(b_tile + rows[x] + step * 1024);
                high[i][step][2 * x] = __float_as_uint(pair.x);
                high[i][step][2 * x + 1] = __float_as_uint(pair.y);
            }
        }
#pragma unroll
        for (int x = 0; x < half * 4; ++x)
            low[i][x / 4][x % 4] = low_part(high[i][x / 4][x % 4]);
        wgmma_fence();
#pragma unroll
        for (int step = 0; step < half; ++step) {
            if (start && step == 0)
                wgmma_64x64x8<false>(part, low[i][step], tile);
            else
                wgmma_64x64x8<true>(part, low[i][step], tile + step * 2);
        }
#pragma unroll
        for (int step = 0; step < half; ++step)
            wgmma_64x64x8<true>(part, high[i][step], tile + (a_bytes >> 4) + step * 2);
#pragma unroll
        for (int step = 0; step < half; ++step)
            wgmma_64x64x8<true>(part, high[i][step], tile + step * 2);
        wgmma_commit();
    }

    __device__ __forceinline__ void add(const float (&part)[sums])
    {
#pragma unroll
        for (int i = 0; i < sums; ++i)
            sum[i] += part[i];
    }

    // One block of k. Whenever the consumer waits, for half a block, the next half is in the queue already. So the sums
    // of the block before are collected, and the next half is read and split, while the tensor core is at work.
    template <bool first>
    __device__ __forceinline__ void advance(float (&part)[sums], const float (&before)[sums], int stage,
                                            unsigned parity)
    {
        barrier_wait(ring.ready(stage), parity);
        queue<0, true>(part, stage);
        if constexpr (!first) {
            wgmma_wait<1>();
            if (lane == 0)
                barrier_arrive(ring.empty((stage + stages - 1) % stages));
            add(before);
        }
        queue<1, false>(part, stage);
        wgmma_wait<1>();
    }

    // Blocks take turns with `even` and `odd`. The first one, with none before it, stands by itself.
    __device__ __forceinline__ void multiply()
    {
        static_assert(stages % 2 == 0);
        constexpr int rounds = (blocks - 1) / stages;
        constexpr int rest = (blocks - 1) % stages;
        float even[sums];
        float odd[sums];
        unsigned parity = 0;
        advance<true>(even, odd, 0, 0);
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) {
#pragma unroll
            for (int i = 1; i <= stages; ++i)
                advance<false>(i % 2 == 0 ? even : odd, i % 2 == 0 ? odd : even, i % stages,
                               i == stages ? parity ^ 1 : parity);
            parity ^= 1;
        }
#pragma unroll
        for (int i = 1; i <= rest; ++i)
            advance<false>(i % 2 == 0 ? even : odd, i % 2 == 0 ? odd : even, i, parity);
        wgmma_wait<0>();
        add(blocks % 2 == 0 ? odd : even);
    }
};

// Two neighbouring outputs of one row, summed anew in FP32.
__device__ __noinline__ float2 exact_pair(const float *a, const float *b, Index row, Index column)
{
    float2 sum = make_float2(0.0f, 0.0f);
#pragma unroll 1
    for (Index k = 0; k < STAGE_K; ++k) {
        const float left = a[row * STAGE_K + k];
        const float2 right = *reinterpret_cast<const float2 *>(b + k * STAGE_N + column);
        sum.x = fmaf(left, right.x, sum.x);
        sum.y = fmaf(left, right.y, sum.y);
    }
    return sum;
}

// Whole pairs, as n is a multiple of 4. Where a sum is not finite, splitting may have made it so (Inf has no low part,
// and a product of parts may overflow): such a thread's outputs are summed anew, so that they are what FP32 gives.
__device__ __forceinline__ void store_outputs(const float (&sum)[sums], const float *a, const float *b, float *out,
                                              Index row0, Index column)
{
    if (STAGE_N % tile_n != 0 && column >= STAGE_N)
        return;
    float probe = 0.0f; // NaN once a sum is not finite
#pragma unroll
    for (int i = 0; i < sums / 2; ++i) {
        const Index row = row0 + i / 2 * 8 + i % 2;
        const float2 pair = make_float2(sum[i / 2 * 4 + i % 2], sum[i / 2 * 4 + i % 2 + 2]);
        if (STAGE_M % tile_m == 0 || row < STAGE_M)
            *reinterpret_cast<float2 *>(out + row * STAGE_N + column) = pair;
        probe = fmaf(pair.x, 0.0f, fmaf(pair.y, 0.0f, probe));
    }
    if (probe == 0.0f)
        return;
#pragma unroll 1
    for (int i = 0; i < sums / 2; ++i) {
        const Index row = row0 + i / 2 * 8 + i % 2;
        if (row < STAGE_M)
            *reinterpret_cast<float2 *>(out + row * STAGE_N + column) = exact_pair(a, b, row, column);
    }
}

extern "C" __global__ void __launch_bounds__(384, 1) matmul_split_tf32_wgmma(STAGE_ARGS)
{
    const int thread = threadIdx.x;
    const int warp = __shfl_sync(0xffffffffu, thread / 32, 0); // one value in the warp, and so the compiler knows
    const int lane = thread % 32;
    const int row0 = static_cast<int>(blockIdx.x) * tile_m;
    const int column0 = static_cast<int>(blockIdx.y) * tile_n;
    unsigned char *const tiles = aligned_shared();
    const Ring ring{tiles, static_cast<unsigned>(__cvta_generic_to_shared(tiles))};
    const bool produces = warp == 11 && lane == 0;
    if (produces) {
        ring.init();
        for (int block = 0; block < stages && block < blocks; ++block)
            fill(ring, block, map0, map1, row0, column0, block);
    }
    __syncthreads();

    if (warp >= 8) {
        if (warp < 8 + splitters / 32)
            split(ring, thread - 256);
        else if (produces)
            produce(ring, map0, map1, row0, column0);
    } else {
        Consumer consumer(ring, warp, lane);
        consumer.multiply();
        store_outputs(consumer.sum, a, b, out, Index(row0) + consumer.m, Index(column0) + consumer.n);
    }
}
