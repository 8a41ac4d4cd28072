// SPDX-License-Identifier: MIT
/* stage
{
  "title": "Long rows shared by many blocks",
  "change": "A long row is split into chunks of its edges; as many blocks as it has chunks add them up, and the last to come adds their sums.",
  "after": "gathers-in-flight",
  "status": "retained",
  "label": "long rows",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "neighbor_long_rows", "block": 128, "grid": [{"cover": "nodes", "by": 4}]}
  ],
  "counts": {"reads per multiply-add": 0.28125, "edges in flight per warp": 16},
  "source": "this project"
}
*/
//
// out(node,w) = Σe b(e) · a(indices(e), w) over the node's edges e = rowptr(node) … rowptr(node+1) − 1: the weighted
// sum of its neighbours' rows, the graph being in compressed sparse row form.
//
// What it does. A row of fewer than 128 edges is its warp's, as in neighbor/gathers-in-flight. Longer ones are shared:
// edges are numbered, every 128 of them are a chunk, and block i looks after chunk i beside its own four rows. Where a
// chunk's first edge is in a long row, its block takes part in it. So a row of 20,000 edges has 156 or 157 blocks, each
// with an equal share of its edges, and rows next to each other have different ones. Each block leaves its sums in
// memory and counts itself; the one that comes last adds the sums up.
//
// What changed, and why it should help. There a long row was its block's: four warps on one multiprocessor, and where
// several long rows are neighbours (nodes sorted by degree), one after the other. Here all multiprocessors gather.
//
// Finding the row. A block cannot know who has long rows, so it looks for the row that holds its chunk's first edge: 32
// elements of rowptr at a time, three or four reads that depend on each other. Where rows are about equally long it need
// not: one look around the place where the edge then is, on its way together with the own row's ends, shows that no row
// there is long. Only blocks that look after a chunk take it, and there is no barrier.
//
// Sums. Blocks' parts depend on rowptr alone and are added in their order, whichever block does it: the result is the
// same each time. Only the count of those that are done is atomic, an integer; the last one sets it back to 0.
//
// Limits. A block first does its own rows. A row of 127 edges keeps its warp busy for 8 batches. A graph of few nodes
// has few blocks, which then look after several chunks each. Above 2^19 edges chunks grow, so that there are at most
// 4096 of them. Rows wider than 64 features have fewer warps (80 registers); their features are done in turns. The counts
// and the sums are the module's, so two launches of it must not run at the same time; the sums take up to 4097 rows of
// the result's width, 134 MB at 8192 features, whether or not there is a long row.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30; mean of 40 captured iterations, one run) a row of
// 20,000 of 131,072 edges (32,768 nodes, 64 features) takes 12.4 µs kernel time after 312.9 of neighbor/gathers-in-flight
// and 28.5 of cuSPARSE; with 256 features (65,536 edges, 20,001 nodes) 35.9 after 1297 and 37.2. Where rows have 16 edges
// on the mean, 30 at most, it costs something: 3.48 after 3.37, namespace h200-kernels. Chunks of 256 edges took 13.5
// and 46, of 1024 edges 24.4 and 123.
//
// Resources. 64 registers on sm_90a, 69 on sm_89 (NVRTC 13.0), 1.6 KB shared; in the module, for each chunk, a counter
// and a row of sums.

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

// Edges are cut into chunks, at most 4096 of them, and block i looks after chunk i. A row is long if it has as many
// edges as a chunk; it is then sure to hold the first edge of one or more chunks, and their blocks share its work.
constexpr Count chunk = 128 > STAGE_EDGES / 4096 ? 128 : STAGE_EDGES / 4096 + 1;
constexpr int chunks = STAGE_EDGES < chunk ? 0 : (STAGE_EDGES + chunk - 1) / chunk;
constexpr int blocks = (STAGE_NODES + Index(warps) - 1) / warps;

// Every launch finds and leaves the counters at 0, as the driver sets them when it loads the module.
struct LongRows
{
    unsigned arrived[chunks + 1];                // blocks of the row whose first chunk it is
    float sums[Index(chunks + 1) * STAGE_WIDTH]; // over the part of a chunk's block
};
__device__ LongRows long_rows;

