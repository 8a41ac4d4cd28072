// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Row staged in shared memory",
  "change": "The first pass leaves the row in shared memory and the second reads it there: one pass over global memory.",
  "after": "two-warps-per-row",
  "status": "attempt",
  "label": "staged",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_staged_in_shared", "block": 256, "grid": [{"cover": "rows", "by": 4}]}
  ],
  "requires": {"multiple_of": {"width": 4}, "max": {"width": 2048}},
  "counts": {"passes over the row": 1, "barriers": 1},
  "source": "mage, field note on layer normalization in three stages, attempt not adopted"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. As layernorm/two-warps-per-row; on the way a thread puts each quad into shared memory, and takes it from
// there when it writes the result. A thread reads only what it wrote itself, so this needs no barrier of its own.
//
// What changed, and why it was tried. The second pass then asks nothing of the caches, whose bandwidth the reads share
// with the writes.
//
// Accuracy. Sum and sum of squares in one pass give the variance as a difference, mean of squares less square of mean,
// which cancels where a row lies far from zero. So both are taken of the distances from the row's first element: what
// is left to cancel is how far that one element is from the mean. A constant row gives exactly zero. A first element d
// standard deviations away puts the variance off by up to about 2.5e-7 · d² (from a simulation of the sums in FP32). The
// tolerance of 1e-4 is kept up to d = 22, and so by every row of up to 512, since no element is further than
// √(width − 1) from its mean. Longer rows that begin with an outlier beyond that can miss it; layernorm/warp-per-row,
// which takes the mean first, keeps it there too.
//
// Limits. The second pass found the row in the level 1 cache already, which is the same memory as shared memory: staging
// adds a write and saves nothing but the look-up. 12352 B per block at width 768 (64 B and 16 B per unit of width) can
// cost resident blocks. The 48 KB that need no opt-in would hold rows of up to 3068; 2048 is where
// layernorm/eight-named-quads ends, so that the two ways to keep the row can be compared at every width.
//
// Measured effect. Span 14.3 µs at 4096×768 on an RTX 4090 against 12.69 for layernorm/two-warps-per-row: a single
// development run, not kept as evidence.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 8.5 µs kernel time against 8.2.
//
// Resources. 47 registers on sm_89, 40 on sm_90a (NVRTC 13.0), 12352 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;

constexpr int threads = 256;
constexpr int warp = 32;
constexpr int warps_per_row = 2;
constexpr int rows_per_block = threads / (warps_per_row * warp);
constexpr Index quads = Index(STAGE_WIDTH) / 4;
constexpr float one_of_width = 1.0f / STAGE_WIDTH;
constexpr float epsilon = 1e-5f;

// The sum of every lane's value, for every lane.
__device__ float sum_over_warp(float value)
{
#pragma unroll
    for (int distance = warp / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

// What a thread, a warp or a row adds up: distances from the shift and their squares.
struct Sums
{
    float sum, squares;

    __device__ void add(float distance)
    {
        sum += distance;
        squares += distance * distance;
    }
};

extern "C" __global__ void __launch_bounds__(threads) layernorm_staged_in_shared(STAGE_ARGS)
{
    __shared__ __align__(16) float staged[rows_per_block][STAGE_WIDTH]; // 12288 B at width 768
    __shared__ Sums of_warp[threads / warp];                            // 64 B

    const int member = threadIdx.x % (warps_per_row * warp);
    const int first_warp = threadIdx.x / (warps_per_row * warp) * warps_per_row; // of those with the same row
    const Index row_index = Index(blockIdx.x) * rows_per_block + first_warp / warps_per_row;
    const bool inside = row_index < STAGE_ROWS; // the others add up the last row, to reach the barrier
    const float *row = a + (inside ? row_index : STAGE_ROWS - 1) * STAGE_WIDTH;
    float *staged_row = staged[first_warp / warps_per_row];

    const float shift = row[0];
    Sums sums{};
    for (Index quad = member; quad < quads; quad += warps_per_row * warp) {
        const float4 x = load_quad(row + 4 * quad);
        store_quad(staged_row + 4 * quad, x);
        sums.add(x.x - shift);
        sums.add(x.y - shift);
        sums.add(x.z - shift);
        sums.add(x.w - shift);
    }
    sums = {sum_over_warp(sums.sum), sum_over_warp(sums.squares)};

    if (threadIdx.x % warp == 0)
        of_warp[threadIdx.x / warp] = sums;
    __syncthreads();
    sums = {};
#pragma unroll
    for (int i = 0; i < warps_per_row; ++i) {
        sums.sum += of_warp[first_warp + i].sum;
        sums.squares += of_warp[first_warp + i].squares;
    }
    if (!inside)
        return;

    const float mean = sums.sum * one_of_width; // of the distances from the shift
    const float variance = fmaxf(sums.squares * one_of_width - mean * mean, 0.0f);
    const float scale = rsqrtf(variance + epsilon);

    for (Index quad = member; quad < quads; quad += warps_per_row * warp) {
        const float4 x = load_quad(staged_row + 4 * quad);
        const float4 weight = load_quad(b + 4 * quad);
        const float4 bias = load_quad(c + 4 * quad);
        store_quad(out + row_index * STAGE_WIDTH + 4 * quad,
                   make_float4((x.x - shift - mean) * scale * weight.x + bias.x,
                               (x.y - shift - mean) * scale * weight.y + bias.y,
                               (x.z - shift - mean) * scale * weight.z + bias.z,
                               (x.w - shift - mean) * scale * weight.w + bias.w));
    }
}
