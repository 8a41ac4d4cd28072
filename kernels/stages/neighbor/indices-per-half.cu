// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Half a warp per edge, its own indices",
  "change": "Single step: each half of the warp reads the indices and weights of its edges itself, and absent edges are predicates instead of zeros.",
  "after": "half-warp-per-edge",
  "status": "attempt",
  "label": "own indices",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "neighbor_indices_per_half", "block": 128, "grid": [{"cover": "nodes", "by": 4}]}
  ],
  "requires": {"multiple_of": {"width": 64}, "max": {"edges": 2147483647}},
  "counts": {"reads per multiply-add": 0.28125, "edges in flight per warp": 16},
  "source": "this project"
}
*/
//
// out(node,w) = Σe b(e) · a(indices(e), w) over the node's edges e = rowptr(node) … rowptr(node+1) − 1: the weighted
// sum of its neighbours' rows, the graph being in compressed sparse row form.
//
// What it does. As neighbor/half-warp-per-edge: four warps a block, a node each, half a warp per edge, the rows of 16
// edges on their way. All lanes of a half read the same index: one read of 4 bytes for 16 lanes.
//
// What changed, and why it should help. No shuffles, which the compiler has to guard against lanes that have gone
// another way (it keeps a second copy of the code for them); no zeros for absent edges; and the address of a row is one
// multiply-add, for the row of node 0 stays one pointer. 230 instructions per node instead of 350, so the row's three
// dependent reads follow each other sooner.
//
// Why it was not kept. It is the larger part of the way from neighbor/half-warp-per-edge to neighbor/gathers-in-flight,
// which needs half as many index reads, predicates and addresses.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 3.41 µs kernel time after 3.96 of
// neighbor/half-warp-per-edge, namespace h200-kernels.
//
// Resources. 64 registers on sm_90a (NVRTC 13.0), 0 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::store_quad;

constexpr int threads = 128;
constexpr int warp = 32;
constexpr int half = warp / 2;
constexpr int slots = 8; // edges that a half warp has in flight
constexpr unsigned all_lanes = 0xffffffffu;
#if __CUDA_ARCH__ == 900
constexpr int min_blocks = 8;
#else
constexpr int min_blocks = 1;
#endif

extern "C" __global__ void __launch_bounds__(threads, min_blocks) neighbor_indices_per_half(STAGE_ARGS)
{
    const int lane = threadIdx.x % warp;
    const unsigned node = blockIdx.x * (threads / warp) + threadIdx.x / warp;
    if (node >= STAGE_NODES) // the same for the whole warp
        return;
    const unsigned begin = rowptr[node], end = rowptr[node + 1];

#pragma unroll 1
    for (Index feature0 = 0; feature0 < STAGE_WIDTH; feature0 += half * 4) {
        const Index feature = feature0 + lane % half * 4;
        const char *mine = reinterpret_cast<const char *>(a + feature);
        asm("" : "+l"(mine)); // the compiler shall not take it apart again
        const unsigned *index_at = indices + begin + lane / half;
        const float *weight_at = b + begin + lane / half;
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
        for (int own = static_cast<int>(end - begin) - lane / half; own + lane / half > 0; own -= 2 * slots) {
            unsigned index[slots];
            float weight[slots];
            float4 row[slots];
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) {
                if (2 * slot < own)
                    index[slot] = index_at[2 * slot];
            }
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) {
                if (2 * slot < own)
                    row[slot] = __ldg(reinterpret_cast<const float4 *>(
                        mine + static_cast<unsigned long long>(index[slot]) * (STAGE_WIDTH * 4u)));
            }
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) {
                if (2 * slot < own)
                    weight[slot] = weight_at[2 * slot];
            }
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) {
                if (2 * slot < own) {
                    sum.x += weight[slot] * row[slot].x;
                    sum.y += weight[slot] * row[slot].y;
                    sum.z += weight[slot] * row[slot].z;
                    sum.w += weight[slot] * row[slot].w;
                }
            }
            index_at += 2 * slots, weight_at += 2 * slots;
        }

        sum.x += __shfl_xor_sync(all_lanes, sum.x, half);
        sum.y += __shfl_xor_sync(all_lanes, sum.y, half);
        sum.z += __shfl_xor_sync(all_lanes, sum.z, half);
        sum.w += __shfl_xor_sync(all_lanes, sum.w, half);
        if (lane < half)
            store_quad(out + Index(node) * STAGE_WIDTH + feature, sum);
    }
}
