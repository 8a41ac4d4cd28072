#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ncu_agreement.py with a made-up worker and a made-up ncu, which prints as ncu 2025.3 does."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import ncu_output
import ncu_table
import pipeworker

SCRIPT = pathlib.Path(__file__).with_name("ncu_agreement.py")

# Records its kernels as the capture library and ncu would, whichever is there. MADE_UP is {operation implementation:
# {…}}: us (per launch), ncu_us (what ncu adds, 0.7 µs unless given), grid, dies, wrong, refuses.
WORKER = r"""#!{python}
import json, os, pathlib, sys

made_up = json.loads(os.environ.get("MADE_UP", "{{}}"))
trace = os.environ.get("FAKE_NCU_TRACE")
work = {{}}

def key(params):
    return params.get("stage") or params["operation"] + " " + params["implementation"]

def records(name, iterations):
    one = made_up.get(name, {{}})
    times = one.get("us", [0.6] if name == "gelu/empty" else [10.0])
    for _ in range(iterations):
        for number, us in enumerate(times):
            under = us + one.get("ncu_us", 0.7) if trace else us
            grid = one.get("ncu_grid", [3, 2, 1]) if trace else [3, 2, 1]
            yield {{"kernel_name": "kernel_%d<float, 4>(int)" % number, "grid": grid, "block": [128, 1, 1],
                   "duration_us": under, "iteration": -1}}

def measure(params):
    name = work[params["handle"]]
    if made_up.get(name, {{}}).get("dies"):
        os._exit(3)
    assert params["bracket"] and os.environ["STAGECRAFT_CAPTURE"] == "off" and os.environ["TRITON_CACHE_AUTOTUNING"]
    assert not (trace and os.environ.get("CUDA_INJECTION64_PATH"))
    found = list(records(name, params["iterations"]))
    if trace:
        with open(trace, "a") as stream:
            for one in found:
                stream.write(json.dumps(one) + "\n")
    elif os.environ.get("CUDA_INJECTION64_PATH"):
        file = pathlib.Path(os.environ["STAGECRAFT_CAPTURE_DIRECTORY"]) / ("%d.json" % os.getpid())
        file.write_text(json.dumps({{"format": 1, "brackets": [{{"backend": "cupti", "records": found}}]}}))
    return {{"count": params["iterations"]}}

print("a banner")
for line in sys.stdin:
    request = json.loads(line)
    params, method = request["params"], request["method"]
    reply = {{"jsonrpc": "2.0", "id": request["id"], "result": {{}}}}
    if method == "describe":
        reply["result"] = {{"devices": [{{"name": "Made-up GPU", "driver_version": "580.1"}}] * int(os.environ.get("GPUS", 1))}}
    elif method == "prepare" and made_up.get(key(params), {{}}).get("refuses"):
        del reply["result"]
        reply["error"] = {{"code": -32001, "message": "no", "data": {{"reason": "it is not there", "fix": "get it"}}}}
    elif method == "prepare":
        work[len(work)] = key(params)
        reply["result"] = {{"handle": len(work) - 1, "note": "made up"}}
    elif method == "check":
        reply["result"] = {{"passed": not made_up.get(work[params["handle"]], {{}}).get("wrong")}}
    elif method == "measure":
        reply["result"] = measure(params)
    print(json.dumps(reply), flush=True)
    if method == "shutdown":
        break
"""

NCU = r"""#!{python}
import json, os, subprocess, sys

arguments = sys.argv[1:]
if arguments == ["--version"]:
    print("NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.1.0 (build 1) (public-release)")
    sys.exit()
for option, value in (("--profile-from-start", "off"), ("--metrics", "gpu__time_duration.sum"), ("--page", "raw"),
                      ("--clock-control", "none"), ("--cache-control", "none"), ("--replay-mode", "kernel"),
                      ("--target-processes", "all"), ("--print-units", "base")):
    assert arguments[arguments.index(option) + 1] == value, option
log = arguments[arguments.index("--log-file") + 1]
trace = log + ".trace"
open(trace, "w").close()
status = subprocess.call(arguments[arguments.index("--log-file") + 2:], env=dict(os.environ, FAKE_NCU_TRACE=trace))
with open(log, "w") as out:
    out.write("==PROF== Connected to process 4711 (/somewhere/worker)\n")
    if os.environ.get("NCU_REFUSES"):
        out.write("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
        sys.exit(1)
    out.write('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
              '"Device","CC","gpu__time_duration.sum"\n' + ",".join(['""'] * 11) + ',"ns"\n')
    for number, line in enumerate(open(trace)):
        one = json.loads(line)
        out.write('"%d","4711","worker","127.0.0.1","%s","1","7","(%d, %d, %d)","(%d, %d, %d)","0","9.0","%s"\n' % (
            number, one["kernel_name"].split("<")[0], *one["block"], *one["grid"], format(round(1000 * one["duration_us"]), ",")))
    out.write("==PROF== Disconnected from process 4711\n")
sys.exit(status)
"""


