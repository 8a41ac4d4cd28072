# SPDX-License-Identifier: MIT
"""The result in FP64, and the comparison that gates every timing (kernels/operations/reference.h)."""

import math

import torch

RTOL = 1e-4
ATOL = 1e-4
EPSILON = 1e-5  # of layernorm

_EDGES_AT_ONCE = 1 << 20  # bounds the memory that gathered rows take


def _matmul(a, b):
    return a.double() @ b.double()


def _gelu(a, b):
    """Bias + GELU in its tanh form (Hendrycks, Gimpel: Gaussian Error Linear Units, 2016)."""
    x = a.double() + b.double()
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _layernorm(a, b, c):
    x = a.double()
    centred = x - x.mean(dim=1, keepdim=True)
    deviation = torch.sqrt((centred * centred).mean(dim=1, keepdim=True) + EPSILON)
    return centred / deviation * b.double() + c.double()


def _triangle(a, b):
    """One matrix product per channel: out_c = a_c · b_cᵀ."""
    return (a.double().permute(2, 0, 1) @ b.double().permute(2, 1, 0)).permute(1, 2, 0)


def _neighbor(a, b, rowptr, indices):
    out = torch.zeros(a.shape, dtype=torch.float64)
    destinations = destinations_of(rowptr)
    for edges in torch.arange(indices.numel()).split(_EDGES_AT_ONCE):
        rows = a[indices[edges]].double() * b[edges].double().unsqueeze(1)
        out.index_add_(0, destinations[edges], rows)
    return out


def destinations_of(rowptr):
    """The node of each edge."""
    return torch.repeat_interleave(torch.arange(rowptr.numel() - 1), rowptr[1:] - rowptr[:-1])


_REFERENCES = {
    "matmul": _matmul,
    "gelu": _gelu,
    "layernorm": _layernorm,
    "triangle": _triangle,
    "neighbor": _neighbor,
}


def reference(operation, tensors):
    """The operation evaluated in double precision from the float inputs; flat, row-major."""
    return _REFERENCES[operation.id](*tensors.values()).reshape(-1)


def _finite_or_nothing(value):
    value = float(value)
    return value if math.isfinite(value) else None


def _first_bad(bad, out, expected):
    index = int(bad.nonzero()[0])
    result = {"first_bad": index}
    value, wanted = _finite_or_nothing(out[index]), _finite_or_nothing(expected[index])
    if value is not None:
        result["first_bad_value"] = value
    if wanted is not None:
        result["first_bad_reference"] = wanted
    return result


def _relative_error(error, expected):
    """‖out − ref‖ / ‖ref‖; None where an element is not finite."""
    squared = float((error * error).sum())
    if squared == 0:
        return 0.0
    squared_reference = float((expected * expected).sum())
    return _finite_or_nothing(math.sqrt(squared / squared_reference)) if squared_reference else None


def compare(out, expected):
    """A CheckResult of two flat CPU tensors: every element must be finite, and |out − ref| ≤ atol + rtol·|ref|."""
    if out.numel() != expected.numel():
        raise ValueError(f"compared {out.numel()} elements with {expected.numel()}")
    error = (out.double() - expected).abs()
    # Written so that a NaN on either side counts as bad.
    bad = ~(error <= ATOL + RTOL * expected.abs()) | ~torch.isfinite(out)
    finite = error[torch.isfinite(error)]
    bad_elements = int(bad.sum())
    result = {
        "passed": bad_elements == 0,
        "rtol": RTOL,
        "atol": ATOL,
        "checked_elements": out.numel(),
        "bad_elements": bad_elements,
        "reference": "fp64",
    }
    if finite.numel():
        result["max_abs_error"] = float(finite.max())
    relative = _relative_error(error, expected)
    if relative is not None:
        result["rel_error"] = relative
    if bad_elements:
        result.update(_first_bad(bad, out, expected))
    return result
