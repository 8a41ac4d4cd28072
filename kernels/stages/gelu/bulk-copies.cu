// SPDX-License-Identifier: MIT
/* stage
{
  "title": "12 KB at a time by bulk copies, in and out",
  "change": "Four rows at a time come to shared memory and leave it by cp.async.bulk; threads only compute.",
  "after": "four-bands",
  "status": "attempt",
  "label": "bulk copies",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "gelu_bulk_copies", "block": 256, "grid": [{"cover": ["rows", "width"], "by": 3072}]}
  ],
  "requires": {"arch": "sm_90"},
  "counts": {"bytes read per output": 8, "bytes written per output": 4, "special function instructions per output": 2},
  "source": "this project"
}
*/
//
// out(r,w) = gelu(a(r,w) + b(w)), with gelu(z) = z/2 · (1 + tanh(√(2/π) · (z + 0.044715 z³))).
//
// What it does. A block takes 12 KB of the matrix. One thread asks for them with one bulk copy; when they have landed,
// the threads compute in place, and one thread sends them off.
//
// What changed, and why it should help. Neither reads nor writes take registers or the load/store units' way to memory,
// and both move whole lines. Blocks on the same multiprocessor overlap: one computes while another waits.
//
// Accuracy. 1 + tanh(u) is 2σ(2u), so gelu(z) = z / (1 + 2^(z · (−2.3022082 − 0.10294324 z²))): see gelu/four-bands.
//
// Why it was not kept. Nothing of a block is computed before its last byte has landed, and nothing is written before
// its last quad is computed; two barriers and the copy engine's own latency come on top. gelu/four-bands begins with
// the first quad that arrives.
//
// Limits. Compute capability 9.0 or newer. The matrix's last 12 KB, where they are not whole, take plain accesses.
//
// Counts. What the copy engine moves, four bytes read and four written for each output, passes no load and no store:
// among those hardware counts the bias, four bytes read.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 4.77 µs kernel time after 4.41 of
// gelu/four-bands, namespace h200-kernels.
//
// Resources. 32 registers on sm_90a (NVRTC 13.0), 12 KB shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int threads = 256;
constexpr int chunk = 3072; // elements of a block
constexpr Index elements = Index(STAGE_ROWS) * STAGE_WIDTH;

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

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Whether the barrier's phase with this parity is over. Waits a while, not for ever: to be called in a loop.
__device__ __forceinline__ bool try_wait(unsigned barrier, unsigned parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return done != 0;
}

extern "C" __global__ void __launch_bounds__(threads) gelu_bulk_copies(STAGE_ARGS)
{
    __shared__ alignas(128) float x[chunk];         // 12288 B
    __shared__ alignas(8) unsigned long long landed; // an mbarrier

    const Index begin = Index(blockIdx.x) * chunk;
    if (begin + chunk > elements) {
        for (Index element = begin + threadIdx.x; element < elements; element += threads)
            out[element] = gelu(a[element] + b[element % STAGE_WIDTH]);
        return;
    }

    const unsigned barrier = shared_address(&landed);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(1) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(chunk * 4)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(x)),
                     "l"(a + begin), "r"(chunk * 4), "r"(barrier)
                     : "memory");
    }
    float4 bias[chunk / 4 / threads];
#pragma unroll
    for (int i = 0; i < chunk / 4 / threads; ++i)
        bias[i] = bias_at(b, (static_cast<Offset>(begin) + (i * threads + threadIdx.x) * 4) % STAGE_WIDTH);
    __syncthreads(); // the barrier is ready to be waited for
    while (!try_wait(barrier, 0)) {
    }

#pragma unroll
    for (int i = 0; i < chunk / 4 / threads; ++i) {
        float *quad = x + (i * threads + threadIdx.x) * 4;
        stagecraft::store_quad(quad, gelu(stagecraft::load_quad(quad), bias[i]));
    }

    // What threads wrote must be seen by the copy engine, a proxy of its own, before one thread starts it.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + begin),
                     "r"(shared_address(x)), "r"(chunk * 4)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); // the shared memory must outlive the copy
    }
}
