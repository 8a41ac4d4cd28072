// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Row in an array of eight quads",
  "change": "warp-per-row with the row kept in an array from the first pass on. Loops index it, registers have no index: the compiler puts the array into local memory.",
  "after": "warp-per-row",
  "status": "attempt",
  "label": "quad array",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_quad_array", "block": 256, "grid": [{"cover": "rows", "by": 8}]}
  ],
  "requires": {"multiple_of": {"width": 4}, "max": {"width": 1024}},
  "counts": {"passes over the row": 1, "barriers": 0},
  "local_memory": "shows on purpose what an array indexed in a loop costs: 128 bytes per thread in local memory",
  "source": "mage, field note on layer normalization in three stages, attempt not adopted"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. As layernorm/warp-per-row, but only the first pass reads global memory: a lane keeps its quads, up to
// eight, in an array, and the other two passes read that.
//
// What changed, and why it was tried. Two passes less over global memory and its caches, as it seems.
//
// Accuracy. The first pass adds distances from the row's first element, not the elements themselves: less is rounded
// away where a row lies far from zero, and the mean of a constant row is its value, exactly.
//
// Limits. An array is in registers only if every index is known to the compiler. Here loops that are not unrolled index
// it, so it lies in local memory: 128 bytes for each thread, in the same caches and the same memory as the row itself.
// What was read is written out again and read back twice. Unrolling the loops would cure it; that the compiler does so
// by itself is nothing to rely on, so `#pragma unroll 1` keeps the lesson. A row may have at most 8 · 32 · 4 = 1024
// elements.
//
// Measured effect. 22.12 µs kernel time at 4096×768 on an RTX 4090 against 11.02 for layernorm/warp-per-row of the same
// build: a single development run, not kept as evidence. Twice as long.
// On an H200 (driver 580, CUDA 13.0, 2026-11-29) 9.4 µs kernel time, as long as layernorm/warp-per-row. At width 768 a
// lane uses six of the eight quads: 1024 threads touch 96 KB of the 128 KB that they have. A multiprocessor's level 1
// cache, which the rows pass through too, has up to 256 KB on an H200 and up to 128 KB on an RTX 4090. That may be why;
// no counter has been read.
//
// Resources. 30 registers on sm_89, 29 on sm_90a (NVRTC 13.0), 0 B shared, 128 B local.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;

constexpr int threads = 256;
constexpr int warp = 32;
constexpr int rows_per_block = threads / warp;
constexpr Index quads = Index(STAGE_WIDTH) / 4;
constexpr int steps = 8; // quads of a lane, at most
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

__device__ float square_of_distance(float value, float mean)
{
    const float distance = value - mean;
    return distance * distance;
}

extern "C" __global__ void __launch_bounds__(threads) layernorm_quad_array(STAGE_ARGS)
{
    const int lane = threadIdx.x % warp;
    const Index row_index = Index(blockIdx.x) * rows_per_block + threadIdx.x / warp;
    if (row_index >= STAGE_ROWS) // the same for the whole warp
        return;
    const float *row = a + row_index * STAGE_WIDTH;

    const float shift = row[0];
    float4 held[steps];
    float sum = 0.0f;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        const int quad = lane + step * warp;
        if (quad >= quads)
            break;
        const float4 x = load_quad(row + 4 * quad);
        held[step] = x;
        sum += ((x.x - shift) + (x.y - shift)) + ((x.z - shift) + (x.w - shift));
    }
    const float mean = shift + sum_over_warp(sum) * one_of_width;

    float squares = 0.0f;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        const int quad = lane + step * warp;
        if (quad >= quads)
            break;
        const float4 x = held[step];
        squares += (square_of_distance(x.x, mean) + square_of_distance(x.y, mean)) +
                   (square_of_distance(x.z, mean) + square_of_distance(x.w, mean));
    }
    const float variance = sum_over_warp(squares) * one_of_width;
    const float scale = rsqrtf(variance + epsilon);

#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
        const int quad = lane + step * warp;
        if (quad >= quads)
            break;
        const float4 x = held[step];
        const float4 weight = load_quad(b + 4 * quad);
        const float4 bias = load_quad(c + 4 * quad);
        store_quad(out + row_index * STAGE_WIDTH + 4 * quad,
                   make_float4((x.x - mean) * scale * weight.x + bias.x, (x.y - mean) * scale * weight.y + bias.y,
                               (x.z - mean) * scale * weight.z + bias.z, (x.w - mean) * scale * weight.w + bias.w));
    }
}
