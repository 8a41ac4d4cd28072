# SPDX-License-Identifier: MIT
"""The inputs and the FP64 result of one (operation, dims, seed): from a directory, or made here."""

import json
import math
import os
from dataclasses import dataclass

import torch

from . import generator, hostmemory, reference
from .catalogue import OPERATIONS, dims_problem, dims_text, require_dims, require_operation
from .errors import invalid

_MANIFEST = "input.json"
_HASHES = "inputs.sha256.json"
_REFERENCE = "reference.f64.bin"


class InputError(Exception):
    """What is wrong with an input directory: the file and the cause."""

    def __init__(self, file, cause):
        super().__init__(f"{file}: {cause}")


@dataclass
class Inputs:
    operation: object
    dims: list
    tensors: dict  # by buffer name, on the CPU, in the buffer's shape; indices as int64
    reference: torch.Tensor  # FP64, flat


def _read_bytes(directory, file, expected=None):
    try:
        with open(os.path.join(directory, file), "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if expected is not None and size != expected:
                raise InputError(file, f"has {size} bytes, its dims need {expected}")
            data = bytearray(size)
            if stream.readinto(data) != size:
                raise InputError(file, "ends before its length")
            return data
    except OSError as error:
        raise InputError(file, f"cannot be read: {error.strerror}") from None


def _read_json(directory, file):
    try:
        return json.loads(_read_bytes(directory, file).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(file, f"is not valid JSON: {error}") from None


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _read_manifest(directory):
    manifest = _read_json(directory, _MANIFEST)
    if not isinstance(manifest, dict) or not isinstance(manifest.get("op"), str):
        raise InputError(_MANIFEST, "/op: expected the operation's name")
    if manifest["op"] not in OPERATIONS:
        raise InputError(_MANIFEST, f'/op: no operation is named "{manifest["op"]}"')
    dims = manifest.get("dims")
    if not isinstance(dims, list) or not all(map(_is_count, dims)):
        raise InputError(_MANIFEST, "/dims: expected an array of whole numbers")
    problem = dims_problem(OPERATIONS[manifest["op"]], dims)
    if problem:
        raise InputError(_MANIFEST, "/dims: " + problem)
    return manifest["op"], dims


def _require_finite(buffer, values):
    finite = torch.isfinite(values)
    if not finite.all():
        raise InputError(buffer.file, f"element {int((~finite).nonzero()[0])} is not finite")


def _read_buffers(directory, operation, dims):
    buffers = {}
    for buffer in operation.buffers(*dims):
        data = _read_bytes(directory, buffer.file, 4 * buffer.elements)
        values = hostmemory.from_bytes(data, torch.int32 if buffer.is_index else torch.float32)
        if not buffer.is_index:
            _require_finite(buffer, values)
        buffers[buffer.name] = values
    return buffers


def _check_graph(buffers, nodes):
    """Rows ascend from 0 to the number of edges, and every index is of a node."""
    rowptr, indices = hostmemory.widened(buffers["rowptr"]), hostmemory.widened(buffers["indices"])
    if rowptr[0] != 0:
        raise InputError("rowptr.bin", f"element 0 is {int(rowptr[0])}, not 0")
    falls = rowptr[1:] < rowptr[:-1]
    if falls.any():
        raise InputError("rowptr.bin", f"element {int(falls.nonzero()[0]) + 1} is below the one before it")
    if rowptr[-1] != indices.numel():
        raise InputError("rowptr.bin", f"ends with {int(rowptr[-1])}, but there are {indices.numel()} edges")
    outside = indices >= nodes
    if outside.any():
        first = int(outside.nonzero()[0])
        raise InputError("indices.bin", f"element {first} is {int(indices[first])}, but there are {nodes} nodes")


def _check_recorded_hashes(directory, found):
    if not os.path.exists(os.path.join(directory, _HASHES)):
        return
    content = _read_json(directory, _HASHES)
    if not isinstance(content, dict) or not isinstance(content.get("sha256"), dict):
        raise InputError(_HASHES, "/sha256: expected an object of file names and hashes")
    for file, value in found.items():
        recorded = content["sha256"].get(file)
        if not isinstance(recorded, str):
            raise InputError(_HASHES, f"/sha256/{file}: is missing")
        if recorded != value:
            raise InputError(file, f"has SHA-256 {value}, but {_HASHES} records {recorded}")


def _hashes(buffers):
    return {name + ".bin": hostmemory.sha256(values) for name, values in buffers.items()}


def _check_asked_hashes(params, found):
    for file, wanted in params.sha256.items():
        if file not in found:
            raise invalid(f"sha256/{file}: {params.operation} has no such input", "name its inputs only")
        if found[file] != wanted:
            reason = f"{file} has SHA-256 {found[file]} here, but {wanted} was asked for"
            raise invalid(reason, "use the same release of every worker, and the seed that the hashes were made with")


def _shaped(operation, dims, buffers):
    tensors = {}
    for buffer in operation.buffers(*dims):
        values = buffers[buffer.name]
        tensors[buffer.name] = (hostmemory.widened(values) if buffer.is_index else values).view(buffer.shape)
    return tensors


def _reference_of(directory, operation, dims, tensors):
    """The directory's own, which it need not have."""
    if not os.path.exists(os.path.join(directory, _REFERENCE)):
        return reference.reference(operation, tensors)
    data = _read_bytes(directory, _REFERENCE, 8 * math.prod(operation.output_shape(*dims)))
    return hostmemory.from_bytes(data, torch.float64)


def _read(params, operation):
    found_operation, dims = _read_manifest(params.directory)
    if found_operation != params.operation or dims != params.dims:
        found, asked = f"{found_operation} {dims_text(dims)}", f"{params.operation} {dims_text(params.dims)}"
        raise InputError(_MANIFEST, f"is of {found}, not of {asked}")
    buffers = _read_buffers(params.directory, operation, dims)
    if operation.id == "neighbor":
        _check_graph(buffers, dims[0])
    found = _hashes(buffers)
    _check_recorded_hashes(params.directory, found)
    _check_asked_hashes(params, found)
    tensors = _shaped(operation, dims, buffers)
    return Inputs(operation, dims, tensors, _reference_of(params.directory, operation, dims, tensors))


def _make(params, operation):
    buffers = generator.generate(operation, params.dims, params.seed)
    _check_asked_hashes(params, _hashes(buffers))
    tensors = _shaped(operation, params.dims, buffers)
    return Inputs(operation, params.dims, tensors, reference.reference(operation, tensors))


def prepare_inputs(params):
    """What a prepare request asks for. Raises WorkerError (invalid) where it cannot be had or is damaged."""
    operation = require_operation(params.operation)
    require_dims(operation, params.dims)
    if not params.directory:
        return _make(params, operation)
    try:
        return _read(params, operation)
    except InputError as error:
        reason = f"the input directory cannot be used: {error}"
        fix = "correct the file that is named, or have the directory written again by whoever made it"
        raise invalid(reason, fix) from None