class NcuAgreement(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)
        for name, text in (
            ("bin/stagecraft-worker-cuda", WORKER),
            ("share/stagecraft/python/worker.py", WORKER),
            ("bin/ncu", NCU),
        ):
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.format(python=sys.executable) if text is WORKER else text.replace("{python}", sys.executable))
            file.chmod(0o755)
        library = self.root / "lib/stagecraft/libstagecraft-capture-injection.so"
        library.parent.mkdir(parents=True)
        library.touch()

    def run_script(self, *options, made_up=None, **environment):
        words = [sys.executable, "-B", SCRIPT, "--prefix", self.root, "--ncu", self.root / "bin/ncu"]
        words += ["--output", self.root / "out", "--iterations", "4", "--ncu-iterations", "3", *options]
        environment = {**os.environ, "MADE_UP": json.dumps(made_up or {}), **environment}
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment, check=False)
        file = self.root / "out/ncu-agreement.json"
        self.said = done.stdout + done.stderr
        self.result = json.loads(file.read_text()) if file.exists() else None
        self.markdown = (self.root / "out/ncu-agreement.md").read_text() if file.exists() else ""
        return done.returncode

    def entry(self, name):
        return next(entry for entry in self.result["entries"] if entry["name"] == name)

    def test_all_within(self):
        self.assertEqual(self.run_script("--python", sys.executable), 0, self.said)
        self.assertEqual(len(self.result["entries"]), 2 + 5 + 4 + 20)
        self.assertEqual(self.result["gpu"], "Made-up GPU, driver 580.1")
        launch = self.entry("matmul cublas")["launches"][0]
        self.assertEqual(launch["ours_us"], [10.0, 10.0])
        self.assertAlmostEqual(launch["ncu_us"], 10.7)
        self.assertAlmostEqual(launch["ours_net_us"], 9.4)
        self.assertAlmostEqual(launch["ncu_net_us"], 9.4)
        self.assertAlmostEqual(launch["bound_us"], 0.2)
        self.assertIn("31 kernels compared: 31 within", self.markdown)
        self.assertIn("Version 2025.3.1.0", self.markdown)

    def test_every_launch_of_an_iteration_is_compared(self):
        made_up = {"triangle cublas": {"us": [1.0, 2.0, 1500.0]}}
        self.assertEqual(self.run_script("--implementations", "cublas", made_up=made_up), 0, self.said)
        launches = self.entry("triangle cublas")["launches"]
        self.assertEqual([one["ours_us"][0] for one in launches], [1.0, 2.0, 1500.0])
        self.assertAlmostEqual(launches[2]["ncu_us"], 1500.7)  # "1,500,700" ns
        self.assertAlmostEqual(launches[2]["bound_us"], 0.02 * 1499.4)

    def test_beyond_the_bound(self):
        made_up = {"matmul cuda": {"us": [10.0], "ncu_us": 0.95}, "gelu cuda": {"us": [50.0], "ncu_us": 1.6}}
        self.assertEqual(self.run_script("--implementations", "cuda", made_up=made_up), 1, self.said)
        beyond = self.entry("matmul cuda")["launches"][0]
        self.assertFalse(beyond["within"])
        self.assertAlmostEqual(beyond["difference_us"], -0.25)
        self.assertTrue(self.entry("gelu cuda")["launches"][0]["within"])  # 0.9 of 50.3: 2 %
        self.assertIn("1 beyond", self.markdown)
        self.assertIn("**beyond**", self.markdown)

    def test_a_failure_costs_its_entry(self):
        made_up = {
            "gelu cuda": {"dies": True},
            "layernorm cuda": {"refuses": True},
            "triangle cuda": {"wrong": True},
        }
        self.assertEqual(self.run_script("--implementations", "cuda", made_up=made_up), 3, self.said)
        for operation, problem in (
            ("gelu", "ours: the worker ended in the middle of measure, exit status 3"),
            ("layernorm", "ours: it is not there [to do: get it]"),
            ("triangle", "ours: its result is wrong"),
        ):
            self.assertEqual(self.entry(f"{operation} cuda")["problem"], problem)
            self.assertIn(f"| {operation} cuda | not compared: {problem}", self.markdown)
        for operation in ("matmul", "neighbor"):
            self.assertTrue(self.entry(f"{operation} cuda")["launches"][0]["within"])

    def test_another_choice_under_ncu(self):
        made_up = {"matmul cublaslt": {"ncu_grid": [9, 9, 9]}}
        self.assertEqual(self.run_script("--implementations", "cublaslt", made_up=made_up), 3, self.said)
        self.assertIn("chose differently", self.entry("matmul cublaslt")["problem"])
        self.assertEqual(self.said.count("ncu: matmul cublaslt"), 3)  # tried again
        self.assertEqual(self.said.count("ncu: empty kernel"), 1)

    def test_a_refused_ncu(self):
        self.assertEqual(self.run_script("--implementations", "cuda", NCU_REFUSES="1"), 3, self.said)
        self.assertIn("ERR_NVGPUCTRPERM", self.entry("matmul cuda")["problem"])

    def test_no_ncu(self):
        self.assertEqual(self.run_script("--implementations", "cuda", "--ncu", self.root / "absent"), 3, self.said)
        self.assertIn("ncu does not start", self.markdown)

    def test_without_python(self):
        self.assertEqual(self.run_script("--implementations", "cublas,triton", "--operations", "matmul"), 3, self.said)
        self.assertEqual(self.entry("matmul triton")["problem"], "not run: no --python was given")

    def test_the_time_limit(self):
        self.assertEqual(self.run_script("--implementations", "cuda", "--limit", "0.001"), 3, self.said)
        self.assertIn("the time limit was reached", self.entry("matmul cuda")["problem"])

    def test_no_gpu(self):
        self.assertEqual(self.run_script(GPUS="0"), 77, self.said)
        self.assertIsNone(self.result)

    def test_unknown_names(self):
        self.assertEqual(self.run_script("--implementations", "cuda,none"), 2)
        self.assertIn("unknown: none", self.said)


