#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Do our kernel times agree with those of Nsight Compute (ncu)?

Each operation in each implementation, an empty kernel and an L2-warm copy run three times, in fresh workers: with the
capture library, under ncu, with the capture library again. Of each kernel launch, our time less our empty kernel's
should be ncu's less ncu's within 2 % or 0.2 µs, whichever is larger, by the medians; means stand beside them. Writes
ncu-agreement.md and ncu-agreement.json. --third asks further instruments about each kernel that is beyond.

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
import time

import ncu_output
import ncu_table
import ncu_third
from pipeworker import Gone, PipeWorker, Refused

DIMS = {
    "matmul": [1024, 1024, 1024],
    "gelu": [4096, 768],
    "layernorm": [4096, 768],
    "triangle": [128, 32],
    "neighbor": [4096, 64, 65536],
}
LIBRARIES = {"cublas": ["matmul", "triangle"], "cublaslt": ["matmul"], "cusparse": ["neighbor"]}
PYTHON = ("pytorch", "pytorch-compile", "triton", "triton-tuned")
IMPLEMENTATIONS = ("cuda", *LIBRARIES, *PYTHON)
SEED = 20260910
OURS, NCU, AGAIN = "ours", "ncu", "again"  # the passes
NCU_LAUNCHES = 10  # at least, of each kernel, whose median counts
NCU_TRIES = 3  # a library or a tuner that searches may choose differently under ncu, at times
CAPTURE_LIBRARY = "lib/stagecraft/libstagecraft-capture-injection.so"
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


class Entry:
    """What is compared, and what each pass found."""

    def __init__(self, name, operation, implementation, dims=None, stage="", source=""):
        self.name = name
        self.prepare = {
            "operation": operation, "dims": dims or DIMS[operation], "seed": SEED, "implementation": implementation,
        }  # fmt: skip
        if stage:
            self.prepare.update(stage=stage, source=source)
        self.is_operation = not stage
        self.passes = {}
        self.third = {}  # by instrument: its launches, or the problem as a text
        self.note = self.stage = ""
        self.problem = None

    def launches(self, counts, again):
        """What is compared; `again` names the second of our passes. Raises NotComparable."""
        passes = [self.passes[one] for one in (OURS, again, NCU)]
        return ncu_table.compared(*passes, counts)

    def result(self, counts):
        """As the files have it."""
        result = {"name": self.name, "note": self.note}
        if self.problem is None:
            try:
                result["launches"] = self.launches(counts, AGAIN)
            except ncu_table.NotComparable as error:
                self.problem = str(error)
        if self.problem is not None:
            result["problem"] = self.problem
        return result


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


class Clock:
    """The time that there is for all of it."""

    def __init__(self, seconds):
        self._end = time.monotonic() + seconds

    def grant(self, seconds):
        left = self._end - time.monotonic()
        if left <= 0:
            raise Gone("the time limit was reached")
        return min(seconds, left)


class Pass:
    """One run through a group's entries in workers of their own. A worker that ends costs its entry; the next gets
    another worker."""

    def __init__(self, name, command, iterations, bench):
        self._name = name
        self._command = command
        self._iterations = iterations
        self._bench = bench
        self._worker = None

    def run(self, entries):
        for entry in entries:
            if entry.problem is not None:
                continue
            try:
                self._bench.say(f"{self._name}: {entry.name}")
                self._measure(entry)
            except Refused as error:
                entry.problem = f"{self._name}: {error}"
            except (Gone, OSError) as error:
                entry.problem = f"{self._name}: {error}"
                self._end()
        self._end()

    def _end(self):
        if self._worker:
            self._worker.end()
            self._worker = None
            self.ended()

    def _call(self, method, params):
        if not self._worker:
            self._worker = PipeWorker(self.full_command(), self.environment(), self._bench.log)
        return self._worker.call(method, params, self._bench.clock.grant(self._bench.seconds_per_call))

    def _measure(self, entry):
        prepared = self._call("prepare", entry.prepare)
        entry.note, entry.stage = prepared.get("note", ""), prepared.get("stage", "")
        handle = {"handle": prepared["handle"]}
        if entry.is_operation and not self._call("check", handle).get("passed"):
            raise Refused({"message": "its result is wrong"})
        counts = {"warmup": self._bench.warmup, "iterations": self._iterations}
        self._call("measure", {**handle, **counts, "bracket": True})
        self.measured(entry)
        self._call("release", handle)

    def full_command(self):
        return self._command

    def environment(self):
        """Ours, with the tuner's choice kept from pass to pass, so that all passes see the same kernel, and without the
        capture library that a worker would load by itself."""
        environment = {key: value for key, value in os.environ.items() if key != "CUDA_INJECTION64_PATH"}
        return {**environment, "TRITON_CACHE_AUTOTUNING": "1", "STAGECRAFT_CAPTURE": "off"}

    def measured(self, entry):
        """What was just measured is to be found now."""

    def ended(self):
        """The worker is gone, and so is a tool around it."""


