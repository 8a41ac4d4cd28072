# SPDX-License-Identifier: MIT
"""The answer to `describe`: devices, libraries, implementations and what is missing."""

import os
import platform
import sys

from . import machine
from .implementations import IMPLEMENTATIONS


def _library(name, path, version, problem=None, note=""):
    library = {"name": name, "available": problem is None}
    if problem:
        library.update(reason=problem.reason, fix=problem.fix)
    for key, text in (("path", path), ("version", version), ("note", note)):
        if text:
            library[key] = text
    return library


def _module(name, module, problem, note=""):
    if problem:
        return _library(name, "", "", problem)
    return _library(name, os.path.dirname(module.__file__), str(module.__version__), note=note)


def _libraries(environment):
    torch, capture = environment.torch, environment.capture
    libraries = [
        _library("Python", sys.executable, platform.python_version()),
        _module("PyTorch", torch, environment.torch_problem),
        _module("Triton", environment.triton, environment.triton_problem),
    ]
    cuda = torch.version.cuda if torch else ""
    libraries.append(_library("CUDA of PyTorch", "", cuda, environment.gpu_problem))
    path, cupti = ("", "") if capture.problem else (capture.path, capture.cupti and f"CUPTI {capture.cupti}")
    libraries.append(_library("capture library", path, cupti, capture.problem, "kernel records and NVTX ranges"))
    return libraries


def _uuid(properties):
    """As nvidia-smi writes it; empty where this PyTorch does not tell."""
    uuid = str(getattr(properties, "uuid", ""))
    return uuid if not uuid or uuid.startswith("GPU-") else "GPU-" + uuid


def _device(torch, index):
    properties = torch.cuda.get_device_properties(index)
    return {
        "index": index,
        "name": properties.name,
        "uuid": _uuid(properties),
        "compute_capability": f"{properties.major}.{properties.minor}",
        "driver_version": machine.driver_release(),
        "sm_count": properties.multi_processor_count,
        "max_threads_per_sm": getattr(properties, "max_threads_per_multi_processor", 0),
        "memory_bytes": properties.total_memory,
        "l2_bytes": getattr(properties, "L2_cache_size", 0),
    }


def describe(environment, test):
    """`test`: the self-test's outcome (selftest.py)."""
    return {
        "platform": machine.platform_text(),
        "devices": [_device(environment.torch, index) for index in range(environment.gpu_count)],
        "libraries": _libraries(environment),
        "implementations": [each.describe(environment) for each in IMPLEMENTATIONS.values()],
        "capture": test.capture,
        "self_test": test.result,
    }
