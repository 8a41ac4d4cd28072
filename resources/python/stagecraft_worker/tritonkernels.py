# SPDX-License-Identifier: MIT
"""The operations in Triton: one kernel, and one launch, each.

What they share. A program (what CUDA calls a block) computes one tile of the result; tiles are numbered along one grid
axis, since the others hold only 65535. Tile sizes are constants of the compilation, the dims are arguments (but for
layernorm's width, which decides the form of its kernel), so edges are handled by masks: what a load leaves out is
`other`, chosen so that it adds nothing. All arithmetic is FP32.

WIDE says that a buffer has more elements than 32 bits can number. Offsets are then 64-bit; without need that would cost
registers and instructions in every address, so it is a constant of the compilation too.
"""

import inspect

import triton
import triton.language as tl

# Triton's own name for products without TF32, which changed.
if "input_precision" in inspect.signature(tl.dot).parameters:

    @triton.jit
    def exact_dot(x, y, total):
        return tl.dot(x, y, total, input_precision="ieee")

else:

    @triton.jit
    def exact_dot(x, y, total):
        return total + tl.dot(x, y, allow_tf32=False)


@triton.jit
def span_of(number, SIZE: tl.constexpr, WIDE: tl.constexpr):
    """The indices that block `number` of `SIZE` elements covers."""
    if WIDE:
        number = number.to(tl.int64)
    return number * SIZE + tl.arange(0, SIZE)


@triton.jit
def matmul(a, b, out, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, WIDE: tl.constexpr):
    """out[i, j] = Σk a[i, k]·b[k, j]. A program walks down k and keeps its tile of the result in registers."""
    tile = tl.program_id(0)
    tiles_across = tl.cdiv(n, BLOCK_N)
    rows = span_of(tile // tiles_across, BLOCK_M, WIDE)
    columns = span_of(tile % tiles_across, BLOCK_N, WIDE)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BLOCK_K)):
        depth = step * BLOCK_K + tl.arange(0, BLOCK_K)
        if WIDE:
            depth = depth.to(tl.int64)
        x = tl.load(a + rows[:, None] * k + depth[None, :], (rows < m)[:, None] & (depth < k)[None, :], other=0.0)
        y = tl.load(b + depth[:, None] * n + columns[None, :], (depth < k)[:, None] & (columns < n)[None, :], other=0.0)
        total = exact_dot(x, y, total)
    tl.store(out + rows[:, None] * n + columns[None, :], total, (rows < m)[:, None] & (columns < n)[None, :])


@triton.jit
def gelu(a, b, out, elements, width, BLOCK: tl.constexpr, WIDE: tl.constexpr):
    """Bias and GELU in its tanh form. Every element is on its own, so the matrix is taken as one long row."""
    index = span_of(tl.program_id(0), BLOCK, WIDE)
    inside = index < elements
    x = tl.load(a + index, inside, other=0.0) + tl.load(b + index % width, inside, other=0.0)
    # ½·(1 + tanh u) is 1 / (1 + e^(−2u)): one exponential, and no difference of nearly equal numbers. Where the
    # exponential overflows, far below zero, the quotient is the right result: zero.
    u = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    tl.store(out + index, x / (1.0 + tl.exp(-2.0 * u)), inside)


