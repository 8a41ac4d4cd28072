# SPDX-License-Identifier: MIT
"""Tensors on the CPU and their bytes, without NumPy, which PyTorch can be installed without."""

import ctypes
import hashlib

import torch


def bytes_of(tensor):
    """The memory of a contiguous CPU tensor as it lies there, not copied; valid as long as the tensor."""
    count = tensor.numel() * tensor.element_size()
    return memoryview((ctypes.c_char * count).from_address(tensor.data_ptr())) if count else memoryview(b"")


def sha256(tensor):
    return hashlib.sha256(bytes_of(tensor)).hexdigest()


def from_bytes(data, dtype):
    """A tensor over a bytearray, not copied."""
    return torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)


def widened(words):
    """uint32 values, which tensors hold as int32 bit patterns, as int64."""
    return words.to(torch.int64) & 0xFFFFFFFF
