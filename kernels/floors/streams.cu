// SPDX-License-Identifier: MIT
// How fast memory moves: copies, reads and writes of `quads` × 16 bytes in several shapes, of which the fastest counts.
// Warm, the arrays stay in the L2; cold, each launch takes others. A block covers blockDim.x × FLIGHT elements, so a
// thread has FLIGHT loads under way before its first store. Also the empty kernel, which no kernel is shorter than.

using Size = long long;

extern "C" __global__ void floor_empty(const float4 *, float4 *, Size) {}

namespace {

// What is read once needs no place in the L1. Such reads can also leave the L2 first, as on an H200, where the plain ones
// are faster: both are tried.
__device__ __forceinline__ float4 load_once(const float4 *address)
{
    float4 quad;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
                 : "l"(address));
    return quad;
}

__device__ __forceinline__ float4 load_plain(const float4 *address)
{
    return *address;
}

__device__ __forceinline__ float2 load_plain(const float2 *address)
{
    return *address;
}

template <int flight, typename Element, typename Load>
__device__ __forceinline__ void copy(const Element *__restrict__ in, Element *__restrict__ out, Size count, Load load)
{
    const Size first = Size(blockIdx.x) * blockDim.x * flight + threadIdx.x;
    Element held[flight];
#pragma unroll
    for (int i = 0; i < flight; ++i) {
        if (const Size at = first + Size(i) * blockDim.x; at < count)
            held[i] = load(in + at);
    }
#pragma unroll
    for (int i = 0; i < flight; ++i) {
        if (const Size at = first + Size(i) * blockDim.x; at < count)
            out[at] = held[i];
    }
}

struct Once
{
    __device__ float4 operator()(const float4 *address) const { return load_once(address); }
};

struct Plain
{
    template <typename Element>
    __device__ Element operator()(const Element *address) const
    {
        return load_plain(address);
    }
};

} // namespace

#define COPY_QUADS(FLIGHT)                                                                                             \
    extern "C" __global__ void floor_copy_quads_##FLIGHT(const float4 *__restrict__ in, float4 *__restrict__ out,      \
                                                         Size quads)                                                   \
    {                                                                                                                  \
        copy<FLIGHT>(in, out, quads, Plain());                                                                         \
    }                                                                                                                  \
    extern "C" __global__ void floor_copy_once_##FLIGHT(const float4 *__restrict__ in, float4 *__restrict__ out,       \
                                                        Size quads)                                                    \
    {                                                                                                                  \
        copy<FLIGHT>(in, out, quads, Once());                                                                          \
    }
COPY_QUADS(1)
COPY_QUADS(2)
COPY_QUADS(4)
COPY_QUADS(8)

// Accesses of 8 bytes: the same bytes in twice as many elements.
#define COPY_PAIRS(FLIGHT)                                                                                             \
    extern "C" __global__ void floor_copy_pairs_##FLIGHT(const float2 *__restrict__ in, float2 *__restrict__ out,      \
                                                         Size quads)                                                   \
    {                                                                                                                  \
        copy<FLIGHT>(in, out, 2 * quads, Plain());                                                                     \
    }
COPY_PAIRS(2)
COPY_PAIRS(4)

// The sum is never what is asked for (the arrays hold zeros), so nothing is written, which the compiler cannot know.
#define READ_QUADS(FLIGHT)                                                                                             \
    extern "C" __global__ void floor_read_quads_##FLIGHT(const float4 *__restrict__ in, float4 *__restrict__ out,      \
                                                         Size quads)                                                   \
    {                                                                                                                  \
        const Size first = Size(blockIdx.x) * blockDim.x * FLIGHT + threadIdx.x;                                       \
        float sum = 0;                                                                                                 \
        _Pragma("unroll") for (int i = 0; i < FLIGHT; ++i)                                                             \
        {                                                                                                              \
            if (const Size at = first + Size(i) * blockDim.x; at < quads) {                                            \
                const float4 quad = load_once(in + at);                                                                \
                sum += (quad.x + quad.y) + (quad.z + quad.w);                                                          \
            }                                                                                                          \
        }                                                                                                              \
        if (sum == 12345.0f)                                                                                           \
            out[0].x = sum;                                                                                            \
    }
READ_QUADS(4)
READ_QUADS(8)

#define WRITE_QUADS(FLIGHT)                                                                                            \
    extern "C" __global__ void floor_write_quads_##FLIGHT(const float4 *, float4 *__restrict__ out, Size quads)        \
    {                                                                                                                  \
        const Size first = Size(blockIdx.x) * blockDim.x * FLIGHT + threadIdx.x;                                       \
        _Pragma("unroll") for (int i = 0; i < FLIGHT; ++i)                                                             \
        {                                                                                                              \
            if (const Size at = first + Size(i) * blockDim.x; at < quads)                                              \
                out[at] = make_float4(0, 0, 0, 0);                                                                     \
        }                                                                                                              \
    }
WRITE_QUADS(1)
WRITE_QUADS(4)