class NcuOutput(unittest.TestCase):
    def test_the_details_page(self):
        text = textwrap.dedent(
            """\
            ==PROF== Connected to process 7
            "ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit","Metric Value"
            "0","f","(64, 1, 1)","(2, 3, 4)","Command line profiler metrics","gpu__time_duration.sum","us","1,234.5"
            "0","f","(64, 1, 1)","(2, 3, 4)","Command line profiler metrics","other","","1"
            """
        )
        expected = [{"kernel": "f", "grid": [2, 3, 4], "block": [64, 1, 1], "us": 1234.5}]
        self.assertEqual(ncu_output.launches(text), expected)

    def test_a_unit_that_is_none_of_time(self):
        text = '"ID","Kernel Name","gpu__time_duration.sum"\n"","","%"\n"0","f","3"\n'
        with self.assertRaisesRegex(ncu_output.NcuError, '"%"'):
            ncu_output.launches(text)

    def test_nothing_recorded(self):
        with self.assertRaisesRegex(ncu_output.NcuError, "No kernels were profiled"):
            ncu_output.launches("==PROF== Connected\n==WARNING== No kernels were profiled.\n")


class BaseNames(unittest.TestCase):
    """As two demanglers write them."""

    def test_what_they_agree_on(self):
        for ours, theirs in (
            ("void at::native::(anonymous namespace)::f<float, false>(int)", "void at::<unnamed>::f<float, 0>(int, T2)"),
            ("void at::native::f<128, at::native::g<h>>(int)", "void at::f<128, void at::g<h>>(int)"),
            ("void f<float, 1>(P<float>)", "void f<float, 1>(P<T2>)"),
            ("matmul_k64", "matmul_k64"),
        ):
            self.assertEqual(ncu_table.base_name(ours), ncu_table.base_name(theirs))
            self.assertRegex(ncu_table.base_name(ours), "^(f|matmul_k64)$")


class Pipes(unittest.TestCase):
    def test_ending_a_worker_that_gave_no_answer_in_time(self):
        silent = pipeworker.PipeWorker([sys.executable, "-c", "import time; time.sleep(60)"], None, None)
        with self.assertRaises(pipeworker.Gone):
            silent.call("prepare", {}, 0.1)
        silent.end()


if __name__ == "__main__":
    unittest.main()
