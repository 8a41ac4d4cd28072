// SPDX-License-Identifier: MIT
/* stage
{
  "title": "A quarter of a warp per edge, the next indices on their way",
  "change": "Eight lanes take an edge, two quads each; indices and weights are read where they are needed, the next batch's indices beside this one's rows; long rows are split over the block.",
  "after": "half-warp-per-edge",
  "status": "retained",
  "label": "quarter warp per edge",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "neighbor_gathers_in_flight", "block": 128, "grid": [{"cover": "nodes", "by": 4}]}
  ],
  "counts": {"reads per multiply-add": 0.28125, "edges in flight per warp": 16},
  "source": "this project"
}
*/
//
// out(node,w) = Σe b(e) · a(indices(e), w) over the node's edges e = rowptr(node) … rowptr(node+1) − 1: the weighted
// sum of its neighbours' rows, the graph being in compressed sparse row form.
//
// What it does. Four warps a block, a node each. A warp is four groups of eight lanes; each group has four edges in
// flight, and a lane two quads of each row: 64 features of 16 edges per warp, 32 registers per lane. Indices and
// weights are read by each group, all lanes the same address, and the indices of the next 16 edges while these rows are
// on their way. Wider rows are done 64 features at a time. A node without edges gets 0.
//
// What changed, and why it should help. The three reads that depend on each other (rowptr, index, row) set the time,
// and every instruction between them adds to it. neighbor/half-warp-per-edge issues 350 instructions per node, two
// fifths of them to make addresses of 64 bits, to hand indices on and to clear what an absent edge would have read.
// Here a group reads its own indices, so there is nothing to hand on; an absent edge is a predicate on its reads and
// multiply-adds, so there is nothing to clear; and the address of a row is one multiply-add of 32 × 32 + 64 bits. Eight
// lanes of two quads instead of 16 of one halve what is left of that. 180 instructions per node.
//
// Sums. Where group sums are added, a lane gives half of its sums away and gets the other half of the rest: 4 + 2
// shuffles in place of 16.
//
// Long rows. A node of more than 128 edges (two batches for each warp) is left to the whole block: each warp adds up
// every fourth batch, and the warps' sums are added in their order. No atomics: the result is the same each time.
//
// Limits. One block still works on a row, and one multiprocessor reads at most 64 bytes a clock: 20,000 edges take some
// 40 µs. Features that do not fill 64 leave lanes idle where they are not a power of two. A width that is not a
// multiple of four is gathered in pieces of 8 or 4 bytes.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 3.37 µs kernel time after 3.96 of
// neighbor/half-warp-per-edge, namespace h200-kernels.
//
// Resources. 64 registers on sm_90a, 80 on sm_89 (NVRTC 13.0), 1 KB shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int threads = 128;
constexpr int warp = 32;
constexpr int warps = threads / warp;
constexpr unsigned all_lanes = 0xffffffffu;

// A row is read in pieces of 16 bytes where it consists of them, else of 8 or 4.
constexpr int part = STAGE_WIDTH % 4 == 0 ? 4 : STAGE_WIDTH % 2 == 0 ? 2 : 1; // features of a piece
constexpr Index pieces = STAGE_WIDTH / part;                                  // of a row

// Lanes of an edge: a quarter of the warp; fewer where a row is shorter, more where its pieces are.
__device__ constexpr int lanes_for_edge()
{
    int lanes = 1;
    while (lanes < warp / part && lanes * 2 < pieces)
        lanes *= 2;
    return lanes;
}
constexpr int lanes = lanes_for_edge();
constexpr int pieces_of_lane = pieces > lanes ? 2 : 1;
constexpr int floats = pieces_of_lane * part;          // of a lane and an edge
constexpr int features = lanes * floats;               // of an edge at a time; wider rows are done in turns
constexpr bool whole = STAGE_WIDTH % features == 0;    // no turn is beyond the row
constexpr int groups = warp / lanes;                   // edges that one read of the warp gathers from
constexpr int slots = 4;                               // edges that a group has in flight
constexpr int batch = groups * slots;                  // edges that a warp has in flight

