// SPDX-License-Identifier: MIT
/* stage
{
  "title": "One quad of features per thread",
  "change": "A thread takes four neighbouring features of a node: 128-bit reads and writes, a quarter of the threads and of the reads of indices and weights.",
  "after": "one-per-thread",
  "status": "retained",
  "label": "quads",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "neighbor_quads", "block": 128, "grid": [{"cover": ["nodes", "width"], "by": 512}]}
  ],
  "requires": {"multiple_of": {"width": 4}},
  "counts": {"reads per multiply-add": 0.75},
  "source": "this project"
}
*/
//
// out(node,w) = Σe b(e) · a(indices(e), w) over the node's edges e = rowptr(node) … rowptr(node+1) − 1: the weighted
// sum of its neighbours' rows, the graph being in compressed sparse row form.
//
// What it does. Threads are numbered along the output's quads as they lie in memory; each walks along the edges of its
// node. A node without edges gets 0.
//
// What changed, and why it should help. An edge's index and weight serve four multiply-adds instead of one, and a warp
// has 512 bytes of rows on their way instead of 128.
//
// Limits. The chain is as it was: a row cannot be asked for before its index has arrived, and the next edge waits
// behind the present one unless the compiler unrolls. There are fewer threads to wait beside each other.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 5.10 µs kernel time after 5.47 of
// neighbor/one-per-thread, namespace h200-kernels. By the place in memory it is 5.07 to 5.26 (3.7 %; another H200, 19:43 UTC,
// not kept as evidence).
//
// Resources. 36 registers on sm_89, 32 on sm_90a (NVRTC 13.0), 0 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;
using stagecraft::load_quad;
using stagecraft::store_quad;

constexpr int threads = 128;

extern "C" __global__ void __launch_bounds__(threads) neighbor_quads(STAGE_ARGS)
{
    const Index element = (Index(blockIdx.x) * threads + threadIdx.x) * 4;
    if (element >= Index(STAGE_NODES) * STAGE_WIDTH)
        return;

    const Index node = element / STAGE_WIDTH;
    const Index feature = element % STAGE_WIDTH;
    const unsigned end = rowptr[node + 1];

    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (unsigned edge = rowptr[node]; edge < end; ++edge) {
        const float weight = b[edge];
        const float4 row = load_quad(a + Index(indices[edge]) * STAGE_WIDTH + feature);
        sum.x += weight * row.x;
        sum.y += weight * row.y;
        sum.z += weight * row.z;
        sum.w += weight * row.w;
    }
    store_quad(out + element, sum);
}
