# SPDX-License-Identifier: MIT
"""One implementation of one operation on resident tensors, ready to be called again and again."""

import math


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


def poison_results(call):
    """For a result that a library allocates. An allocator that is asked for the same things again hands out the same
    blocks again, so what the next call's result will stand in is what the last one's stood in."""

    def poison():
        call()  # only now does the allocator hold every block that a call takes
        call().fill_(math.nan)

    return poison
