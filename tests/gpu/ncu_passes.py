# SPDX-License-Identifier: GPL-3.0-or-later
"""What ncu_agreement.py runs: the entries, and the passes over them, each in workers of its own under one instrument."""
import json
import os
import pathlib
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
SEED = 20260910
OURS, NCU, AGAIN = "ours", "ncu", "again"  # the passes
NCU_TRIES = 3  # a library or a tuner that searches may choose differently under ncu, at times
CAPTURE_LIBRARY = "lib/stagecraft/libstagecraft-capture-injection.so"


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
        self.repeats = []  # of each repetition its judged launches
        self.stays = False  # in the worker's memory until its end
        self.third = {}  # by instrument: its launches, or the problem as a text
        self.note = self.stage = ""
        self.problem = None

    def launches(self, counts, again):
        """What is compared; `again` names the second of our passes. Raises NotComparable."""
        passes = [self.passes[one] for one in (OURS, again, NCU)]
        return ncu_table.compared(*passes, counts)

    def once_more(self):
        """The same to be measured in another place of the GPU's memory, with nothing found yet."""
        clone = Entry(self.name, self.prepare["operation"], self.prepare["implementation"])
        clone.prepare, clone.is_operation, clone.stays = self.prepare, self.is_operation, True
        return clone

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
        if not entry.stays:
            self._call("release", handle)

    def full_command(self):
        return self._command

    def environment(self):
        """Ours, with the tuner's choice kept from pass to pass, so that all passes see the same kernel, and without the
        capture library that a worker would load by itself. The folder is named, since torch.compile names another
        where it compiles and none where it finds its code compiled: the tuner would then look in two places."""
        environment = {key: value for key, value in os.environ.items() if key != "CUDA_INJECTION64_PATH"}
        kept = {"TRITON_CACHE_AUTOTUNING": "1", "TRITON_CACHE_DIR": str(self._bench.scratch / "triton")}
        return {**environment, **kept, "STAGECRAFT_CAPTURE": "off"}

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
