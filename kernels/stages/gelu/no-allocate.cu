// SPDX-License-Identifier: MIT
/* stage
{
  "title": "The matrix read past the level 1 cache",
  "change": "Single step: the matrix is read with L1::no_allocate.",
  "after": "four-bands",
  "status": "attempt",
  "label": "no_allocate",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "gelu_no_allocate", "block": 256, "grid": [{"cover": ["rows", "width"], "by": 4096}]}
  ],
  "counts": {"bytes read per output": 5, "bytes written per output": 4, "special function instructions per output": 2},
  "source": "this project"
}
*/
//
// out(r,w) = gelu(a(r,w) + b(w)), with gelu(z) = z/2 · (1 + tanh(√(2/π) · (z + 0.044715 z³))).
//
// What it does. As gelu/four-bands, but the matrix is read by ld.global.nc.L1::no_allocate: it takes no lines of the
// level 1 cache, since nobody reads it again.
//
// What changed, and why it should help. Reads that are used once need not push the bias out of the level 1 cache.
//
// Why it does not help. On the H200 the hint goes on to the L2 cache: what is read so is the first to be pushed out of
// it. Where the same matrix is read again soon (every pass of a benchmark, and every kernel that reads what another has
// just written) it comes from memory: the profiler's hit rate of the L2 cache falls from 99.8 % to 60 %.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 4.63 µs kernel time after 4.41 of
// gelu/four-bands, namespace h200-kernels. The time depends on state: 5.14 in h200-counters, 4.65 in a run of this project's
// stages alone (19:06 UTC), and 4.59 in the first place of a fresh process on another H200 (19:43 UTC), but 4.90 in the same
// place later. The last two are not kept as evidence.
//
// Resources. 32 registers on sm_90a (NVRTC 13.0), 0 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int threads = 256;
constexpr int bands = 4;
constexpr Index elements = Index(STAGE_ROWS) * STAGE_WIDTH;
// A band is as many rows as begin at a quad and end at one.
constexpr Index rows_with_whole_quads = STAGE_WIDTH % 4 == 0 ? 1 : 4;
constexpr Index rows_of_all_bands = bands * rows_with_whole_quads;
constexpr Index band = (STAGE_ROWS + rows_of_all_bands - 1) / rows_of_all_bands * rows_with_whole_quads * STAGE_WIDTH;
constexpr bool whole = elements == bands * band; // no band is shorter than the others
constexpr Index blocks = (elements + threads * 4 * bands - 1) / (threads * 4 * bands);
constexpr Index step = blocks * threads * 4; // elements that the whole grid takes of a band at a time

// Offsets in 32 bits where they suffice: half the instructions of 64.
template <bool small> struct OffsetOf
{
    using type = unsigned;
};
template <> struct OffsetOf<false>
{
    using type = unsigned long long;
};
using Offset = OffsetOf<(2 * elements + 65536 < (Index(1) << 31))>::type;

// z · σ(2u) as the accuracy note says. For z towards −∞ the power is infinite and its reciprocal zero.
__device__ __forceinline__ float gelu(float z)
{
    const float exponent = z * fmaf(-0.10294324f, z * z, -2.3022082f);
    float power, inverse;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(1.0f + power));
    return z * inverse;
}

__device__ __forceinline__ float4 gelu(float4 x, float4 bias)
{
    return make_float4(gelu(x.x + bias.x), gelu(x.y + bias.y), gelu(x.z + bias.z), gelu(x.w + bias.w));
}

// The bias of the four elements from `column` on. Where rows are not whole quads, a quad can go on in the next row.
__device__ __forceinline__ float4 bias_at(const float *b, Offset column)
{
    if constexpr (STAGE_WIDTH % 4 == 0)
        return stagecraft::load_quad(b + column);
    else
        return make_float4(b[column], b[(column + 1) % STAGE_WIDTH], b[(column + 2) % STAGE_WIDTH],
                           b[(column + 3) % STAGE_WIDTH]);
}

__device__ __forceinline__ float4 load_once(const float *address)
{
    float4 quad;
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
        : "l"(address));
    return quad;
}

// One quad of each band, all in the same column. `element` is that of the first band.
__device__ __forceinline__ void take(const float *a, const float *b, float *out, Offset element)
{
    float4 x[bands];
#pragma unroll
    for (int i = 0; i < bands; ++i) {
        if (whole || element + i * band + 4 <= elements)
            x[i] = load_once(a + element + i * band);
    }
    const float4 bias = bias_at(b, element % STAGE_WIDTH);
#pragma unroll
    for (int i = 0; i < bands; ++i) {
        if (whole || element + i * band + 4 <= elements)
            stagecraft::store_quad(out + element + i * band, gelu(x[i], bias));
    }
}

extern "C" __global__ void __launch_bounds__(threads) gelu_no_allocate(STAGE_ARGS)
{
    const Index first = (Index(blockIdx.x) * threads + threadIdx.x) * 4;
    if constexpr (band <= step) {
        if (first < band)
            take(a, b, out, static_cast<Offset>(first));
    } else {
        for (Index element = first; element < band; element += step)
            take(a, b, out, static_cast<Offset>(element));
    }

    // What is left where the matrix is not whole quads: at most three elements, its last.
    if (elements % 4 != 0 && first == 0) {
        for (Index element = elements / 4 * 4; element < elements; ++element)
            out[element] = gelu(a[element] + b[element % STAGE_WIDTH]);
    }
}
