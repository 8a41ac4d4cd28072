# SPDX-License-Identifier: MIT
"""The input generator: bit for bit that of kernels/operations/inputs.cpp.

PyTorch has no unsigned 64-bit arithmetic, but int64 wraps around alike: sums and products are the same bits, and only a
shift to the right has to be kept from drawing in copies of the sign.
"""

import torch

# Which random sequence a buffer takes. The numbers are part of the format: changing one changes the golden hashes.
_STREAMS = {"a": 1, "b": 2, "c": 3, "rowptr": 4, "indices": 5}
_GOLDEN_GAMMA = 0x9E3779B97F4A7C15
_CHUNK = 1 << 22  # elements made at a time, which bounds the memory that intermediate results take

# The sum of eight uniform 16-bit integers has mean 262140 and variance 8·(2³² − 1)/12; the factor makes σ 0.25 of that.
_MEAN = 8 * 0xFFFF // 2
_FACTOR = float.fromhex("0x1.3988e2p-18")


def _signed(word):
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


def _right(words, count):
    return (words >> count) & ((1 << (64 - count)) - 1)


def _mix(z):
    """The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)."""
    z = (z ^ _right(z, 30)) * _signed(0xBF58476D1CE4E5B9)
    z = (z ^ _right(z, 27)) * _signed(0x94D049BB133111EB)
    return z ^ _right(z, 31)


def _key(seed, stream):
    word = torch.tensor(_signed(seed + _GOLDEN_GAMMA), dtype=torch.int64)
    return _mix(_mix(word) + stream)


def _words(key, first, count):
    """Words `first` and on of a stream: each a function of its number alone."""
    counters = torch.arange(first + 1, first + 1 + count, dtype=torch.int64)
    return _mix(counters * _signed(_GOLDEN_GAMMA) + key)


def _chunks(elements):
    return ((first, min(_CHUNK, elements - first)) for first in range(0, elements, _CHUNK))


def _field_sum(words):
    return (words & 0xFFFF) + (_right(words, 16) & 0xFFFF) + (_right(words, 32) & 0xFFFF) + _right(words, 48)


def _near_normal(elements, key):
    values = torch.empty(elements, dtype=torch.float32)
    for first, count in _chunks(elements):
        sums = _field_sum(_words(key, 2 * first, 2 * count)).view(count, 2).sum(dim=1)
        values[first : first + count] = (sums - _MEAN).to(torch.float32) * _FACTOR
    return values


def _below(words, bound):
    return _right(_right(words, 32) * bound, 32)


def _row_pointers(nodes, edges, key):
    degrees = torch.zeros(nodes, dtype=torch.int64)
    for first, count in _chunks(edges):
        degrees += torch.bincount(_below(_words(key, first, count), nodes), minlength=nodes)
    return torch.cat([torch.zeros(1, dtype=torch.int64), degrees.cumsum(0)])


def _indices(nodes, edges, key):
    indices = torch.empty(edges, dtype=torch.int64)
    for first, count in _chunks(edges):
        indices[first : first + count] = _below(_words(key, first, count), nodes)
    return indices


def generate(operation, dims, seed):
    """The buffers by name, flat: float32, and int32 bit patterns of the uint32 indices."""
    buffers = {}
    for buffer in operation.buffers(*dims):
        key = _key(seed, _STREAMS[buffer.name])
        if buffer.name == "rowptr":
            buffers[buffer.name] = _row_pointers(dims[0], dims[2], key).to(torch.int32)
        elif buffer.name == "indices":
            buffers[buffer.name] = _indices(dims[0], dims[2], key).to(torch.int32)
        else:
            buffers[buffer.name] = _near_normal(buffer.elements, key)
    return buffers
