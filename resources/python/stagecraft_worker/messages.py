# SPDX-License-Identifier: MIT
"""The parameters of each request, checked (kernels/protocol/messages.h, messagefields.h)."""

from dataclasses import dataclass, field

from .envelope import type_name
from .errors import INVALID_PARAMS, ProtocolError

INT32_MAX = (1 << 31) - 1
INT64_MAX = (1 << 63) - 1
UINT64_MAX = (1 << 64) - 1

_REQUIRED = object()


def _wrong_type(key, expected, value):
    raise ProtocolError(INVALID_PARAMS, key, f"expected {expected}, found {type_name(value)}")


def _count(key, value, maximum):
    """Every integer of the vocabulary counts or numbers something, so none is negative."""
    if not isinstance(value, int) or isinstance(value, bool):
        _wrong_type(key, "a whole number", value)
    if value < 0:
        raise ProtocolError(INVALID_PARAMS, key, f"is negative: {value}")
    if value > maximum:
        raise ProtocolError(INVALID_PARAMS, key, f"is above {maximum}: {value}")
    return value


def _text(key, value):
    if not isinstance(value, str):
        _wrong_type(key, "a string", value)
    return value


class _Reader:
    def __init__(self, params):
        self._params = params

    def _value(self, key, default):
        if key in self._params:
            return self._params[key]
        if default is _REQUIRED:
            raise ProtocolError(INVALID_PARAMS, key, "is missing")
        return default

    def text(self, key, default=_REQUIRED):
        return _text(key, self._value(key, default))

    def count(self, key, default=_REQUIRED, maximum=INT32_MAX):
        return _count(key, self._value(key, default), maximum)

    def flag(self, key, default):
        value = self._value(key, default)
        if not isinstance(value, bool):
            _wrong_type(key, "a boolean", value)
        return value

    def counts(self, key):
        values = self._value(key, _REQUIRED)
        if not isinstance(values, list):
            _wrong_type(key, "an array", values)
        return [_count(f"{key}/{i}", value, INT64_MAX) for i, value in enumerate(values)]

    def names(self, key):
        values = self._value(key, [])
        if not isinstance(values, list):
            _wrong_type(key, "an array", values)
        return [_text(f"{key}/{i}", value) for i, value in enumerate(values)]

    def texts(self, key):
        values = self._value(key, {})
        if not isinstance(values, dict):
            _wrong_type(key, "an object", values)
        return {name: _text(f"{key}/{name}", value) for name, value in values.items()}


@dataclass
class DescribeParams:
    device: int = 0
    leave_profiler: bool = False  # it is another program's
    counters: bool = False  # whether hardware counters are to be had is asked, too


@dataclass
class PrepareParams:
    operation: str
    dims: list
    seed: int
    implementation: str
    sha256: dict = field(default_factory=dict)
    directory: str = ""
    stage: str = ""
    device: int = 0
    cache: str = ""  # "cold", or "warm", which empty means too
    arithmetic: str = ""  # "fp32", or "any", which empty means too


@dataclass
class CheckParams:
    handle: int
    round: int = 0
    output: str = ""


@dataclass
class MeasureParams:
    handle: int
    warmup: int
    iterations: int
    round: int = 0
    bracket: bool = False


@dataclass
class CaptureParams:
    handle: int
    warmup: int
    iterations: int
    round: int = 0


@dataclass
class CountersParams:
    handle: int
    warmup: int
    metrics: list = field(default_factory=list)  # empty: the capture library's own set


def read_describe(params):
    read = _Reader(params)
    return DescribeParams(
        device=read.count("device", 0),
        leave_profiler=read.flag("leave_profiler", False),
        counters=read.flag("counters", False),
    )


def read_prepare(params):
    read = _Reader(params)
    read.text("source", "")  # of a stage, which this worker has none of; its type is checked all the same
    return PrepareParams(
        operation=read.text("operation"),
        dims=read.counts("dims"),
        seed=read.count("seed", maximum=UINT64_MAX),
        implementation=read.text("implementation"),
        sha256=read.texts("sha256"),
        directory=read.text("directory", ""),
        stage=read.text("stage", ""),
        device=read.count("device", 0),
        cache=read.text("cache", ""),
        arithmetic=read.text("arithmetic", ""),
    )


def read_handle(params):
    return _Reader(params).count("handle", maximum=INT64_MAX)


def read_check(params):
    read = _Reader(params)
    return CheckParams(read_handle(params), read.count("round", 0), read.text("output", ""))


def _iterations(read):
    iterations = read.count("iterations")
    if iterations < 1:
        raise ProtocolError(INVALID_PARAMS, "iterations", "is 0, the smallest is 1")
    return iterations


def read_measure(params):
    read = _Reader(params)
    return MeasureParams(
        read_handle(params),
        read.count("warmup"),
        _iterations(read),
        read.count("round", 0),
        read.flag("bracket", False),
    )


def read_capture(params):
    read = _Reader(params)
    return CaptureParams(read_handle(params), read.count("warmup"), _iterations(read), read.count("round", 0))


def read_counters(params):
    read = _Reader(params)
    return CountersParams(read_handle(params), read.count("warmup"), read.names("metrics"))
