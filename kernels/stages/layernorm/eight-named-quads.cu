// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Row in eight named quad registers",
  "change": "A thread keeps its part of the row in eight quads with names of their own from the first pass to the second: one pass over global memory, nothing staged.",
  "after": "two-warps-per-row",
  "status": "attempt",
  "label": "eight quads",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_eight_named_quads", "block": 256, "grid": [{"cover": "rows", "by": 4}]}
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
// What it does. As layernorm/two-warps-per-row, but the loop over a thread's quads is written out: 64 threads by eight
// quads hold a row of up to 2048.
//
// What changed, and why it was tried. Registers are the fastest place to keep the row until the mean is known. They have
// no addresses, so what is to stay in them must not be indexed by a loop: hence eight names. What an indexed array
// becomes is shown by layernorm/quad-array.
//
// Accuracy. Sum and sum of squares in one pass give the variance as a difference, mean of squares less square of mean,
// which cancels where a row lies far from zero. So both are taken of the distances from the row's first element: what
// is left to cancel is how far that one element is from the mean. A constant row gives exactly zero. A first element d
// standard deviations away puts the variance off by up to about 2.5e-7 · d² (from a simulation of the sums in FP32). The
// tolerance of 1e-4 is kept up to d = 22, and so by every row of up to 512, since no element is further than
// √(width − 1) from its mean. Longer rows that begin with an outlier beyond that can miss it; layernorm/warp-per-row,
// which takes the mean first, keeps it there too.
//
// Limits. 32 more registers per thread for the longest rows, and at most width 2048. All reads of a row are asked for at
// once, which is good, but nothing else can be done before they have come. Here the width is a constant of the
// compilation, so quads beyond it are dropped (768 needs three); where it is a parameter, all eight stand.
//
// Measured effect. Span 13.4 to 14.0 µs at 4096×768 on an RTX 4090 against 12.69 for layernorm/two-warps-per-row: single
// development runs, not kept as evidence.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 5.7 µs kernel time against 8.2: the order is the other way round
// there.
//
// Resources. 40 registers on sm_89 and sm_90a (NVRTC 13.0), 64 B shared.

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

    __device__ void add(float4 x, float shift)
    {
        add(x.x - shift);
        add(x.y - shift);
        add(x.z - shift);
        add(x.w - shift);
    }
};

// A thread's quad number `step` of its row; beyond the row it is the shift, whose distance adds nothing.
__device__ float4 quad_or_shift(const float *row, int member, int step, float shift)
{
    const int quad = member + step * warps_per_row * warp;
    return quad < quads ? load_quad(row + 4 * quad) : make_float4(shift, shift, shift, shift);
}

// Writes the result of that quad; `mean` is that of the distances from the shift.
__device__ void finish(float4 x, int member, int step, float shift, float mean, float scale, const float *b,
                       const float *c, float *out_row)
{
    const int quad = member + step * warps_per_row * warp;
    if (quad >= quads)
        return;
    const float4 weight = load_quad(b + 4 * quad);
    const float4 bias = load_quad(c + 4 * quad);
    store_quad(out_row + 4 * quad, make_float4((x.x - shift - mean) * scale * weight.x + bias.x,
                                               (x.y - shift - mean) * scale * weight.y + bias.y,
                                               (x.z - shift - mean) * scale * weight.z + bias.z,
                                               (x.w - shift - mean) * scale * weight.w + bias.w));
}

extern "C" __global__ void __launch_bounds__(threads) layernorm_eight_named_quads(STAGE_ARGS)
{
    __shared__ Sums of_warp[threads / warp]; // 64 B

    const int member = threadIdx.x % (warps_per_row * warp);
    const int first_warp = threadIdx.x / (warps_per_row * warp) * warps_per_row; // of those with the same row
    const Index row_index = Index(blockIdx.x) * rows_per_block + first_warp / warps_per_row;
    const bool inside = row_index < STAGE_ROWS; // the others add up the last row, to reach the barrier
    const float *row = a + (inside ? row_index : STAGE_ROWS - 1) * STAGE_WIDTH;

    const float shift = row[0];
    const float4 quad0 = quad_or_shift(row, member, 0, shift);
    const float4 quad1 = quad_or_shift(row, member, 1, shift);
    const float4 quad2 = quad_or_shift(row, member, 2, shift);
    const float4 quad3 = quad_or_shift(row, member, 3, shift);
    const float4 quad4 = quad_or_shift(row, member, 4, shift);
    const float4 quad5 = quad_or_shift(row, member, 5, shift);
    const float4 quad6 = quad_or_shift(row, member, 6, shift);
    const float4 quad7 = quad_or_shift(row, member, 7, shift);
    Sums sums{};
    sums.add(quad0, shift);
    sums.add(quad1, shift);
    sums.add(quad2, shift);
    sums.add(quad3, shift);
    sums.add(quad4, shift);
    sums.add(quad5, shift);
    sums.add(quad6, shift);
    sums.add(quad7, shift);
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

    float *out_row = out + row_index * STAGE_WIDTH;
    finish(quad0, member, 0, shift, mean, scale, b, c, out_row);
    finish(quad1, member, 1, shift, mean, scale, b, c, out_row);
    finish(quad2, member, 2, shift, mean, scale, b, c, out_row);
    finish(quad3, member, 3, shift, mean, scale, b, c, out_row);
    finish(quad4, member, 4, shift, mean, scale, b, c, out_row);
    finish(quad5, member, 5, shift, mean, scale, b, c, out_row);
    finish(quad6, member, 6, shift, mean, scale, b, c, out_row);
    finish(quad7, member, 7, shift, mean, scale, b, c, out_row);
}
