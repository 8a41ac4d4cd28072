# SPDX-License-Identifier: MIT
"""`triton` and `triton-tuned`: the kernels of tritonkernels.py with their arguments and grids."""

import math
import os
from typing import NamedTuple

import torch
import triton

from . import tiles, tritonkernels
from .workload import poison_output

# Below this, 32 bits hold the offset of every element, and every index that a mask compares, also where a tile reaches
# beyond the end. The offsets of what a mask leaves out may wrap around: nothing is read or written there.
_NARROW = (1 << 31) - (1 << 16)


def interpreted():
    """Whether Triton interprets its kernels on the CPU, as its own variable asks for."""
    return os.environ.get("TRITON_INTERPRET", "").lower() in ("1", "true", "yes", "on", "y")


class Launch(NamedTuple):
    kernel: object
    arguments: tuple  # tensors and dims, without the sizes of tiles
    dims: tuple  # the names of the kernel's dims, which tuning depends on
    grid: object  # sizes by name → the grid
    output: torch.Tensor


def _extents(inputs):
    buffers = [buffer.elements for buffer in inputs.operation.buffers(*inputs.dims)]
    return [*buffers, math.prod(inputs.operation.output_shape(*inputs.dims))]


def is_wide(inputs):
    return max(_extents(inputs)) >= _NARROW


def _matmul(output, tensors, m, n, k):
    grid = lambda sizes: (triton.cdiv(m, sizes["BLOCK_M"]) * triton.cdiv(n, sizes["BLOCK_N"]),)  # noqa: E731
    return Launch(tritonkernels.matmul, (*tensors, output, m, n, k), ("m", "n", "k"), grid, output)


def _gelu(output, tensors, rows, width):
    elements = rows * width
    grid = lambda sizes: (triton.cdiv(elements, sizes["BLOCK"]),)  # noqa: E731
    return Launch(tritonkernels.gelu, (*tensors, output, elements, width), ("elements", "width"), grid, output)


def _layernorm(output, tensors, rows, width):
    return Launch(tritonkernels.layernorm, (*tensors, output, width), ("width",), lambda sizes: (rows,), output)


def _triangle(output, tensors, n, channels):
    def grid(sizes):
        return (triton.cdiv(n, sizes["BLOCK_I"]) * triton.cdiv(n, sizes["BLOCK_J"]) * channels,)

    return Launch(tritonkernels.triangle, (*tensors, output, n, channels), ("n", "channels"), grid, output)


def _neighbor(output, tensors, nodes, width, edges):
    grid = lambda sizes: (nodes * triton.cdiv(width, sizes["FEATURES"]),)  # noqa: E731
    a, weights, rowptr, indices = tensors
    # As narrow as the values allow: half the bytes to read.
    rowptr = rowptr.to(torch.int32) if edges < _NARROW else rowptr
    indices = indices.to(torch.int32) if nodes < _NARROW else indices
    return Launch(tritonkernels.neighbor, (a, weights, rowptr, indices, output, width), ("width",), grid, output)


_LAUNCHES = {"matmul": _matmul, "gelu": _gelu, "layernorm": _layernorm, "triangle": _triangle, "neighbor": _neighbor}


def launch_of(inputs, device):
    output = torch.empty(inputs.operation.output_shape(*inputs.dims), dtype=torch.float32, device=device)
    tensors = [tensor.to(device) for tensor in inputs.tensors.values()]
    return _LAUNCHES[inputs.operation.id](output, tensors, *inputs.dims)


def _constants(chosen, wide):
    options = {"num_warps": chosen.warps}
    if chosen.stages is not None:
        options["num_stages"] = chosen.stages
    return {**chosen.sizes, "WIDE": wide, **options}


def call_with(launch, chosen, wide):
    """A function without arguments that launches the kernel with these sizes and returns the result."""
    start = launch.kernel[launch.grid(chosen.sizes)]
    arguments, constants, output = launch.arguments, _constants(chosen, wide), launch.output

    def call():
        start(*arguments, **constants)
        return output

    return call


def _versions():
    where = (
        "in Triton's interpreter on the CPU: its times say nothing" if interpreted() else f"CUDA {torch.version.cuda}"
    )
    return f"Triton {triton.__version__}, PyTorch {torch.__version__}, {where}"


_OUTSIDE = "one launch into a resident result; compilation{} outside the spans"


def _launches(copies):
    def held(launch):
        return filter(torch.is_tensor, launch.arguments)  # the result among them

    return copies.make(lambda inputs: launch_of(inputs, copies.device), held)


def _workload(copies, launches, calls, how, outside, of_copies=""):
    note = f"{_versions()}; {how}, IEEE FP32; {_OUTSIDE.format(outside)}"
    return copies.workload(calls, [poison_output(launch.output) for launch in launches], note, of_copies)


def prepare_fixed(copies, progress):
    name, wide = copies.inputs.operation.id, is_wide(copies.inputs)
    chosen, launches = tiles.FIXED[name], _launches(copies)
    calls = [call_with(launch, chosen, wide) for launch in launches]
    with progress.during(f"compiling {name} with Triton ({chosen.text()})"):
        calls[0]()
    return _workload(copies, launches, calls, chosen.text(), "")


def prepare_tuned(copies, progress):
    from . import tuning

    launches = _launches(copies)
    calls, report = tuning.tune(launches, copies.inputs.operation.id, is_wide(copies.inputs), progress)
    of_copies = "; tuned once, on one copy, for which the tuner empties the cache between calls"
    return _workload(copies, launches, calls, report, " and tuning", of_copies)
