#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do our hardware counters agree with those of Nsight Compute (ncu)?

Each chosen stage is counted by the CUDA worker, and then profiled by ncu around a worker with the same metrics, kernel
replay and untouched clocks and caches. A metric agrees on a kernel where both values are within 2 %; instructions and
operations that do not depend on the moment must be equal. Writes counter-agreement.md and counter-agreement.json.

Exit status: 0 every chosen stage was compared, at least 12 metrics agree on all of them, and all exact ones do; 1
otherwise; 77 no GPU here.
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import sys
import tempfile

import ncu_output
from ncu_agreement import NO_GPU, describe, ncu_version
from ncu_passes import DIMS, SEED
from pipeworker import Gone, PipeWorker, Refused

STAGES = (
    "matmul/tiled", "matmul/registers", "matmul/k64", "matmul/warp-tile", "matmul/split-tf32-wgmma",
    "gelu/resident", "layernorm/block-per-row", "layernorm/warp-per-row", "layernorm/two-warps-per-row",
    "layernorm/resident-rows", "triangle/multicast-pair", "neighbor/long-rows",
)  # fmt: skip
WITHIN = 0.02
ENOUGH = 12
WARMUP = 5
SECONDS = 120


def is_exact(metric):
    """What a kernel executes is the same each time; cycles, cache traffic and bank conflicts are not."""
    return metric.endswith(".sum") and any(word in metric for word in ("inst_executed", "warps_launched", "ops_path"))


class NothingCounted(Exception):
    pass


def prepared(worker, stage):
    operation = stage.split("/")[0]
    params = {"operation": operation, "dims": DIMS[operation], "seed": SEED, "implementation": "cuda", "stage": stage}
    return {"handle": worker.call("prepare", params, SECONDS)["handle"]}


def counted(command, stages, log):
    """By stage the CountersResult, or the problem as a text."""
    found = {}
    worker = PipeWorker(command, dict(os.environ), log)
    try:
        for stage in stages:
            try:
                handle = prepared(worker, stage)
                if not worker.call("check", handle, SECONDS).get("passed"):
                    raise NothingCounted("its result is wrong")
                found[stage] = worker.call("counters", {**handle, "warmup": WARMUP}, SECONDS)
                worker.call("release", handle, SECONDS)
            except (Refused, NothingCounted) as error:
                found[stage] = str(error)
    finally:
        worker.end()
    return found


