# SPDX-License-Identifier: MIT
"""The five operations, their dimensions and their buffers (kernels/operations/catalogue.h)."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from .errors import invalid

_MAXIMUM_ELEMENTS = ((1 << 63) - 1) // 8
_MAXIMUM_INDEX = (1 << 32) - 1


class Buffer(NamedTuple):
    """One input array, as kernels take it and as the input directory stores it (little-endian, row-major)."""

    name: str
    shape: tuple
    is_index: bool = False  # uint32, else float32

    @property
    def elements(self):
        return math.prod(self.shape)

    @property
    def file(self):
        return self.name + ".bin"


@dataclass(frozen=True)
class Operation:
    id: str
    dim_names: tuple
    default_dims: tuple
    minimum_dims: tuple
    buffers: object  # dims → the input buffers, in the order of a kernel's parameters
    output_shape: object  # dims → the result's shape


def _matmul(m, n, k):
    return [Buffer("a", (m, k)), Buffer("b", (k, n))]


def _gelu(rows, width):
    return [Buffer("a", (rows, width)), Buffer("b", (width,))]


def _layernorm(rows, width):
    return [Buffer("a", (rows, width)), Buffer("b", (width,)), Buffer("c", (width,))]


def _triangle(n, channels):
    return [Buffer("a", (n, n, channels)), Buffer("b", (n, n, channels))]


def _neighbor(nodes, width, edges):
    return [
        Buffer("a", (nodes, width)),
        Buffer("b", (edges,)),
        Buffer("rowptr", (nodes + 1,), is_index=True),
        Buffer("indices", (edges,), is_index=True),
    ]


OPERATIONS = {
    operation.id: operation
    for operation in (
        Operation("matmul", ("m", "n", "k"), (1024, 1024, 1024), (1, 1, 1), _matmul, lambda m, n, k: (m, n)),
        Operation("gelu", ("rows", "width"), (4096, 768), (1, 1), _gelu, lambda rows, width: (rows, width)),
        Operation("layernorm", ("rows", "width"), (4096, 768), (1, 1), _layernorm, lambda rows, width: (rows, width)),
        Operation("triangle", ("n", "channels"), (128, 32), (1, 1), _triangle, lambda n, channels: (n, n, channels)),
        Operation(
            "neighbor",
            ("nodes", "width", "edges"),
            (4096, 64, 65536),
            (1, 1, 0),
            _neighbor,
            lambda nodes, width, edges: (nodes, width),
        ),
    )
}


def dims_text(dims):
    return "x".join(map(str, dims))


def require_operation(name):
    if name not in OPERATIONS:
        raise invalid(f'no operation is named "{name}"', "use matmul, gelu, layernorm, triangle or neighbor")
    return OPERATIONS[name]


def dims_problem(operation, dims):
    """Why these dims cannot be used, as a sentence that names the dimension; None if they can."""
    if len(dims) != len(operation.dim_names):
        names = ", ".join(operation.dim_names)
        return f"{operation.id}: takes {len(operation.dim_names)} dimensions ({names}), not {len(dims)}"
    for name, extent, smallest in zip(operation.dim_names, dims, operation.minimum_dims):
        if extent < smallest:
            return f"{operation.id}: {name} is {extent}, the smallest is {smallest}"
    if operation.id == "neighbor":
        for name, extent in (("nodes", dims[0]), ("edges", dims[2])):
            if extent > _MAXIMUM_INDEX:
                limit = f"more than 32-bit indices can number ({_MAXIMUM_INDEX})"
                return f"{operation.id}: {name} is {extent}, {limit}"
    for buffer in [*operation.buffers(*dims), Buffer("out", operation.output_shape(*dims))]:
        if buffer.elements > _MAXIMUM_ELEMENTS:
            limit = f"larger than one buffer can be, {_MAXIMUM_ELEMENTS} elements"
            return f"{operation.id}: buffer {buffer.name} ({dims_text(buffer.shape)}) is {limit}"
    return None


def require_dims(operation, dims):
    problem = dims_problem(operation, dims)
    if problem:
        raise invalid(problem, "the defaults are " + dims_text(operation.default_dims))
