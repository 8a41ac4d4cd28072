// SPDX-License-Identifier: MIT
/* stage
{
  "title": "3×TF32 on tensor cores, 16×16×16 tiles by tensor maps",
  "change": "mma.sync on TF32 instead of FFMA: each number is split into two of 11 bits, and three of the four products are added.",
  "after": "tensor-map-tile",
  "status": "attempt",
  "label": "3×TF32",
  "arithmetic": "3xtf32",
  "launches": [
    {"entry": "triangle_split_tf32", "block": 288, "grid": [{"cover": "channels", "by": 16}, {"cover": "n", "by": 16}, {"cover": "n", "by": 16}], "shared_bytes": 208992}
  ],
  "tensor_maps": [{"buffer": "a", "box": [16, 17, 16], "swizzle": "64B"}, {"buffer": "b", "box": [16, 17, 16], "swizzle": "64B"}],
  "requires": {"arch": "sm_90a", "multiple_of": {"channels": 4}, "max": {"n": 512}},
  "counts": {"outputs per thread": 32},
  "source": "this project"
}
*/
//
// out(i,j,c) = Σk a(i,k,c) · b(j,k,c): for each channel c one n×n matrix times the transpose of another.
//
// What it does. Tiles and copies are those of triangle/tensor-map-tile. A warp has four channels of the whole 16×16
// tile and every second eight steps of k. One 128-bit read brings an element of a fragment for four channels at once,
// which go to four separate mma: nothing has to be transposed, although the channel is what lies together in memory.
//
// What changed, and why it should help. With x = hi + lo, a·b is lo·hi + hi·lo + hi·hi to within 2^-22. Tensor cores do
// the three products in less time than FFMA does one, and a fragment read from shared memory serves 16 times as many
// multiply-adds as a pair of channels does there.
//
// Layout. The 64-byte swizzle moves the quads of a row by twice its number. Lane group g stands for row g / 2 of the
// part, or g / 2 + 4 where g is odd: the eight lanes of a quarter warp then read eight different groups of banks.
//
// Accuracy. The tensor core truncates when it adds; n / 2 steps of k are one chain, so n is at most 512. A result that
// is not finite is computed again with FFMA from global memory: ∞ − ∞ may come of the splitting.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 9.02 µs kernel time after 7.82 of
// triangle/tensor-map-tile, namespace h200-kernels; relative error 5.7e-07 after 1.1e-07. The copies are the same, and
// of the instructions issued in an early version 9 % were mma and 60 % splitting and moving.
//
// Resources. 102 registers on sm_90a (NVRTC 13.0), 208992 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int tile_i = 16;
constexpr int tile_j = 16;
constexpr int tile_c = 16;
constexpr int parts_j = tile_j / 8; // mma parts of a warp
constexpr int quads = tile_c / 4;   // of channels
constexpr int slices = 2;           // of k
constexpr int slice_threads = quads * 32;
constexpr int threads = slices * slice_threads; // that compute; one warp more asks for the copies
constexpr int step = 16;                        // of k, what is computed of one slot
constexpr int box_k = 17;                       // of k, what lies in one slot
constexpr int slots = 6;
constexpr int row = box_k * tile_c; // floats from one i or j of a slot to the next
constexpr int a_floats = tile_i * row;
constexpr int slot_floats = (tile_i + tile_j) * row; // 34816 B
constexpr int chunks = (STAGE_N + step - 1) / step;
constexpr int k_bytes = tile_c * 4;

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

// x = hi + lo with 11 significant bits each; what is left below lo's the tensor core drops.
__device__ __forceinline__ void split(float x, unsigned &hi, unsigned &lo)
{
    hi = __float_as_uint(x) & 0xffffe000u;
    lo = __float_as_uint(x - __uint_as_float(hi)) + 0x1000u;
}

// d += a · b for 16×8 outputs and 8 steps of k.
__device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ float component(const float4 &quad, int c)
{
    return c == 0 ? quad.x : c == 1 ? quad.y : c == 2 ? quad.z : quad.w;
}

// Where the swizzle puts the byte of a slot.
__device__ __forceinline__ unsigned swizzled(unsigned byte)
{
    return byte ^ (byte >> 3 & 48u);
}

__device__ __forceinline__ float4 quad_at(const char *place)
{
    return *reinterpret_cast<const float4 *>(place);
}

__device__ __forceinline__ bool finite(float x)
{
    return fabsf(x) <= 3.402823466e38f;
}