@triton.jit
def layernorm(a, scale, bias, out, width: tl.constexpr, BLOCK: tl.constexpr, WIDE: tl.constexpr):
    """A program normalizes one row. One that fits the block is read once and stays in registers; a longer one is read
    block by block, once for the mean, once for the variance and once for the result, mostly from the cache.

    The variance is taken of the differences from the mean: E[x²] − mean² would cancel where the mean is large.
    """
    row = tl.program_id(0)
    if WIDE:
        row = row.to(tl.int64)
    a += row * width
    out += row * width
    columns = tl.arange(0, BLOCK)
    if width <= BLOCK:
        inside = columns < width
        x = tl.load(a + columns, inside, other=0.0)
        centred = tl.where(inside, x - tl.sum(x, axis=0) / width, 0.0)
        factor = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / width + 1e-5)
        result = centred * factor * tl.load(scale + columns, inside) + tl.load(bias + columns, inside)
        tl.store(out + columns, result, inside)
    else:
        sums = tl.zeros((BLOCK,), dtype=tl.float32)
        for start in range(0, width, BLOCK):
            sums += tl.load(a + start + columns, start + columns < width, other=0.0)
        mean = tl.sum(sums, axis=0) / width
        squares = tl.zeros((BLOCK,), dtype=tl.float32)
        for start in range(0, width, BLOCK):
            x = tl.load(a + start + columns, start + columns < width, other=0.0)
            centred = tl.where(start + columns < width, x - mean, 0.0)
            squares += centred * centred
        factor = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / width + 1e-5)
        for start in range(0, width, BLOCK):
            inside = start + columns < width
            centred = tl.load(a + start + columns, inside, other=0.0) - mean
            result = centred * factor * tl.load(scale + start + columns, inside, other=0.0)
            tl.store(out + start + columns, result + tl.load(bias + start + columns, inside, other=0.0), inside)


@triton.jit
def triangle(
    a, b, out, n, channels, BLOCK_I: tl.constexpr, BLOCK_J: tl.constexpr, BLOCK_K: tl.constexpr, WIDE: tl.constexpr
):
    """out[i, j, c] = Σk a[i, k, c]·b[j, k, c]: one matrix product a_c·b_cᵀ per channel.

    The channel is the fastest index in memory, so a program reads one float of every cache line that it touches.
    Neighbouring programs take neighbouring channels of the same tile and find those lines in the cache.
    """
    program = tl.program_id(0)
    channel = program % channels
    tile = program // channels
    tiles_across = tl.cdiv(n, BLOCK_J)
    rows = span_of(tile // tiles_across, BLOCK_I, WIDE)
    columns = span_of(tile % tiles_across, BLOCK_J, WIDE)
    total = tl.zeros((BLOCK_I, BLOCK_J), dtype=tl.float32)
    for step in range(0, tl.cdiv(n, BLOCK_K)):
        depth = step * BLOCK_K + tl.arange(0, BLOCK_K)
        x = tl.load(
            a + (rows[:, None] * n + depth[None, :]) * channels + channel,
            (rows < n)[:, None] & (depth < n)[None, :],
            other=0.0,
        )
        y = tl.load(
            b + (columns[None, :] * n + depth[:, None]) * channels + channel,
            (columns < n)[None, :] & (depth < n)[:, None],
            other=0.0,
        )
        total = exact_dot(x, y, total)
    tl.store(
        out + (rows[:, None] * n + columns[None, :]) * channels + channel,
        total,
        (rows < n)[:, None] & (columns < n)[None, :],
    )


@triton.jit
def neighbor(a, weights, rowptr, indices, out, width, EDGES: tl.constexpr, FEATURES: tl.constexpr, WIDE: tl.constexpr):
    """out[i, :] = Σe weights[e]·a[indices[e], :], e from rowptr[i] to rowptr[i + 1].

    A program has one node and one block of its features, gathers the rows of EDGES neighbours at a time and adds them
    up. No two programs write the same element, so nothing is atomic and the result is the same every time. A node
    without edges takes no turn of the loop and stores zeros.
    """
    program = tl.program_id(0)
    blocks = tl.cdiv(width, FEATURES)
    node = program // blocks
    if WIDE:
        node = node.to(tl.int64)
    features = span_of(program % blocks, FEATURES, WIDE)
    inside = features < width
    begin = tl.load(rowptr + node)
    end = tl.load(rowptr + node + 1)
    total = tl.zeros((FEATURES,), dtype=tl.float32)
    for start in range(begin, end, EDGES):
        edges = start + tl.arange(0, EDGES)
        there = edges < end
        sources = tl.load(indices + edges, there, other=0)
        if WIDE:
            sources = sources.to(tl.int64)
        weight = tl.load(weights + edges, there, other=0.0)
        rows = tl.load(a + sources[:, None] * width + features[None, :], there[:, None] & inside[None, :], other=0.0)
        total += tl.sum(rows * weight[:, None], axis=0)
    tl.store(out + node * width + features, total, inside)
