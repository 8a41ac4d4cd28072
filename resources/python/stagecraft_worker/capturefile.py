# SPDX-License-Identifier: MIT
"""The file that the capture library writes (kernels/capture/capturefile.h), read as what it is: another's file."""

import json
import os

from .errors import failed, unavailable

FORMAT = 1
_RECORD_COUNTS = ("registers_per_thread", "shared_mem_bytes", "local_bytes_per_thread")
_MOST_METRICS, _MOST_KERNELS = 1000, 512  # as the library's own reader has them
_LARGEST_VALUE = 1e30
_SHAPE = ("kernel_name", "grid", "block", "registers_per_thread", "shared_mem_bytes")  # of a CountedKernel
_ALONE = "measure spans only (--no-capture), and report this with the library's version"


class _Damaged(Exception):
    pass


def _require(condition, what):
    if not condition:
        raise _Damaged(what)


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _extents(record, key, where):
    value = record.get(key)
    _require(isinstance(value, list) and len(value) == 3 and all(map(_is_count, value)), f"{where}/{key}: no extents")
    return value


def _read_record(record, where):
    _require(isinstance(record, dict), f"{where}: no object")
    name, duration, iteration = (record.get(key) for key in ("kernel_name", "duration_us", "iteration"))
    _require(isinstance(name, str), f"{where}/kernel_name: no text")
    _require(isinstance(duration, (int, float)) and not isinstance(duration, bool), f"{where}/duration_us: no number")
    _require(0 < duration < float("inf"), f"{where}/duration_us: no duration above zero")
    _require(iteration == -1 or _is_count(iteration), f"{where}/iteration: no whole number")
    result = {"kernel_name": name, "duration_us": duration, "iteration": iteration}
    for key in ("grid", "block"):
        result[key] = _extents(record, key, where)
    for key in _RECORD_COUNTS:
        value = record.get(key, 0)
        _require(_is_count(value), f"{where}/{key}: no whole number")
        if value:
            result[key] = value
    return result


def is_metric_name(name):
    return 0 < len(name) <= 200 and all("!" <= letter <= "~" and letter != "," for letter in name)


def _name(entry, where):
    _require(isinstance(entry, dict), f"{where}: no object")
    _require(isinstance(entry.get("name"), str) and is_metric_name(entry["name"]), f"{where}/name: no metric")
    return entry["name"]


def _read_metric(entry, where):
    metric = {"name": _name(entry, where)}
    unit = entry.get("unit", "")
    _require(isinstance(unit, str) and len(unit) <= 64, f"{where}/unit: no word")
    _require(unit.isascii() and unit.isprintable(), f"{where}/unit: no word")
    return {**metric, "unit": unit} if unit else metric


def _read_missing(entry, where):
    name, reason = _name(entry, where), entry.get("reason")
    _require(isinstance(reason, str) and len(reason) <= 1000, f"{where}/reason: no reason")
    return {"name": name, "reason": reason}


def _read_values(values, known, where):
    _require(isinstance(values, dict), f"{where}: no object")
    _require(known.issuperset(values), f"{where}: holds a value of no metric that is listed")
    for name, value in values.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        _require(is_number and 0 <= value <= _LARGEST_VALUE, f"{where}/{name}: no count")
    return values


def _entries(parent, key, most, where):
    values = parent.get(key)
    _require(isinstance(values, list) and len(values) <= most, f"{where}/{key}: no array of {most} at most")
    return [(value, f"{where}/{key}/{i}") for i, value in enumerate(values)]


def _read_counters(counters, where):
    _require(isinstance(counters, dict), f"{where}: no object")
    passes = counters.get("passes")
    _require(_is_count(passes) and 1 <= passes <= 10_000, f"{where}/passes: no number of passes")
    _require(counters.get("replay_mode") == "kernel", f'{where}/replay_mode: is not "kernel"')
    metrics = [_read_metric(*entry) for entry in _entries(counters, "metrics", _MOST_METRICS, where)]
    known = {metric["name"] for metric in metrics}
    _require(len(known) == len(metrics), f"{where}/metrics: one comes twice")
    kernels = _entries(counters, "kernels", _MOST_KERNELS, where)
    return {
        "replay_mode": "kernel",
        "passes": passes,
        "metrics": metrics,
        "missing": [_read_missing(*entry) for entry in _entries(counters, "missing", _MOST_METRICS, where)],
        "kernels": [_read_values(values, known, place) for values, place in kernels],
    }


