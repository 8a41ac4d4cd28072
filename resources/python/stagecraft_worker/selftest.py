# SPDX-License-Identifier: MIT
"""Whether anything runs at all: one small launch with its record on a GPU, a small product on a CPU."""

from typing import NamedTuple

from .environment import Problem
from .errors import WorkerError, one_line
from .gpuerrors import advice
from .messages import CountersParams
from .requestqueue import Cancellation

CPU_HAS_NO_COUNTERS = Problem("hardware counters are the GPU's, and this is computed on the CPU", "counting needs a GPU")
_ALONE_WITH_THE_GPU = "check that no other profiler uses this GPU, and that libcupti fits the driver"
_INSTRUCTIONS = "smsp__inst_executed.sum"


class Outcome(NamedTuple):
    result: dict  # SelfTest
    capture: dict  # CaptureSupport
    launch_problem: object = None  # why the GPU cannot be used, as the launch showed


def _failed(reason):
    return {"passed": False, "reason": reason}


def _no_capture(problem):
    return {"available": False, "backend": "cupti", "reason": problem.reason, "fix": problem.fix}


def _passed(workload, wanted):
    from . import passes

    return bool((passes.output_pass(workload) == wanted).all())


def _cpu_has_no_records(gpu_problem):
    return Problem("the CPU has no kernel records", f"kernel time needs a GPU, and {gpu_problem.reason}")


def _cpu_has_no_counters(gpu_problem):
    return Problem("hardware counters are the GPU's", f"counting needs a GPU, and {gpu_problem.reason}")


def _on_cpu(torch, gpu_problem):
    product = torch.ones(5, 3) @ torch.ones(3, 7)
    passed = bool((product == 3).all())
    result = {"passed": True} if passed else _failed("a 5 × 3 × 7 product on the CPU is wrong")
    return Outcome(result, _no_capture(_cpu_has_no_records(gpu_problem)))


def _workload(torch, device):
    from .workload import Workload, poison_output

    numbers = torch.arange(1, 33, dtype=torch.float32, device=device)
    output = torch.empty_like(numbers)
    workload = Workload(lambda: torch.add(numbers, 0.5, out=output), device, "", poison_output(output))
    return workload, numbers.cpu() + 0.5


def _record(workload, capture):
    """Returns CaptureSupport and the launch's time, where it was recorded."""
    from . import passes

    if capture.problem:
        return _no_capture(capture.problem), None
    try:
        captured = passes.capture_pass(workload, 1, 1, capture, Cancellation())
    except WorkerError as error:
        return _no_capture(Problem(str(error), error.fix)), None
    count = len(captured["records"])
    if count != 1:
        lost = f"{captured['invalid']} invalid, {captured['dropped']} dropped"
        return _no_capture(Problem(f"one launch gave {count} kernel records ({lost})", _ALONE_WITH_THE_GPU)), None
    support = {"available": True, "backend": captured["backend"], "timestamp_mode": captured["timestamp_mode"]}
    return support, captured["records"][0]["duration_us"]


def find_counters(environment, index):
    """CaptureSupport: whether hardware counters are to be had, by counting the test's launch on GPU `index`."""
    from . import passes

    problem = environment.torch_problem or environment.gpu_problem and _cpu_has_no_counters(environment.gpu_problem)
    if problem or environment.capture.problem:
        return _no_capture(problem or environment.capture.problem)
    try:
        environment.torch.cuda.set_device(index)
        workload, _ = _workload(environment.torch, environment.torch.device("cuda", index))
        params = CountersParams(handle=0, warmup=1, metrics=[_INSTRUCTIONS])
        counted = passes.counter_pass(workload, params, environment.capture, Cancellation())
    except WorkerError as error:
        return _no_capture(Problem(str(error), error.fix))
    except Exception as error:
        fix = advice(error) or "check that this PyTorch fits the GPU and its driver"
        return _no_capture(Problem(f"PyTorch cannot launch on this GPU: {one_line(error)}", fix))
    if [kernel["values"].get(_INSTRUCTIONS, 0) > 0 for kernel in counted["kernels"]] != [True]:
        reason = "the instructions of a kernel were counted as 0, or not at all"
        return _no_capture(Problem(reason, _ALONE_WITH_THE_GPU))
    return {"available": True, "backend": counted["backend"]}


def run(environment, index):
    """The test on GPU `index`, or on the CPU where there is none."""
    torch = environment.torch
    if torch is None:
        return Outcome(_failed(environment.torch_problem.reason), _no_capture(environment.torch_problem))
    if environment.gpu_problem:
        return _on_cpu(torch, environment.gpu_problem)
    try:
        torch.cuda.set_device(index)
        workload, wanted = _workload(torch, torch.device("cuda", index))
        passed = _passed(workload, wanted)
        support, kernel_us = _record(workload, environment.capture)
    except Exception as error:
        fix = advice(error) or "check that this PyTorch fits the GPU and its driver"
        problem = Problem(f"PyTorch cannot launch on this GPU: {one_line(error)}", fix)
        return Outcome(_failed(problem.reason), _no_capture(problem), problem)
    result = {"passed": True} if passed else _failed("the kernel ran, but its output is wrong")
    if kernel_us is not None:
        result["kernel_us"] = kernel_us
    return Outcome(result, support)