class OurPass(Pass):
    def __init__(self, name, command, bench):
        super().__init__(name, command, bench.iterations, bench)
        self._directory = tempfile.mkdtemp(dir=bench.scratch)

    def environment(self):
        return {
            **super().environment(),
            "CUDA_INJECTION64_PATH": str(self._bench.library),
            "STAGECRAFT_CAPTURE_DIRECTORY": self._directory,
        }

    def measured(self, entry):
        """The library writes its file at the end of a bracket and begins another where it is gone."""
        records = []
        for file in pathlib.Path(self._directory).glob("*.json"):
            for bracket in json.loads(file.read_text())["brackets"]:
                if "unavailable" in bracket:
                    raise Refused({"message": "no records: " + bracket["unavailable"]["reason"]})
                if bracket.get("dropped") or bracket.get("invalid"):
                    raise Refused({"message": "records were dropped or had no times"})
                records += bracket["records"]
            file.unlink()
        if not records:
            raise Refused({"message": "the capture library recorded no kernel"})
        entry.passes[self._name] = [
            {"kernel": one["kernel_name"], "grid": one["grid"], "block": one["block"], "us": one["duration_us"]}
            for one in records
        ]


class SerializedPass(OurPass):
    """As our passes, with the kernels held apart, for an entry by itself."""

    def __init__(self, command, bench):
        super().__init__(ncu_third.SERIALIZED, command, bench)

    def environment(self):
        return {**super().environment(), "STAGECRAFT_CAPTURE_KERNELS": "serialized"}

    def run(self, entries):
        for entry in entries:
            try:
                self._bench.say(f"{self._name}: {entry.name}")
                self._measure(entry)
                entry.third[self._name] = entry.passes.pop(self._name)
            except (Refused, Gone, OSError) as error:
                entry.third[self._name] = str(error)
                self._end()
        self._end()


