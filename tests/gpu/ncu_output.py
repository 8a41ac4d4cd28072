# SPDX-License-Identifier: GPL-3.0-or-later
"""What Nsight Compute prints with --csv: one kernel launch after the other, with its duration."""
import csv
import re

METRIC = "gpu__time_duration.sum"
CYCLES = "sm__cycles_elapsed.max"
RATE = "smsp__cycles_elapsed.avg.per_second"
_MICROSECONDS = {
    "ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3, "s": 1e6, "second": 1e6
}  # fmt: skip

_PER_SECOND = {
    "hz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9, "cycle/second": 1.0, "cycle/msecond": 1e3, "cycle/usecond": 1e6,
    "cycle/nsecond": 1e9, "cycle/s": 1.0, "cycle/ms": 1e3, "cycle/us": 1e6, "cycle/ns": 1e9,
}  # fmt: skip


class NcuError(Exception):
    """What ncu said instead of a table."""


def command(ncu, log_file, metrics=(METRIC,), **changed):
    """ncu and its options, to stand before a program: one metric, so that each kernel runs once; no clock and no cache
    is touched; only what is between cuProfilerStart and cuProfilerStop counts. `changed`: other values of these
    options, or further ones, by their names."""
    options = {
        "profile_from_start": "off", "target_processes": "all", "replay_mode": "kernel", "clock_control": "none",
        "cache_control": "none", "metrics": ",".join(metrics), **changed, "page": "raw", "print_units": "base",
        "log_file": str(log_file),
    }  # fmt: skip
    words = (word for name, value in options.items() for word in ("--" + name.replace("_", "-"), value))
    return [ncu, "--csv", *words]


def _extents(text):
    """"(64, 1, 1)" as [64, 1, 1]."""
    return [int(number) for number in re.findall(r"\d+", text or "")]


def _microseconds(value, unit):
    if unit not in _MICROSECONDS:
        raise NcuError(f'{METRIC} has the unit "{unit}", which is none of time')
    return float(value.replace(",", "")) * _MICROSECONDS[unit]


def _microseconds_of_cycles(cycles, rate, unit):
    if unit.lower() not in _PER_SECOND:
        raise NcuError(f'{RATE} has the unit "{unit}", which is no rate')
    return 1e6 * float(cycles.replace(",", "")) / (float(rate.replace(",", "")) * _PER_SECOND[unit.lower()])


def _launch(row, us):
    return {
        "kernel": row["Kernel Name"],
        "grid": _extents(row.get("Grid Size")),
        "block": _extents(row.get("Block Size")),
        "us": us,
    }


def _from_raw_page(rows):
    """A column per metric; the first row after the header holds the units."""
    units = rows[0]
    found = []
    for row in rows[1:]:
        launch = _launch(row, _microseconds(row[METRIC], units[METRIC]))
        if RATE in units:
            launch["cycles_us"] = _microseconds_of_cycles(row[CYCLES], row[RATE], units[RATE])
        found.append(launch)
    return found


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
