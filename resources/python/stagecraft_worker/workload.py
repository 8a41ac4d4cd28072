# SPDX-License-Identifier: MIT
"""One implementation of one operation on resident tensors, ready to be called again and again."""

import math


class Workload:
    """`call()` puts one call on the device's current stream and returns the result, without waiting for a GPU."""

    def __init__(self, call, device, note, poison):
        self.call = call
        self.copies = 1
        self.device = device
        self.note = note
        self._poison = poison

    def next_call(self):
        """The call whose turn it is, bound beforehand, so that an interval around it holds nothing else."""
        return self.call

    def keep(self, result):
        """Takes the result of the call that was made last, once nobody times any more."""

    def poison(self):
        """Makes sure that memory from before cannot pass for a result of the next call."""
        self._poison()


class Rotation:
    """Calls in turn, each on a copy of its own of everything that it reads and writes.

    A result that a library allocates is kept until its call's turn comes again. Its memory is then the one that is free
    when that call is made: so results rotate as the inputs do, where an allocator would else give each call the memory
    of the call before, which the cache still has.
    """

    def __init__(self, calls, device, note, poisons):
        self.device = device
        self.note = note
        self.copies = len(calls)
        self._calls = calls
        self._poisons = poisons
        self._kept = [None] * len(calls)
        self._turn = 0
        for _ in calls:  # from here on the allocator has all that the calls need
            self.keep(self.next_call()())

    def next_call(self):
        self._kept[self._turn] = None
        return self._calls[self._turn]

    def keep(self, result):
        self._kept[self._turn] = result
        self._turn = (self._turn + 1) % len(self._calls)

    def poison(self):
        self._kept[self._turn] = None
        self._poisons[self._turn]()


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