class NcuPass(Pass):
    """ncu writes one list for a whole process, which is dealt out to its entries by what our pass has seen of them."""

    def __init__(self, command, bench):
        super().__init__(NCU, command, bench.ncu_iterations, bench)
        self._log = bench.scratch / "ncu.csv"
        self._waiting = []

    def full_command(self):
        self._log.unlink(missing_ok=True)
        return ncu_output.command(self._bench.ncu, self._log, **self.options()) + list(map(str, self._command))

    def options(self):
        return {}

    def measured(self, entry):
        self._waiting.append(entry)

    def ended(self):
        waiting, self._waiting = self._waiting, []
        try:
            text = self._log.read_text(errors="replace")
            self._bench.keep(text)
            launches = ncu_output.launches(text)
        except (OSError, ncu_output.NcuError, ValueError) as error:
            for entry in waiting:
                entry.problem = f"ncu: {error}"
            return
        ours = [len(entry.passes[OURS]) // self._bench.iterations * self._iterations for entry in waiting]
        if sum(ours) != len(launches):
            for entry in waiting:
                entry.problem = f"ncu recorded {len(launches)} kernels, the capture library's counts make {sum(ours)}"
            return
        for entry, count in zip(waiting, ours):
            entry.passes[NCU], launches = launches[:count], launches[count:]


class ThirdPass(NcuPass):
    """ncu in another setting, for an entry by itself: in a worker of its own, whose launches are told by their names."""

    def __init__(self, instrument, command, bench):
        super().__init__(command, bench)
        self._name = instrument
        self._iterations = bench.ncu_iterations * ncu_third.every(instrument)

    def options(self):
        return ncu_third.NCU_SETTINGS[self._name]

    def run(self, entries):
        for entry in entries:
            entry.third[self._name] = "there was no time left"
            try:
                self._bench.say(f"{self._name}: {entry.name}")
                self._measure(entry)
            except (Refused, Gone, OSError) as error:
                entry.third[self._name] = str(error)
            self._end()

    def ended(self):
        for entry in self._waiting:
            try:
                entry.third[self._name] = ncu_output.launches(self._log.read_text(errors="replace"))
            except (OSError, ncu_output.NcuError, ValueError, KeyError) as error:
                entry.third[self._name] = f"ncu: {error}"
        self._waiting = []


class Bench:
    """What all passes share."""

    def __init__(self, arguments, scratch):
        self.iterations, self.ncu_iterations = arguments.iterations, arguments.ncu_iterations
        self.ncu_skip, self.prefix = arguments.ncu_skip, arguments.prefix
        self.warmup, self.seconds_per_call = arguments.warmup, arguments.call_limit
        self.ncu = arguments.ncu
        self.library = arguments.prefix / CAPTURE_LIBRARY
        self.clock = Clock(arguments.limit)
        self.scratch = scratch
        self._kept = arguments.output / "ncu-agreement-ncu.csv"
        self._kept.unlink(missing_ok=True)
        self.log = open(arguments.output / "ncu-agreement.log", "wb")

    def keep(self, text):
        with open(self._kept, "a", encoding="utf-8") as stream:
            stream.write(text)

    def plain_environment(self):
        """Without any instrument."""
        left = {key: value for key, value in os.environ.items() if key != "CUDA_INJECTION64_PATH"}
        return {**left, "STAGECRAFT_CAPTURE": "off"}

    def say(self, text):
        print(text, file=sys.stderr, flush=True)

    def all_passes(self, command, entries):
        OurPass(OURS, command, self).run(entries)
        for _ in range(NCU_TRIES):
            NcuPass(command, self).run([entry for entry in entries if not self._agrees(entry)])
        OurPass(AGAIN, command, self).run(entries)

    def ask(self, instruments, command, entries):
        """Further instruments about these entries."""
        for instrument in instruments:
            if instrument == ncu_third.SERIALIZED:
                SerializedPass(command, self).run(entries)
                continue
            if instrument != ncu_third.GLOBALTIMER:
                ThirdPass(instrument, command, self).run(entries)
                continue
            for entry in entries:
                self.say(f"{instrument}: {entry.name}")
                try:
                    entry.third[instrument] = ncu_third.by_globaltimer(entry, command, self)
                except (Refused, Gone, OSError, ncu_third.NotTimed) as error:
                    entry.third[instrument] = str(error)

    def _agrees(self, entry):
        """Whether ncu has seen the kernels that our pass has seen."""
        try:
            return entry.problem is None and NCU in entry.passes and bool(entry.launches(self, OURS))
        except ncu_table.NotComparable:
            return False


def write(arguments, described, entries):
    """The table so far; returns how many kernels are where."""
    results = [entry.result(arguments) for entry in entries]
    empty = results[0].get("launches")
    for entry, one in zip(entries, results):
        for launch in one.get("launches", []) if empty else []:
            ncu_table.judge(launch, empty[0])
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
        if arguments.third and beyond:
            groups = [([str(cuda_worker)], cuda), ([str(arguments.python), str(python_worker)], python)]
            ask_third(arguments, bench, groups, beyond)
            found, _ = write(arguments, described, cuda + python)
    print((arguments.output / "ncu-agreement.md").read_text())
    return BEYOND if found["beyond"] else NOT_COMPARED if found["failed"] or not found["kernels"] else 0


if __name__ == "__main__":
    sys.exit(main())
