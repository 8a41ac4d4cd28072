// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Warp tiles, the order left to the compiler",
  "change": "Single step: without the fence that keeps the order of the multiply-adds.",
  "after": "warp-tile",
  "status": "attempt",
  "label": "no fence",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_warp_tile_unfenced", "block": 256, "grid": [{"cover": "n", "by": 128}, {"cover": "m", "by": 64}], "shared_bytes": 98304}
  ],
  "requires": {"arch": "sm_80"},
  "counts": {
    "shared reads per multiply-add": 0.046875,
    "all shared reads per multiply-add": 0.0497,
    "outputs per thread": 128,
    "barriers per 16 steps of k": 0.5
  },
  "source": "this project"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/warp-tile.
//
// What changed, and why it should help. Nothing keeps the compiler from mixing the multiply-adds of neighbouring steps
// of k. It saves one instruction in 145, and more of the operands meet in the same bank of the register file.
//
// Limits. as matmul/warp-tile.
//
// Counts. 0.0469 shared reads per multiply-add in the loop over k. At the end the slices read each other's sums, 2 % more;
// the empty reads of sm_90, predicated off, are none. 0.0497 in all were counted on an H200,
// in two runs, and not 0.0480 as there: its NVRTC 13.0 seems to have made other code than the one that was read here,
// which has as many reads as matmul/warp-tile.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 46.93 µs kernel time after 45.67 of
// matmul/warp-tile, namespace h200-kernels.
//
// Resources. 225 registers on sm_90a (NVRTC 13.0), 98304 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile_m = 64; // rows and columns of the block's part of the output
constexpr int tile_n = 128;
constexpr int k_step = 8;
constexpr int rows = 8; // of a thread's part: quads, as far apart as all lanes' quads are wide
constexpr int columns = 16;
constexpr int lane_rows = 8; // a warp is 8×4 threads
constexpr int lane_columns = 4;
constexpr int warps_n = tile_n / (lane_columns * columns);
constexpr int slice_threads = tile_m / (lane_rows * rows) * warps_n * 32;
constexpr int slices = 4;
constexpr int threads = slices * slice_threads;
constexpr int stages = 3;         // pairs of tiles of a slice
constexpr int pitch = tile_m + 4; // of A's tile, which is k-major: eight steps of k of four rows are in different banks
constexpr int a_floats = k_step * pitch;
constexpr int stage_floats = a_floats + k_step * tile_n;
constexpr int a_copies = tile_m * k_step / slice_threads; // of a thread for a pair of tiles: floats of A, quads of B
constexpr int b_copies = k_step * tile_n / 4 / slice_threads;
constexpr int copies = a_copies + b_copies;
constexpr int copying_steps = 6; // of k, over which the copies are spread
constexpr int steps = int((STAGE_K + Index(slices) * k_step - 1) / (slices * k_step)); // of each slice
constexpr bool m_fits = STAGE_M % tile_m == 0;                                         // no tile reaches beyond an edge
constexpr bool n_fits = STAGE_N % tile_n == 0;
constexpr bool k_fits = STAGE_K % (slices * k_step) == 0;

// What cp.async takes for a place in shared memory.
__device__ __forceinline__ unsigned shared_address(const float *place)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(place));
}

// `bytes` from global to shared memory, in the background and past the registers. Where the source is outside the
// matrix nothing is read and zeros are written; `fits` says that it never is.
template <int bytes, bool fits> __device__ __forceinline__ void copy_async(unsigned to, const float *from, bool inside)
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

template <int pending> __device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// Only the threads of a slice wait for each other. Barrier 0 is __syncthreads.
__device__ __forceinline__ void wait_for_slice(int slice)
{
    asm volatile("bar.sync %0, %1;" ::"r"(slice + 1), "n"(slice_threads) : "memory");
}

// A thread's rows, or its columns, of one step of k. Two lanes that differ in bit 0 read the same quad of A, two that
// differ in bit 1 the same of B, so that shared memory serves the 16 lanes of a half warp at once.
template <int count, int lanes> __device__ __forceinline__ void read_part(float (&part)[count], const float *tile)
{
#pragma unroll
    for (int i = 0; i < count; i += 4) {
        const float4 quad = load_quad(tile + i * lanes);
        part[i] = quad.x;
        part[i + 1] = quad.y;
        part[i + 2] = quad.z;
        part[i + 3] = quad.w;
    }
}

// One step of k. Along the serpentine, each multiply-add shares an operand with the one before.
__device__ __forceinline__ void multiply_add(float (&sum)[rows][columns], const float (&a)[rows],
                                             const float (&b)[columns])
{
#pragma unroll
    for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int along = 0; along < columns; ++along) {
            const int j = i % 2 != 0 ? along : columns - 1 - along;
            sum[i][j] += a[i] * b[j];
        }
    }
}