def _read_bracket(bracket, where):
    _require(isinstance(bracket, dict), f"{where}: no object")
    if "unavailable" in bracket:
        refusal = bracket["unavailable"]
        _require(
            isinstance(refusal, dict) and isinstance(refusal.get("reason"), str), f"{where}/unavailable: no reason"
        )
        fix = refusal.get("fix")
        raise unavailable(refusal["reason"], fix if isinstance(fix, str) else "")
    _require(isinstance(bracket.get("backend"), str), f"{where}/backend: no text")
    if "counters" in bracket:
        return {"backend": bracket["backend"], "counters": _read_counters(bracket["counters"], f"{where}/counters")}
    _require(isinstance(bracket.get("timestamp_mode", ""), str), f"{where}/timestamp_mode: no text")
    _require(isinstance(bracket.get("records"), list), f"{where}/records: no array")
    for key in ("dropped", "invalid"):
        _require(_is_count(bracket.get(key, 0)), f"{where}/{key}: no whole number")
    return {
        "backend": bracket["backend"],
        "timestamp_mode": bracket.get("timestamp_mode", ""),
        "records": [_read_record(record, f"{where}/records/{i}") for i, record in enumerate(bracket["records"])],
        "dropped": bracket.get("dropped", 0),
        "invalid": bracket.get("invalid", 0),
    }


def parse(text):
    """The file's last bracket, its iterations as marked, and the version of CUPTI. Raises WorkerError: unavailable with
    the file's own reason, or failed where the file is damaged."""
    try:
        content = json.loads(text)
        _require(isinstance(content, dict) and content.get("format") == FORMAT, f"/format: is not {FORMAT}")
        brackets = content.get("brackets")
        _require(isinstance(brackets, list) and brackets, "/brackets: no brackets")
        _require(isinstance(content.get("cupti", ""), str), "/cupti: no text")
        return _read_bracket(brackets[-1], f"/brackets/{len(brackets) - 1}"), content.get("cupti", "")
    except (ValueError, RecursionError):
        raise failed("the capture library's file is not valid JSON", _ALONE) from None
    except _Damaged as error:
        raise failed(f"the capture library's file is damaged: {error}", _ALONE) from None


def take(path):
    """Reads and removes the file, so that the next bracket begins a new one. None where there is no file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
        os.remove(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failed(f"the capture library's file cannot be read: {error.strerror}", _ALONE) from None
    return parse(text)


def to_result(bracket, requested, cancelled):
    """A CaptureResult. Every record must belong to an iteration that was asked for."""
    if "records" not in bracket:
        raise failed("the capture library counted where it was to record", _ALONE)
    unmatched = [record for record in bracket["records"] if not 0 <= record["iteration"] < requested]
    if unmatched:
        reason = (
            f"{len(unmatched)} kernel records belong to no iteration, the first is of {unmatched[0]['kernel_name']}"
        )
        raise failed(reason, _ALONE)
    return {**bracket, "requested_iterations": requested, "cancelled": cancelled}


def to_counters(records, bracket):
    """A CountersResult: counters carry no names, so a recorded call of the same launches tells each kernel's, in their
    order."""
    if "counters" not in bracket:
        raise failed("the capture library recorded where it was to count", "build or install Stagecraft again")
    counters = bracket["counters"]
    counted = counters["kernels"]
    if len(counted) != len(records):
        reason = (
            f"the call launched {len(records)} kernels when it was recorded and {len(counted)} when they were counted"
        )
        raise failed(reason, "count a call that launches the same kernels each time")
    kernels = [
        {**{key: record[key] for key in _SHAPE if key in record}, "values": values}
        for record, values in zip(records, counted)
    ]
    return {**counters, "backend": bracket["backend"], "kernels": kernels, "cancelled": False}
