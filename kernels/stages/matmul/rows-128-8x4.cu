// SPDX-License-Identifier: MIT
/* stage
{
  "title": "128-row blocks, 8×4 outputs per thread",
  "change": "A block owns 128×64 outputs and each thread 8×4 of them: twelve shared reads serve 32 multiply-adds, 0.375 instead of 0.5, with half as many blocks.",
  "after": "registers",
  "status": "attempt",
  "label": "8×4",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_rows_128_8x4", "block": 256, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 128}]}
  ],
  "counts": {
    "shared reads per multiply-add": 0.375,
    "outputs per thread": 32,
    "barriers per 16 steps of k": 1
  },
  "source": "mage, field note on matrix multiplication in three stages, attempt not adopted"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/registers, with taller parts: a block of 256 threads owns a 128×64 tile of the output, each
// thread 8×4 of it.
//
// What changed, and why it was tried. A value of B is used eight times instead of four: 12 reads for 32 multiply-adds,
// 0.375. By the reads alone it should take three quarters of the time.
//
// Limits. At 1024×1024 there are only 128 blocks left, one for each multiprocessor of a large GPU: nothing else runs
// there while the block waits at a barrier or for its tiles, and what the reads gain is lost again.
//
// Measured effect. Span 147.74 µs against 145.61 for matmul/registers in the same run on an RTX 4090, 1024×1024×1024: a
// single development run, not kept as evidence, and within the few percent that such a run cannot resolve.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 118.5 µs kernel time against 152.3, a ratio of 0.78 where the reads
// predict 0.75: there it is clearly the faster one.
//
// Resources. 96 registers on sm_89 and sm_90a (NVRTC 13.0), 24576 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad_or_zeros;
using stagecraft::load_shared_scalar;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int row_tile = 128; // rows of the block's part of the output
constexpr int tile = 64;      // its columns
constexpr int k_step = 32;
constexpr int row_outputs = 8; // rows of a thread's part
constexpr int outputs = 4;     // its columns
constexpr int threads = row_tile / row_outputs * (tile / outputs);

// Registers for two blocks on a multiprocessor, as in matmul/registers.
extern "C" __global__ void __launch_bounds__(threads, 2) matmul_rows_128_8x4(STAGE_ARGS)
{
    __shared__ __align__(16) float a_tile[row_tile][k_step]; // 16384 B
    __shared__ __align__(16) float b_tile[k_step][tile];     // 8192 B

    const int thread = threadIdx.x;
    const int y = thread / (tile / outputs) * row_outputs; // the thread's first row and column within the tile
    const int x = thread % (tile / outputs) * outputs;
    const Index row0 = Index(blockIdx.y) * row_tile;
    const Index column0 = Index(blockIdx.x) * tile;

    float sum[row_outputs][outputs] = {};
    for (Index k0 = 0; k0 < STAGE_K; k0 += k_step) {
#pragma unroll
        for (int i = 0; i < row_tile * k_step / 4 / threads; ++i) {
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
