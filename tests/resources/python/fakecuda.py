# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker on a GPU that is not there: PyTorch's CUDA functions are stood in for, and the CPU does the work.

    fakecuda.py WORKER [BEHAVIOUR]

A behaviour makes something go wrong: "old-driver", "no-launch" (nothing can be launched), "lost" (the third span kills
the context), "instant" (an event pair measures 0), "not-loaded" (the driver does not load the capture library),
"memory" (a span does not get its memory), "counters-refused" (the driver lets nobody count), "uncounted" (every count
is 0).
"""

import ctypes
import json
import os
import runpy
import sys
import time
import types

import torch

WORKER = sys.argv[1]
BEHAVIOUR = sys.argv[2] if len(sys.argv) > 2 else ""
CPU = torch.device("cpu")


class Function:
    """What ctypes makes of an exported function: it can be called, and told of its types."""

    def __init__(self, call):
        self._call = call

    def __call__(self, *arguments):
        return self._call(*arguments)


class CaptureLibrary:
    """Loaded by the driver where the environment says so: one record a marked iteration, in the file of the process."""

    def __init__(self):
        self.directory = None
        self.records = None
        self.metrics = None  # where brackets count; the launches of one are then those of its last recorded iteration
        self.launches = 0
        self.stagecraft_capture_counters = Function(self._count)
        self.stagecraft_capture_iteration = Function(self._mark)
        self.stagecraft_range_push = Function(lambda name: None)
        self.stagecraft_range_pop = Function(lambda: None)

    def load(self):
        if os.environ.get("CUDA_INJECTION64_PATH") == os.path.abspath(os.environ["STAGECRAFT_CAPTURE_LIBRARY"]):
            self.directory = None if BEHAVIOUR == "not-loaded" else os.environ["STAGECRAFT_CAPTURE_DIRECTORY"]

    def _mark(self, iteration):
        if self.records is not None and iteration >= 0:
            shape = {"grid": [1, 2, 1], "block": [128, 1, 1], "registers_per_thread": 40}
            self.records.append({"kernel_name": "fake", "duration_us": 2.5, "iteration": iteration, **shape})

    def _count(self, metrics):
        self.metrics = metrics and metrics.decode().split(",")

    def start(self):
        self.records = []
        return 0

    def _counted(self):
        if BEHAVIOUR == "counters-refused":
            return {"unavailable": {"reason": "counters are for administrators", "fix": "be one"}}
        values = {name: 0 if BEHAVIOUR == "uncounted" else 1000 + place for place, name in enumerate(self.metrics)}
        counters = {
            "passes": 3,
            "replay_mode": "kernel",
            "metrics": [{"name": name, "unit": "inst"} for name in self.metrics],
            "missing": [],
            "kernels": [values] * self.launches,
        }
        return {"backend": "cupti", "counters": counters}

    def stop(self):
        bracket = self._counted() if self.metrics else self._recorded()
        self.launches = len(self.records)
        self.records = None
        if self.directory:
            with open(os.path.join(self.directory, f"{os.getpid()}.json"), "w", encoding="utf-8") as stream:
                about = {"format": 1, "pid": os.getpid(), "process": "python3", "cupti": "API 130001, CUDA 13"}
                json.dump({**about, "brackets": [bracket]}, stream)
        return 0

    def _recorded(self):
        return {
            "backend": "cupti",
            "timestamp_mode": "hardware",
            "dropped": 0,
            "invalid": 0,
            "records": self.records,
        }


LIBRARY = CaptureLibrary()


class Cuda:
    """The part of torch.cuda that the worker uses."""

    def __init__(self):
        self.dead = False
        self.spans = 0

    def init(self):
        if BEHAVIOUR == "old-driver":
            raise RuntimeError("The NVIDIA driver on your system is too old (found version 11040).\nMore advice.")
        assert os.environ["NVIDIA_TF32_OVERRIDE"] == os.environ["CUBLAS_EMULATE_SINGLE_PRECISION"] == "0"
        LIBRARY.load()

    def device_count(self):
        return 2

    def empty_cache(self):
        pass

    def set_device(self, device):
        assert device in (0, 1, CPU)

    def synchronize(self, *_):
        if self.dead:
            raise RuntimeError("CUDA error: an illegal memory access was encountered")

    def current_stream(self, device):
        return "stream"

    def get_device_properties(self, index):
        names = {"name": "Fake GPU", "major": 9, "minor": 0, "multi_processor_count": 132, "total_memory": 1 << 37}
        more = {"uuid": "0000-%d" % index, "max_threads_per_multi_processor": 2048, "L2_cache_size": 60 << 20}
        return types.SimpleNamespace(**names, **more)

    def cudart(self):
        return types.SimpleNamespace(cudaProfilerStart=LIBRARY.start, cudaProfilerStop=LIBRARY.stop)

    def check_error(self, code):
        assert code == 0

    def span(self):
        self.spans += 1
        if BEHAVIOUR == "memory":
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        if BEHAVIOUR == "lost" and self.spans == 1 + 3:  # the first readies the events
            self.dead = True
        self.synchronize()


CUDA = Cuda()


class Event:
    """Made by CUDA when it is recorded first, which takes an hour here."""

    hours = 0

    def __init__(self, enable_timing):
        assert enable_timing
        self.at = None

    def record(self, stream):
        assert stream == "stream"
        Event.hours += self.at is None
        self.at = time.perf_counter() + 3600 * Event.hours

    def synchronize(self):
        CUDA.span()

    def elapsed_time(self, end):
        return 0.0 if BEHAVIOUR == "instant" else 1000 * (end.at - self.at)


def fake_device(*arguments):
    if BEHAVIOUR == "no-launch" and arguments[0] == "cuda":
        raise RuntimeError("CUDA error: no kernel image is available for execution on the device\nMore advice.")
    return CPU


def main():
    for name in [name for name in vars(Cuda) if not name.startswith("_") and name != "span"]:
        setattr(torch.cuda, name, getattr(CUDA, name))
    torch.cuda.Event = Event
    torch.version.cuda = "13.0"
    torch.device = fake_device
    ctypes.CDLL = lambda path: LIBRARY
    sys.path.insert(0, os.path.dirname(os.path.abspath(WORKER)))
    from stagecraft_worker import passes

    passes.is_gpu = lambda workload: True
    passes.timing_source = lambda device: "event"
    runpy.run_path(WORKER, run_name="__main__")


main()
