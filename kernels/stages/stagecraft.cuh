// SPDX-License-Identifier: MIT
#pragma once

// What every stage may rely on. NVRTC is given this file from memory, so a stage compiles without a Toolkit's path.
//
// Defined before a stage is compiled: the dims as integer literals (matmul STAGE_M, STAGE_N, STAGE_K · gelu and
// layernorm STAGE_ROWS, STAGE_WIDTH · triangle STAGE_N, STAGE_CHANNELS · neighbor STAGE_NODES, STAGE_WIDTH,
// STAGE_EDGES), STAGE_OPERATION_<NAME>, and STAGE_SCRATCH and STAGE_TENSOR_MAPS where the front matter asks for them.
//
// A kernel is   extern "C" __global__ void NAME(STAGE_ARGS)   with the parameters
//   const float *a, const float *b [, const float *c] [, const unsigned *rowptr, const unsigned *indices], float *out
//   [, float *scratch] [, const CUtensorMap map0 …]
// Dims are macros, not parameters: the compiler sees them, so it unrolls, and drops the checks that a size never needs.

#if defined(STAGE_OPERATION_LAYERNORM)
#define STAGE_INPUTS_ const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c
#elif defined(STAGE_OPERATION_NEIGHBOR)
#define STAGE_INPUTS_                                                                                                  \
    const float *__restrict__ a, const float *__restrict__ b, const unsigned *__restrict__ rowptr,                     \
        const unsigned *__restrict__ indices
#else
#define STAGE_INPUTS_ const float *__restrict__ a, const float *__restrict__ b
#endif

#if defined(STAGE_SCRATCH)
#define STAGE_SCRATCH_ , float *__restrict__ scratch
#else
#define STAGE_SCRATCH_
#endif

#if defined(STAGE_TENSOR_MAPS)
// The driver's 128 opaque bytes; NVRTC does not know the type without the Toolkit's headers.
struct alignas(64) CUtensorMap
{
    unsigned long long opaque[16];
};
#endif
#if !defined(STAGE_TENSOR_MAPS)
#define STAGE_MAPS_
#elif STAGE_TENSOR_MAPS == 1
#define STAGE_MAPS_ , const __grid_constant__ CUtensorMap map0
#elif STAGE_TENSOR_MAPS == 2
#define STAGE_MAPS_ , const __grid_constant__ CUtensorMap map0, const __grid_constant__ CUtensorMap map1
#elif STAGE_TENSOR_MAPS == 3
#define STAGE_MAPS_                                                                                                    \
    , const __grid_constant__ CUtensorMap map0, const __grid_constant__ CUtensorMap map1,                              \
        const __grid_constant__ CUtensorMap map2
#else
#error "a stage can have at most three tensor maps"
#endif

#define STAGE_ARGS STAGE_INPUTS_, float *__restrict__ out STAGE_SCRATCH_ STAGE_MAPS_

namespace stagecraft {

// Elements and offsets are counted in 64 bits: an operation may have more than 2^31 of them.
using Index = long long;

// One float from shared memory by one instruction of its own. The compiler merges neighbouring scalar reads into wide
// ones (even in inline assembly, unless volatile); a stage whose point is the number of scalar reads pins them so.
__device__ __forceinline__ float load_shared_scalar(const float *address)
{
    float value;
    asm volatile("ld.volatile.shared.f32 %0, [%1];"
                 : "=f"(value)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(address)))
                 : "memory");
    return value;
}

// Four neighbouring floats by one 128-bit access. The address must be a multiple of 16 bytes.
__device__ __forceinline__ float4 load_quad(const float *address)
{
    return *reinterpret_cast<const float4 *>(address);
}

__device__ __forceinline__ void store_quad(float *address, float4 quad)
{
    *reinterpret_cast<float4 *>(address) = quad;
}

// Four neighbouring elements of a row of a row-major matrix; those beyond its edges are zero. The column is a multiple
// of 4. Where rows are whole quads this is one 128-bit read (every quad is then aligned, and inside or outside as a
// whole), else up to four scalar ones: which of the two is decided when the stage is compiled.
template <Index rows, Index columns>
__device__ __forceinline__ float4 load_quad_or_zeros(const float *matrix, Index row, Index column)
{
    if (row >= rows || column >= columns)
        return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float *first = matrix + row * columns + column;
    if constexpr (columns % 4 == 0)
        return load_quad(first);
    else
        return make_float4(first[0], column + 1 < columns ? first[1] : 0.0f, column + 2 < columns ? first[2] : 0.0f,
                           column + 3 < columns ? first[3] : 0.0f);
}

// The other way: what lies beyond the matrix is not written.
template <Index rows, Index columns>
__device__ __forceinline__ void store_quad_inside(float *matrix, Index row, Index column, float4 quad)
{
    if (row >= rows || column >= columns)
        return;
    float *first = matrix + row * columns + column;
    if constexpr (columns % 4 == 0) {
        store_quad(first, quad);
    } else {
        first[0] = quad.x;
        if (column + 1 < columns)
            first[1] = quad.y;
        if (column + 2 < columns)
            first[2] = quad.z;
        if (column + 3 < columns)
            first[3] = quad.w;
    }
}

} // namespace stagecraft