// Four outputs once more, the plain way. Rare, therefore simple; not inlined, so that it costs no registers elsewhere.
__device__ __noinline__ void mend(const float *a, const float *b, float *out, int i, int j, int channel)
{
#pragma unroll 1
    for (int c = channel; c < channel + 4; ++c) {
        float sum = 0.0f;
        const float *x = a + Index(i) * STAGE_N * STAGE_CHANNELS + c;
        const float *y = b + Index(j) * STAGE_N * STAGE_CHANNELS + c;
#pragma unroll 1
        for (Index k = 0; k < STAGE_N; ++k)
            sum = fmaf(x[k * STAGE_CHANNELS], y[k * STAGE_CHANNELS], sum);
        out[(Index(i) * STAGE_N + j) * STAGE_CHANNELS + c] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(threads + 32, 1) triangle_split_tf32(STAGE_ARGS)
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
    const int quad = warp % quads;
    const int group = lane / 8 + lane / 4 % 2 * 4; // the row or column that the lane's group stands for
    const int in_group = lane % 4;
    const unsigned byte = (group * box_k + in_group + slice * 8) * k_bytes + quad * 16;
    const unsigned at[2] = {swizzled(byte), swizzled(byte + 4 * k_bytes)}; // of the steps in_group and in_group + 4
    float sum[4][parts_j][4] = {};                                         // of four channels

#pragma unroll 1
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const int slot = chunk % slots;
        barrier_wait(full + 8 * slot, chunk / slots & 1);
        const char *const tile = reinterpret_cast<const char *>(shared + slot * slot_floats);
        float4 x[4], y[parts_j][2];
#pragma unroll
        for (int e = 0; e < 4; ++e)
            x[e] = quad_at(tile + at[e / 2] + e % 2 * 8 * row * 4);
#pragma unroll
        for (int n = 0; n < parts_j; ++n) {
#pragma unroll
            for (int e = 0; e < 2; ++e)
                y[n][e] = quad_at(tile + at[e] + (a_floats + n * 8 * row) * 4);
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            unsigned a_hi[4], a_lo[4], b_hi[parts_j][2], b_lo[parts_j][2];
#pragma unroll
            for (int e = 0; e < 4; ++e)
                split(component(x[e], c), a_hi[e], a_lo[e]);
#pragma unroll
            for (int n = 0; n < parts_j; ++n) {
#pragma unroll
                for (int e = 0; e < 2; ++e)
                    split(component(y[n][e], c), b_hi[n][e], b_lo[n][e]);
            }
#pragma unroll
            for (int product = 0; product < 3; ++product) { // the small ones first
#pragma unroll
                for (int n = 0; n < parts_j; ++n)
                    multiply(sum[c][n], product == 0 ? a_lo : a_hi, product == 1 ? b_lo[n] : b_hi[n]);
            }
        }
        if (chunk + slots < chunks) {
            __syncwarp();
            if (lane == 0)
                barrier_arrive(empty + 8 * slot);
        }
    }

    // Each slice finishes half of the outputs; the other's sums of these come through shared memory.
    constexpr int count = parts_j * 4;
    float4 *const sums = reinterpret_cast<float4 *>(shared);
    wait_for_slices();
#pragma unroll
    for (int o = 0; o < count; ++o) {
        if (o * slices / count != slice)
            sums[o * slice_threads + member] =
                make_float4(sum[0][o / 4][o % 4], sum[1][o / 4][o % 4], sum[2][o / 4][o % 4], sum[3][o / 4][o % 4]);
    }
    wait_for_slices();
#pragma unroll
    for (int o = 0; o < count; ++o) {
        if (o * slices / count != slice)
            continue;
        const float4 more = sums[o * slice_threads + member];
        const float4 total = make_float4(sum[0][o / 4][o % 4] + more.x, sum[1][o / 4][o % 4] + more.y,
                                         sum[2][o / 4][o % 4] + more.z, sum[3][o / 4][o % 4] + more.w);
        const int i = i0 + group + o / 2 % 2 * 8;
        const int j = j0 + o / 4 * 8 + in_group + o % 2 * 4;
        const int channel = c0 + quad * 4;
        if (i >= STAGE_N || j >= STAGE_N || channel >= STAGE_CHANNELS)
            continue;
        asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(
                         out + (Index(i) * STAGE_N + j) * STAGE_CHANNELS + channel),
                     "f"(total.x), "f"(total.y), "f"(total.z), "f"(total.w)
                     : "memory"); // the compiler took four stores for it
        if (!finite(total.x) || !finite(total.y) || !finite(total.z) || !finite(total.w))
            mend(a, b, out, i, j, channel);
    }
}
