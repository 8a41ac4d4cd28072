# SPDX-License-Identifier: GPL-3.0-or-later
"""Further instruments for kernels on which the capture library and ncu do not agree.

What they can decide. ncu stops the GPU before and after each launch that it profiles. `sparse` profiles one launch in
ten, so that the launches before it run as they do without ncu; `flushed` empties the caches before each, which shows how
much their state matters; `application` replays the program and not the kernel; `cycles` divides the SMs' cycles by their
rate, a clock other than the one of the duration. `serialized` is the capture library with CUPTI's other kind of records,
which holds the kernels of a process apart. `globaltimer` uses no instrument of the driver's: a copy of the stage
keeps the time itself (timed_stage.py), for stages of one launch.
"""
import pathlib
import statistics

import ncu_output
import ncu_table
import timed_stage
from pipeworker import PipeWorker
from timed_stage import NotTimed

GLOBALTIMER = "globaltimer"
SERIALIZED = "serialized"
CYCLES = "cycles"
SPARSE = "sparse"
_EVERY = 10  # of sparse
NCU_SETTINGS = {
    CYCLES: {"metrics": (ncu_output.METRIC, ncu_output.CYCLES, ncu_output.RATE)},
    SPARSE: {"kernel_id": ":::.*0"},  # any kernel, where the number of its invocation ends so
    "application": {"replay_mode": "application"},
    "flushed": {"cache_control": "all"},
}
INSTRUMENTS = (SERIALIZED, GLOBALTIMER, *NCU_SETTINGS)
_EMPTY_DIMS = [1, timed_stage.KEPT]  # still one block, and room for the times


def every(instrument):
    """How many calls there are for one that is profiled."""
    return _EVERY if instrument == SPARSE else 1


def _source(entry, prefix):
    if "source" in entry.prepare:
        return entry.prepare["source"]
    if not entry.stage:
        raise NotTimed("it is no stage of this project")
    return (pathlib.Path(prefix) / "share/stagecraft/stages" / (entry.stage + ".cu")).read_text()


def by_globaltimer(entry, command, bench):
    """µs of the last calls of the instrumented copy. Raises NotTimed, Refused, Gone or OSError."""
    operation = entry.prepare["operation"]
    source = timed_stage.instrumented(_source(entry, bench.prefix), operation)
    asked = {**entry.prepare, "stage": entry.stage or entry.prepare["stage"], "source": source}
    if asked["dims"] == [1, 1]:
        asked["dims"] = _EMPTY_DIMS
    file = bench.scratch / "timed.bin"
    worker = PipeWorker(command, bench.plain_environment(), bench.log)

    def call(method, params):
        return worker.call(method, params, bench.clock.grant(bench.seconds_per_call))

    try:
        handle = {"handle": call("prepare", asked)["handle"]}
        call("measure", {**handle, "warmup": bench.warmup, "iterations": max(bench.iterations, timed_stage.KEPT)})
        call("check", {**handle, "output": str(file)})  # not passed, as the times stand in the result
        return [{"us": us} for us in timed_stage.times(file)]
    finally:
        worker.end()


def _of_kernel(records, launch, skipped):
    """Those of one launch, by name and shape."""
    def identity(one):
        return ncu_table.base_name(one["kernel"]), one["grid"], one["block"]

    return [one for one in records if identity(one) == identity(launch)][skipped:]


def _values(instrument, records, launch, skipped):
    """Raises NotTimed."""
    if isinstance(records, str):
        raise NotTimed(records)
    if instrument == GLOBALTIMER:
        return [one["us"] for one in records]
    if instrument == SERIALIZED:
        skipped = 0  # it is ncu whose first launches do not count
    found = _of_kernel(records, launch, skipped)
    if not found:
        raise NotTimed(f"it recorded {len(records)} kernels, none of them this one after the first {skipped}")
    return [one["cycles_us" if instrument == CYCLES else "us"] for one in found]


def judged(third, launch, empty_third, empty, skipped):
    """By instrument its median, net of its own empty kernel, and from how many launches; or the problem."""
    result = {}
    for instrument, records in third.items():
        try:
            values = _values(instrument, records, launch, skipped)
            base = _values(instrument, empty_third.get(instrument, "it has no empty kernel to take off"), empty, skipped)
        except NotTimed as error:
            result[instrument] = {"problem": str(error)}
            continue
        us = statistics.median(values)
        result[instrument] = {"us": us, "net_us": us - statistics.median(base), "count": len(values)}
    return result
