// SPDX-License-Identifier: MIT
/* stage
{
  "title": "4×4 outputs, B read as one quad",
  "change": "First of three single steps from registers to k64: the four elements of B that a thread needs are neighbours, so one 128-bit read brings them; A stays scalar.",
  "after": "registers",
  "status": "attempt",
  "label": "B quads",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_b_quads", "block": 256, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 64}]}
  ],
  "counts": {
    "shared reads per multiply-add": 0.3125,
    "outputs per thread": 16,
    "barriers per 16 steps of k": 1
  },
  "source": "mage, field note on matrix multiplication in three stages, a step between the two rewrites"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/registers: 64×64 block tiles, 4×4 outputs per thread, K step 32.
//
// What changed, and why it should help. A thread's four columns lie side by side in B's tile, 16-byte aligned: one
// 128-bit read takes the place of four scalar ones. Five reads serve 16 multiply-adds, 0.3125 instead of 0.5. The wide
// read is also without bank conflicts: 16 neighbouring quads are two rows of all banks.
//
// Limits. A is still read four times per k, and pinned so (see load_shared_scalar): its four values are 32 floats
// apart, in one bank. As a single step on the way to matmul/k64 this is kept as an attempt, not as a stage of the
// progression.
//
// Measured effect. Span 114.9 µs after 145.61 for matmul/registers on an RTX 4090, 1024×1024×1024: a single development
// run, not kept as evidence.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 119.0 µs kernel time after 152.3.
//
// Resources. 69 registers on sm_89, 71 on sm_90a (NVRTC 13.0), 16384 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::load_quad_or_zeros;
using stagecraft::load_shared_scalar;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile = 64; // rows and columns of the block's part of the output
constexpr int k_step = 32;
constexpr int outputs = 4; // rows and columns of a thread's part
constexpr int threads = tile / outputs * (tile / outputs);

// 256 blocks at 1024×1024 are two for each multiprocessor of a large GPU: they may share its registers between them.
extern "C" __global__ void __launch_bounds__(threads, 2) matmul_b_quads(STAGE_ARGS)
{
    __shared__ __align__(16) float a_tile[tile][k_step]; // 8192 B
    __shared__ __align__(16) float b_tile[k_step][tile]; // 8192 B

    const int thread = threadIdx.x;
    const int y = thread / (tile / outputs) * outputs; // the thread's first row and column within the tile
    const int x = thread % (tile / outputs) * outputs;
    const Index row0 = Index(blockIdx.y) * tile;
    const Index column0 = Index(blockIdx.x) * tile;

    float sum[outputs][outputs] = {};
    for (Index k0 = 0; k0 < STAGE_K; k0 += k_step) {
#pragma unroll
        for (int i = 0; i < tile * k_step / 4 / threads; ++i) {
            const int quad = thread + i * threads;
            const int row = quad / (k_step / 4);
            const int k = quad % (k_step / 4) * 4;
            store_quad(&a_tile[row][k], load_quad_or_zeros<STAGE_M, STAGE_K>(a, row0 + row, k0 + k));
        }
#pragma unroll
        for (int i = 0; i < k_step * tile / 4 / threads; ++i) {
            const int quad = thread + i * threads;
            const int k = quad / (tile / 4);
            const int column = quad % (tile / 4) * 4;
            store_quad(&b_tile[k][column], load_quad_or_zeros<STAGE_K, STAGE_N>(b, k0 + k, column0 + column));
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < k_step; ++k) {
            float a_part[outputs];
#pragma unroll
            for (int i = 0; i < outputs; ++i)
                a_part[i] = load_shared_scalar(&a_tile[y + i][k]);
            const float4 b_quad = load_quad(&b_tile[k][x]);
            const float b_part[outputs] = {b_quad.x, b_quad.y, b_quad.z, b_quad.w};
#pragma unroll
            for (int i = 0; i < outputs; ++i) {
#pragma unroll
                for (int j = 0; j < outputs; ++j)
                    sum[i][j] += a_part[i] * b_part[j];
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < outputs; ++i)
        store_quad_inside<STAGE_M, STAGE_N>(out, row0 + y + i, column0 + x,
                                            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
}
