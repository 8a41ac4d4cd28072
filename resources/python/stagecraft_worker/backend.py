# SPDX-License-Identifier: MIT
"""What the worker does for each request, once its parameters are checked."""

import itertools
from typing import NamedTuple

from . import capturefile, description, selftest
from .environment import Environment
from .errors import WorkerError, failed, invalid, one_line, unavailable
from .gpuerrors import advice, memory_problem
from .implementations import IMPLEMENTATIONS
from .injection import Injection


class _Prepared(NamedTuple):
    workload: object
    reference: object


def _require_words(params):
    """Every implementation here is exact FP32, so whoever asks for that gets what there is."""
    for key, words in (("cache", ("warm", "cold")), ("arithmetic", ("any", "fp32"))):
        value = getattr(params, key)
        if value and value not in words:
            raise invalid(f'{key}: there is no "{value}"', f'use "{words[0]}" or "{words[1]}"')


class Backend:
    """Used on the kernel thread. `lost`: a CUDA error has ended this process's use of the GPU."""

    def __init__(self, progress):
        self.lost = False
        self._progress = progress
        self._capture = Injection()
        self._made = None
        self._tests = {}  # by device
        self._prepared = {}
        self._handles = itertools.count(1)

    def describe(self, params):
        if params.leave_profiler:
            self._capture.leave()
        environment = self._environment()
        if environment.gpu_count and params.device >= environment.gpu_count:
            raise self._no_device(params.device)
        result = description.describe(environment, self._test(params.device))
        if params.counters:
            result["counters"] = selftest.find_counters(environment, params.device)
        return result

    def prepare(self, params):
        _require_words(params)
        environment = self._environment()
        implementation = self._usable(params, environment)
        device = self._device(implementation, params.device)
        from .copies import Copies
        from .inputs import prepare_inputs
        from .passes import timing_source

        inputs = self._guarded(lambda: prepare_inputs(params))
        copies = Copies(inputs, device, params.cache == "cold")
        workload = self._guarded(lambda: implementation.prepare(copies, self._progress))
        handle = next(self._handles)
        self._prepared[handle] = _Prepared(workload, inputs.reference)
        source = timing_source(device)
        return {
            "handle": handle,
            "arithmetic": "fp32",
            "timing_source": source,
            "note": workload.note,
            "launches": [],  # the captured records tell them
        }

    def check(self, params):
        from . import hostmemory, passes

        workload, wanted = self._find(params.handle)
        output, compared = self._guarded(lambda: passes.checked_pass(workload, wanted))
        if params.output:
            try:
                with open(params.output, "wb") as stream:
                    stream.write(hostmemory.bytes_of(output))
            except OSError as error:
                reason = f"the result could not be written to {params.output}: {error.strerror}"
                raise failed(reason, "name a file in a folder that can be written to") from None
        return compared

    def measure(self, params, sink, cancellation):
        from . import passes

        workload = self._find(params.handle).workload
        return self._guarded(lambda: passes.span_pass(workload, params, self._capture, sink, cancellation))

    def capture(self, params, cancellation):
        from . import passes

        workload = self._find(params.handle).workload
        if not passes.is_gpu(workload):
            reason = "the CPU has no kernel records: there is no launch that an instrument could time"
            raise unavailable(reason, "spans are measured; kernel time needs a GPU")
        self._require_library()

        def work():
            return passes.capture_pass(workload, params.warmup, params.iterations, self._capture, cancellation)

        return self._guarded(work)

    def counters(self, params, cancellation):
        from . import passes

        for name in params.metrics:
            if not capturefile.is_metric_name(name):
                raise invalid("metrics: one of them is no name of a metric", "name metrics as Nsight Compute does")
        workload = self._find(params.handle).workload
        if not passes.is_gpu(workload):
            raise unavailable(*selftest.CPU_HAS_NO_COUNTERS)
        self._require_library()
        return self._guarded(lambda: passes.counter_pass(workload, params, self._capture, cancellation))

    def release(self, handle):
        del self._prepared[handle]
        if self._made.gpu_count:
            self._made.torch.cuda.empty_cache()  # the memory is other workers' as well

    def ranges(self, *names):
        return self._capture.ranges(*names)

    def close(self):
        self._capture.close()

    def _require_library(self):
        if self._capture.problem:
            raise unavailable(*self._capture.problem)

    def _environment(self):
        if self._made is None:
            self._made = Environment(self._capture, self._progress)
        return self._made

    def _test(self, device):
        if device not in self._tests:
            self._tests[device] = selftest.run(self._made, device)
        self._made.launch_problem = self._tests[device].launch_problem
        return self._tests[device]

    def _usable(self, params, environment):
        if params.implementation not in IMPLEMENTATIONS:
            names = ", ".join(IMPLEMENTATIONS)
            raise unavailable(
                f'the Python worker has no implementation "{params.implementation}"', f"its implementations are {names}"
            )
        if params.stage:
            reason = f'"{params.implementation}" has no stages, so "{params.stage}" cannot run here'
            raise invalid(reason, 'name stages with the implementation "cuda"')
        implementation = IMPLEMENTATIONS[params.implementation]
        problem = implementation.problem(environment)
        if problem:
            raise unavailable(*problem)
        return implementation

    def _device(self, implementation, index):
        torch = self._made.torch
        if not implementation.runs_on_gpu(self._made):
            return torch.device("cpu")
        if index >= self._made.gpu_count:
            raise self._no_device(index)
        torch.cuda.set_device(index)
        return torch.device("cuda", index)

    def _no_device(self, index):
        count = self._made.gpu_count
        reason = f"device {index} is not there; CUDA shows {count}"
        return invalid(reason, f"choose a device from 0 to {count - 1}")

    def _find(self, handle):
        prepared = self._prepared[handle]
        if prepared.workload.device.type == "cuda":
            self._made.torch.cuda.set_device(prepared.workload.device)
        return prepared

    def _guarded(self, work):
        """Turns what a library raises into an error reply, and finds out whether the GPU can still be used."""
        try:
            return work()
        except Exception as error:
            if self._gpu_is_lost():
                self.lost = True
                reason = f"{one_line(error)}; the GPU context of this worker is lost, so it ends now"
                raise failed(reason, advice(error) or "run it again under compute-sanitizer") from error
            if isinstance(error, WorkerError):
                raise
            raise failed(*(memory_problem(error) or (one_line(error), advice(error)))) from error

    def _gpu_is_lost(self):
        """An error that kills the context is told again by every later call."""
        if not self._made.gpu_count:
            return False
        try:
            self._made.torch.cuda.synchronize()
            return False
        except Exception:
            return True
