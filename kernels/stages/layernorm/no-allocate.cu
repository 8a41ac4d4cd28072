// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Rows read past the level 1 cache",
  "change": "Single step: rows are read with L1::no_allocate.",
  "after": "resident-rows",
  "status": "attempt",
  "label": "no_allocate",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_no_allocate", "block": 32, "grid": [{"cover": "rows", "per_sm": 16}]}
  ],
  "requires": {"max": {"width": 768}},
  "counts": {"passes over the row": 1, "barriers": 0},
  "source": "this project"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. As layernorm/resident-rows, but rows are read by ld.global.nc.L1::no_allocate: they take no lines of
// the level 1 cache, since nobody reads them again.
//
// What changed, and why it should help. Reads that are used once need not push anything out of the level 1 cache.
//
// Why it does not help. On the H200 the hint goes on to the L2 cache: what is read so is the first to be pushed out of
// it. Where the same matrix is read again soon (every pass of a benchmark, and every kernel that reads what another has
// just written) it comes from memory: the profiler's hit rate of the L2 cache falls from 99.8 % to 60 %.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 5.45 µs kernel time after 4.36 of
// layernorm/resident-rows, namespace h200-kernels. The time depends on state: 5.53 in h200-counters, 5.92 in a run of this
// project's stages alone (19:06 UTC), and 4.32 in the first place of a fresh process on another H200 (19:43 UTC), as fast as
// layernorm/resident-rows, but 5.97 in the same place later. The last two are not kept as evidence.
//
// Resources. 126 registers on sm_90a at width 768 (NVRTC 13.0), 0 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int warp = 32;
constexpr unsigned all_lanes = 0xffffffffu;
constexpr float epsilon = 1e-5f;

constexpr int part = STAGE_WIDTH % 4 == 0 ? 4 : STAGE_WIDTH % 2 == 0 ? 2 : 1; // elements of an access
constexpr int parts = STAGE_WIDTH / part;
constexpr int steps = (parts + warp - 1) / warp; // accesses of a lane
constexpr int floats = steps * part;             // elements of a lane
constexpr bool even = parts % warp == 0;         // each lane has as many

// Rows and offsets of elements are counted in 32 bits where they suffice.
template <bool small> struct OffsetOf
{
    using type = unsigned;
};
template <> struct OffsetOf<false>
{
    using type = unsigned long long;
};
using Offset = OffsetOf<(Index(STAGE_ROWS) * STAGE_WIDTH < (Index(1) << 30))>::type;
using Row = OffsetOf<(Index(STAGE_ROWS) < (Index(1) << 31))>::type;

struct Elements
{
    float value[floats]; // of a lane
};

// Whether a lane's access number `step` is within the row.
__device__ __forceinline__ bool inside(int step)
{
    return even || int(threadIdx.x) + step * warp < parts;
}

// `from` is the lane's first element.
template <bool once> __device__ __forceinline__ void load(Elements &x, const float *from)
{
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        if (!inside(step))
            continue;
        const float *address = from + step * warp * part;
        float *value = x.value + step * part;
        if constexpr (part == 4) {
            float4 quad;
            if constexpr (once)
                asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                    : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
                    : "l"(address));
            else
                quad = stagecraft::load_quad(address);
            value[0] = quad.x, value[1] = quad.y, value[2] = quad.z, value[3] = quad.w;
        } else if constexpr (part == 2) {
            const float2 pair = *reinterpret_cast<const float2 *>(address);
            value[0] = pair.x, value[1] = pair.y;
        } else {
            value[0] = *address;
        }
    }
}

// Mean, as the distance from lane 0's first element, and Σ (x − mean)²: of a lane at first, then of the warp.
struct Moments
{
    float mean, squares;
};

// From here on the lane's first element is a distance from lane 0's, and its others are distances from its first.
__device__ __forceinline__ Moments moments_of_lane(Elements &x)
{
    const float shift = __shfl_sync(all_lanes, x.value[0], 0);
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int i = 1; i < floats; ++i) {
        x.value[i] -= x.value[0];
        if (even) {
            sum += x.value[i];
            squares += x.value[i] * x.value[i];
        }
    }
    x.value[0] -= shift;
    const float mean = sum * (1.0f / floats);
    return {x.value[0] + mean, squares - mean * sum};
}

