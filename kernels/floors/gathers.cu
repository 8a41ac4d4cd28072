// SPDX-License-Identifier: MIT
// How fast short runs come from scattered places: 32-byte runs (one sector, two lanes each) and 256-byte rows (16 lanes
// each), as neighbor and triangle read them, into registers or by cp.async into shared memory. A run's place is
// computed from its number, so that reading places costs nothing. The worker passes a power of two of quads: every run
// is then read once.

using Size = long long;

namespace {

constexpr int flight = 8;
constexpr unsigned block = 256;

// Where run `number` lies, of `runs`, a power of two: multiplying by an odd number modulo a power of two takes every
// place once.
__device__ __forceinline__ unsigned place(unsigned number, unsigned runs)
{
    return (number * 2654435761u) & (runs - 1);
}

// The quad of it that this lane reads.
template <int lanes>
__device__ __forceinline__ Size quadOf(unsigned number, unsigned runs)
{
    return Size(place(number, runs)) * lanes + threadIdx.x % lanes;
}

template <int lanes>
__device__ __forceinline__ void gather(const float4 *__restrict__ in, float4 *out, Size quads)
{
    const auto runs = static_cast<unsigned>(quads / lanes);
    const unsigned first = blockIdx.x * (block / lanes * flight) + threadIdx.x / lanes;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < flight; ++i) {
        if (const unsigned number = first + i * (block / lanes); number < runs) {
            const float4 quad = in[quadOf<lanes>(number, runs)];
            sum += (quad.x + quad.y) + (quad.z + quad.w);
        }
    }
    if (sum == 12345.0f) // the arrays hold zeros; the compiler cannot know
        out[0].x = sum;
}

} // namespace

extern "C" __global__ void __launch_bounds__(block)
    floor_gather_32(const float4 *__restrict__ in, float4 *out, Size quads)
{
    gather<2>(in, out, quads);
}

extern "C" __global__ void __launch_bounds__(block)
    floor_gather_256(const float4 *__restrict__ in, float4 *out, Size quads)
{
    gather<16>(in, out, quads);
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void __launch_bounds__(block)
    floor_gather_32_async(const float4 *__restrict__ in, float4 *out, Size quads)
{
    __shared__ float4 landed[flight * block];
    const auto runs = static_cast<unsigned>(quads / 2);
    const unsigned first = blockIdx.x * (block / 2 * flight) + threadIdx.x / 2;
#pragma unroll
    for (int i = 0; i < flight; ++i) {
        if (const unsigned number = first + i * (block / 2); number < runs)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                             static_cast<unsigned>(__cvta_generic_to_shared(&landed[i * block + threadIdx.x]))),
                         "l"(in + quadOf<2>(number, runs))
                         : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (quads < 0)
        out[0] = landed[threadIdx.x ^ 1];
}
#endif
