# SPDX-License-Identifier: MIT
"""The worker's implementations: what each needs, and how it is made ready."""

from dataclasses import dataclass

from .catalogue import OPERATIONS
from .environment import Problem

_OLD_TORCH = "this PyTorch ({}) has no torch.compile"
_INTERPRETED = "TRITON_INTERPRET is set, so Triton interprets its kernels on the CPU"


def _torch_and_gpu(environment):
    return environment.torch_problem or environment.gpu_problem or environment.launch_problem


def _compiler_problem(environment):
    problem = _torch_and_gpu(environment)
    if problem:
        return problem
    if not hasattr(environment.torch, "compile"):
        fix = f"{environment.python} -m pip install --upgrade torch"
        return Problem(_OLD_TORCH.format(environment.torch.__version__), fix)
    if environment.triton_problem:  # its compiler writes Triton kernels
        return environment.triton_problem
    if environment.interprets_triton:
        return Problem(_INTERPRETED, "unset TRITON_INTERPRET")
    return None


def _triton_problem(environment):
    problem = environment.torch_problem or environment.triton_problem
    if problem or environment.interprets_triton:
        return problem
    return _torch_and_gpu(environment)


def _tuning_problem(environment):
    problem = _triton_problem(environment)
    if not problem and environment.interprets_triton:
        return Problem(_INTERPRETED + ", where there are no times to tune by", "unset TRITON_INTERPRET")
    return problem


def _prepare_eager(copies, progress):
    import torch

    from . import eager
    from .workload import poison_results

    operation, device = copies.inputs.operation.id, copies.device
    threads = torch.get_num_threads()
    on_cpu = "1 thread on the CPU" if threads == 1 else f"{threads} threads on the CPU"
    where = f"CUDA {torch.version.cuda}" if device.type == "cuda" else on_cpu
    note = f"PyTorch {torch.__version__}, {where}, FP32 without TF32: {eager.NOTES[operation]}"
    calls = eager.calls(copies, eager.FUNCTIONS[operation])
    return copies.workload(calls, [poison_results(call) for call in calls], note)


def _prepare_compiled(copies, progress):
    import torch

    from . import compiled
    from .workload import poison_results

    calls = compiled.compiled_calls(copies, progress)
    note = (
        f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, FP32 without TF32: "
        "torch.compile(fullgraph=True, dynamic=False); compilation outside the spans"
    )
    return compiled.once_for_all(copies.workload, calls, [poison_results(call) for call in calls], note)


def _prepare_triton(copies, progress):
    from . import tritonwork

    return tritonwork.prepare_fixed(copies, progress)


def _prepare_tuned(copies, progress):
    from . import tritonwork

    return tritonwork.prepare_tuned(copies, progress)


@dataclass(frozen=True)
class Implementation:
    id: str
    note: str
    problem: object  # environment → why it cannot be used, or None
    prepare: object  # copies, progress → Workload or Rotation
    on_gpu: bool = True
    is_triton: bool = False

    def runs_on_gpu(self, environment):
        return self.on_gpu and not (self.is_triton and environment.interprets_triton)

    def describe(self, environment):
        problem = self.problem(environment)
        described = {
            "id": self.id,
            "operations": list(OPERATIONS),
            "available": problem is None,
            "arithmetic": "fp32",
            "timing_source": "event" if self.runs_on_gpu(environment) else "host",
            "note": self.note,
        }
        if problem:
            described.update(reason=problem.reason, fix=problem.fix)
        elif self.is_triton and environment.interprets_triton:
            described["note"] += "; " + _INTERPRETED + ": for tests of results, its times say nothing"
        return described


IMPLEMENTATIONS = {
    implementation.id: implementation
    for implementation in (
        Implementation("pytorch", "eager, FP32 without TF32", _torch_and_gpu, _prepare_eager),
        Implementation("pytorch-compile", "torch.compile, compiled in advance", _compiler_problem, _prepare_compiled),
        Implementation(
            "pytorch-cpu",
            "eager, on the CPU",
            lambda environment: environment.torch_problem,
            _prepare_eager,
            on_gpu=False,
        ),
        Implementation("triton", "fixed tiles, IEEE FP32", _triton_problem, _prepare_triton, is_triton=True),
        Implementation("triton-tuned", "tiles by triton.autotune", _tuning_problem, _prepare_tuned, is_triton=True),
    )
}
