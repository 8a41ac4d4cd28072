// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Warps that stay, the next row on its way",
  "change": "A few warps stay to the end instead of one for each row: scale and bias are read once and wait in registers, and the next row is asked for as soon as the present one has arrived, so that it comes while this one is summed and written.",
  "after": "rows-in-registers",
  "status": "retained",
  "label": "resident",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_resident_rows", "block": 32, "grid": [{"cover": "rows", "per_sm": 16}]}
  ],
  "requires": {"min": {"width": 384}, "max": {"width": 768}},
  "counts": {"passes over the row": 1, "barriers": 0},
  "source": "this project"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. At most 16 blocks of one warp on each multiprocessor share the rows: warp t takes rows t, t + warps, … Its
// columns are the same in each, so it reads scale and bias once. A lane has up to 128 registers: six quads each of the
// row, of the next row, of scale and of bias at width 768.
//
// What changed, and why it should help. In layernorm/rows-in-registers every row is asked for at the start; it arrives
// before much is written, and reading and writing hardly overlap. Here half of the rows are asked for at the start and
// the others when those have arrived, so from then on the L2 cache reads and writes at once. 4096 rows are 1.94 for
// each of 2112 warps: two rounds, nearly full. Of what passes the level 1 cache for each row, six kilobytes of scale
// and bias are gone. No barrier, no shared memory.
//
// Accuracy. A lane takes distances from its first element, and that one's distance from lane 0's first: nothing cancels
// where a row lies far from zero, and a constant row gives exactly the bias. Where lanes have equally many elements,
// mean and variance come out of one chain of shuffles: two sets of n elements make one of 2n, its mean the mean of the
// two means, its squares the sum of both and n/2 · (difference of the means)². Else the mean is first, and the squares
// after it. A lane's own squares are Σ d² − (Σ d)²/n; the first element being one of the n, that costs at most a factor
// of n in rounding.
//
// Limits. Width at most 768, by registers, and at least 384: below, layernorm/rows-in-registers is as fast or faster
// (2.5 against 2.9 µs at 4096×256, 3.2 both at 4096×384; NVIDIA H200, driver 580, CUDA 13.0, 2026-11-30, two rounds of 15
// and of 30 captured iterations). The next row of a warp is asked for late: a multiprocessor has 48 KB of rows on their
// way, seldom more. A width that is not a multiple of four is read in pieces of 8 or 4 bytes.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 4.36 µs kernel time after 5.40 of
// layernorm/rows-in-registers, namespace h200-kernels.
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
__device__ __forceinline__ void load(Elements &x, const float *from)
{
#pragma unroll
    for (int step = 0; step < steps; ++step) {
        if (!inside(step))
            continue;
        const float *address = from + step * warp * part;
        float *value = x.value + step * part;
        if constexpr (part == 4) {
            const float4 quad = stagecraft::load_quad(address);
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

extern "C" __global__ void __launch_bounds__(warp) layernorm_resident_rows(STAGE_ARGS)
{
    const unsigned warps = gridDim.x;
    Row row = blockIdx.x; // the same for all lanes
    if (row >= STAGE_ROWS)
        return;
    a += threadIdx.x * part, b += threadIdx.x * part, c += threadIdx.x * part, out += threadIdx.x * part;

    Elements x, next, scale, bias;
    load(x, a + Offset(row) * STAGE_WIDTH);
    load(scale, b);
    load(bias, c);
#pragma unroll 1
    for (;;) {
        const Moments own = moments_of_lane(x);
        if (row + warps < STAGE_ROWS)
            load(next, a + Offset(row + warps) * STAGE_WIDTH);
        write(out + Offset(row) * STAGE_WIDTH, x, moments_of_warp(x, own), scale, bias);
        row += warps;
        if (row >= STAGE_ROWS)
            return;

        const Moments own_of_next = moments_of_lane(next); // the same, x and next having changed places
        if (row + warps < STAGE_ROWS)
            load(x, a + Offset(row + warps) * STAGE_WIDTH);
        write(out + Offset(row) * STAGE_WIDTH, next, moments_of_warp(next, own_of_next), scale, bias);
        row += warps;
        if (row >= STAGE_ROWS)
            return;
    }
}
