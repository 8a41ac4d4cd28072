// SPDX-License-Identifier: MIT
/* stage
{
  "title": "4×4 outputs per thread",
  "change": "Each thread computes 4×4 outputs (i, j) of one channel in registers: eight reads serve 16 multiply-adds.",
  "after": "one-per-thread",
  "status": "attempt",
  "label": "4×4",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "triangle_tile_4x4", "block": [32, 4, 2],
     "grid": [{"cover": "channels", "by": 32}, {"cover": "n", "by": 16}, {"cover": "n", "by": 8}]}
  ],
  "counts": {"global reads per multiply-add": 0.5, "outputs per thread": 16},
  "source": "this project"
}
*/
//
// out(i,j,c) = Σk a(i,k,c) · b(j,k,c): for each channel c one n×n matrix times the transpose of another.
//
// What it does. The lanes of a warp are 32 neighbouring channels; each warp owns 4×4 pairs (i, j) of them. For each k a
// thread reads four elements of a and four of b and makes all 16 products of the two. The block's eight warps are 2×4
// such tiles side by side.
//
// What changed, and why it should help. In triangle/one-per-thread every multiply-add takes two reads from the caches;
// here a value that has been read is used four times, 0.5 reads per multiply-add. The warps of a block share rows of a
// and of b, so most reads find their line in the level 1 cache. Reads are still of neighbouring channels, 128 bytes a
// warp.
//
// Limits. n = 128 with 32 channels are 128 blocks of 256 threads: few threads to hide latency behind, so the loop is
// unrolled for many reads in flight. Nothing is staged in shared memory. With fewer than 32 channels lanes are idle.
//
// Measured effect. On an H200 (driver 580, CUDA 13.0, 2026-11-29) 28.9 µs kernel time after 29.0: a quarter of the
// reads and no gain, so it was not adopted. 128 blocks are one for each multiprocessor, and their 8 warps wait for the
// caches where 64 did before. The field note kept the original.
//
// Resources. 80 registers on sm_89, 64 on sm_90a (NVRTC 13.0), 0 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int tile = 4; // rows i and columns j of a thread's part

extern "C" __global__ void __launch_bounds__(256) triangle_tile_4x4(STAGE_ARGS)
{
    const Index channel = Index(blockIdx.x) * blockDim.x + threadIdx.x;
    if (channel >= STAGE_CHANNELS)
        return;

    const Index j0 = (Index(blockIdx.y) * blockDim.y + threadIdx.y) * tile;
    const Index i0 = (Index(blockIdx.z) * blockDim.z + threadIdx.z) * tile;
    const float *a_row[tile];
    const float *b_row[tile];
#pragma unroll
    for (int t = 0; t < tile; ++t) {
        // Beyond the edge the last row is read again; what comes of it is not written.
        a_row[t] = a + min(i0 + t, Index(STAGE_N) - 1) * STAGE_N * STAGE_CHANNELS + channel;
        b_row[t] = b + min(j0 + t, Index(STAGE_N) - 1) * STAGE_N * STAGE_CHANNELS + channel;
    }

    float sum[tile][tile] = {};
#pragma unroll 4
    for (Index k = 0; k < STAGE_N; ++k) {
        float a_part[tile], b_part[tile];
#pragma unroll
        for (int t = 0; t < tile; ++t) {
            a_part[t] = a_row[t][k * STAGE_CHANNELS];
            b_part[t] = b_row[t][k * STAGE_CHANNELS];
        }
#pragma unroll
        for (int i = 0; i < tile; ++i) {
#pragma unroll
            for (int j = 0; j < tile; ++j)
                sum[i][j] += a_part[i] * b_part[j];
        }
    }

#pragma unroll
    for (int i = 0; i < tile; ++i) {
#pragma unroll
        for (int j = 0; j < tile; ++j) {
            if (i0 + i < STAGE_N && j0 + j < STAGE_N)
                out[((i0 + i) * STAGE_N + j0 + j) * STAGE_CHANNELS + channel] = sum[i][j];
        }
    }
}
