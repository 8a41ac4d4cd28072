// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Warp tiles, brought by TMA",
  "change": "One thread of a slice brings whole tiles by two instructions, instead of 12 copies of each thread. A stays as it is, quads along k.",
  "after": "warp-tile",
  "status": "attempt",
  "label": "warp tiles, TMA",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_warp_tile_tma", "block": 256, "grid": [{"cover": "n", "by": 128}, {"cover": "m", "by": 64}], "shared_bytes": 99328}
  ],
  "tensor_maps": [{"buffer": "a", "box": [64, 8], "swizzle": "32B"}, {"buffer": "b", "box": [8, 128], "swizzle": "none"}],
  "requires": {"arch": "sm_90a", "multiple_of": {"n": 4, "k": 4}, "max": {"m": 2147483000, "n": 2147483000, "k": 2147483000}},
  "counts": {
    "shared reads per multiply-add": 0.046875,
    "all shared reads per multiply-add": 0.0478,
    "outputs per thread": 128,
    "barriers per 16 steps of k": 0.5
  },
  "source": "this project"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/warp-tile: 64×128 outputs a block, 8×16 a thread, four K slices of two warps, K steps of 8.
//
// What changed, and why it should help. The copies and their addresses were most of the instructions that are neither
// multiply-adds nor reads, and the four-byte ones that transpose A filled the queue to the shared memory. TMA takes one
// instruction of one thread for a tile and needs no addresses. It cannot transpose: A stays as it is, and a thread
// reads four steps of k of a row as one quad, as many reads as before. Eight rows of 32 bytes would meet in the same
// banks; the 32-byte swizzle exchanges the two quads of every second four rows, which parts them. Beyond an edge TMA
// brings zeros. A tile has arrived when its barrier has counted its bytes; the threads of a slice still wait for each
// other before a pair of tiles is filled again.
//
// Limits. 99328 B of shared memory, up to 255 registers: one block on a multiprocessor. n and k must be multiples of 4.
//
// Counts. 0.0469 shared reads per multiply-add in the loop over k. At the end the slices read each other's sums, 2 % more.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 48.81 µs kernel time after 45.67 of
// matmul/warp-tile, namespace h200-kernels.
//
// Resources. 217 registers on sm_90a (NVRTC 13.0), 99328 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile_m = 64; // rows and columns of the block's part of the output
constexpr int tile_n = 128;
constexpr int k_step = 8;
constexpr int rows = 8; // of a thread's part, 8 apart
constexpr int columns = 16;
constexpr int lane_rows = 8; // a warp is 8×4 threads
constexpr int lane_columns = 4;
constexpr int warps_n = tile_n / (lane_columns * columns);
constexpr int slice_threads = tile_m / (lane_rows * rows) * warps_n * 32;
constexpr int slices = 4;
constexpr int threads = slices * slice_threads;
constexpr int stages = 4; // pairs of tiles of a slice
constexpr int a_floats = tile_m * k_step;
constexpr int stage_floats = a_floats + k_step * tile_n;
constexpr int steps = int((STAGE_K + Index(slices) * k_step - 1) / (slices * k_step)); // of each slice

__device__ __forceinline__ unsigned shared_address(const void *place)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(place));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void show_barriers_to_copies()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// One arrival, and so many bytes that copies still have to bring.
__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Returns once the phase of this parity is complete. The first phase has parity 0.
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity)
{
    asm volatile("{\n\t"
                 ".reg .pred complete;\n\t"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n\t"
                 "@!complete bra again;\n\t"
                 "}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

// A box of the array, from `row` and `column` on.
__device__ __forceinline__ void load_box(unsigned destination, const CUtensorMap &map, int column, int row,
                                         unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(destination),
                 "l"(&map), "r"(column), "r"(row), "r"(barrier)
                 : "memory");
}

// A quad, at an address that the compiler can extend by a constant.
__device__ __forceinline__ float4 read_quad(unsigned address)
{
    float4 quad;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
                 : "r"(address)
                 : "memory");
    return quad;
}

// Only the threads of a slice wait for each other. Barrier 0 is __syncthreads.
__device__ __forceinline__ void wait_for_slice(int slice)
{
    asm volatile("bar.sync %0, %1;" ::"r"(slice + 1), "n"(slice_threads) : "memory");
}

// The compiler moves no instruction across this one: see "What changed".
__device__ __forceinline__ void keep_order()
{
    asm volatile("pmevent 0;" ::: "memory");
}

// Four steps of k of `count` of the thread's rows, from row `first` on. Two lanes that differ in bit 0 read the same
// quad of A, two that differ in bit 1 the same of B, so that shared memory serves the 16 lanes of a half warp at once.
template <int first, int count> __device__ __forceinline__ void read_a(float (&part)[4][rows], unsigned tile)
{
#pragma unroll
    for (int i = first; i < first + count; ++i) {
        const float4 quad = read_quad(tile + i * lane_rows * k_step * 4);
        part[0][i] = quad.x;
        part[1][i] = quad.y;
        part[2][i] = quad.z;
        part[3][i] = quad.w;
    }
}

