// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Quads from both tiles, K step 64",
  "change": "The B tile is read as one 128-bit quad, the A tile is stored transposed (k-major, row stride 68) so that it is too, and the K step is 64: half the barriers. The first two are the attempts before it.",
  "after": "a-transposed",
  "status": "retained",
  "label": "second rewrite",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_k64", "block": 256, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 64}]}
  ],
  "counts": {
    "shared reads per multiply-add": 0.125,
    "outputs per thread": 16,
    "barriers per 16 steps of k": 0.5
  },
  "source": "mage, field note on matrix multiplication in three stages, second rewrite (PR #43)"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/a-transposed: 64×64 block tiles, 4×4 outputs per thread, both tiles read as quads.
//
// What changed, and why it should help. The K step is 64 instead of 32, the third of three single steps from
// matmul/registers: half as many barrier pairs, and twice the copies in flight between them. Since matmul/registers the
// shared reads per multiply-add have fallen from 0.5 to 0.125.
//
// Limits. Shared memory and registers leave room for two blocks on a multiprocessor, one on sm_75. While tiles are
// copied a block computes nothing; keeping two pairs of tiles, one being filled while the other is used, would overlap
// the two. A 4×4 part per thread still takes a read of a whole quad for every eight multiply-adds; 8×8 would
// halve that.
//
// Measured effect. 80.00 µs kernel time at 1024×1024×1024 on an RTX 4090 (mage-003), 1.77 times as fast as
// matmul/registers (141.70 µs, mage-002). cuBLAS took 44.0 µs there.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 73.5 µs kernel time, 2.07 times as fast as matmul/registers and 1.03
// times as fast as matmul/a-transposed; cuBLAS takes 55.8 µs.
//
// Resources. 95 registers on sm_89, 96 on sm_90a (NVRTC 13.0), 33792 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::load_quad_or_zeros;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile = 64; // rows and columns of the block's part of the output
constexpr int k_step = 64;
constexpr int stride = tile + 4; // of A's tile, in floats: see "What changed"
constexpr int outputs = 4;       // rows and columns of a thread's part
constexpr int threads = tile / outputs * (tile / outputs);

// 256 blocks at 1024×1024 are two for each multiprocessor of a large GPU: they may share its registers between them.
extern "C" __global__ void __launch_bounds__(threads, 2) matmul_k64(STAGE_ARGS)
{
    __shared__ __align__(16) float a_tile[k_step][stride]; // 17408 B, k-major
    __shared__ __align__(16) float b_tile[k_step][tile];   // 16384 B

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
            const int row = quad / 2 % tile;
            const int k = (quad % 2 + quad / (2 * tile) * 2) * 4;
            const float4 part = load_quad_or_zeros<STAGE_M, STAGE_K>(a, row0 + row, k0 + k);
            a_tile[k][row] = part.x;
            a_tile[k + 1][row] = part.y;
            a_tile[k + 2][row] = part.z;
            a_tile[k + 3][row] = part.w;
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
            const float4 a_quad = load_quad(&a_tile[k][y]);
            const float a_part[outputs] = {a_quad.x, a_quad.y, a_quad.z, a_quad.w};
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
