// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Two blocks share rows of a by multicast, 8×8 pairs of channels per thread",
  "change": "Clusters of two blocks: each copies half of the rows of a for both. A thread has 8×8 pairs (i, j) of two channels, so four warps compute.",
  "after": "tensor-map-tile",
  "status": "retained",
  "label": "multicast pair",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "triangle_multicast_pair", "block": 160, "cluster": [1, 2], "grid": [{"cover": "channels", "by": 16}, {"cover": "n", "by": 16}, {"cover": "n", "by": 16}], "shared_bytes": 208992}
  ],
  "tensor_maps": [{"buffer": "a", "box": [8, 17, 16], "swizzle": "none"}, {"buffer": "b", "box": [16, 17, 16], "swizzle": "none"}],
  "requires": {"arch": "sm_90a", "multiple_of": {"n": 32, "channels": 4}},
  "counts": {
    "shared reads per multiply-add": 0.125,
    "all shared reads per multiply-add": 0.13281,
    "outputs per thread": 128
  },
  "source": "this project"
}
*/
//
// out(i,j,c) = Σk a(i,k,c) · b(j,k,c): for each channel c one n×n matrix times the transpose of another.
//
// What it does. As triangle/tensor-map-tile, but two blocks with the same i and neighbouring j are a cluster: each asks
// for half of the rows of a, which go to both, and for its own rows of b. A slot is asked for again when the warps of
// both blocks have left it. A thread has 8×8 pairs of two channels, and four warps, one for every fourth step of k, are
// enough.
//
// What changed, and why it should help. The copy engine's time goes by rows, and each block asks for 24 rows a step of
// k where it were 32. 16 reads of shared memory serve 128 multiply-adds, after 12 for 64.
//
// Limits. n must be a multiple of 32, the channels of 4. One warp per scheduler has only its own independent sums to
// hide latency behind. The sums of the four warps, 64 KB, pass through shared memory at the end, when nothing else is
// done.
//
// Counts. 0.125 shared reads per multiply-add in the loop over k. At the end the slices read each other's sums, 6 % more.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 7.25 µs kernel time after 7.82 of
// triangle/tensor-map-tile, namespace h200-kernels.
//
// Resources. 206 registers on sm_90a (NVRTC 13.0), 208992 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int tile_i = 16;
constexpr int tile_j = 16;
constexpr int tile_c = 16;
constexpr int part_i = 8; // outputs of a thread: 8 × 8 × a pair of channels
constexpr int part_j = 8;
constexpr int lanes_i = 2;
constexpr int lanes_j = 2;
constexpr int warps_i = tile_i / (lanes_i * part_i);
constexpr int warps_j = tile_j / (lanes_j * part_j);
constexpr int slices = 4; // of k
constexpr int slice_threads = warps_i * warps_j * 32;
constexpr int threads = slices * slice_threads; // that compute; one warp more asks for the copies
constexpr int step = 16;  // of k, what is computed of one slot
constexpr int box_k = 17; // of k, what lies in one slot: an odd number, so that rows begin in different banks
constexpr int slots = 6;
constexpr int row = box_k * tile_c; // floats from one i or j of a slot to the next
constexpr int a_floats = tile_i * row;
constexpr int slot_floats = (tile_i + tile_j) * row; // 34816 B
constexpr int chunks = (STAGE_N + step - 1) / step;
constexpr int pair = 2; // blocks of a cluster: two j tiles, the same i

extern __shared__ __align__(1024) float shared[]; // the slots, then a full and an empty barrier for each

// What CUDA C++ has no words for, one PTX instruction each. Shared memory is named by its 32-bit address.

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// One arrival, and so many bytes that copies still have to bring.
__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Arrives at the barrier at the same address of the given block of the cluster. Without `.release.cluster`, which would
// wait for all that the thread has written anywhere; nothing was: what it read has only to be read before.
__device__ __forceinline__ void barrier_arrive_at(unsigned barrier, unsigned rank)
{
    asm volatile("{\n\t"
                 ".reg .b32 remote;\n\t"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n\t"
                 "}" ::"r"(barrier),
                 "r"(rank)
                 : "memory");
}

// Waits for the other block of the cluster too.
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
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

// Copies the map's box at (i, k, c) of its array; beyond the array it reads zeros. The barrier is told of the bytes.
__device__ __forceinline__ void load_box(unsigned to, const CUtensorMap &map, int i, int k, int c, unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
                 "l"(&map), "r"(c), "r"(k), "r"(i), "r"(barrier)
                 : "memory");
}

// The same for both blocks of the cluster: the box lands, and is counted, at the same addresses of each.
__device__ __forceinline__ void load_box_for_both(unsigned to, const CUtensorMap &map, int i, int k, int c,
                                                  unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
                 "l"(&map), "r"(c), "r"(k), "r"(i), "r"(barrier), "h"(static_cast<unsigned short>(3))
                 : "memory");
}

__device__ __forceinline__ void fetch_map(const CUtensorMap &map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// A barrier of the threads that compute.
__device__ __forceinline__ void wait_for_slices()
{
    asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(threads) : "memory");
}

// The sums of the two channels are kept the wrong way round. Operands come in pairs of an even and an odd register; a
// multiply-add whose three registers are all even or all odd takes a clock more.
__device__ __forceinline__ void multiply_add(float2 &swapped, float2 x, float2 y)
{
    swapped.y += x.x * y.x;
    swapped.x += x.y * y.y;
}

