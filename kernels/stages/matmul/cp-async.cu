// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Two pairs of tiles, filled by cp.async",
  "change": "The tiles of the next K step are copied by cp.async into a second pair while this one is used: no wait between copying and computing, and no registers in between.",
  "after": "k64",
  "status": "retained",
  "label": "cp.async",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_cp_async", "block": 256, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 64}], "shared_bytes": 67584}
  ],
  "requires": {"arch": "sm_80"},
  "counts": {"shared reads per multiply-add": 0.125, "outputs per thread": 16, "barriers per 16 steps of k": 0.25},
  "source": "this project"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/k64: 64×64 block tiles, 4×4 outputs per thread, both tiles read as quads, K step 64.
//
// What changed, and why it should help. There are two pairs of tiles. While one is used, cp.async fills the other: the
// copies go from global to shared memory in the background and hold no registers. B is copied by quads; A, which is
// transposed on its way, by single floats: 8 steps of k of 4 rows at a time, which are whole 32-byte sectors on one
// side and in different banks on the other (the row stride of 68 sees to that).
//
// Limits. 67584 B of shared memory: two blocks on a multiprocessor of sm_80, sm_90 and sm_100, one on sm_86, sm_89 and
// sm_120. Four-byte copies are four times as many instructions as quads would be. 4×4 outputs per thread still take a
// quad read for every eight multiply-adds.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 71.80 µs kernel time after 73.57 of
// matmul/k64, namespace h200-kernels.
//
// Resources. 64 registers on sm_90a (NVRTC 13.0), 67584 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad_inside;

constexpr int tile = 64; // rows and columns of the block's part of the output
constexpr int k_step = 64;
constexpr int stride = tile + 4; // of A's tile, in floats: see "What changed"
constexpr int outputs = 4;       // rows and columns of a thread's part
constexpr int threads = tile / outputs * (tile / outputs);
constexpr int pair_floats = k_step * stride + k_step * tile; // A's tile, k-major, then B's
constexpr bool m_fits = STAGE_M % tile == 0;                 // no tile reaches beyond an edge
constexpr bool n_fits = STAGE_N % tile == 0;
constexpr bool k_fits = STAGE_K % k_step == 0;

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

// The threads' copies are a constant distance apart: two addresses and two pointers do for all.
__device__ __forceinline__ void copy_tiles(const float *pair, const float *a, const float *b, Index row0, Index column0,
                                           Index k0)
{
    const int thread = threadIdx.x;
    const unsigned a_to = shared_address(pair + thread % 8 * stride + thread / 8);
    const float *a_from = a + (row0 + thread / 8) * STAGE_K + k0 + thread % 8;
#pragma unroll
    for (int i = 0; i < tile * k_step / threads; ++i) {
        const int row = thread / 8 + i % 2 * (threads / 8);
        const int k = thread % 8 + i / 2 * 8;
        copy_async<4, m_fits && k_fits>(a_to + (i / 2 * 8 * stride + i % 2 * (threads / 8)) * 4,
                                        a_from + Index(i % 2) * (threads / 8) * STAGE_K + i / 2 * 8,
                                        row0 + row < STAGE_M && k0 + k < STAGE_K);
    }
    const unsigned b_to = shared_address(pair + k_step * stride + thread * 4);
    const Index column = column0 + thread % (tile / 4) * 4;
    const float *b_from = b + (k0 + thread / (tile / 4)) * STAGE_N + column;
#pragma unroll
    for (int i = 0; i < k_step * tile / 4 / threads; ++i) {
        const int k = thread / (tile / 4) + i * (threads / (tile / 4));
        const unsigned to = b_to + i * threads * 16;
        const float *from = b_from + Index(i) * (threads / (tile / 4)) * STAGE_N;
        if constexpr (STAGE_N % 4 == 0) {
            copy_async<16, n_fits && k_fits>(to, from, k0 + k < STAGE_K && column < STAGE_N);
        } else { // rows are not whole quads, so they are not aligned either
#pragma unroll
            for (int j = 0; j < 4; ++j)
                copy_async<4, false>(to + j * 4, from + j, k0 + k < STAGE_K && column + j < STAGE_N);
        }
    }
}

// 256 blocks at 1024×1024 are two for each multiprocessor of a large GPU: they may share its registers between them.
extern "C" __global__ void __launch_bounds__(threads, 2) matmul_cp_async(STAGE_ARGS)
{
    extern __shared__ __align__(16) float shared[];

    const int thread = threadIdx.x;
    const int y = thread / (tile / outputs) * outputs; // the thread's first row and column within the tile
    const int x = thread % (tile / outputs) * outputs;
    const Index row0 = Index(blockIdx.y) * tile;
    const Index column0 = Index(blockIdx.x) * tile;

    float sum[outputs][outputs] = {};
    float *now = shared;
    float *next = shared + pair_floats;
    copy_tiles(now, a, b, row0, column0, 0);
    end_copy_group();
    for (Index k0 = 0; k0 < STAGE_K; k0 += k_step) {
        wait_for_copies<0>();
        __syncthreads(); // this pair is complete, and nobody reads the other one any more
        if (k0 + k_step < STAGE_K)
            copy_tiles(next, a, b, row0, column0, k0 + k_step);
        end_copy_group();

#pragma unroll
        for (int k = 0; k < k_step; ++k) {
            const float4 a_quad = load_quad(now + k * stride + y);
            const float a_part[outputs] = {a_quad.x, a_quad.y, a_quad.z, a_quad.w};
            const float4 b_quad = load_quad(now + k_step * stride + k * tile + x);
            const float b_part[outputs] = {b_quad.x, b_quad.y, b_quad.z, b_quad.w};
#pragma unroll
            for (int i = 0; i < outputs; ++i) {
#pragma unroll
                for (int j = 0; j < outputs; ++j)
                    sum[i][j] += a_part[i] * b_part[j];
            }
        }
        float *const used = now;
        now = next;
        next = used;
    }

#pragma unroll
    for (int i = 0; i < outputs; ++i)
        store_quad_inside<STAGE_M, STAGE_N>(out, row0 + y + i, column0 + x,
                                            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
}
