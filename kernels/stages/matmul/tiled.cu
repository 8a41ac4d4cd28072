// SPDX-License-Identifier: MIT
/* stage
{
  "title": "16×16 tiles, one output per thread",
  "change": "The starting point: each block brings 16×16 tiles of A and B to shared memory; each thread owns one output.",
  "status": "retained",
  "label": "original",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "matmul_tiled", "block": [16, 16], "grid": [{"cover": "n", "by": 16}, {"cover": "m", "by": 16}]}
  ],
  "counts": {
    "shared reads per multiply-add": 2,
    "outputs per thread": 1,
    "barriers per 16 steps of k": 2
  },
  "source": "mage, field note on matrix multiplication in three stages, original kernel"
}
*/
//
// out(m,n) = a(m,k) · b(k,n), row-major.
//
// What it does. A block of 256 threads owns a 16×16 tile of the output. It walks along k in steps of 16: every thread
// copies one element of A and one of B to shared memory, all wait, every thread multiplies its row of the A tile by its
// column of the B tile, all wait again before the tiles are overwritten.
//
// Why. Read straight from global memory each element of A is needed by n threads. Through the tiles each is fetched
// once per block, which cuts global reads sixteenfold. This is what a first CUDA course ends with.
//
// Limits. Every multiply-add takes two scalar reads of shared memory, so shared memory, not arithmetic, sets the pace:
// a multiprocessor serves 32 such reads a clock but could do 64 to 128 multiply-adds. The next stages give a thread
// several outputs, so that a value that has been read is used more than once. The scalar reads are pinned (see
// load_shared_scalar): the compiler would merge four of A's into one, and the count that this stage stands for with it.
//
// Measured effect. 343.99 µs kernel time at 1024×1024×1024 on an RTX 4090 (mage-001); the two rewrites that followed
// there took 141.70 and 80.00 µs.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_shared_scalar;

constexpr int tile = 16;

extern "C" __global__ void __launch_bounds__(tile *tile) matmul_tiled(STAGE_ARGS)
{
    __shared__ float a_tile[tile][tile]; // 1024 B
    __shared__ float b_tile[tile][tile]; // 1024 B

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const Index row = Index(blockIdx.y) * tile + y;
    const Index column = Index(blockIdx.x) * tile + x;

    float sum = 0.0f;
    for (Index k0 = 0; k0 < STAGE_K; k0 += tile) {
        // Beyond an edge the tile is filled with zeros: they add nothing, and every thread reaches every barrier.
        a_tile[y][x] = row < STAGE_M && k0 + x < STAGE_K ? a[row * STAGE_K + k0 + x] : 0.0f;
        b_tile[y][x] = k0 + y < STAGE_K && column < STAGE_N ? b[(k0 + y) * STAGE_N + column] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < tile; ++k)
            sum += load_shared_scalar(&a_tile[y][k]) * load_shared_scalar(&b_tile[k][x]);
        __syncthreads();
    }

    if (row < STAGE_M && column < STAGE_N)
        out[row * STAGE_N + column] = sum;
}
