// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Two warps per row",
  "change": "Two warps share a row, half each: sum and sum of squares in one pass, one exchange of 64 B in shared memory behind one barrier.",
  "after": "warp-per-row",
  "status": "retained",
  "label": "second rewrite",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_two_warps_per_row", "block": 256, "grid": [{"cover": "rows", "by": 4}]}
  ],
  "requires": {"multiple_of": {"width": 4}},
  "counts": {"passes over the row": 2, "barriers": 1},
  "source": "mage, field note on layer normalization in three stages, second rewrite (PR #44)"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. A block of 256 threads takes four rows, two warps each. The 64 threads of a row walk along it twice:
// once for the sum and the sum of squares, once to write the result.
//
// What changed, and why it should help. Half as many quads per lane and twice as many blocks: 1024 at 4096 rows, enough
// to fill every multiprocessor. One pass less over the row, and one chain of shuffles: the two sums are independent, so
// their shuffles overlap. The price is that two warps must meet: each writes its two sums (eight warps, 64 B in all), one
// barrier, and every thread adds the sums of its row.
//
// Accuracy. Sum and sum of squares in one pass give the variance as a difference, mean of squares less square of mean,
// which cancels where a row lies far from zero. So both are taken of the distances from the row's first element: what
// is left to cancel is how far that one element is from the mean. A constant row gives exactly zero. A first element d
// standard deviations away puts the variance off by up to about 2.5e-7 · d² (from a simulation of the sums in FP32). The
// tolerance of 1e-4 is kept up to d = 22, and so by every row of up to 512, since no element is further than
// √(width − 1) from its mean. Longer rows that begin with an outlier beyond that can miss it; layernorm/warp-per-row,
// which takes the mean first, keeps it there too.
//
// Limits. The row is read a second time, from cache. The barrier is one for the whole block, though only pairs of warps
// have to meet. The width must be a multiple of four.
//
// Measured effect. 10.05 µs kernel time at 4096×768 on an RTX 4090 (mage-003), 1.10 times as fast as
// layernorm/warp-per-row (11.03 µs). Spans of five runs each: 12.53 to 12.94 µs (mean 12.69) against 13.53 to 13.76
// (mean 13.64): the ranges do not overlap. Triton's kernel took 7.99 µs there.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 8.2 µs kernel time after 9.4, 1.15 times as fast.
//
// Resources. 47 registers on sm_89 and sm_90a (NVRTC 13.0), 64 B shared.

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

extern "C" __global__ void __launch_bounds__(threads) layernorm_two_warps_per_row(STAGE_ARGS)
{
    __shared__ Sums of_warp[threads / warp]; // 64 B

    const int member = threadIdx.x % (warps_per_row * warp);
    const int first_warp = threadIdx.x / (warps_per_row * warp) * warps_per_row; // of those with the same row
    const Index row_index = Index(blockIdx.x) * rows_per_block + first_warp / warps_per_row;
    const bool inside = row_index < STAGE_ROWS; // the others add up the last row, to reach the barrier
    const float *row = a + (inside ? row_index : STAGE_ROWS - 1) * STAGE_WIDTH;

    const float shift = row[0];
    Sums sums{};
    for (Index quad = member; quad < quads; quad += warps_per_row * warp) {
        const float4 x = load_quad(row + 4 * quad);
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
        const float4 x = load_quad(row + 4 * quad);
        const float4 weight = load_quad(b + 4 * quad);
        const float4 bias = load_quad(c + 4 * quad);
        store_quad(out + row_index * STAGE_WIDTH + 4 * quad,
                   make_float4((x.x - shift - mean) * scale * weight.x + bias.x,
                               (x.y - shift - mean) * scale * weight.y + bias.y,
                               (x.z - shift - mean) * scale * weight.z + bias.z,
                               (x.w - shift - mean) * scale * weight.w + bias.w));
    }
}
