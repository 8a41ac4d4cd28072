#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do our kernel times agree with those of Nsight Compute (ncu)?

Each operation in each implementation, an empty kernel and an L2-warm copy run three times, in fresh workers: with the
capture library, under ncu, with the capture library again. Of each kernel launch, our time less our empty kernel's
should be ncu's less ncu's within 2 % or 0.2 µs, whichever is larger, by the medians; means stand beside them. What is
beyond is compared again, in fresh workers (--repeats) and in several places of the GPU's memory in each (--places), and
the median of the differences counts: some kernels differ by as much from one place to the next in one process, and two
processes need not have the same places. The table says what is within by its median alone, and how all of them lie.
Writes ncu-agreement.md and ncu-agreement.json. --third asks further instruments about each kernel that is beyond still.

Exit status: 0 all within, 1 a kernel is beyond, 3 none is beyond but something could not be compared, 77 no GPU here.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import ncu_table
import ncu_third
from ncu_passes import CAPTURE_LIBRARY, DIMS, Bench, Entry
from pipeworker import PipeWorker

LIBRARIES = {"cublas": ["matmul", "triangle"], "cublaslt": ["matmul"], "cusparse": ["neighbor"]}
PYTHON = ("pytorch", "pytorch-compile", "triton", "triton-tuned")
IMPLEMENTATIONS = ("cuda", *LIBRARIES, *PYTHON)
NCU_LAUNCHES = 10  # at least, of each kernel, whose median counts
BEYOND, NOT_COMPARED, NO_GPU = 1, 3, 77

# Two stages of gelu that are none: what a launch takes by itself, and 12.58 MB read and as many written.
STAGE = """/* stage {{"title": "{entry}", "status": "retained", "launches": [{{"entry": "{entry}", "block": {block},
"grid": [{{"cover": ["rows", "width"], "by": {by}}}]}}]}} */
#include "stagecraft.cuh"
extern "C" __global__ void {entry}(STAGE_ARGS)
{{
    {body}
}}
"""
EMPTY = STAGE.format(entry="empty", block=128, by=128, body="")
COPY = STAGE.format(
    entry="copy", block=256, by=1024,
    body="const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    reinterpret_cast<float4 *>(out)[i] = reinterpret_cast<const float4 *>(a)[i];",
)  # fmt: skip


def chosen_entries(arguments):
    """The entries of the CUDA worker, of which the first is the empty kernel, and those of the Python worker."""
    cuda = [
        Entry("empty kernel", "gelu", "cuda", [1, 1], "gelu/empty", EMPTY),
        Entry("L2-warm copy of 12.58 MB", "gelu", "cuda", [4096, 768], "gelu/copy", COPY),
    ]
    python = []
    for implementation in arguments.implementations:
        for operation in arguments.operations:
            if operation in LIBRARIES.get(implementation, DIMS):
                group = python if implementation in PYTHON else cuda
                group.append(Entry(f"{operation} {implementation}", operation, implementation))
    return cuda, python


