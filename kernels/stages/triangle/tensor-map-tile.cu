// SPDX-License-Identifier: MIT
/* stage
{
  "title": "16×16×16 tiles by tensor maps, 8×4 pairs of channels per thread",
  "change": "Boxes of 16 rows × 17 k × 16 channels are copied to shared memory by a warp of its own; a thread has 8×4 pairs (i, j) of two channels.",
  "after": "register-tile",
  "status": "retained",
  "label": "tensor maps",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "triangle_tensor_map_tile", "block": 288, "grid": [{"cover": "channels", "by": 16}, {"cover": "n", "by": 16}, {"cover": "n", "by": 16}], "shared_bytes": 208992}
  ],
  "tensor_maps": [{"buffer": "a", "box": [16, 17, 16], "swizzle": "none"}, {"buffer": "b", "box": [16, 17, 16], "swizzle": "none"}],
  "requires": {"arch": "sm_90a", "multiple_of": {"channels": 4}},
  "counts": {
    "shared reads per multiply-add": 0.1875,
    "all shared reads per multiply-add": 0.19922,
    "outputs per thread": 64
  },
  "source": "this project"
}
*/
//
// out(i,j,c) = Σk a(i,k,c) · b(j,k,c): for each channel c one n×n matrix times the transpose of another.
//
// What it does. A block computes 16 i × 16 j × 16 channels. Six slots of shared memory hold what 16 steps of k need of
// a and b. One thread of a warp of its own asks for them: a tensor map lets one instruction copy a box of 16 rows × 17
// k × 16 channels, and a barrier in shared memory counts its bytes. Eight warps multiply, four groups that take every
// fourth step of k; a slot is asked for again when all have left it. The groups' sums are added in an order that is
// always the same.
//
// What changed, and why it should help. The tile reads 36 MB from the level 2 cache where triangle/register-tile takes
// 50, and no register waits for it: 209 KB are on their way at once. cp.async did the same at the price of the load
// unit (triangle/async-copy-tile); the copy engine writes past it. A thread has 8×4 pairs of two channels: a 64-bit
// read with half the lanes at the same address is one turn of the unit, so 12 of them serve 64 multiply-adds. A slot's
// rows are 17 steps long, of which 16 are used: an even number would begin every row in the same bank.
//
// Limits. The copy engine takes about two clocks for each row of 64 bytes, with nothing else to do: 4 µs at n = 128.
// Channels must be whole quads. n = 128 fills 128 of 132 multiprocessors, one block each; where n is not a multiple of
// 16, or the channels not one of 16, what lies beyond is filled with zeros.
//
// Counts. 0.1875 shared reads per multiply-add in the loop over k. At the end the slices read each other's sums, 6 % more.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 7.82 µs kernel time after 8.65 of
// triangle/register-tile, namespace h200-kernels.
//
// Resources. 124 registers on sm_90a (NVRTC 13.0), 208992 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int tile_i = 16;
constexpr int tile_j = 16;
constexpr int tile_c = 16;
constexpr int part_i = 8; // outputs of a thread: 8 × 4 × a pair of channels
constexpr int part_j = 4;
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

__device__ __forceinline__ void barrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
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

extern "C" __global__ void __launch_bounds__(threads + 32, 1) triangle_tensor_map_tile(STAGE_ARGS)
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
            barrier_init(empty + 8 * slot, threads / 32); // an arrival of each warp
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
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
            load_box(to, map0, i0, chunk * step, c0, barrier);
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
#pragma unroll
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
            if (lane == 0)
                barrier_arrive(empty + 8 * slot);
        }
    }

    // Each slice finishes a quarter of every thread's part; the others' sums of these come through shared memory.
    constexpr int count = part_i * part_j;
    float2 *const sums = reinterpret_cast<float2 *>(shared);
    wait_for_slices();
#pragma unroll
    for (int at = 0; at < count; ++at) {
        if (at * slices / count != slice)
            sums[(slice * count + at) * slice_threads + member] = sum[at / part_j][at % part_j];
    }
    wait_for_slices();
#pragma unroll
    for (int at = 0; at < count; ++at) {
        if (at * slices / count != slice)
            continue;
        float2 total = sum[at / part_j][at % part_j];
#pragma unroll
        for (int distance = 1; distance < slices; ++distance) {
            const float2 more = sums[((slice + distance) % slices * count + at) * slice_threads + member];
            total = make_float2(total.x + more.x, total.y + more.y);
        }
        const int i = i0 + own_i + at / part_j * lanes_i;
        const int j = j0 + own_j + at % part_j * lanes_j;
        store(out, i, j, c0 + channel, total.y, total.x);
    }
}
