// SPDX-License-Identifier: MIT
/* stage
{
  "title": "32×32 tiles, 2×4 outputs per thread",
  "change": "A discriminating experiment: a 32×32 block tile with a 2×4 register tile makes six shared reads for eight multiply-adds, 0.75 instead of 0.5. If time follows the shared reads, this takes 1.5 times as long.",
  "after": "registers",
  "status": "attempt",
  "label": "2×4",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_tile_32x32_2x4", "block": 128, "grid": [{"cover": "n", "by": 32}, {"cover": "m", "by": 32}]}
  ],
  "counts": {
    "shared reads per multiply-add": 0.75,
    "outputs per thread": 8,
    "barriers per 16 steps of k": 1
  },
  "source": "mage, field note on matrix multiplication in three stages, attempt not adopted"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/registers, with smaller parts: a block of 128 threads owns a 32×32 tile of the output, each
// thread 2×4 of it.
//
// What changed, and why it was tried. Four times as many blocks, each with half the shared memory, give a multiprocessor
// more to switch between while one block waits. Against it, a value of B is used twice instead of four times: 6 reads
// for 8 multiply-adds, 0.75. The two pull in opposite directions, so the time tells which of them rules.
//
// Limits. Half as many multiply-adds per barrier, and tiles that read global memory twice as often.
//
// Measured effect. Span 210.51 µs against 145.61 for matmul/registers in the same run on an RTX 4090, 1024×1024×1024: a
// single development run, not kept as evidence. The reads predict a ratio of 1.5, measured was 1.45: time follows the
// reads.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 224.7 µs kernel time against 152.3: 1.48 for a predicted 1.5.
//
// Resources. 64 registers on sm_89, 60 on sm_90a (NVRTC 13.0), 8192 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad_or_zeros;
using stagecraft::load_shared_scalar;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile = 32; // rows and columns of the block's part of the output
constexpr int k_step = 32;
constexpr int row_outputs = 2; // rows of a thread's part
constexpr int outputs = 4;     // its columns
constexpr int threads = tile / row_outputs * (tile / outputs);

// 1024 blocks at 1024×1024 are eight for each multiprocessor of a large GPU: registers are to suffice for as many.
extern "C" __global__ void __launch_bounds__(threads, 8) matmul_tile_32x32_2x4(STAGE_ARGS)
{
    __shared__ __align__(16) float a_tile[tile][k_step]; // 4096 B
    __shared__ __align__(16) float b_tile[k_step][tile]; // 4096 B

    const int thread = threadIdx.x;
    const int y = thread / (tile / outputs) * row_outputs; // the thread's first row and column within the tile
    const int x = thread % (tile / outputs) * outputs;
    const Index row0 = Index(blockIdx.y) * tile;
    const Index column0 = Index(blockIdx.x) * tile;

    float sum[row_outputs][outputs] = {};
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
            float a_part[row_outputs], b_part[outputs];
#pragma unroll
            for (int i = 0; i < row_outputs; ++i)
                a_part[i] = load_shared_scalar(&a_tile[y + i][k]);
#pragma unroll
            for (int j = 0; j < outputs; ++j)
                b_part[j] = load_shared_scalar(&b_tile[k][x + j]);
#pragma unroll
            for (int i = 0; i < row_outputs; ++i) {
#pragma unroll
                for (int j = 0; j < outputs; ++j)
                    sum[i][j] += a_part[i] * b_part[j];
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < row_outputs; ++i)
        store_quad_inside<STAGE_M, STAGE_N>(out, row0 + y + i, column0 + x,
                                            make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
}
