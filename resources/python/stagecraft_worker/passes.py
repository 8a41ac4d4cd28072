# SPDX-License-Identifier: MIT
"""One pass over a workload: its result, its spans or its kernel records."""

import contextlib
import gc
import time

import torch

from . import capturefile, reference
from .errors import failed, invalid, unavailable


def is_gpu(workload):
    return workload.device.type == "cuda"


def _wait(workload):
    if is_gpu(workload):
        torch.cuda.synchronize(workload.device)


def _measured(us, clock):
    if us > 0:
        return us
    reason = f"a call took less than one tick of the {clock}, which therefore cannot time it"
    raise failed(reason, "choose larger dims")


class _EventClock:
    """The interval between two events on the stream around one call, waited for."""

    source = "event"

    def __init__(self, device):
        self._stream = torch.cuda.current_stream(device)  # looked up here, since record() would within the interval
        self._begin = torch.cuda.Event(enable_timing=True)
        self._end = torch.cuda.Event(enable_timing=True)
        for event in (self._begin, self._end):  # PyTorch makes CUDA's event at the first record() of its own
            event.record(self._stream)
        self._end.synchronize()

    def time(self, workload):
        call = workload.next_call()
        self._begin.record(self._stream)
        result = call()  # kept to the end, so that nothing is freed between the events
        self._end.record(self._stream)
        self._end.synchronize()
        workload.keep(result)
        del result
        return _measured(1000.0 * self._begin.elapsed_time(self._end), "GPU's events")


class _HostClock:
    source = "host"

    def time(self, workload):
        call = workload.next_call()
        begin = time.perf_counter_ns()
        result = call()
        end = time.perf_counter_ns()
        workload.keep(result)
        del result
        return _measured((end - begin) / 1000.0, "system's clock")


def timing_source(device):
    return _EventClock.source if device.type == "cuda" else _HostClock.source


@contextlib.contextmanager
def _bracket(injection, rests=True):
    """For an instrument in this process, which records from cudaProfilerStart to cudaProfilerStop."""
    runtime = torch.cuda.cudart()
    torch.cuda.check_error(int(runtime.cudaProfilerStart()))
    try:
        yield
    finally:
        runtime.cudaProfilerStop()
        if rests:
            injection.rest()


@contextlib.contextmanager
def _no_collection():
    """Python's collector of cycles would run at its own moments, between two events too."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _warm_up(workload, calls, cancellation):
    """Waited for one by one, so that a cancellation takes effect and the queue cannot fill."""
    for _ in range(calls):
        if cancellation.requested:
            return
        workload.keep(workload.next_call()())
        _wait(workload)


def output_pass(workload):
    """The result of one call over poisoned memory, flat, on the CPU."""
    workload.poison()
    result = workload.next_call()()
    _wait(workload)
    workload.keep(result)
    return result.detach().to("cpu", torch.float32).contiguous().view(-1)


def _badness(compared):
    """A check that did not pass is worse than any that did; among those that did, the largest error is."""
    return (not compared["passed"], compared.get("max_abs_error", 0) if compared["passed"] else 0)


def checked_pass(workload, wanted):
    """The result and the comparison of the worst of all copies: a time is of each of them in turn."""
    worst = None
    for _ in range(workload.copies):
        output = output_pass(workload)
        compared = reference.compare(output, wanted)
        if worst is None or _badness(compared) > _badness(worst[1]):
            worst = (output, compared)
    return worst


def _require_no_recording(injection):
    if injection.is_armed:
        reason = "between the profiler calls this worker's own capture library records, and its cost would be in the spans"
        raise invalid(reason, "start a worker anew and describe it with leave_profiler first")


def span_pass(workload, params, injection, sink, cancellation):
    if params.bracket and is_gpu(workload):
        _require_no_recording(injection)
    clock = _EventClock(workload.device) if is_gpu(workload) else _HostClock()
    count = 0
    with _no_collection():
        _warm_up(workload, params.warmup, cancellation)
        with _bracket(injection) if params.bracket and is_gpu(workload) else contextlib.nullcontext():
            while count < params.iterations and not cancellation.requested:
                written = sink.put(clock.time(workload))
                count += 1
                if written and not params.bracket:  # where an instrument counts the calls, there is no further one
                    _warm_up(workload, 1, cancellation)
    return {"count": count, "cancelled": count < params.iterations}


def capture_pass(workload, warmup, iterations, injection, cancellation, rests=True):
    """Kernel records of each call, through the capture library, which must be there."""
    _warm_up(workload, warmup, cancellation)
    done = 0
    with _bracket(injection, rests):
        while done < iterations and not cancellation.requested:
            call = workload.next_call()
            injection.mark(done)
            try:
                result = call()
            finally:
                injection.mark(-1)
            _wait(workload)
            workload.keep(result)
            del result
            done += 1
    return capturefile.to_result(injection.take(), iterations, done < iterations)


def _require_warm(workload):
    if workload.copies > 1:
        reason = "kernel replay runs each kernel several times on the same arrays and so finds them in the cache"
        raise unavailable(reason, "take counters of a warm run (--cache warm)")


def counter_pass(workload, params, injection, cancellation):
    """Hardware counters of one call's kernels: one call is recorded, for names and shapes, and one is counted. CUPTI
    stays in the process between the two."""
    _require_warm(workload)
    try:
        recorded = capture_pass(workload, params.warmup, 1, injection, cancellation, rests=False)
        if recorded["cancelled"] or cancellation.requested:
            return {"backend": recorded["backend"], "passes": 0, "metrics": [], "kernels": [], "cancelled": True}
        with injection.counting(params.metrics), _bracket(injection, rests=False):
            workload.keep(workload.next_call()())
            _wait(workload)
    finally:
        injection.rest()
    return capturefile.to_counters(recorded["records"], injection.take())