__device__ __forceinline__ float sum_over_warp(float value)
{
#pragma unroll
    for (int distance = warp / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(all_lanes, value, distance);
    return value;
}

__device__ __forceinline__ Moments moments_of_warp(const Elements &x, Moments own)
{
    if constexpr (even) {
#pragma unroll
        for (int distance = 1; distance < warp; distance *= 2) {
            const float other_mean = __shfl_xor_sync(all_lanes, own.mean, distance);
            const float other_squares = __shfl_xor_sync(all_lanes, own.squares, distance);
            const float difference = other_mean - own.mean;
            own.squares += other_squares + difference * difference * (0.5f * floats * distance);
            own.mean = 0.5f * (own.mean + other_mean);
        }
    } else {
        own.mean = own.squares = 0.0f;
#pragma unroll
        for (int i = 0; i < floats; ++i)
            own.mean += inside(i / part) ? x.value[0] + (i > 0 ? x.value[i] : 0.0f) : 0.0f;
        own.mean = sum_over_warp(own.mean) * (1.0f / STAGE_WIDTH);
#pragma unroll
        for (int i = 0; i < floats; ++i) {
            const float distance = x.value[0] - own.mean + (i > 0 ? x.value[i] : 0.0f);
            own.squares += inside(i / part) ? distance * distance : 0.0f;
        }
        own.squares = sum_over_warp(own.squares);
    }
    return own;
}

__device__ __forceinline__ void write(float *to, const Elements &x, Moments row, const Elements &scale,
                                      const Elements &bias)
{
    float root; // of a normal number, to 2^-22.9
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(row.squares * (1.0f / STAGE_WIDTH) + epsilon));
    const float first = (x.value[0] - row.mean) * root;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        if (!inside(step))
            continue;
        float y[part];
#pragma unroll
        for (int i = 0; i < part; ++i) {
            const int at = step * part + i;
            y[i] = fmaf(at > 0 ? fmaf(x.value[at], root, first) : first, scale.value[at], bias.value[at]);
        }
        float *address = to + step * warp * part;
        if constexpr (part == 4)
            stagecraft::store_quad(address, make_float4(y[0], y[1], y[2], y[3]));
        else if constexpr (part == 2)
            *reinterpret_cast<float2 *>(address) = make_float2(y[0], y[1]);
        else
            *address = y[0];
    }
}

extern "C" __global__ void __launch_bounds__(warp) layernorm_no_allocate(STAGE_ARGS)
{
    const unsigned warps = gridDim.x;
    Row row = blockIdx.x; // the same for all lanes
    if (row >= STAGE_ROWS)
        return;
    a += threadIdx.x * part, b += threadIdx.x * part, c += threadIdx.x * part, out += threadIdx.x * part;

    Elements x, next, scale, bias;
    load<true>(x, a + Offset(row) * STAGE_WIDTH);
    load<false>(scale, b);
    load<false>(bias, c);
#pragma unroll 1
    for (;;) {
        const Moments own = moments_of_lane(x);
        if (row + warps < STAGE_ROWS)
            load<true>(next, a + Offset(row + warps) * STAGE_WIDTH);
        write(out + Offset(row) * STAGE_WIDTH, x, moments_of_warp(x, own), scale, bias);
        row += warps;
        if (row >= STAGE_ROWS)
            return;

        const Moments own_of_next = moments_of_lane(next); // the same, x and next having changed places
        if (row + warps < STAGE_ROWS)
            load<true>(x, a + Offset(row + warps) * STAGE_WIDTH);
        write(out + Offset(row) * STAGE_WIDTH, next, moments_of_warp(next, own_of_next), scale, bias);
        row += warps;
        if (row >= STAGE_ROWS)
            return;
    }
}
