# SPDX-License-Identifier: GPL-3.0-or-later
"""What Nsight Compute prints with --csv: one kernel launch after the other, with its duration."""
import csv
import re

METRIC = "gpu__time_duration.sum"
_MICROSECONDS = {
    "ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3, "s": 1e6, "second": 1e6
}  # fmt: skip


class NcuError(Exception):
    """What ncu said instead of a table."""


def command(ncu, log_file):
    """ncu and its options, to stand before a program: one metric, so that each kernel runs once; no clock and no cache
    is touched; only what is between cuProfilerStart and cuProfilerStop counts."""
    return [
        ncu, "--profile-from-start", "off", "--target-processes", "all", "--replay-mode", "kernel",
        "--clock-control", "none", "--cache-control", "none", "--metrics", METRIC,
        "--csv", "--page", "raw", "--print-units", "base", "--log-file", str(log_file),
    ]  # fmt: skip


def _extents(text):
    """"(64, 1, 1)" as [64, 1, 1]."""
    return [int(number) for number in re.findall(r"\d+", text or "")]


def _microseconds(value, unit):
    if unit not in _MICROSECONDS:
        raise NcuError(f'{METRIC} has the unit "{unit}", which is none of time')
    return float(value.replace(",", "")) * _MICROSECONDS[unit]


def _launch(row, us):
    return {
        "kernel": row["Kernel Name"],
        "grid": _extents(row.get("Grid Size")),
        "block": _extents(row.get("Block Size")),
        "us": us,
    }


def _from_raw_page(rows):
    """A column per metric; the first row after the header holds the units."""
    unit = rows[0][METRIC]
    return [_launch(row, _microseconds(row[METRIC], unit)) for row in rows[1:]]


def _from_details_page(rows):
    """A row per metric."""
    return [
        _launch(row, _microseconds(row["Metric Value"], row["Metric Unit"]))
        for row in rows
        if row.get("Metric Name") == METRIC
    ]


def launches(text):
    """[{kernel, grid, block, us}], in the order in which they ran. Raises NcuError with ncu's words where it has none."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        said = [line for line in lines if line.startswith(("==ERROR==", "==WARNING=="))]
        raise NcuError("; ".join(said) or "ncu recorded no kernel")
    table = [line for line in lines[start:] if line.startswith('"')]
    rows = list(csv.DictReader(table))
    return _from_raw_page(rows) if rows and METRIC in rows[0] else _from_details_page(rows)
