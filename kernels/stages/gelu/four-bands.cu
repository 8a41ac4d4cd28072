// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Four quads of a column per thread, two special instructions each",
  "change": "A thread takes the same column of four rows, far apart: four reads on their way at once, one bias and one division for 16 outputs; a power of two and a reciprocal in place of tanhf.",
  "after": "quads",
  "status": "retained",
  "label": "four bands",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "gelu_four_bands", "block": 256, "grid": [{"cover": ["rows", "width"], "by": 4096}]}
  ],
  "counts": {"bytes read per output": 5, "bytes written per output": 4, "special function instructions per output": 2},
  "source": "this project"
}
*/
//
// out(r,w) = gelu(a(r,w) + b(w)), with gelu(z) = z/2 · (1 + tanh(√(2/π) · (z + 0.044715 z³))).
//
// What it does. The matrix is cut into four bands of as many rows; thread t of the grid computes quad t of each band.
// Quads of a thread so have the same column, and one bias, whatever the width.
//
// What changed, and why it should help. gelu/quads spends most of its instructions in tanhf and on 64-bit indices.
// Written as a sigmoid the function takes two special instructions and six others. All four reads of a thread are on
// their way before the first is used: 64 bytes in flight instead of 16; index, division and bias serve 16 outputs. 768
// blocks instead of 3072 are launched, all of them at once.
//
// Accuracy. 1 + tanh(u) is 2σ(2u), so gelu(z) = z / (1 + 2^(z · (−2.3022082 − 0.10294324 z²))): one power of two
// (ex2.approx, at most 2 ulp off) and one reciprocal (rcp.approx, 1 ulp). From a numerical model the worst error is
// 5e-7 for |z| ≤ 12, 0.1 % of the tolerance at unit scale. tanh.approx would take one instruction, but its error of
// 2^-11 is up to 15 times the tolerance where gelu(z) is small.
//
// Limits. It takes as long as a copy of the same bytes, so what is left is in the memory system: warps wait for their
// reads and, at their end, for their writes. Where the width is not a multiple of four, a bias takes four scalar reads.
// The last elements of a matrix that is not whole quads are done one by one.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 4.41 µs kernel time after 5.50 of gelu/quads,
// namespace h200-kernels.
//
// Resources. 41 registers on sm_89, 32 on sm_90a (NVRTC 13.0), 0 B shared.

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

// One quad of each band, all in the same column. `element` is that of the first band.
__device__ __forceinline__ void take(const float *a, const float *b, float *out, Offset element)
{
    float4 x[bands];
#pragma unroll
    for (int i = 0; i < bands; ++i) {
        if (whole || element + i * band + 4 <= elements)
            x[i] = stagecraft::load_quad(a + element + i * band);
    }
    const float4 bias = bias_at(b, element % STAGE_WIDTH);
#pragma unroll
    for (int i = 0; i < bands; ++i) {
        if (whole || element + i * band + 4 <= elements)
            stagecraft::store_quad(out + element + i * band, gelu(x[i], bias));
    }
}

extern "C" __global__ void __launch_bounds__(threads) gelu_four_bands(STAGE_ARGS)
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