// Edges of a node are counted in 32 bits where they suffice.
template <bool small> struct CountOf
{
    using type = int;
};
template <> struct CountOf<false>
{
    using type = long long;
};
using Count = CountOf<(Index(STAGE_EDGES) < (Index(1) << 31))>::type;
constexpr Count long_row = 2 * batch * warps; // above it a row is split over the block's warps

// So few registers that 32 warps fit a multiprocessor of the H200: 4096 nodes at once on 132 of them. Other widths need
// a few registers more.
#if __CUDA_ARCH__ == 900
constexpr int min_blocks = (STAGE_WIDTH == 64 ? 1024 : 896) / threads;
#else
constexpr int min_blocks = 1;
#endif

struct Row
{
    float value[floats]; // a lane's features of an edge's row, or sums of them
};

// `mine` is where the lane's features of row 0 are, `pieces_left` how many pieces there are from there on.
__device__ __forceinline__ void load_row(Row &row, const char *mine, unsigned index, Index pieces_left)
{
    const char *from = mine + static_cast<unsigned long long>(index) * (STAGE_WIDTH * 4u);
#pragma unroll
    for (int p = 0; p < pieces_of_lane; ++p) {
        const char *piece = from + p * lanes * part * 4;
        float *value = row.value + p * part;
        if (!whole && p * lanes >= pieces_left) {
#pragma unroll
            for (int i = 0; i < part; ++i)
                value[i] = 0.0f;
        } else if constexpr (part == 4) {
            const float4 quad = __ldg(reinterpret_cast<const float4 *>(piece));
            value[0] = quad.x, value[1] = quad.y, value[2] = quad.z, value[3] = quad.w;
        } else if constexpr (part == 2) {
            const float2 pair = __ldg(reinterpret_cast<const float2 *>(piece));
            value[0] = pair.x, value[1] = pair.y;
        } else {
            value[0] = __ldg(reinterpret_cast<const float *>(piece));
        }
    }
}

// The sums over a group's edges of begin … begin + count − 1, batches of them, one every `stride` edges. Group g has
// edges g, g + groups, … of a batch. `ahead`: the next batch's indices are read beside this one's rows.
template <int stride, bool ahead>
__device__ __forceinline__ Row add_edges(const float *a, const float *b, const unsigned *indices, unsigned begin,
                                         Count count, int lane, Index feature0)
{
    const int group = lane / lanes;
    const Index piece0 = feature0 / part + lane % lanes;
    const char *mine = reinterpret_cast<const char *>(a + piece0 * part);
    asm("" : "+l"(mine)); // the compiler shall not take it apart again
    const unsigned *index_at = indices + begin + group;
    const float *weight_at = b + begin + group;

    Row sum;
    unsigned index[slots];
#pragma unroll
    for (int i = 0; i < floats; ++i)
        sum.value[i] = 0.0f;
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) {
        if (ahead && slot * groups < count - group)
            index[slot] = index_at[slot * groups];
    }
#pragma unroll 1
    for (Count left = count; left > 0; left -= stride, index_at += stride, weight_at += stride) {
        const Count own = left - group;
        Row row[slots];
        float weight[slots];
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) {
            if (!ahead && slot * groups < own)
                index[slot] = index_at[slot * groups];
        }
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) {
            if (slot * groups < own)
                load_row(row[slot], mine, index[slot], pieces - piece0);
        }
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) {
            if (slot * groups < own)
                weight[slot] = weight_at[slot * groups];
        }
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) {
            if (ahead && stride + slot * groups < own)
                index[slot] = index_at[stride + slot * groups];
        }
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) {
            if (slot * groups < own) {
#pragma unroll
                for (int i = 0; i < floats; ++i)
                    sum.value[i] += weight[slot] * row[slot].value[i];
            }
        }
    }
    return sum;
}

