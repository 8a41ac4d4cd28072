# SPDX-License-Identifier: MIT
"""What this Python has to measure with: PyTorch, Triton and a GPU, each there or not for a reason of its own."""

import importlib
import os
import sys
from typing import NamedTuple

from .errors import one_line
from .gpuerrors import advice


class Problem(NamedTuple):
    """Why something cannot be used, and what to do."""

    reason: str
    fix: str


def python_name():
    """The interpreter as its user would type it, without the folder it lies in."""
    return os.path.basename(sys.executable) or "python3"


def _import(module, title, package):
    """The module and why it is not there: one of them is None. A broken installation can raise anything."""
    install = f"{python_name()} -m pip install {package}"
    try:
        return importlib.import_module(module), None
    except ModuleNotFoundError as error:
        if error.name == module:
            return None, Problem(f"{title} is not installed in this Python ({python_name()})", install)
        return None, Problem(f"{title} cannot be imported: {one_line(error)}", f"{install} --force-reinstall")
    except (Exception, SystemExit) as error:
        return None, Problem(f"{title} cannot be imported: {one_line(error)}", f"{install} --force-reinstall")


# Read by NVIDIA's libraries and by PyTorch when they are loaded; a user's own values would change the arithmetic.
_SETTINGS = {
    "NVIDIA_TF32_OVERRIDE": "0",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "0",
    "CUBLAS_EMULATE_SINGLE_PRECISION": "0",
    # What torch.compile compiles here is a kernel or two: a pool of processes would outlive its use.
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
}


class Environment:
    """Imports take seconds, so there is one, made when the first request needs it."""

    def __init__(self, injection, progress):
        os.environ.update(_SETTINGS)
        self.capture = injection
        self.python = python_name()
        self.launch_problem = None  # of the GPU that was tried last: it is there, but launches nothing
        with progress.during("importing PyTorch and Triton"):
            with injection.armed():
                self.torch, self.torch_problem = _import("torch", "PyTorch", "torch")
                self.gpu_problem = self._start_gpu()
            self.triton, self.triton_problem = _import("triton", "Triton", "triton")
        if self.torch:
            from . import eager

            eager.use_exact_arithmetic()

    def _start_gpu(self):
        """Initializes CUDA while the driver can still be told of the capture library."""
        if self.torch_problem:
            return self.torch_problem
        if not self.torch.version.cuda:
            reason = f"this PyTorch ({self.torch.__version__}) is built without CUDA"
            return Problem(
                reason, f"install one with CUDA in a virtual environment: {self.python} -m pip install torch"
            )
        try:
            self.torch.cuda.init()
            if not self.torch.cuda.device_count():
                return Problem("CUDA shows no GPU", "check nvidia-smi and CUDA_VISIBLE_DEVICES")
        except Exception as error:
            fix = advice(error) or "check nvidia-smi, and that this PyTorch's CUDA fits the driver"
            return Problem(f"PyTorch (CUDA {self.torch.version.cuda}) cannot use a GPU: {one_line(error)}", fix)
        return None

    @property
    def interprets_triton(self):
        if not self.triton or not self.torch:
            return False
        from . import tritonwork

        return tritonwork.interpreted()

    @property
    def gpu_count(self):
        return 0 if self.gpu_problem else self.torch.cuda.device_count()
