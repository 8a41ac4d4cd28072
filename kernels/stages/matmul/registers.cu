// SPDX-License-Identifier: MIT
/* stage
{
  "title": "4×4 outputs per thread",
  "change": "Each thread computes 4×4 outputs of a 64×64 block tile, K step 32, with 128-bit global loads: eight shared reads serve 16 multiply-adds.",
  "after": "tiled",
  "status": "retained",
  "label": "first rewrite",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_registers", "block": 256, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 64}]}
  ],
  "counts": {
    "shared reads per multiply-add": 0.5,
    "outputs per thread": 16,
    "barriers per 16 steps of k": 1
  },
  "source": "mage, field note on matrix multiplication in three stages, first rewrite (PR #42)"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. A block of 256 threads owns a 64×64 tile of the output, each thread 4×4 of it, kept in registers. The
// block walks along k in steps of 32: it copies 64×32 elements of A and 32×64 of B to shared memory, four floats per
// read; then, for each k, a thread reads four elements of A and four of B and makes all 16 products of the two.
//
// What changed, and why it should help. In matmul/tiled every multiply-add takes two reads of shared memory, which is
// what sets its pace. Here a value that has been read is used four times: 8 reads for 16 multiply-adds, 0.5 instead
// of 2. Larger tiles also read global memory four times less, in fewer and wider instructions.
//
// Limits. The reads are scalar, and pinned as such (see load_shared_scalar). Nor are they well spread: the rows of A's
// tile are 32 floats apart, so the two values of A that a warp reads at once lie in the same bank, and so do two of B's
// 16; each read takes two turns. 256 blocks at 1024×1024 are two for each multiprocessor of a large GPU. While tiles
// are copied nothing is computed, except by the other blocks of the multiprocessor.
//
// Measured effect. 141.70 µs kernel time at 1024×1024×1024 on an RTX 4090 (mage-002), 2.43 times as fast as
// matmul/tiled (343.99 µs, mage-001). Two further ways to a 4×4-like tile were measured there: see tile-32x32-2x4 and
// rows-128-8x4.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 152.3 µs kernel time after 345.0 for matmul/tiled, 2.27 times as fast;
// the namespace h200-stages has all of that GPU's figures.
//
// Resources. 72 registers on sm_89 and sm_90a (NVRTC 13.0), 16384 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad_or_zeros;
using stagecraft::load_shared_scalar;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile = 64; // rows and columns of the block's part of the output
constexpr int k_step = 32;
constexpr int outputs = 4; // rows and columns of a thread's part
constexpr int threads = tile / outputs * (tile / outputs);

// 256 blocks at 1024×1024 are two for each multiprocessor of a large GPU: they may share its registers between them.
extern "C" __global__ void __launch_bounds__(threads, 2) matmul_registers(STAGE_ARGS)
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
            float a_part[outputs], b_part[outputs];
#pragma unroll
            for (int i = 0; i < outputs; ++i)
                a_part[i] = load_shared_scalar(&a_tile[y + i][k]);
#pragma unroll
            for (int j = 0; j < outputs; ++j)
                b_part[j] = load_shared_scalar(&b_tile[k][x + j]);
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
