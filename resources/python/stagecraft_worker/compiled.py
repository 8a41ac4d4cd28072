# SPDX-License-Identifier: MIT
"""`pytorch-compile`: the eager functions through torch.compile."""

import types

import torch

from . import eager
from .errors import failed, one_line
from .gpuerrors import advice, memory_problem


def _fresh(function):
    """The function with code of its own: the compiler counts what it made per code, and refuses after a few dims."""
    return types.FunctionType(function.__code__.replace(), function.__globals__, function.__name__)


def compiled_calls(copies, progress):
    """The compiled function as a call without arguments for each copy, compiled by having been called on the first."""
    operation = copies.inputs.operation.id
    function = torch.compile(_fresh(eager.FUNCTIONS[operation]), fullgraph=True, dynamic=False)
    calls = eager.calls(copies, function)
    with progress.during(f"compiling {operation} with torch.compile"):
        try:
            calls[0]()
        except Exception as error:
            if memory_problem(error):
                raise
            reason = f"torch.compile cannot compile {operation}: {one_line(error)}"
            raise failed(reason, advice(error) or "use pytorch, or another version of PyTorch") from error
    return calls


def _graphs():
    """How many graphs this process has compiled, by PyTorch's own count."""
    from torch._dynamo.utils import counters

    return counters["stats"]["unique_graphs"]


def once_for_all(make, *arguments):
    """What `make` makes, which calls every copy. One that is compiled anew would be another program than the others."""
    before = _graphs()
    workload = make(*arguments)
    if _graphs() != before:
        reason = "torch.compile compiled anew for another copy of the same inputs"
        raise failed(reason, "measure with a warm cache (--cache warm), or report this with PyTorch's version")
    return workload
