// SPDX-License-Identifier: MIT
/* stage
{
  "title": "32×16×8 tiles of all k in shared memory by cp.async, 4×2 quads per thread",
  "change": "Tiles of 8 channels, all 128 steps of k in shared memory at once; a thread computes 4×2 pairs of four channels.",
  "after": "register-tile",
  "status": "attempt",
  "label": "cp.async, 8 channels",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "triangle_async_copy_all_k", "block": 512, "grid": [{"cover": "channels", "by": 8}, {"cover": "n", "by": 16}, {"cover": "n", "by": 32}], "shared_bytes": 196608}
  ],
  "requires": {"arch": "sm_90a"},
  "counts": {"outputs per thread": 32},
  "source": "this project"
}
*/
//
// out(i,j,c) = Σk a(i,k,c) · b(j,k,c): for each channel c one n×n matrix times the transpose of another.
//
// What it does. As triangle/async-copy-tile, with tiles of 32 i × 16 j × 8 channels, whose 128 steps of k are all in
// shared memory, asked for at the start in four groups and computed on as they land.
//
// What changed, and why it should help. 8 channels are 32 bytes, a whole sector: the tile reads the least from the
// level 2 cache, 25 MB, after 50 in triangle/register-tile, and no slot is used twice.
//
// Why it was not adopted. A warp's copy of 512 bytes lies in 16 lines and takes 16 turns of the load unit where four
// would move the data: 6144 clocks per multiprocessor for the copies alone, 3 µs.
//
// Limits. One block of 512 threads per multiprocessor. What lies beyond n or the channels is filled with zeros.
// Channels that are not whole quads are copied float by float.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 12.85 µs kernel time after 8.65 of
// triangle/register-tile, namespace h200-kernels. Other runs of that day had 12.17 (10:02 UTC) and 12.08 (19:06); by the place
// in memory it is 12.20 to 12.64 (3.6 %; another H200, 19:43 UTC). These are not kept as evidence.
//
// Resources. 76 registers on sm_90a (NVRTC 13.0), 196608 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int tile_i = 32;
constexpr int tile_j = 16;
constexpr int tile_c = 8;
constexpr int part_i = 4; // outputs of a thread: 4 × 2 × a quad of channels
constexpr int part_j = 2;
constexpr int lanes_i = 4;
constexpr int lanes_j = 4;
constexpr int warps_i = tile_i / (lanes_i * part_i);
constexpr int warps_j = tile_j / (lanes_j * part_j);
constexpr int slices = 4; // of k
constexpr int slice_threads = warps_i * warps_j * 32;
constexpr int threads = slices * slice_threads;
constexpr int step = 32; // of k, one slot
constexpr int slots = 4;
constexpr int a_floats = step * tile_i * tile_c;
constexpr int slot_floats = step * (tile_i + tile_j) * tile_c; // 49152 B
constexpr bool whole_tiles = STAGE_N % tile_i == 0 && STAGE_N % tile_j == 0; // and so no tests at their edges
constexpr bool whole_channels = STAGE_CHANNELS % tile_c == 0;
constexpr int chunks = (STAGE_N + step - 1) / step;

extern __shared__ float4 shared_quads[];

// Copies four channels of a(i,k) to shared memory; what lies beyond the array becomes zero.
__device__ __forceinline__ void copy_quad(float *to, const float *from, int i, int k, int channel)
{
    const bool inside = (whole_tiles || i < STAGE_N) && (STAGE_N % step == 0 || k < STAGE_N);
    const Index offset = (Index(i) * STAGE_N + k) * STAGE_CHANNELS + channel;
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (STAGE_CHANNELS % 4 == 0) {
        const bool copies = inside && (whole_channels || channel < STAGE_CHANNELS);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(copies ? from + offset : from),
                     "r"(copies ? 16 : 0)
                     : "memory");
    } else {
#pragma unroll
        for (int x = 0; x < 4; ++x) {
            const bool copies = inside && channel + x < STAGE_CHANNELS;
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address + 4 * x),
                         "l"(copies ? from + offset + x : from), "r"(copies ? 4 : 0)
                         : "memory");
        }
    }
}

// Asks for `step` rows of k of a tile. Neighbouring threads take the parts of a line's piece, then neighbouring rows of
// the tile; each turn is a few steps of k further on.
template <int rows>
__device__ __forceinline__ void ask_for_tile(float *slot, const float *from, int first_row, int c0, int k0)
{
    constexpr int quads = tile_c / 4;
    constexpr int steps_at_once = threads / (rows * quads);
    static_assert(threads % (rows * quads) == 0 && step % steps_at_once == 0);
    const int row = first_row + threadIdx.x / quads % rows;
    const int first_k = k0 + threadIdx.x / (rows * quads);
    const int channel = c0 + threadIdx.x % quads * 4;
#pragma unroll
    for (int k = 0; k < step; k += steps_at_once)
        copy_quad(slot + threadIdx.x * 4 + k * rows * tile_c, from, row, first_k + k, channel);
}