// The thread's columns of one step of k: quads, as far apart as all lanes' quads are wide.
__device__ __forceinline__ void read_b(float (&part)[columns], unsigned tile)
{
#pragma unroll
    for (int j = 0; j < columns; j += 4) {
        const float4 quad = read_quad(tile + j * lane_columns * 4);
        part[j] = quad.x;
        part[j + 1] = quad.y;
        part[j + 2] = quad.z;
        part[j + 3] = quad.w;
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
                store_quad_inside<STAGE_M, STAGE_N>(out, row0 + row * lane_rows,
                                                    column0 + j * lane_columns, total);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(threads, 1) matmul_warp_tile_tma(STAGE_ARGS)
{
    extern __shared__ __align__(1024) float whole[];

    const int slice = threadIdx.x / slice_threads;
    const int thread = threadIdx.x % slice_threads;
    const int lane = thread % 32;
    const int warp = thread / 32;
    const int lane_row = lane / 2 % 8;
    const int y = warp / warps_n * lane_rows * rows + lane_row; // the thread's first row and column
    const int x = warp % warps_n * lane_columns * columns + (lane % 2 + lane / 16 * 2) * 4;
    const Index row0 = Index(blockIdx.y) * tile_m;
    const Index column0 = Index(blockIdx.x) * tile_n;

    // 1024 bytes for barriers, one for each pair of tiles, and then the tiles.
    const unsigned barriers = shared_address(whole) + slice * stages * 8;
    float *const shared = whole + 256;
    float *const tiles = shared + slice * stages * stage_floats;
    const auto bring = [&](int stage, int step) {
        const unsigned barrier = barriers + stage * 8;
        const unsigned to = shared_address(tiles + stage * stage_floats);
        const int k0 = (step * slices + slice) * k_step;
        barrier_expect(barrier, stage_floats * 4);
        load_box(to, map0, k0, int(row0), barrier);
        load_box(to + a_floats * 4, map1, int(column0), k0, barrier);
    };
    const bool brings = thread == slice / 2 * 32; // warps 0, 2, 5 and 7 of the block: one of each scheduler
    if (brings) {
        for (int i = 0; i < stages; ++i)
            barrier_init(barriers + i * 8, 1);
        show_barriers_to_copies();
        for (int i = 0; i < stages && i < steps; ++i)
            bring(i, i);
    }
    __syncthreads();

    float sum[rows][columns] = {};
    float a_part[2][4][rows]; // the one in use and the next
    float b_part[2][columns];
    unsigned a_at[k_step / 4]; // of the thread's quads of its first row, in the first tile
#pragma unroll
    for (int i = 0; i < k_step / 4; ++i)
        a_at[i] = shared_address(tiles + y * k_step + (i ^ (lane_row / 4)) * 4); // the swizzle
    const unsigned b_at = shared_address(tiles + a_floats + x);
    barrier_wait(barriers, 0);
    read_a<0, rows>(a_part[0], a_at[0]);
    read_b(b_part[0], b_at);
    int stage = 0;
    unsigned parity = 0;
    unsigned offset = 0; // of the pair of tiles in use
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int k = 0; k < k_step; ++k) {
            const int group = k / 4; // of four steps of k
            if (k + 1 == k_step) {   // what is left of this pair of tiles is in registers
                const int used = stage;
                if (++stage == stages) {
                    stage = 0;
                    parity ^= 1;
                }
                offset = stage * (stage_floats * 4);
                wait_for_slice(slice);
                if (brings && step + stages < steps)
                    bring(used, step + stages);
                if (step + 1 < steps)
                    barrier_wait(barriers + stage * 8, parity);
                read_a<0, rows>(a_part[0], a_at[0] + offset);
            } else if (group + 1 < k_step / 4) { // a quarter of the next group's reads
                float(&next)[4][rows] = a_part[(group + 1) % 2];
                const unsigned from = a_at[group + 1] + offset;
                if (k % 4 == 0)
                    read_a<0, rows / 4>(next, from);
                else if (k % 4 == 1)
                    read_a<rows / 4, rows / 4>(next, from);
                else if (k % 4 == 2)
                    read_a<rows / 4 * 2, rows / 4>(next, from);
                else
                    read_a<rows / 4 * 3, rows / 4>(next, from);
            }
            read_b(b_part[(k + 1) % 2], b_at + offset + (k + 1) % k_step * tile_n * 4);
            multiply_add(sum, a_part[group % 2][k % 4], b_part[k % 2]);
            keep_order();
        }
    }

    __syncthreads(); // the tiles make room for the sums
    add_slices(sum, shared, out, row0 + y, column0 + x, slice, thread);
}
