# SPDX-License-Identifier: MIT
"""One implementation of one operation on resident tensors, ready to be called again and again."""
import math

import torch


class Workload:
    """`call()` puts one call on the device's current stream and returns the result, without waiting for a GPU."""

    def __init__(self, call, device, note, poison):
        self.call = call
        self.device = device
        self.note = note
        self._poison = poison

    def poison(self):
        """Makes sure that memory from before cannot pass for a result."""
        self._poison()


def poison_output(output):
    """For a result that is written into memory of ours."""
    return lambda: output.fill_(math.nan)


def poison_allocations(shapes, device):
    """For results that a library allocates: the allocator hands out the blocks again that were freed last."""

    def poison():
        blocks = [torch.full(shape, math.nan, dtype=torch.float32, device=device) for shape in shapes]
        del blocks

    return poison
