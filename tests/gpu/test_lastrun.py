#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""lastrun.py over a made-up tree."""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("lastrun.py")
REPORT = {
    "gpu": "Made-up GPU",
    "driver": "580.1",
    "cuda": "CUDA 13.0",
    "nvrtc": "13.0",
    "tests": [{"name": "one", "result": "passed", "detail": ""}],
    "passed": 12,
    "failed": 0,
    "skipped": 1,
}
CLEAN = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True)


class LastRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.add("kernels/stages/matmul/tiled.cu", "one")
        self.add("kernels/stages/stagecraft.cuh", "two")
        self.add("kernels/worker/cuda/gpu.cpp", "three")
        self.add("tests/gpu/main.cpp", "four")
        self.add("app/main.cpp", "not covered")
        self.record = self.root / "tests/gpu/last-run.json"

    def add(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def write(self, report=None, *sanitizers):
        self.add("report.json", json.dumps(report or REPORT))
        self.add("sources.json", run("sources", self.root).stdout)
        options = [word for one in sanitizers for word in ("--sanitizer", one)]
        done = run(
            "write", "--report", self.root / "report.json", "--sources", self.root / "sources.json",
            "--output", self.record, *options,
        )
        self.assertEqual(done.stderr, "")
        return done.returncode

    def printed(self):
        done = run("print", self.record, self.root)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_hash_is_over_the_sorted_files(self):
        found = json.loads(run("sources", self.root).stdout)
        names = ["kernels/stages/matmul/tiled.cu", "kernels/stages/stagecraft.cuh", "kernels/worker/cuda/gpu.cpp"]
        self.assertEqual(list(found["sources"]), names + ["tests/gpu/main.cpp"])
        self.assertEqual(found["sources"][names[0]], hashlib.sha256(b"one").hexdigest())
        lines = "".join(f"{digest}  {name}\n" for name, digest in found["sources"].items())
        self.assertEqual(found["sources_sha256"], hashlib.sha256(lines.encode()).hexdigest())

    def test_a_run_of_the_sources_as_they_are(self):
        log = self.add("memcheck.log", CLEAN)
        self.assertEqual(self.write(None, f"memcheck=0:{log}", "racecheck=skipped:not on PATH"), 0)
        text = self.printed()
        self.assertIn("Made-up GPU, driver 580.1", text)
        self.assertIn("12 passed, 0 failed, 1 skipped; memcheck passed, racecheck skipped", text)
        self.assertIn("of the sources as they are here", text)
        record = json.loads(self.record.read_text())
        self.assertEqual(record["tests"], REPORT["tests"])
        self.assertEqual(record["sanitizer"]["memcheck"]["errors"], 0)
        self.assertRegex(record["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_changed_added_and_removed_sources_are_named(self):
        self.write()
        self.add("kernels/stages/matmul/tiled.cu", "changed")
        self.add("kernels/stages/gelu/new.cu", "new")
        (self.root / "tests/gpu/main.cpp").unlink()
        text = self.printed()
        self.assertIn("3 of the sources have changed since", text)
        self.assertIn("kernels/stages/gelu/new.cu, kernels/stages/matmul/tiled.cu, tests/gpu/main.cpp", text)

    def test_what_runs_and_judges_the_stages_is_covered(self):
        self.write()
        names = [
            "kernels/capture/cuptisession.cpp", "kernels/operations/reference.cpp", "kernels/protocol/messages.h",
            "kernels/stagefile/frontmatter.cpp", "kernels/worker/server.cpp",
        ]
        for name in names:
            file = self.add(name, "new")
            self.assertIn(f"1 of the sources have changed since: {name}", self.printed())
            file.unlink()

    def test_what_is_not_covered_changes_nothing(self):
        self.write()
        self.add("app/main.cpp", "changed")
        self.add("tests/gpu/__pycache__/x.pyc", "made by Python")
        self.assertIn("of the sources as they are here", self.printed())

    def test_failures_fail(self):
        self.assertEqual(self.write({**REPORT, "failed": 1}), 1)
        errors = self.add("memcheck.log", CLEAN.replace("0 errors", "3 errors"))
        self.assertEqual(self.write(None, f"memcheck=0:{errors}"), 1)
        self.assertEqual(json.loads(self.record.read_text())["sanitizer"]["memcheck"]["errors"], 3)
        hazards = self.add("racecheck.log", "========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)\n")
        self.assertEqual(self.write(None, f"racecheck=0:{hazards}"), 1)
        clean = self.add("clean.log", CLEAN)
        self.assertEqual(self.write(None, f"memcheck=1:{clean}"), 1)

    def test_a_tool_without_a_summary_has_not_passed(self):
        empty = self.add("empty.log", "Device not supported\n")
        self.assertEqual(self.write(None, f"memcheck=0:{empty}"), 1)
        self.assertEqual(self.write(None, f"memcheck=0:{self.root}/absent.log"), 1)

    def test_no_record_and_a_damaged_one(self):
        self.assertIn("no run is recorded", self.printed())
        self.record.write_text("{")
        self.assertIn("cannot be read", self.printed())
        self.record.write_text("[]")
        self.assertIn("cannot be read", self.printed())


if __name__ == "__main__":
    unittest.main()