// So few registers that 32 warps fit a multiprocessor of the H200: 4096 nodes at once on 132 of them. Other widths need
// a few registers more.
#if __CUDA_ARCH__ == 900
constexpr int min_blocks = (STAGE_WIDTH == 64 ? 1024 : STAGE_WIDTH < 64 ? 896 : 768) / threads;
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

// What the lane sees of rowptr around the row where the chunk's first edge would be if all rows had the same length.
// From lane to lane it is then half a chunk.
__device__ __forceinline__ unsigned look_near(const unsigned *rowptr, unsigned number, int lane)
{
    constexpr double rows_of_chunk = double(chunk) * STAGE_NODES / (STAGE_EDGES > 0 ? STAGE_EDGES : 1);
    constexpr Index fixed_point = static_cast<Index>(rows_of_chunk * 65536);
    constexpr int most = STAGE_NODES / warp + 1;
    constexpr int step = rows_of_chunk < 2 ? 1 : rows_of_chunk / 2 < most ? static_cast<int>(rows_of_chunk / 2) : most;
    const int row = static_cast<int>(number * fixed_point >> 16) + (lane - warp / 2) * step;
    return rowptr[min(max(row, 0), static_cast<int>(STAGE_NODES))];
}

// Between two places that enclose the edge and are less than a chunk apart there is no long row.
__device__ __forceinline__ bool no_long_row(unsigned look, unsigned edge)
{
    const unsigned next = __shfl_down_sync(all_lanes, look, 1);
    return __any_sync(all_lanes, look <= edge && edge < next && next - look < chunk);
}

// The row that holds an edge. Each step leaves a 32nd of the rows, and all lanes come to the same.
__device__ __forceinline__ unsigned row_of(const unsigned *rowptr, unsigned edge, int lane)
{
    unsigned first = 0, rows = STAGE_NODES;
#pragma unroll 1
    while (rows > 1) {
        const unsigned step = (rows + warp - 1) / warp;
        const unsigned look = rowptr[min(Index(first) + lane * step, Index(STAGE_NODES))];
        first += (__popc(__ballot_sync(all_lanes, lane * step < rows && look <= edge)) - 1) * step;
        rows = step;
    }
    return first;
}

// A block's part of a long row. It is kept in shared memory, for registers are short.
struct Part
{
    unsigned row;
    unsigned first;  // chunk of the row
    unsigned blocks; // that have a part of the row; 0 where it is not long
    unsigned begin;  // edge of this part
    Count count;
};

__device__ __forceinline__ Part part_of(const unsigned *rowptr, unsigned number, int lane)
{
    Part part;
    part.row = row_of(rowptr, static_cast<unsigned>(number * chunk), lane);
    const unsigned begin = rowptr[part.row];
    const Count count = static_cast<Count>(rowptr[part.row + 1]) - static_cast<Count>(begin);
    part.first = static_cast<unsigned>((begin + (chunk - 1)) / chunk);
    part.blocks = count < chunk ? 0 : static_cast<unsigned>((begin + count - 1) / chunk) - part.first + 1;
    constexpr int batches = batch * warps;
    const Count share = part.blocks == 0 ? 0 : ((count - 1) / part.blocks / batches + 1) * batches;
    const Count before = (number - part.first) * share;
    part.begin = static_cast<unsigned>(begin + before);
    part.count = min(count - before, share);
    return part;
}

// Adds up what the row's blocks left, in the order of their chunks: teams of threads take every teams-th of them.
__device__ __forceinline__ void add_parts(const float *sums, unsigned parts, float *to)
{
    constexpr int team_size = STAGE_WIDTH < threads ? STAGE_WIDTH : threads;
    constexpr int teams = threads / team_size;
    constexpr int together = 16; // reads in flight
    __shared__ float team_sums[threads];
    const int team = threadIdx.x / team_size, member = threadIdx.x % team_size;
#pragma unroll 1
    for (Index feature = member; feature - member < STAGE_WIDTH; feature += team_size) {
        float sum = 0.0f;
        const unsigned limit = team < teams && feature < STAGE_WIDTH ? parts : 0;
#pragma unroll 1
        for (unsigned part = team; part < limit; part += teams * together) {
            float value[together];
#pragma unroll
            for (int i = 0; i < together; ++i) { // not from a level 1 cache: other multiprocessors wrote them
                const unsigned other = part + i * teams;
                value[i] = other < limit ? __ldcg(sums + Index(other) * STAGE_WIDTH + feature) : 0.0f;
            }
#pragma unroll
            for (int i = 0; i < together; ++i)
                sum += value[i];
        }
        team_sums[threadIdx.x] = sum;
        __syncthreads();
        if (team == 0 && feature < STAGE_WIDTH) {
            for (int other = 1; other < teams; ++other)
                sum += team_sums[other * team_size + member];
            to[feature] = sum;
        }
        __syncthreads();
    }
}