def rows_of(text):
    """ncu's raw page: a list of {metric: value} in base units."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    if not lines:
        raise NothingCounted("; ".join(line for line in text.splitlines() if "==ERROR==" in line) or "ncu wrote no table")
    rows = list(csv.DictReader(lines))
    return rows[1:]  # the first holds the units


def number(text):
    try:
        return float(text.replace(",", ""))
    except (AttributeError, ValueError):
        return None


def profiled(arguments, command, stages, metrics, log):
    """By stage {metric: number} as ncu has it: one launch of each, in order."""
    file = arguments.output / "counter-agreement-ncu.csv"
    file.unlink(missing_ok=True)
    ncu = ncu_output.command(arguments.ncu, file, metrics)
    environment = {**os.environ, "STAGECRAFT_CAPTURE": "off"}
    worker = PipeWorker([*ncu, *command], environment, log)
    try:
        for stage in stages:
            handle = prepared(worker, stage)
            worker.call("measure", {**handle, "warmup": WARMUP, "iterations": 1, "bracket": True}, SECONDS)
            worker.call("release", handle, SECONDS)
    finally:
        worker.end()
    rows = rows_of(file.read_text(errors="replace"))
    if len(rows) != len(stages):
        raise NothingCounted(f"ncu profiled {len(rows)} kernels of {len(stages)} calls")
    return {stage: {name: number(row.get(name)) for name in metrics} for stage, row in zip(stages, rows)}


def deviation(ours, theirs):
    """Relative; 0 where both are 0. None where one of them has no number."""
    if ours is None or theirs is None:
        return None
    return 0.0 if ours == theirs else abs(ours - theirs) / max(abs(ours), abs(theirs))


def compared(metrics, ours, theirs):
    """By metric {stage: {ours, ncu, deviation}}."""
    table = {}
    for metric in metrics:
        table[metric] = {}
        for stage in theirs:
            values = ours[stage]["kernels"][0]["values"].get(metric), theirs[stage].get(metric)
            table[metric][stage] = {"ours": values[0], "ncu": values[1], "deviation": deviation(*values)}
    return table


def verdict(metric, kernels):
    bound = 0.0 if is_exact(metric) else WITHIN
    return all(one["deviation"] is not None and one["deviation"] <= bound for one in kernels.values())


def markdown(table, described):
    agreeing = [metric for metric in table if verdict(metric, table[metric])]
    lines = [
        f"Hardware counters of this project's worker and of Nsight Compute on {described['gpu']}, {described['ncu']}",
        f"{len(agreeing)} of {len(table)} metrics agree on every kernel: those that are exact are equal, the others within "
        f"{WITHIN:.0%}.", "", "| metric | agrees | kernels within | largest deviation | on |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for metric, kernels in table.items():
        bound = 0.0 if is_exact(metric) else WITHIN
        known = {stage: one for stage, one in kernels.items() if one["deviation"] is not None}
        within = sum(one["deviation"] <= bound for one in known.values())
        worst = max(known, key=lambda stage: known[stage]["deviation"], default=None)
        told = f"{known[worst]['deviation']:.3%} | {worst}" if worst else "no numbers | –"
        kind = "exactly" if is_exact(metric) else "yes"
        lines.append(f"| {metric} | {kind if metric in agreeing else 'no'} | {within} of {len(kernels)} | {told} |")
    return "\n".join(lines) + "\n", agreeing


def parse():
    here = pathlib.Path(__file__).resolve().parent
    prefix = here.parents[2] if (here / "sources.json").exists() else here.parents[1] / "build/dev"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, default=prefix, help="of the installation or build (%(default)s)")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "ncu")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder of the files written")
    parser.add_argument("--stages", type=lambda text: text.split(","), default=list(STAGES), metavar="OP/ID,…")
    return parser.parse_args()


class Log:
    """What describe() of ncu_agreement needs of its bench."""

    def __init__(self, log):
        self.log, self.seconds_per_call = log, SECONDS


def main():
    arguments = parse()
    arguments.output.mkdir(parents=True, exist_ok=True)
    worker = arguments.prefix / "bin/stagecraft-worker-cuda"
    if not worker.exists():
        sys.exit(f"error: {worker} is not there: name the installation with --prefix")
    with tempfile.TemporaryFile() as log:
        gpu = describe(worker, Log(log))
        if gpu is None:
            print("skipped: no GPU to count on")
            return NO_GPU
        ours = counted([str(worker)], arguments.stages, log)
        for stage, problem in ours.items():
            if isinstance(problem, str):
                print(f"{stage} is not compared: {problem}")
        stages = [stage for stage in arguments.stages if not isinstance(ours[stage], str)]
        if not stages:
            return 1
        metrics = [metric["name"] for metric in ours[stages[0]]["metrics"]]
        theirs = profiled(arguments, [str(worker)], stages, metrics, log)
    described = {"gpu": gpu, "ncu": f"ncu: {ncu_version(arguments.ncu)}."}
    table = compared(metrics, ours, theirs)
    text, agreeing = markdown(table, described)
    result = {**described, "passes": ours[stages[0]]["passes"], "metrics": table}
    (arguments.output / "counter-agreement.json").write_text(json.dumps(result, indent=1) + "\n")
    (arguments.output / "counter-agreement.md").write_text(text)
    print(text)
    are_all_compared = len(stages) == len(arguments.stages)
    return 0 if are_all_compared and len(agreeing) >= ENOUGH and all(metric in agreeing for metric in table if is_exact(metric)) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Gone, Refused, NothingCounted) as problem:
        sys.exit(f"error: {problem}")
