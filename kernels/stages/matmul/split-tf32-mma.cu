// SPDX-License-Identifier: MIT
/* stage
{
  "title": "3×TF32 by mma.sync, 64×32 outputs per warp",
  "change": "Tensor cores instead of FFMA: each value is split into two TF32 numbers, and three of the four products are added. The tensor core's sums are moved to FP32 registers every 32 steps of k.",
  "after": "warp-tile",
  "status": "retained",
  "label": "3×TF32, mma.sync",
  "arithmetic": "3xtf32",
  "launches": [{"entry": "matmul_split_tf32_mma", "block": 128, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 64}], "shared_bytes": 73728}],
  "requires": {"arch": "sm_80"},
  "counts": {"outputs per thread": 64, "tensor products per multiply-add": 3},
  "source": "three products, sums outside the tensor core: Ootomo and Yokota 2022; fused 3xTF32: NVIDIA CUTLASS, example 27"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major, by tensor cores with nearly the precision of FP32.
//
// What it does. A block owns a 64×64 tile of the output. Two slices of two warps each compute all of it, for every
// other K step; a warp has 64×32 of the output. At the end the slices' sums are added through shared memory. The tiles
// come by cp.async, two pairs for each slice, of which one is on its way while the other is used.
//
// What changed, and why it should help. Tensor cores multiply TF32 numbers, 11 significant bits, far faster than FFMA
// multiplies FP32. With x = high + low, a·b is low·high + high·low + high·high to within 2^-22: three products by
// mma.sync in place of one FFMA each.
//
// Accuracy. The tensor core truncates when it adds, which a long sum would feel (9e-6 for 1024 steps). So its sums
// start from zero every 32 steps of k, the small products before the large one, and are added up in FP32 registers.
// Relative error at 1024×1024×1024: 4.2e-7, where one chain of FFMA has 5.7e-7.
//
// What is promised. A result is finite and near the exact sum, or else it is what a chain of FFMA in the order of k
// gives: sums that are not finite are computed again in that way. ±Inf and NaN in the input always lead there. One case
// differs from FP32: products beyond FP32's range that cancel, or an overflow on the way of the sum that is undone
// later, may leave the exact, finite sum here, where FFMA has ±Inf or NaN.
//
// Layout. The block computes the transpose: mma's operand of four registers is b, that of two is a. A lane's rows g and
// g + 8 of the 16 stand for neighbouring columns of b, so two 64-bit reads bring its four registers in order, and two
// neighbours leave by one 64-bit store; ldmatrix brings a's pairs in order. With a in the first place two quads of b
// had to be taken apart by moves, a fifth of all instructions. a's pitch is an odd number of quads and b's is 8 more
// than a multiple of 32 floats: no bank is asked for two words at once. The splitting is done when a fragment is read,
// by each warp that reads it. Done once, with high and low both in shared memory, it would take twice the shared reads,
// which would then be the limit.
//
// Limits. A lane's split takes two instructions an element, and a warp splits 24 elements for every 48 mma: an
// instruction and more for each mma, and eight warps on a multiprocessor do not hide all waits for results. mma.sync
// reaches 313 TFLOP/s on an H200, two thirds of wgmma: the floor is 20.6 µs. Not FP32 arithmetic: a result may differ
// from FFMA's in the last bits.
//
// Resources. 199 registers on sm_80, 224 on sm_90a (NVRTC 13.0), 73728 B shared.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 30.31 µs kernel time after 45.67 of
// matmul/warp-tile, namespace h200-kernels; relative error 4.2e-07 after 2.9e-07. cuBLASLt takes 55.4 µs in FP32.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;

constexpr int tile_m = 64; // rows and columns of the block's part of the output
constexpr int tile_n = 64;
constexpr int k_step = 32;
constexpr int warp_m = 64; // rows and columns of a warp's part
constexpr int warp_n = 32;
constexpr int parts_m = warp_m / 8; // of what one mma computes: 8 rows by 16 columns
constexpr int parts_n = warp_n / 16;
constexpr int warps_n = tile_n / warp_n;
constexpr int slices = 2;
constexpr int slice_threads = tile_m / warp_m * warps_n * 32;
constexpr int threads = slices * slice_threads;
constexpr int stages = 2;           // pairs of tiles of a slice
constexpr int a_pitch = k_step + 4; // in floats; see "Layout"
constexpr int b_pitch = tile_n + 8;
constexpr int a_floats = tile_m * a_pitch;
constexpr int stage_floats = a_floats + k_step * b_pitch;
constexpr bool m_fits = STAGE_M % tile_m == 0; // no tile reaches beyond an edge
constexpr bool n_fits = STAGE_N % tile_n == 0;
constexpr bool k_fits = STAGE_K % (slices * k_step) == 0;

// What cp.async takes for a place in shared memory.
__device__ __forceinline__ unsigned shared_address(const float *place)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(place));
}

// `bytes` from global to shared memory, in the background and past the registers. Where the source is outside the
// matrix nothing is read and zeros are written; `fits` says that it never is.
template <int bytes, bool fits>
__device__ __forceinline__ void copy_async(unsigned to, const float *from, bool inside)
{
    if constexpr (bytes == 16 && fits)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0)
                     : "memory");
    else if constexpr (fits)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(inside ? 4 : 0)
                     : "memory");
}

// The copies issued since the last call are one group; at most `pending` of the youngest groups may still be under way.
__device__ __forceinline__ void end_copy_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int pending>
__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// Four neighbouring floats of a row. Rows that are not whole quads are not aligned either: those go one by one.
template <Index rows, Index columns, bool rows_fit, bool columns_fit>
__device__ __forceinline__ void copy_quad(unsigned to, const float *from, Index row, Index column)
{
    const bool row_inside = rows_fit || row < rows;
    if constexpr (columns % 4 == 0) {
        copy_async<16, rows_fit && columns_fit>(to, from, row_inside && (columns_fit || column < columns));
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            copy_async<4, rows_fit && columns_fit>(to + i * 4, from + i,
                                                   row_inside && (columns_fit || column + i < columns));
    }
}

// Only the threads of a slice wait for each other. Barrier 0 is __syncthreads.
__device__ __forceinline__ void wait_for_slice(int slice)
{
    asm volatile("bar.sync %0, %1;" ::"r"(slice + 1), "n"(slice_threads) : "memory");
}

// Brings the slice's next pair of tiles. The thread's copies are a constant distance apart, so one pointer into each
// matrix and one shared address into each tile are enough: they stand for the first.
__device__ __forceinline__ void copy_tiles(unsigned a_to, unsigned b_to, const float *a_from, const float *b_from,
                                           Index row0, Index column0, Index k0, int thread)
{
    constexpr int a_quads = k_step / 4; // of a row of each tile
    constexpr int b_quads = tile_n / 4;
#pragma unroll
    for (int i = 0; i < tile_m * a_quads / slice_threads; ++i)
        copy_quad<STAGE_M, STAGE_K, m_fits, k_fits>(
            a_to + i * (slice_threads / a_quads) * a_pitch * 4, a_from + Index(i) * (slice_threads / a_quads) * STAGE_K,
            row0 + thread / a_quads + i * (slice_threads / a_quads), k0 + thread % a_quads * 4);
#pragma unroll
    for (int i = 0; i < k_step * b_quads / slice_threads; ++i)
        copy_quad<STAGE_K, STAGE_N, k_fits, n_fits>(
            b_to + i * (slice_threads / b_quads) * b_pitch * 4, b_from + Index(i) * (slice_threads / b_quads) * STAGE_N,
            k0 + thread / b_quads + i * (slice_threads / b_quads), column0 + thread % b_quads * 4);
}

// x cut off to TF32's 11 significant bits, and what that drops, which the tensor core cuts off in turn: on average a
// bit more than an ulp of x. So much is added by the same instruction, x · (1 + 2^-23) - high. For ±Inf it is a NaN:
// see `mend`.
__device__ __forceinline__ unsigned high_part(unsigned x)
{
    return x & 0xffffe000u;
}

__device__ __forceinline__ unsigned low_part(unsigned x)
{
    return __float_as_uint(fmaf(__uint_as_float(x), 1.00000012f, -__uint_as_float(high_part(x)))) & 0xffffe000u;
}

// d += r · l for 16 columns by 8 rows of the output and 8 steps of k. The tensor core adds with truncation.
__device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&r)[4], const unsigned (&l)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(l[0]), "r"(l[1]));
}

// The warp's part of 8 steps of k in the order that mma wants: see "Layout".
struct Fragment
{
    unsigned right[parts_n][4];
    unsigned left[parts_m][2];

    // ldmatrix moves rows of 16 bytes, eight halves or, as here, four floats.
    __device__ __forceinline__ void read(unsigned a_address, const float *b_tile)
    {
#pragma unroll
        for (int i = 0; i < parts_m; i += 2)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(left[i][0]), "=r"(left[i][1]), "=r"(left[i + 1][0]), "=r"(left[i + 1][1])
                         : "r"(a_address + i * 8 * a_pitch * 4)
                         : "memory");
#pragma unroll
        for (int j = 0; j < parts_n; ++j) {
#pragma unroll
            for (int x = 0; x < 2; ++x) {
                const float2 pair = *reinterpret_cast<const float2 *>(b_tile + j * 16 + x * 4 * b_pitch);
                right[j][2 * x] = __float_as_uint(pair.x);
                right[j][2 * x + 1] = __float_as_uint(pair.y);
            }
        }
    }
};

using Sums = float[parts_m][parts_n][4];

// One product of every part. The operand of four registers stays the same from one mma to the next.
__device__ __forceinline__ void multiply_parts(Sums &sums, const unsigned (&right)[parts_n][4],
                                               const unsigned (&left)[parts_m][2])
{
#pragma unroll
    for (int j = 0; j < parts_n; ++j) {
#pragma unroll
        for (int i = 0; i < parts_m; ++i)
            multiply(sums[i][j], right[j], left[i]);
    }
}

// Adds 8 steps of k to the tensor core's sums: the small products, then the large ones.
__device__ __forceinline__ void add_fragment(Sums &sums, const Fragment &fragment)
{
    unsigned right_high[parts_n][4], right_low[parts_n][4], left_high[parts_m][2], left_low[parts_m][2];
#pragma unroll
    for (int x = 0; x < parts_n * 4; ++x) {
        right_high[x / 4][x % 4] = high_part(fragment.right[x / 4][x % 4]);
        right_low[x / 4][x % 4] = low_part(fragment.right[x / 4][x % 4]);
    }
#pragma unroll
    for (int x = 0; x < parts_m * 2; ++x) {
        left_high[x / 2][x % 2] = high_part(fragment.left[x / 2][x % 2]);
        left_low[x / 2][x % 2] = low_part(fragment.left[x / 2][x % 2]);
    }
    multiply_parts(sums, right_low, left_high);
    multiply_parts(sums, right_high, left_low);
    multiply_parts(sums, right_high, left_high);
}

// The thread's results that are not finite, once more, the plain way. An infinity or a NaN in the input, or an overflow
// on the way, need not look the same after the splitting as in FP32 (∞ − ∞ is a NaN), so those results are not trusted.
// Rare, therefore simple; not inlined, so that it costs no registers elsewhere.
__device__ __noinline__ void mend(const float *a, const float *b, float *out, Index row0, Index column0)
{
    for (int i = 0; i < warp_m / 4 / slices; ++i) {
        const Index row = row0 + i / 2 * 8 + i % 2;
        for (int j = 0; j < warp_n / 8; ++j) {
            const Index column = column0 + j / 2 * 16 + j % 2;
            if (row >= STAGE_M || column >= STAGE_N || fabsf(out[row * STAGE_N + column]) <= 3.402823466e38f)
                continue;
            float sum = 0.0f;
            for (Index k = 0; k < STAGE_K; ++k)
                sum = fmaf(a[row * STAGE_K + k], b[k * STAGE_N + column], sum);
            out[row * STAGE_N + column] = sum;
        }
    }
}

__device__ __forceinline__ void store_pair(float *out, Index row, Index column, float x, float y)
{
    if ((!m_fits && row >= STAGE_M) || (!n_fits && column >= STAGE_N))
        return;
    float *const to = out + row * STAGE_N + column;
    if constexpr (STAGE_N % 2 == 0) {
        *reinterpret_cast<float2 *>(to) = make_float2(x, y);
    } else {
        to[0] = x;
        if (column + 1 < STAGE_N)
            to[1] = y;
    }
}

extern "C" __global__ void __launch_bounds__(threads, 2) matmul_split_tf32_mma(STAGE_ARGS)
{
    extern __shared__ __align__(16) float shared[];

    const int slice = threadIdx.x / slice_threads;
    const int thread = threadIdx.x % slice_threads;
    const int lane = thread % 32;
    const int warp_row = thread / 32 / warps_n * warp_m;
    const int warp_column = thread / 32 % warps_n * warp_n;
    const Index row0 = Index(blockIdx.y) * tile_m;
    const Index column0 = Index(blockIdx.x) * tile_n;

    float *const tiles = shared + slice * stages * stage_floats;
    // Of each slice, so that all threads pass as many barriers; where k has no step for the last one, that adds zeros.
    constexpr int steps = (STAGE_K + slices * k_step - 1) / (slices * k_step);
    Index k0 = slice * k_step; // of the next pair of tiles to be brought
    const float *a_from = a + (row0 + thread / (k_step / 4)) * STAGE_K + k0 + thread % (k_step / 4) * 4;
    const float *b_from = b + (k0 + thread / (tile_n / 4)) * STAGE_N + column0 + thread % (tile_n / 4) * 4;
    const unsigned a_to = shared_address(tiles + thread / (k_step / 4) * a_pitch + thread % (k_step / 4) * 4);
    const unsigned b_to =
        shared_address(tiles + a_floats + thread / (tile_n / 4) * b_pitch + thread % (tile_n / 4) * 4);
    const auto copy_next = [&](int stage) {
        const unsigned offset = stage * stage_floats * 4;
        copy_tiles(a_to + offset, b_to + offset, a_from, b_from, row0, column0, k0, thread);
        a_from += slices * k_step;
        b_from += Index(slices) * k_step * STAGE_N;
        k0 += slices * k_step;
    };

#pragma unroll
    for (int i = 0; i < stages - 1; ++i) {
        if (i < steps)
            copy_next(i);
        end_copy_group();
    }
    wait_for_copies<stages - 2>();
    wait_for_slice(slice);

    Sums sum = {};
    // Lane l gives ldmatrix the address of row l % 8 of the first or second eight rows, of its first or second four k.
    const unsigned a_first = shared_address(tiles + (warp_row + lane % 8 + lane / 16 * 8) * a_pitch + lane / 8 % 2 * 4);
    const float *const b_first = tiles + a_floats + lane % 4 * b_pitch + warp_column + lane / 4 * 2;
    unsigned a_address = a_first;
    const float *b_tile = b_first;
    Fragment fragments[2]; // the one in use and the next
    fragments[0].read(a_address, b_tile);
    int stage = 0;
    for (int step = 0; step < steps; ++step) {
        Sums block = {};
#pragma unroll
        for (int k = 0; k < k_step; k += 8) {
            if (k + 8 == k_step) { // nobody reads this stage any more
                wait_for_copies<stages - 2>();
                wait_for_slice(slice);
                stage = stage + 1 == stages ? 0 : stage + 1;
                a_address = a_first + stage * stage_floats * 4;
                b_tile = b_first + stage * stage_floats;
            }
            const int next = (k + 8) % k_step;
            fragments[(k / 8 + 1) % 2].read(a_address + next * 4, b_tile + next * b_pitch);
            if (k == 0) {
                if (step + stages - 1 < steps)
                    copy_next(stage == 0 ? stages - 1 : stage - 1);
                end_copy_group();
            }
            add_fragment(block, fragments[k / 8 % 2]);
        }
#pragma unroll
        for (int x = 0; x < parts_m * parts_n * 4; ++x)
            sum[x / 4 / parts_n][x / 4 % parts_n][x % 4] += block[x / 4 / parts_n][x / 4 % parts_n][x % 4];
    }

    // The slices' sums are added up. Each slice hands half of a thread's rows to the other, and finishes those it
    // keeps.
    constexpr int rows = parts_m / 2;
    float *const mine = shared + (slice * slice_threads + thread) * 4;
    const float *const others = shared + ((1 - slice) * slice_threads + thread) * 4;
    __syncthreads(); // the tiles make room for the sums
#pragma unroll
    for (int x = 0; x < rows * parts_n; ++x) {
        const float(&first)[4] = sum[x / parts_n][x % parts_n];
        const float(&second)[4] = sum[rows + x / parts_n][x % parts_n];
        store_quad(mine + x * threads * 4, slice == 0 ? make_float4(second[0], second[1], second[2], second[3])
                                                      : make_float4(first[0], first[1], first[2], first[3]));
    }
    __syncthreads();
    const Index row = row0 + warp_row + slice * (warp_m / 2) + lane % 4 * 2;
    const Index column = column0 + warp_column + lane / 4 * 2;
    float probe = 0.0f; // NaN once a sum is not finite
#pragma unroll
    for (int x = 0; x < rows * parts_n; ++x) {
        const float4 more = load_quad(others + x * threads * 4);
        const float(&first)[4] = sum[x / parts_n][x % parts_n];
        const float(&second)[4] = sum[rows + x / parts_n][x % parts_n];
        float total[4] = {more.x, more.y, more.z, more.w};
#pragma unroll
        for (int y = 0; y < 4; ++y) {
            total[y] += slice == 0 ? first[y] : second[y];
            probe = fmaf(total[y], 0.0f, probe);
        }
        store_pair(out, row + x / parts_n * 8, column + x % parts_n * 16, total[0], total[2]);
        store_pair(out, row + x / parts_n * 8 + 1, column + x % parts_n * 16, total[1], total[3]);
    }
    if (probe != 0.0f)
        mend(a, b, out, row, column);
}
