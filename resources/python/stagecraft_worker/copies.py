# SPDX-License-Identifier: MIT
"""What calls work on: one set of tensors for a warm cache. For a cold one as many sets as exceed the cache twice, so
that it has forgotten a set by the time that the set's turn comes again."""

import dataclasses

import torch

from . import machine
from .errors import unavailable
from .gpuerrors import memory_problem
from .workload import Rotation, Workload

MAXIMUM = 1024
_WARM = "measure with a warm cache (--cache warm)"


def cache_of(device):
    """The size in bytes and the name of the cache that calls on the device share. Raises WorkerError: unavailable."""
    if device.type == "cuda":
        size = getattr(torch.cuda.get_device_properties(device), "L2_cache_size", 0)
        if not size:
            reason = f"this PyTorch ({torch.__version__}) does not say how large the GPU's L2 is, which cold copies need"
            raise unavailable(reason, f"update PyTorch, or {_WARM}")
        return size, "L2"
    size = machine.last_level_cache_bytes()
    if not size:
        reason = "the system does not say how large the CPU's last-level cache is, which cold copies need"
        raise unavailable(reason, _WARM)
    return size, "last-level cache"


def _megabytes(size):
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e6:.3g} MB" if size < 1e9 else f"{size / 1e6:.0f} MB"


def _needed(size, cache, name):
    """The least N for which N × size > 2 × cache, and at least two: the next call must not find what the last one wrote.
    Raises WorkerError: unavailable."""
    count = max(2, 2 * cache // size + 1)
    if count > MAXIMUM:
        wanted = f"{count} copies of {_megabytes(size)} to exceed a {name} of {_megabytes(cache)} twice"
        raise unavailable(f"cold takes {wanted}, and {MAXIMUM} is the most", f"choose larger dims, or {_WARM}")
    return count


def _too_much(size, count):
    reason = f"cold takes {count} copies of {_megabytes(size)}, {_megabytes(count * size)} together, and there is not "
    return unavailable(f"{reason}so much memory", f"end other programs that hold memory, or {_WARM}")


def _require_memory(device, size, count):
    """The CPU's allocator promises what there is not, and the system then ends a process."""
    free = machine.available_bytes()
    if device.type == "cpu" and free and count * size > free:
        raise _too_much(size, count)


class Copies:
    """For one prepared handle. Warm is one set, and the workload calls the same function again and again."""

    def __init__(self, inputs, device, cold=False):
        self.inputs = inputs
        self.device = device
        self.cold = cold
        self._size = self._count = 0
        self._note = ""

    def make(self, build, tensors_of):
        """What `build` makes of the inputs, once or for each copy. `tensors_of`: the tensors of a copy, the result among
        them, even where each call allocates it."""
        if not self.cold:
            return [build(self.inputs)]
        first = build(self._fresh())
        tensors = list(tensors_of(first))
        self._size = sum(tensor.numel() * tensor.element_size() for tensor in tensors)
        cache, name = cache_of(self.device)
        self._count = _needed(self._size, cache, name)
        _require_memory(self.device, self._size, self._count)
        sizes = f"{self._count} copies of {_megabytes(self._size)}"
        self._note = f"; cold: {sizes} rotate through {'an' if name == 'L2' else 'a'} {name} of {_megabytes(cache)}"
        return [first, *self._guarded(lambda: [build(self._fresh()) for _ in range(self._count - 1)])]

    def workload(self, calls, poisons, note, of_copies=""):
        """One call and one poison per copy. `of_copies`: what is worth knowing of them beside their number."""
        if not self.cold:
            return Workload(calls[0], self.device, note, poisons[0])
        return self._guarded(lambda: Rotation(calls, self.device, note + self._note + of_copies, poisons))

    def _fresh(self):
        """Inputs of which a device that is the CPU makes no second use."""
        tensors = {name: tensor.clone() for name, tensor in self.inputs.tensors.items()}
        return dataclasses.replace(self.inputs, tensors=tensors)

    def _guarded(self, work):
        try:
            return work()
        except Exception as error:
            if memory_problem(error):
                raise _too_much(self._size, self._count) from None
            raise
