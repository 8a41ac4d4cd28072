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


def compiled_call(inputs, arguments, progress):
    """The compiled function as a call without arguments, compiled by having been called."""
    operation = inputs.operation.id
    function = torch.compile(_fresh(eager.FUNCTIONS[operation]), fullgraph=True, dynamic=False)

    def call():
        return function(*arguments)

    with progress.during(f"compiling {operation} with torch.compile"):
        try:
            call()
        except Exception as error:
            if memory_problem(error):
                raise
            reason = f"torch.compile cannot compile {operation}: {one_line(error)}"
            raise failed(reason, advice(error) or "use pytorch, or another version of PyTorch") from error
    return call