// Adds up the slices. Each finishes rows / slices of every thread's rows: it gets those from the others and writes
// them.
__device__ __forceinline__ void add_slices(float (&sum)[rows][columns], float *shared, float *out, Index row0,
                                           Index column0, int slice, int thread)
{
    constexpr int part_rows = rows / slices;
    const auto place = [&](int part, int other, int i, int j) {
        return shared + (((part * (slices - 1) + other) * part_rows + i) * columns + j) * slice_threads + thread * 4;
    };
#pragma unroll
    for (int part = 0; part < slices; ++part) {
        if (slice == part)
            continue;
#pragma unroll
        for (int i = 0; i < part_rows; ++i) {
#pragma unroll
            for (int j = 0; j < columns; j += 4) {
                const float *from = sum[part * part_rows + i] + j;
                store_quad(place(part, slice - (slice > part), i, j), make_float4(from[0], from[1], from[2], from[3]));
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int part = 0; part < slices; ++part) {
        if (slice != part)
            continue;
#pragma unroll
        for (int i = 0; i < part_rows; ++i) {
            const int row = part * part_rows + i;
#pragma unroll
            for (int j = 0; j < columns; j += 4) {
                float4 total = make_float4(sum[row][j], sum[row][j + 1], sum[row][j + 2], sum[row][j + 3]);
#pragma unroll
                for (int other = 0; other < slices - 1; ++other) {
                    const float4 more = load_quad(place(part, other, i, j));
                    total = make_float4(total.x + more.x, total.y + more.y, total.z + more.z, total.w + more.w);
                }
                store_quad_inside<STAGE_M, STAGE_N>(out, row0 + row / 4 * 4 * lane_rows + row % 4,
                                                    column0 + j * lane_columns, total);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(threads, 1) matmul_warp_tile_unfenced(STAGE_ARGS)
{
    extern __shared__ __align__(16) float shared[];

    const int slice = threadIdx.x / slice_threads;
    const int thread = threadIdx.x % slice_threads;
    const int lane = thread % 32;
    const int warp = thread / 32;
    const int y = warp / warps_n * lane_rows * rows + lane / 2 % 8 * 4; // the thread's first row and column
    const int x = warp % warps_n * lane_columns * columns + (lane % 2 + lane / 16 * 2) * 4;
    const Index row0 = Index(blockIdx.y) * tile_m;
    const Index column0 = Index(blockIdx.x) * tile_n;

    // The thread's copies are a constant distance apart: a pointer into each matrix and an address in each tile do for
    // all.
    float *const tiles = shared + slice * stages * stage_floats;
    Index k0 = slice * k_step; // of the next pair of tiles to be brought
    const float *a_from = a + (row0 + thread / 8) * STAGE_K + k0 + thread % 8;
    const float *b_from = b + (k0 + thread / (tile_n / 4)) * STAGE_N + column0 + thread % (tile_n / 4) * 4;
    const unsigned a_to = shared_address(tiles + thread % 8 * pitch + thread / 8);
    const unsigned b_to = shared_address(tiles + a_floats + thread * 4);
    const auto copy = [&](int number, int stage_offset) {
        if (number < a_copies) { // eight steps of k of four rows for each warp: whole 32-byte sectors
            const int row = number / (k_step / 8) * (slice_threads / 8);
            const int k = number % (k_step / 8) * 8;
            copy_async<4, m_fits && k_fits>(a_to + (stage_offset + k * pitch + row) * 4,
                                            a_from + Index(row) * STAGE_K + k,
                                            (m_fits || row0 + thread / 8 + row < STAGE_M) &&
                                                (k_fits || k0 + thread % 8 + k < STAGE_K));
        } else {
            const int k = (number - a_copies) * (slice_threads / (tile_n / 4));
            const bool k_inside = k_fits || k0 + thread / (tile_n / 4) + k < STAGE_K;
            const Index column = column0 + thread % (tile_n / 4) * 4;
            const unsigned to = b_to + (stage_offset + k * tile_n) * 4;
            const float *from = b_from + Index(k) * STAGE_N;
            if constexpr (STAGE_N % 4 == 0) {
                copy_async<16, n_fits && k_fits>(to, from, k_inside && (n_fits || column < STAGE_N));
            } else { // rows are not whole quads, so they are not aligned either
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    copy_async<4, false>(to + j * 4, from + j, k_inside && column + j < STAGE_N);
            }
        }
    };
    int brought = 0;
    const auto next_tiles = [&]() { // the last pair stays the next one
        const bool more = ++brought < steps;
        a_from += more ? slices * k_step : 0;
        b_from += more ? Index(slices) * k_step * STAGE_N : 0;
        if constexpr (!k_fits)
            k0 += more ? slices * k_step : 0;
    };

#pragma unroll
    for (int i = 0; i < stages - 1; ++i) {
#pragma unroll
        for (int number = 0; number < copies; ++number)
            copy(number, i * stage_floats);
        end_copy_group();
        next_tiles();
    }
    wait_for_copies<stages - 2>();
    wait_for_slice(slice);

    float sum[rows][columns] = {};
    float a_part[2][rows]; // the one in use and the next
    float b_part[2][columns];
    const float *const a_tile = tiles + y;
    const float *const b_tile = tiles + a_floats + x;
    read_part<rows, lane_rows>(a_part[0], a_tile);
    read_part<columns, lane_columns>(b_part[0], b_tile);
    int offset = 0; // of the pair of tiles in use, and of the one that is filled
    int copy_offset = (stages - 1) * stage_floats;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        const int next_offset = offset == (stages - 1) * stage_floats ? 0 : offset + stage_floats;
#pragma unroll
        for (int k = 0; k < k_step; ++k) {
            if (k + 1 == k_step) { // what is left of this pair of tiles is in registers
                wait_for_copies<stages - 2>();
                wait_for_slice(slice);
                copy_offset = offset;
                offset = next_offset;
            }
            read_part<columns, lane_columns>(b_part[(k + 1) % 2], b_tile + offset + (k + 1) % k_step * tile_n);
            read_part<rows, lane_rows>(a_part[(k + 1) % 2], a_tile + offset + (k + 1) % k_step * pitch);
#pragma unroll
            for (int number = 0; number < copies; ++number) {
                if (number * copying_steps / copies == k)
                    copy(number, copy_offset);
            }
            if (k + 1 == copying_steps) {
                end_copy_group();
                next_tiles();
            }
            multiply_add(sum, a_part[k % 2], b_part[k % 2]);
        }
    }

    wait_for_copies<0>();
    __syncthreads(); // the tiles make room for the sums
    add_slices(sum, shared, out, row0 + y, column0 + x, slice, thread);
}
