// SPDX-License-Identifier: MIT
/* stage
{
  "title": "4×4 outputs, A's tile transposed",
  "change": "Second of three single steps from registers to k64: A's tile is stored k-major with a row stride of 68 floats, so that A too is read as one 128-bit quad.",
  "after": "b-quads",
  "status": "attempt",
  "label": "A transposed",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_a_transposed", "block": 256, "grid": [{"cover": "n", "by": 64}, {"cover": "m", "by": 64}]}
  ],
  "counts": {
    "shared reads per multiply-add": 0.125,
    "outputs per thread": 16,
    "barriers per 16 steps of k": 1
  },
  "source": "mage, field note on matrix multiplication in three stages, a step between the two rewrites"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. As matmul/b-quads: 64×64 block tiles, 4×4 outputs per thread, K step 32, B read as quads.
//
// What changed, and why it should help. A thread's four elements of A are of one column; stored k-major they lie side by
// side, and one 128-bit read brings them. Two reads serve 16 multiply-adds, 0.125 instead of 0.3125. Transposing costs
// four scalar writes where one wide write did. The row stride of 68 keeps them apart: a warp copies 16 rows by two
// quads (each row's two quads are one 32-byte sector of global memory), and rows of A's tile four apart begin
// 4 · 68 = 272 floats apart, 16 banks: the warp's 32 values lie in 32 banks. With a stride of 64 two would share each.
// 68 is also a multiple of 4, which keeps the quads aligned.
//
// Limits. As a single step on the way to matmul/k64 this is kept as an attempt, not as a stage of the progression.
// A block waits at a barrier pair for every 32 steps of k.
//
// Measured effect. Span 89.9 µs after 114.9 for matmul/b-quads on an RTX 4090, 1024×1024×1024: a single development
// run, not kept as evidence.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 75.6 µs kernel time after 119.0.
//
// Resources. 73 registers on sm_89, 77 on sm_90a (NVRTC 13.0), 16896 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::load_quad_or_zeros;
using stagecraft::store_quad;
using stagecraft::store_quad_inside;

constexpr int tile = 64; // rows and columns of the block's part of the output
constexpr int k_step = 32;
constexpr int stride = tile + 4; // of A's tile, in floats: see "What changed"
constexpr int outputs = 4;       // rows and columns of a thread's part
constexpr int threads = tile / outputs * (tile / outputs);

// 256 blocks at 1024×1024 are two for each multiprocessor of a large GPU: they may share its registers between them.
extern "C" __global__ void __launch_bounds__(threads, 2) matmul_a_transposed(STAGE_ARGS)
{
    __shared__ __align__(16) float a_tile[k_step][stride]; // 8704 B, k-major
    __shared__ __align__(16) float b_tile[k_step][tile];   // 8192 B

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