def write(arguments, described, entries):
    """The table so far; returns how many kernels are where."""
    results = [entry.result(arguments) for entry in entries]
    empty = results[0].get("launches")
    for entry, one in zip(entries, results):
        for i, launch in enumerate(one.get("launches", []) if empty else []):
            ncu_table.judge(launch, empty[0])
            for again in entry.repeats:
                ncu_table.repeat(launch, again[i])
            if entry.third:
                launch["third"] = ncu_third.judged(entry.third, launch, entries[0].third, empty[0], arguments.ncu_skip)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    result = {
        **described,
        "date": now.isoformat().replace("+00:00", "Z"),
        "iterations": arguments.iterations,
        "ncu_iterations": arguments.ncu_iterations,
        "ncu_skip": arguments.ncu_skip,
        "entries": results,
    }
    (arguments.output / "ncu-agreement.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    (arguments.output / "ncu-agreement.md").write_text(ncu_table.markdown(result))
    is_beyond = lambda one: any(not launch.get("within", True) for launch in one.get("launches", []))  # noqa: E731
    return ncu_table.counts(results), {one["name"] for one in results if is_beyond(one)}


def repeat_beyond(arguments, bench, groups, beyond):
    """These entries once more, several times in one worker of each pass, whose memory holds them all: so they are in as
    many places. An empty kernel of the same passes is taken off."""
    empty = groups[0][1][0].once_more()
    again = []
    for command, entries in groups:
        wanted = [entry for entry in entries if entry.name in beyond]
        mine = [(entry, entry.once_more()) for entry in wanted for _ in range(arguments.places)]
        again += mine
        fresh = [clone for _, clone in mine] + ([empty] if entries is groups[0][1] else [])
        if fresh:
            bench.all_passes(command, fresh)
    base = empty.result(arguments).get("launches")
    for entry, clone in again:
        count = len(entry.result(arguments).get("launches", []))
        launches = clone.result(arguments).get("launches", []) if base else []
        for launch in launches:
            ncu_table.judge(launch, base[0])
        entry.repeats.append(launches if len(launches) == count else [None] * count)


def ask_third(arguments, bench, groups, beyond):
    """Each group's entries that are beyond the bound, and the empty kernel, which is taken off all."""
    empty = groups[0][1][0]
    for command, entries in groups:
        chosen = [entry for entry in entries if entry.name in beyond and entry is not empty]
        if entries[0] is empty:
            chosen = [empty, *chosen]
        bench.ask(arguments.third, command, chosen)


def describe(worker, bench):
    """The GPU by name, in a worker without any instrument. None where there is no GPU."""
    process = PipeWorker([str(worker)], dict(os.environ), bench.log)
    try:
        devices = process.call("describe", {"device": 0}, bench.seconds_per_call)["devices"]
    finally:
        process.end()
    return f"{devices[0]['name']}, driver {devices[0]['driver_version']}" if devices else None


def ncu_version(ncu):
    try:
        said = subprocess.run([ncu, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")
    except OSError as error:
        return f"ncu does not start: {error.strerror}"
    return next((line for line in said if line.startswith("Version")), "ncu does not say its version")


def parse():
    here = pathlib.Path(__file__).resolve().parent
    in_bundle = (here / "sources.json").exists()
    prefix = here.parents[2] if in_bundle else here.parents[1] / "build/dev"
    words = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", type=pathlib.Path, default=prefix, help="of the installation or build (%(default)s)")
    parser.add_argument("--python", help="the interpreter that has PyTorch and Triton; without it they are left out")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "ncu")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder of the files written")
    parser.add_argument("--implementations", type=words, default=list(IMPLEMENTATIONS), metavar="A,B")
    parser.add_argument("--operations", type=words, default=list(DIMS), metavar="A,B")
    parser.add_argument("--warmup", type=int, default=25)
    parser.add_argument("--iterations", type=int, default=100, help="with the capture library, each time")
    parser.add_argument("--ncu-iterations", type=int, default=30)
    parser.add_argument(
        "--ncu-skip", type=int, default=5, metavar="N",
        help="of ncu's iterations, the first ones that do not count (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--third", type=words, default=[], metavar="A,B",
        help=f"ask these about each kernel that is beyond: {', '.join(ncu_third.INSTRUMENTS)}; or all",
    )  # fmt: skip
    parser.add_argument("--repeats", type=int, default=3, help="of what is beyond, in fresh workers (%(default)s)")
    parser.add_argument("--places", type=int, default=3, help="of memory in each repeat (%(default)s)")
    parser.add_argument("--call-limit", type=float, default=240, help="seconds that one request may take")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for all; what is left then is not compared")
    arguments = parser.parse_args()
    if arguments.third == ["all"]:
        arguments.third = list(ncu_third.INSTRUMENTS)
    for chosen, known in (
        (arguments.implementations, IMPLEMENTATIONS),
        (arguments.operations, DIMS),
        (arguments.third, ncu_third.INSTRUMENTS),
    ):
        unknown = set(chosen) - set(known)
        if unknown:
            parser.error(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(known)}")
    if min(arguments.iterations, arguments.ncu_iterations) < 1:
        parser.error("at least one iteration is needed")
    if arguments.ncu_skip < 0 or arguments.ncu_iterations - arguments.ncu_skip < NCU_LAUNCHES:
        parser.error(f"ncu's iterations without the skipped ones must be {NCU_LAUNCHES} at least")
    return arguments


def main():
    arguments = parse()
    arguments.output.mkdir(parents=True, exist_ok=True)
    cuda_worker = arguments.prefix / "bin/stagecraft-worker-cuda"
    python_worker = arguments.prefix / "share/stagecraft/python/worker.py"
    for file in (cuda_worker, arguments.prefix / CAPTURE_LIBRARY):
        if not file.exists():
            sys.exit(f"error: {file} is not there: name the installation with --prefix")
    cuda, python = chosen_entries(arguments)
    with tempfile.TemporaryDirectory(prefix="stagecraft-ncu-") as scratch:
        bench = Bench(arguments, pathlib.Path(scratch))
        gpu = describe(cuda_worker, bench)
        if gpu is None:
            print("skipped: no GPU to compare on")
            return NO_GPU
        described = {"gpu": gpu, "ncu": f"ncu: {ncu_version(arguments.ncu)}."}
        bench.all_passes([str(cuda_worker)], cuda)
        if arguments.python:
            write(arguments, described, cuda)  # what is there by now, whatever comes
            bench.all_passes([arguments.python, str(python_worker)], python)
        else:
            for entry in python:
                entry.problem = "not run: no --python was given"
        found, beyond = write(arguments, described, cuda + python)
        groups = [([str(cuda_worker)], cuda), ([str(arguments.python), str(python_worker)], python)]
        for _ in range(arguments.repeats if beyond else 0):
            repeat_beyond(arguments, bench, groups, beyond)
        found, beyond = write(arguments, described, cuda + python)
        if arguments.third and beyond:
            ask_third(arguments, bench, groups, beyond)
            found, _ = write(arguments, described, cuda + python)
    print((arguments.output / "ncu-agreement.md").read_text())
    return BEYOND if found["beyond"] else NOT_COMPARED if found["failed"] or not found["kernels"] else 0


if __name__ == "__main__":
    sys.exit(main())