__device__ __forceinline__ void ask_for(float *slot, const float *a, const float *b, int i0, int j0, int c0, int k0)
{
    ask_for_tile<tile_i>(slot, a, i0, c0, k0);
    ask_for_tile<tile_j>(slot + a_floats, b, j0, c0, k0);
}

__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most `slots − 1` of this thread's groups are on their way.
__device__ __forceinline__ void wait_for_oldest()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(slots - 1) : "memory");
}

__device__ __forceinline__ void multiply_add(float4 &sum, float4 x, float4 y)
{
    sum.x += x.x * y.x;
    sum.y += x.y * y.y;
    sum.z += x.z * y.z;
    sum.w += x.w * y.w;
}

__device__ __forceinline__ void store(float *out, int i, int j, int channel, float4 sum)
{
    if (!whole_tiles && (i >= STAGE_N || j >= STAGE_N))
        return;
    float *first = out + (Index(i) * STAGE_N + j) * STAGE_CHANNELS + channel;
    if constexpr (STAGE_CHANNELS % 4 == 0) {
        if (whole_channels || channel < STAGE_CHANNELS)
            asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(first), "f"(sum.x), "f"(sum.y), "f"(sum.z),
                         "f"(sum.w)
                         : "memory"); // the compiler took four scalar stores for it
    } else {
        const float values[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
        for (int x = 0; x < 4; ++x) {
            if (channel + x < STAGE_CHANNELS)
                first[x] = values[x];
        }
    }
}

extern "C" __global__ void __launch_bounds__(threads) triangle_async_copy_all_k(STAGE_ARGS)
{
    float *const shared = reinterpret_cast<float *>(shared_quads);
    const int c0 = blockIdx.x * tile_c;
    const int j0 = blockIdx.y * tile_j;
    const int i0 = blockIdx.z * tile_i;
    const int slice = threadIdx.x / slice_threads;
    const int member = threadIdx.x % slice_threads;
    const int lane = member % 32;
    const int quad = lane / 4 % 2;
    const int lane_i = lane / 2 % 2 + lane / 8 % 2 * 2;
    const int lane_j = lane % 2 + lane / 16 * 2;
    const int own_i = member / 32 / warps_j * lanes_i * part_i + lane_i; // and every lanes_i-th after it
    const int own_j = member / 32 % warps_j * lanes_j * part_j + lane_j;

#pragma unroll 1
    for (int slot = 0; slot < slots; ++slot) {
        if (slot < chunks)
            ask_for(shared + slot * slot_floats, a, b, i0, j0, c0, slot * step);
        commit();
    }

    float4 sum[part_i][part_j];
#pragma unroll
    for (int m = 0; m < part_i; ++m) {
#pragma unroll
        for (int n = 0; n < part_j; ++n)
            sum[m][n] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
#pragma unroll 1
    for (int chunk = 0; chunk < chunks; ++chunk) {
        wait_for_oldest();
        __syncthreads(); // what the other threads asked for has landed too
        const int slot = chunk % slots;
        const float *a_own = shared + slot * slot_floats + own_i * tile_c + quad * 4;
        const float *b_own = shared + slot * slot_floats + a_floats + own_j * tile_c + quad * 4;
#pragma unroll 4
        for (int k = slice; k < step; k += slices) {
            float4 x[part_i], y[part_j];
#pragma unroll
            for (int m = 0; m < part_i; ++m)
                x[m] = stagecraft::load_quad(a_own + (k * tile_i + m * lanes_i) * tile_c);
#pragma unroll
            for (int n = 0; n < part_j; ++n)
                y[n] = stagecraft::load_quad(b_own + (k * tile_j + n * lanes_j) * tile_c);
#pragma unroll
            for (int m = 0; m < part_i; ++m) {
#pragma unroll
                for (int n = 0; n < part_j; ++n)
                    multiply_add(sum[m][n], x[m], y[n]);
            }
        }
        if (chunks > slots) {
            __syncthreads(); // nobody reads the slot any more
            if (chunk + slots < chunks)
                ask_for(shared + slot * slot_floats, a, b, i0, j0, c0, (chunk + slots) * step);
        }
        commit(); // of nothing, where nothing was asked for: the count of groups goes on
    }

    // Each slice finishes every slices-th of the outputs; the others' sums of these come through shared memory.
    __syncthreads();
#pragma unroll
    for (int at = 0; at < part_i * part_j; ++at) {
        if (at % slices != slice)
            shared_quads[(slice * part_i * part_j + at) * slice_threads + member] = sum[at / part_j][at % part_j];
    }
    __syncthreads();
#pragma unroll
    for (int at = 0; at < part_i * part_j; ++at) {
        if (at % slices != slice)
            continue;
        float4 total = sum[at / part_j][at % part_j];
#pragma unroll
        for (int distance = 1; distance < slices; ++distance) {
            const int other = (slice + distance) % slices;
            const float4 value = shared_quads[(other * part_i * part_j + at) * slice_threads + member];
            total = make_float4(total.x + value.x, total.y + value.y, total.z + value.z, total.w + value.w);
        }
        store(out, i0 + own_i + at / part_j * lanes_i, j0 + own_j + at % part_j * lanes_j, c0 + quad * 4, total);
    }
}