// The block that comes last adds the parts up. Which that is does not matter to the result.
__device__ __forceinline__ void hand_in(const Part &part, float *out)
{
    __shared__ bool last;
    __syncthreads(); // the block's sums are written
    if (threadIdx.x == 0) {
        unsigned *arrived = long_rows.arrived + part.first;
        __threadfence(); // … and seen before the count, by whoever has seen that
        last = atomicAdd(arrived, 1u) == part.blocks - 1;
        __threadfence();
        if (last)
            *arrived = 0;
    }
    __syncthreads();
    if (last)
        add_parts(long_rows.sums + Index(part.first) * STAGE_WIDTH, part.blocks, out + Index(part.row) * STAGE_WIDTH);
}

extern "C" __global__ void __launch_bounds__(threads, min_blocks) neighbor_long_rows(STAGE_ARGS)
{
    __shared__ alignas(16) float partial[warps][features];
    __shared__ Part part;
    const int lane = threadIdx.x % warp, own = threadIdx.x / warp;
    const int block = blockIdx.x;
    const unsigned node = static_cast<unsigned>(block) * warps + own;

    unsigned begin = 0, end = 0, look = 0;
    if (node < STAGE_NODES) // the same for the whole warp
        begin = rowptr[node], end = rowptr[node + 1];
    if (block < chunks)
        look = look_near(rowptr, block, lane);
    Count count = static_cast<Count>(end) - static_cast<Count>(begin);
    bool adds = node < STAGE_NODES && (chunks == 0 || count < chunk);

    // One register for it: none, or the chunk that the block will look into, or, with a bit set, looks into.
    constexpr unsigned none = 0xffffffffu >> 1, helping = ~none;
    unsigned state = none;
    if (block < chunks && (chunks > blocks || !no_long_row(look, static_cast<unsigned>(block * chunk))))
        state = block;

    // First the warp's own row, then, with the block, a part of a long row.
#pragma unroll 1
    for (;;) {
        if (adds) {
#pragma unroll 1
            for (Index feature0 = 0; feature0 < STAGE_WIDTH; feature0 += features) {
                const Row sum = add_edges<batch, true>(a, b, indices, begin, count, lane, feature0);
                float *to = chunks > 0 && (state & helping) ? partial[own] : out + Index(node) * STAGE_WIDTH + feature0;
                add_groups_and_write(sum, to, lane, STAGE_WIDTH - feature0);
                if (chunks == 0 || !(state & helping))
                    continue;
                __syncthreads();
#pragma unroll 1
                for (int i = threadIdx.x; i < features && feature0 + i < STAGE_WIDTH; i += threads) {
                    float total = partial[0][i];
#pragma unroll
                    for (int other = 1; other < warps; ++other)
                        total += partial[other][i];
                    float *all = part.blocks == 1 ? out + Index(part.row) * STAGE_WIDTH
                                                  : long_rows.sums + Index(state & none) * STAGE_WIDTH;
                    all[feature0 + i] = total;
                }
                __syncthreads();
            }
        }
        if (chunks == 0 || state == none)
            return;
        if (state & helping) {
            if (part.blocks > 1)
                hand_in(part, out);
            state = (state & none) + blocks;
            if (chunks <= blocks || state >= static_cast<unsigned>(chunks))
                return;
            __syncthreads(); // `part` has been read
        }
        if (own == 0) {
            const Part found = part_of(rowptr, state, lane);
            if (lane == 0)
                part = found;
        }
        state |= helping;
        __syncthreads();
        adds = part.blocks > 0;
        const Count quarter = (part.count + (warps * batch - 1)) / (warps * batch) * batch;
        begin = static_cast<unsigned>(part.begin + own * quarter);
        count = min(part.count - own * quarter, quarter);
    }
}