// Adds the groups' sums and writes them to `to`, as many as there are features left. With each step the number of
// groups whose sums are apart halves. So does, while there are several, the number of sums that a lane answers for.
__device__ __forceinline__ void add_groups_and_write(Row sum, float *to, int lane, Index features_left)
{
    int feature = lane % lanes * part; // of the lane's first sum
    int have = floats;
    bool writes = true;
#pragma unroll
    for (int distance = warp / 2; distance >= lanes; distance /= 2) {
        const bool upper = lane & distance;
        if (have > 1) {
            have /= 2;
#pragma unroll
            for (int i = 0; i < have; ++i) {
                const float give = upper ? sum.value[i] : sum.value[have + i];
                const float keep = upper ? sum.value[have + i] : sum.value[i];
                sum.value[i] = keep + __shfl_xor_sync(all_lanes, give, distance);
            }
            feature += upper ? (have < part ? have : lanes * part) : 0;
        } else {
            sum.value[0] += __shfl_xor_sync(all_lanes, sum.value[0], distance);
            writes = writes && !upper;
        }
    }
#pragma unroll
    for (int p = 0; p < (have + part - 1) / part; ++p, feature += lanes * part) {
        if (!writes || (!whole && feature >= features_left))
            continue;
        const float *value = sum.value + p * part;
        if (have >= 4 && part == 4)
            stagecraft::store_quad(to + feature, make_float4(value[0], value[1], value[2], value[3]));
        else if (have >= 2 && part >= 2)
            *reinterpret_cast<float2 *>(to + feature) = make_float2(value[0], value[1]);
        else
            to[feature] = value[0];
    }
}

extern "C" __global__ void __launch_bounds__(threads, min_blocks) neighbor_gathers_in_flight(STAGE_ARGS)
{
    const int lane = threadIdx.x % warp;
    const int own = threadIdx.x / warp;
    const unsigned first_node = blockIdx.x * static_cast<unsigned>(warps);

    const unsigned own_node = first_node + own;
    bool is_long = false;
    if (own_node < STAGE_NODES) { // the same for the whole warp, as is what follows
        const unsigned begin = rowptr[own_node];
        const Count count = static_cast<Count>(rowptr[own_node + 1]) - static_cast<Count>(begin);
        is_long = STAGE_EDGES > long_row && count > long_row;
        if (!is_long) {
#pragma unroll 1
            for (Index feature0 = 0; feature0 < STAGE_WIDTH; feature0 += features) {
                const Row sum = add_edges<batch, true>(a, b, indices, begin, count, lane, feature0);
                add_groups_and_write(sum, out + Index(own_node) * STAGE_WIDTH + feature0, lane, STAGE_WIDTH - feature0);
            }
        }
    }
    if constexpr (STAGE_EDGES > long_row) {
        if (!__syncthreads_or(is_long))
            return;

        // The block's long rows, one after the other.
        __shared__ alignas(16) float partial[warps][features];
#pragma unroll 1
        for (int turn = 0; turn < warps && first_node + turn < STAGE_NODES; ++turn) {
            const unsigned node = first_node + turn, begin = rowptr[node];
            const Count count = static_cast<Count>(rowptr[node + 1]) - static_cast<Count>(begin);
            if (count <= long_row)
                continue;
#pragma unroll 1
            for (Index feature0 = 0; feature0 < STAGE_WIDTH; feature0 += features) {
                const Row sum = add_edges<batch * warps, false>(a, b, indices, begin + own * batch, count - own * batch,
                                                                lane, feature0);
                add_groups_and_write(sum, partial[own], lane, STAGE_WIDTH - feature0);
                __syncthreads();
#pragma unroll 1
                for (int i = threadIdx.x; i < features && feature0 + i < STAGE_WIDTH; i += threads) {
                    float total = partial[0][i];
#pragma unroll 1
                    for (int other = 1; other < warps; ++other)
                        total += partial[other][i];
                    out[Index(node) * STAGE_WIDTH + feature0 + i] = total;
                }
                __syncthreads();
            }
        }
    }
}
