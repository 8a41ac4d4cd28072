// SPDX-License-Identifier: MIT
// How fast the GPU multiplies and adds when nothing else holds it up: every thread (or warp) keeps independent chains
// in registers. `rounds` loop passes; what a pass does is in the entry's name and in the worker's table.

namespace {

constexpr int chains = 16;
constexpr int unrolled = 8; // of each chain in a loop pass

} // namespace

// 2 × 16 × 8 floating-point operations of a thread in a pass.
extern "C" __global__ void floor_ffma(float *out, int rounds, float factor, float addend)
{
    float value[chains];
#pragma unroll
    for (int i = 0; i < chains; ++i)
        value[i] = addend + i;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < unrolled; ++step) {
#pragma unroll
            for (int i = 0; i < chains; ++i)
                value[i] = fmaf(value[i], factor, addend);
        }
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < chains; ++i)
        sum += value[i];
    if (sum == 12345.0f) // with a factor and an addend of 0 it is 0, which the compiler cannot know
        out[0] = sum;
}

#if __CUDA_ARCH__ >= 1000
// Two multiply-adds in an instruction, which GPUs from compute capability 10.0 on have: 4 × 16 × 8 operations.
extern "C" __global__ void floor_ffma_pairs(float *out, int rounds, float factor, float addend)
{
    unsigned long long value[chains], factors, addends;
    asm("mov.b64 %0, {%1, %1};" : "=l"(factors) : "f"(factor));
    asm("mov.b64 %0, {%1, %1};" : "=l"(addends) : "f"(addend));
#pragma unroll
    for (int i = 0; i < chains; ++i)
        value[i] = addends + static_cast<unsigned>(i);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < unrolled; ++step) {
#pragma unroll
            for (int i = 0; i < chains; ++i)
                asm volatile("fma.rn.f32x2 %0, %0, %1, %2;" : "+l"(value[i]) : "l"(factors), "l"(addends));
        }
    }
    unsigned long long sum = 0;
#pragma unroll
    for (int i = 0; i < chains; ++i)
        sum += value[i];
    if (sum == 12345)
        out[0] = static_cast<float>(sum);
}
#endif

#if __CUDA_ARCH__ >= 800
// TF32 by mma.sync m16n8k8: 2 × 16 × 8 × 8 × 8 × 4 operations of a warp in a pass.
extern "C" __global__ void floor_tf32_mma(float *out, int rounds, float factor, float addend)
{
    constexpr int tiles = 8;
    float sums[tiles][4];
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            sums[tile][i] = addend;
    }
    const unsigned bits = __float_as_uint(factor);
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int step = 0; step < 4; ++step) {
#pragma unroll
            for (int tile = 0; tile < tiles; ++tile)
                asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                             "{%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
                             : "+f"(sums[tile][0]), "+f"(sums[tile][1]), "+f"(sums[tile][2]), "+f"(sums[tile][3])
                             : "r"(bits));
        }
    }
    float sum = 0;
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile)
        sum += (sums[tile][0] + sums[tile][1]) + (sums[tile][2] + sums[tile][3]);
    if (sum == 12345.0f)
        out[0] = sum;
}
#endif
