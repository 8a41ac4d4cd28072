// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Rows come by bulk copies, two per warp",
  "change": "Rows come to shared memory by cp.async.bulk, asked for long before they are needed.",
  "after": "rows-in-registers",
  "status": "attempt",
  "label": "bulk copies",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_bulk_rows", "block": 512, "grid": [{"per_sm": 1}], "shared_bytes": 196608}
  ],
  "requires": {"arch": "sm_90a", "multiple_of": {"width": 4}, "max": {"width": 1024}},
  "counts": {"passes over the row": 1, "barriers": 0},
  "source": "this project"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. One block of 16 warps for each multiprocessor stays until the matrix is done. A warp has 2 slots in
// shared memory; one lane asks for a row per slot by a bulk copy, and asks for another when the row has been taken into
// registers. At 4096 rows and 132 multiprocessors that is every row of the block at the start.
//
// What changed, and why it should help. Rows land in the order in which they were asked for, so the first can be
// written while the last are on their way; what is on its way takes neither registers nor threads. No two warps ever
// wait for each other.
//
// Accuracy. The mean is taken first, then the squares of the distances from it: nothing cancels, wherever the row lies.
// All of this is done with distances from the row's first element: they are exact where a row lies far from zero, and a
// constant row gives exactly the bias.
//
// Why it was not kept. 16 warps have 32 rows on their way, yet each takes its row through shared memory to registers
// only when all of it has landed, and reads scale and bias after that. layernorm/resident-rows has as many warps and
// needs no shared memory.
//
// Limits. Compute capability 9.0 (192 KB of shared memory), rows of whole quads, width at most 1024.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 5.83 µs kernel time after 5.40 of
// layernorm/rows-in-registers, namespace h200-kernels.
//
// Resources. 62 registers on sm_90a (NVRTC 13.0), 192 KB shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int warp = 32;
constexpr int warps = 16;
constexpr int shared_floats = 196608 / 4;
constexpr int fitting = shared_floats / warps / STAGE_WIDTH;
constexpr int slots = fitting < 2 ? fitting : 2; // rows of a warp on their way
constexpr int quads = STAGE_WIDTH / 4;
constexpr int steps = (quads + warp - 1) / warp; // quads of a lane
constexpr float one_of_width = 1.0f / STAGE_WIDTH;
constexpr float epsilon = 1e-5f;

extern __shared__ float staged[];

__device__ __forceinline__ float inverse_root(float value) // of a normal number, to 2^-22.9
{
    float result;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
}

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void ask_for_row(unsigned slot, const float *row, unsigned barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(STAGE_WIDTH * 4)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(slot),
                 "l"(row), "r"(STAGE_WIDTH * 4), "r"(barrier)
                 : "memory");
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

__device__ __forceinline__ float sum_over_warp(float value)
{
#pragma unroll
    for (int distance = warp / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

__device__ __forceinline__ float sum(float4 x)
{
    return (x.x + x.y) + (x.z + x.w);
}

__device__ __forceinline__ float4 less(float4 x, float mean)
{
    return make_float4(x.x - mean, x.y - mean, x.z - mean, x.w - mean);
}

extern "C" __global__ void __launch_bounds__(warps *warp) layernorm_bulk_rows(STAGE_ARGS)
{
    __shared__ alignas(8) unsigned long long landed[warps][slots]; // mbarriers

    const int lane = threadIdx.x % warp;
    const int own = threadIdx.x / warp;
    const float *const slot = staged + own * slots * STAGE_WIDTH;
    const Index first = blockIdx.x + Index(own) * gridDim.x; // neighbouring blocks take neighbouring rows
    const Index stride = Index(warps) * gridDim.x;
    if (lane == 0) {
        for (int i = 0; i < slots; ++i)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&landed[own][i])), "r"(1)
                         : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int i = 0; i < slots && first + i * stride < STAGE_ROWS; ++i)
            ask_for_row(shared_address(slot + i * STAGE_WIDTH), a + (first + i * stride) * STAGE_WIDTH,
                        shared_address(&landed[own][i]));
    }
    __syncwarp();

    int at = 0;
    unsigned parity = 0;
    for (Index row = first; row < STAGE_ROWS; row += stride) {
        while (!try_wait(shared_address(&landed[own][at]), parity)) {
        }
        float4 x[steps];
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int quad = lane + step * warp;
            x[step] = quads % warp == 0 || quad < quads ? stagecraft::load_quad(slot + at * STAGE_WIDTH + quad * 4)
                                                        : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        const float shift = slot[at * STAGE_WIDTH];
        __syncwarp(); // every lane has taken its part
        if (lane == 0 && row + slots * stride < STAGE_ROWS)
            ask_for_row(shared_address(slot + at * STAGE_WIDTH), a + (row + slots * stride) * STAGE_WIDTH,
                        shared_address(&landed[own][at]));

        float mean = 0.0f;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            if (quads % warp == 0 || lane + step * warp < quads) {
                x[step] = less(x[step], shift);
                mean += sum(x[step]);
            }
        }
        mean = sum_over_warp(mean) * one_of_width;
        float squares = 0.0f;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            if (quads % warp == 0 || lane + step * warp < quads) {
                x[step] = less(x[step], mean);
                squares += (x[step].x * x[step].x + x[step].y * x[step].y) +
                           (x[step].z * x[step].z + x[step].w * x[step].w);
            }
        }
        const float scale = inverse_root(sum_over_warp(squares) * one_of_width + epsilon);

#pragma unroll
        for (int step = 0; step < steps; ++step) {
            const int quad = lane + step * warp;
            if (quads % warp != 0 && quad >= quads)
                break;
            const float4 weight = stagecraft::load_quad(b + quad * 4);
            const float4 bias = stagecraft::load_quad(c + quad * 4);
            stagecraft::store_quad(out + row * STAGE_WIDTH + quad * 4,
                                   make_float4(x[step].x * scale * weight.x + bias.x,
                                               x[step].y * scale * weight.y + bias.y,
                                               x[step].z * scale * weight.z + bias.z,
                                               x[step].w * scale * weight.w + bias.w));
        }
        if (++at == slots) {
            at = 0;
            parity ^= 1;
        }
    }
}
