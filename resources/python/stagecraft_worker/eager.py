# SPDX-License-Identifier: MIT
"""The operations as a user of PyTorch writes them: what `pytorch`, `pytorch-compile` and `pytorch-cpu` run."""

import warnings

import torch
import torch.nn.functional as functional

from .reference import EPSILON, destinations_of


def matmul(a, b):
    return torch.matmul(a, b)


def gelu(a, b):
    return functional.gelu(a + b, approximate="tanh")


def layernorm(a, b, c):
    return functional.layer_norm(a, b.shape, b, c, EPSILON)


def triangle(a, b):
    return torch.einsum("ikc,jkc->ijc", a, b)


def neighbor(a, weights, destinations, indices):
    messages = a.index_select(0, indices) * weights
    return torch.zeros_like(a).index_add_(0, destinations, messages)


FUNCTIONS = {function.__name__: function for function in (matmul, gelu, layernorm, triangle, neighbor)}

# What is worth knowing of a function beside its source.
NOTES = {
    "matmul": "torch.matmul",
    "gelu": "addition, then gelu(approximate='tanh')",
    "layernorm": "layer_norm",
    "triangle": "einsum('ikc,jkc->ijc'); its result can be a view in channel-major memory, which no copy reorders",
    "neighbor": "index_select, multiplication, zeros, index_add_; the rows are given as one destination per edge, made "
    "outside the span",
}


def arguments(inputs, device):
    """What the operation's function takes, resident on the device."""
    tensors = dict(inputs.tensors)
    if inputs.operation.id == "neighbor":
        tensors["b"] = tensors["b"].unsqueeze(1)
        tensors["rowptr"] = destinations_of(tensors["rowptr"])
    return [tensor.to(device) for tensor in tensors.values()]


def calls(copies, function):
    """The function as a call without arguments, for each copy."""
    shape = copies.inputs.operation.output_shape(*copies.inputs.dims)

    def held(resident):
        return [*resident, torch.empty(shape, device="meta")]  # the result, which each call allocates

    def bound(resident):
        return lambda: function(*resident)

    return [bound(each) for each in copies.make(lambda inputs: arguments(inputs, copies.device), held)]


def use_exact_arithmetic():
    """FP32 without TF32, and nothing recorded for gradients."""
    torch.set_grad_enabled(False)
    with warnings.catch_warnings():
        # Newer releases have other names beside these and refuse a mixture; these are the ones that all have.
        warnings.simplefilter("ignore")
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        if hasattr(torch, "set_float32_matmul_precision"):
            torch.set_float32_matmul_precision("highest")