__device__ __forceinline__ void store(float *out, int i, int j, int channel, float x, float y)
{
    if ((STAGE_N % tile_i == 0 || i < STAGE_N) && (STAGE_N % tile_j == 0 || j < STAGE_N) &&
        (STAGE_CHANNELS % tile_c == 0 || channel < STAGE_CHANNELS))
        asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(
                         out + (Index(i) * STAGE_N + j) * STAGE_CHANNELS + channel),
                     "f"(x), "f"(y)
                     : "memory"); // the compiler took two stores for it
}

extern "C" __global__ void __launch_bounds__(threads + 32, 1) triangle_multicast_pair(STAGE_ARGS)
{
    const int c0 = blockIdx.x * tile_c;
    const int j0 = blockIdx.y * tile_j;
    const int i0 = blockIdx.z * tile_i;
    const unsigned full = shared_address(shared) + 208896;
    const unsigned empty = full + 8 * slots;
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;

    if (threadIdx.x == threads) {
        fetch_map(map0);
        fetch_map(map1);
        for (int slot = 0; slot < slots; ++slot) {
            barrier_init(full + 8 * slot, 1);
            barrier_init(empty + 8 * slot, threads / 32 * pair); // an arrival of each warp of both blocks
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();
    if (threadIdx.x >= threads) { // the warp that asks; the instruction is slow to take more than it can do
        if (lane > 0)
            return;
#pragma unroll 1
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const int slot = chunk % slots;
            const unsigned barrier = full + 8 * slot;
            const unsigned to = shared_address(shared + slot * slot_floats);
            if (chunk >= slots)
                barrier_wait(empty + 8 * slot, chunk / slots - 1 & 1);
            barrier_expect(barrier, slot_floats * 4);
            const int own_rows = blockIdx.y % pair * (tile_i / pair); // of a, that this block brings to both
            load_box_for_both(to + own_rows * row * 4, map0, i0 + own_rows, chunk * step, c0, barrier);
            load_box(to + a_floats * 4, map1, j0, chunk * step, c0, barrier);
        }
        return;
    }

    const int slice = threadIdx.x / slice_threads;
    const int member = threadIdx.x % slice_threads;
    const int channel = lane / 4 % 8 * 2; // of the tile
    const int own_i = warp % (warps_i * warps_j) / warps_j * lanes_i * part_i + lane / 2 % 2; // and each lanes_i-th
    const int own_j = warp % warps_j * lanes_j * part_j + lane % 2;
    const float *const a_first = shared + own_i * row + slice * tile_c + channel;
    const float *const b_first = shared + a_floats + own_j * row + slice * tile_c + channel;
    float2 sum[part_i][part_j] = {};
#pragma unroll 1
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const int slot = chunk % slots;
        barrier_wait(full + 8 * slot, chunk / slots & 1);
        const float *const a_own = a_first + slot * slot_floats;
        const float *const b_own = b_first + slot * slot_floats;
#pragma unroll 2
        for (int k = 0; k < step; k += slices) {
            float2 x[part_i], y[part_j];
#pragma unroll
            for (int m = 0; m < part_i; ++m)
                x[m] = *reinterpret_cast<const float2 *>(a_own + k * tile_c + m * lanes_i * row);
#pragma unroll
            for (int n = 0; n < part_j; ++n)
                y[n] = *reinterpret_cast<const float2 *>(b_own + k * tile_c + n * lanes_j * row);
#pragma unroll
            for (int m = 0; m < part_i; ++m) {
#pragma unroll
                for (int n = 0; n < part_j; ++n)
                    multiply_add(sum[m][n], x[m], y[n]);
            }
        }
        if (chunk + slots < chunks) {
            __syncwarp();
            if (lane < pair)
                barrier_arrive_at(empty + 8 * slot, lane);
        }
    }

    // All sums go to shared memory; each slice adds up and stores the same share of every thread's part. That writes a
    // quarter too much, but the code is the same for all slices and short: it is fetched once, in a kernel of 7 µs.
    constexpr int quads = part_i * part_j / 2; // of a thread: a pair of channels of two j
    constexpr int row_quads = part_j / 2;
    float4 *const sums = reinterpret_cast<float4 *>(shared);
    wait_for_slices();
#pragma unroll
    for (int quad = 0; quad < quads; ++quad) {
        const float2 *const two = sum[quad / row_quads] + quad % row_quads * 2;
        sums[(slice * quads + quad) * slice_threads + member] = make_float4(two[0].x, two[0].y, two[1].x, two[1].y);
    }
    wait_for_slices();
    const float4 *const own = sums + slice * (quads / slices) * slice_threads + member;
    const int first_i = i0 + own_i + slice * (part_i / slices) * lanes_i;
#pragma unroll
    for (int quad = 0; quad < quads / slices; ++quad) {
        float4 total = own[quad * slice_threads];
#pragma unroll
        for (int other = 1; other < slices; ++other) {
            const float4 more = own[(other * quads + quad) * slice_threads];
            total = make_float4(total.x + more.x, total.y + more.y, total.z + more.z, total.w + more.w);
        }
        const int i = first_i + quad / row_quads * lanes_i;
        const int j = j0 + own_j + quad % row_quads * 2 * lanes_j;
        store(out, i, j, c0 + channel, total.y, total.x);
        store(out, i, j + lanes_j, c0 + channel, total.w, total.z);
    }
}
