// SPDX-License-Identifier: MIT
/* stage
{
  "title": "8×8 outputs per thread, a lane per channel, reads eight steps ahead",
  "change": "A thread computes 8×8 pairs (i, j) of one channel: 16 reads serve 64 multiply-adds. Four warps share a tile's k, and each has asked for the next eight of its steps.",
  "after": "one-per-thread",
  "status": "retained",
  "label": "register tile",
  "arithmetic": "fp32",
  "launches": [
    {"entry": "triangle_register_tile", "block": 256, "grid": [{"cover": "channels", "by": 32}, {"cover": "n", "by": 8}, {"cover": "n", "by": 16}]}
  ],
  "counts": {"global reads per multiply-add": 0.25, "outputs per thread": 64},
  "source": "this project"
}
*/
//
// out(i,j,c) = Σk a(i,k,c) · b(j,k,c): for each channel c one n×n matrix times the transpose of another.
//
// What it does. The lanes of a warp are 32 neighbouring channels; a thread has 8×8 pairs (i, j) of one of them. A block
// is two such tiles, one below the other, and four warps for each: they take every fourth step of k. At the end their
// sums are added through shared memory, in an order that is always the same, each warp finishing a quarter of the rows.
//
// What changed, and why it should help. In triangle/one-per-thread a multiply-add takes two reads, here a quarter of
// one; a read is still a line of 128 bytes for the warp. Two warps per scheduler are few, so each asks for what it
// needs eight steps before it is multiplied: 128 registers hold what is on its way. Where no tile reaches beyond the
// edge, a tile's rows are a constant distance apart, and the address of a read is one pointer and a constant in the
// instruction. Else each row has a pointer, and there are registers for two steps.
//
// Limits. Nothing is staged: every operand passes the level 1 cache, at best one line per clock, which alone is as long
// as the multiply-adds; and 16×8 tiles of all channels take 50 MB from the level 2 cache at n = 128. With fewer than 32
// channels lanes are idle.
//
// Measured effect. On an NVIDIA H200 (driver 580, CUDA 13.0, 2026-11-30) 8.65 µs kernel time after 28.78 of
// triangle/one-per-thread, namespace h200-kernels.
//
// Resources. 214 registers on sm_90a (NVRTC 13.0), 32768 B shared.

#include "stagecraft.cuh"

using stagecraft::Index;

constexpr int tile = 8;   // rows i and columns j of a thread's part
constexpr int slices = 4; // of k
constexpr int tiles = 2;  // of a block, along i
constexpr int warp = 32;
constexpr int threads = slices * tiles * warp;
constexpr bool whole = STAGE_N % (tile * tiles) == 0; // tiles only, so that rows are a constant distance apart
constexpr int ahead = STAGE_N % 32 == 0 ? 8 : 2;      // steps of k that are read before the first of them is used
constexpr Index row = Index(STAGE_N) * STAGE_CHANNELS;

// Row t of the tile that begins at row `first`. Beyond the edge the last row is read again; what comes of it is not
// written.
__device__ __forceinline__ const float *row_of(const float *from, int first, int t)
{
    return from + (whole ? Index(first) + t : min(Index(first) + t, Index(STAGE_N) - 1)) * row;
}

// What one step of k needs.
struct Step
{
    float a[tile];
    float b[tile];
};

extern "C" __global__ void __launch_bounds__(threads, 1) triangle_register_tile(STAGE_ARGS)
{
    __shared__ float sums[slices][tiles][tile / 2 * tile][warp];

    const int lane = threadIdx.x % warp;
    const int own_tile = threadIdx.x / warp % tiles;
    const int slice = threadIdx.x / warp / tiles;
    const int channel = blockIdx.x * warp + lane;
    const int from_channel = min(channel, int(STAGE_CHANNELS) - 1); // beyond the edge the last is read, for nothing
    const int j0 = blockIdx.y * tile;
    const int i0 = (blockIdx.z * tiles + own_tile) * tile;

    const auto read = [&](Step &step, int k) {
        const Index offset = Index(k) * STAGE_CHANNELS + from_channel;
#pragma unroll
        for (int t = 0; t < tile; ++t)
            step.a[t] = row_of(a, i0, t)[offset];
#pragma unroll
        for (int t = 0; t < tile; ++t)
            step.b[t] = row_of(b, j0, t)[offset];
    };
    float sum[tile][tile] = {};
    const auto add = [&](const Step &step) {
#pragma unroll
        for (int i = 0; i < tile; ++i) {
#pragma unroll
            for (int j = 0; j < tile; ++j)
                sum[i][j] += step.a[i] * step.b[j];
        }
    };

    Step steps[ahead];
#pragma unroll
    for (int s = 0; s < ahead; ++s) {
        if (slice + s * slices < STAGE_N)
            read(steps[s], slice + s * slices);
    }
#pragma unroll 1
    for (int k = slice; k < STAGE_N; k += ahead * slices) {
#pragma unroll
        for (int s = 0; s < ahead; ++s) {
            if (STAGE_N % (ahead * slices) == 0 || k + s * slices < STAGE_N)
                add(steps[s]);
            if (k + (s + ahead) * slices < STAGE_N)
                read(steps[s], k + (s + ahead) * slices);
        }
    }

    // Half the tile's rows at a time, for want of room.
    constexpr int half = tile / 2;
    constexpr int share = half / slices; // rows that a slice finishes
#pragma unroll
    for (int first = 0; first < tile; first += half) {
        if (first > 0)
            __syncthreads();
#pragma unroll
        for (int at = 0; at < half * tile; ++at) {
            if (at / tile / share != slice)
                sums[slice][own_tile][at][lane] = sum[first + at / tile][at % tile];
        }
        __syncthreads();
#pragma unroll
        for (int at = 0; at < half * tile; ++at) {
            if (at / tile / share != slice)
                continue;
            float total = sum[first + at / tile][at % tile];
#pragma unroll
            for (int distance = 1; distance < slices; ++distance)
                total += sums[(slice + distance) % slices][own_tile][at][lane];
            const int i = i0 + first + at / tile;
            const int j = j0 + at % tile;
            if ((whole || (i < STAGE_N && j < STAGE_N)) && (STAGE_CHANNELS % warp == 0 || channel < STAGE_CHANNELS))
                out[(Index(i) * STAGE_N + j) * STAGE_CHANNELS + channel] = total;
        }
    }
}
