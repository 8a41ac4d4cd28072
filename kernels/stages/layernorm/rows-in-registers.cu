// SPDX-License-Identifier: MIT
/* stage
{
  "title": "A warp per row, the row in registers",
  "change": "Every element is read once and waits in registers for both sums and for the result; a warp has its row to itself, so nothing waits at a barrier, and all rows are on the GPU at once.",
  "after": "two-warps-per-row",
  "status": "retained",
  "label": "rows in registers",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "layernorm_rows_in_registers", "block": 128, "grid": [{"cover": "rows", "by": 4}]}
  ],
  "requires": {"max": {"width": 8192}},
  "counts": {"passes over the row": 1, "barriers": 0},
  "source": "this project"
}
*/
//
// out(r,w) = (a(r,w) − mean_r) / √(variance_r + 1e-5) · b(w) + c(w); b is the scale, c the bias, and the variance is
// that of the whole row (divided by width, not by width − 1).
//
// What it does. A block of 128 threads takes four rows, a warp each. A lane reads all its elements of the row, six
// quads at width 768, and keeps them. Rows longer than 1024 take two or four warps, which then meet behind a barrier
// for each sum.
//
// What changed, and why it should help. layernorm/two-warps-per-row reads the row a second time, a quad a lane after
// the other. Here all reads of a row are on their way before the first is used, and none is repeated. 1024 blocks of
// 4096 rows are on 132 multiprocessors at once: one wave. Loops are unrolled, so registers need no addresses.
//
// Accuracy. The mean is taken first, then the squares of the distances from it, and all of this of distances from the
// row's first element, which are exact where a row lies far from zero: nothing cancels, and a constant row gives
// exactly the bias.
//
// Limits. Since all rows begin at once, everything is read before much is written; reading and writing hardly overlap.
// Scale and bias are read again for each row, after its sums, half of what passes the level 1 cache. Width at most
// 8192: 64 registers of a lane hold the row. A width that is not a multiple of four is read in pieces of 8 or 4 bytes.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 5.40 µs kernel time after 8.15 of
// layernorm/two-warps-per-row, namespace h200-kernels.
//
// Resources. 56 registers on sm_90a at width 768 (NVRTC 13.0), 64 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int threads = 128;
constexpr int warp = 32;
constexpr int warps = threads / warp;
constexpr float one_of_width = 1.0f / STAGE_WIDTH;
constexpr float epsilon = 1e-5f;

constexpr int part = STAGE_WIDTH % 4 == 0 ? 4 : STAGE_WIDTH % 2 == 0 ? 2 : 1; // elements of an access
constexpr int parts = STAGE_WIDTH / part;

// As few warps as keep to 32 elements a lane.
__device__ constexpr int warps_for_row()
{
    int count = 1;
    while (count < warps && count * warp * 32 < STAGE_WIDTH)
        count *= 2;
    return count;
}
constexpr int warps_per_row = warps_for_row();
constexpr int members = warps_per_row * warp;          // threads of a row
constexpr int steps = (parts + members - 1) / members; // accesses of a member
constexpr int floats = steps * part;                   // elements of a member
constexpr int groups = warps / warps_per_row;          // rows that the block has at a time
constexpr int turns = warps_per_row;                   // four rows a block

// Whether a member's access number `step` is within the row.
__device__ __forceinline__ bool inside(int member, int step)
{
    return parts % members == 0 || member + step * members < parts;
}

__device__ __forceinline__ void load_part(const float *address, float *value)
{
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

__device__ __forceinline__ void store_part(float *address, const float *value)
{
    if constexpr (part == 4)
        stagecraft::store_quad(address, make_float4(value[0], value[1], value[2], value[3]));
    else if constexpr (part == 2)
        *reinterpret_cast<float2 *>(address) = make_float2(value[0], value[1]);
    else
        *address = value[0];
}

// The sum over a row's members, for each of them. Each use has a row of `partial` of its own: whoever writes it again
// has passed the other's barrier since.
__device__ __forceinline__ float sum_over_members(float value, float *partial)
{
#pragma unroll
    for (int distance = warp / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    if constexpr (warps_per_row > 1) {
        if (threadIdx.x % warp == 0)
            partial[threadIdx.x / warp] = value;
        __syncthreads();
        const int first_warp = threadIdx.x / members * warps_per_row;
        value = partial[first_warp];
#pragma unroll
        for (int other = 1; other < warps_per_row; ++other)
            value += partial[first_warp + other];
    }
    return value;
}

extern "C" __global__ void __launch_bounds__(threads) layernorm_rows_in_registers(STAGE_ARGS)
{
    __shared__ float partial[2][warps]; // used where several warps share a row

    const int member = threadIdx.x % members;
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
        const Index row = (Index(blockIdx.x) * turns + turn) * groups + threadIdx.x / members;
        if (warps_per_row == 1 && row >= STAGE_ROWS) // the same for the whole warp
            return;
        // Beyond the last row it is read again, for nothing: the barriers want the whole block.
        const float *from = a + min(row, Index(STAGE_ROWS) - 1) * STAGE_WIDTH;
        float x[floats];
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            if (inside(member, step))
                load_part(from + (member + step * members) * part, x + step * part);
        }
        const float shift = from[0];
        float sum = 0.0f, squares = 0.0f;
#pragma unroll
        for (int i = 0; i < floats; ++i) {
            x[i] -= shift;
            sum += inside(member, i / part) ? x[i] : 0.0f;
        }
        const float mean = sum_over_members(sum, partial[0]) * one_of_width;
#pragma unroll
        for (int i = 0; i < floats; ++i) {
            const float distance = inside(member, i / part) ? x[i] - mean : 0.0f;
            squares += distance * distance;
        }
        const float variance = sum_over_members(squares, partial[1]) * one_of_width;
        float root; // of a normal number, to 2^-22.9
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(variance + epsilon));
        if (row >= STAGE_ROWS)
            continue;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            if (!inside(member, step))
                continue;
            const int column = (member + step * members) * part;
            float scale[part], bias[part], y[part];
            load_part(b + column, scale);
            load_part(c + column, bias);
#pragma unroll
            for (int i = 0; i < part; ++i)
                y[i] = (x[step * part + i] - mean) * root * scale[i] + bias[i];
            store_part(out + row * STAGE_WIDTH + column, y);
        }
    }
}
