#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ncu_agreement.py with a made-up worker and a made-up ncu, which prints as ncu 2025.3 does."""
import array
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import ncu_fakes
import ncu_output
import ncu_table
import pipeworker
import timed_stage

SCRIPT = pathlib.Path(__file__).with_name("ncu_agreement.py")


class NcuAgreement(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)
        for name, text in (
            ("bin/stagecraft-worker-cuda", ncu_fakes.WORKER),
            ("share/stagecraft/python/worker.py", ncu_fakes.WORKER),
            ("bin/ncu", ncu_fakes.NCU),
        ):
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            is_worker = text is ncu_fakes.WORKER
            file.write_text(
                text.format(python=sys.executable) if is_worker else text.replace("{python}", sys.executable)
            )
            file.chmod(0o755)
        library = self.root / "lib/stagecraft/libstagecraft-capture-injection.so"
        library.parent.mkdir(parents=True)
        library.touch()

    def run_script(self, *options, made_up=None, **environment):
        words = [sys.executable, "-B", SCRIPT, "--prefix", self.root, "--ncu", self.root / "bin/ncu"]
        words += ["--output", self.root / "out", "--iterations", "4", "--ncu-iterations", "15", *options]
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

    def test_what_is_beyond_is_compared_again_and_the_median_counts(self):
        once = {"us": [10.0, 20.0], "ncu_us": 0.95, "ncu_us_again": 0.75}
        made_up = {"matmul cuda": once, "gelu cuda": {"us": [10.0], "ncu_us": 0.95}}
        options = ("--implementations", "cuda", "--repeats", "2", "--places", "1")
        self.assertEqual(self.run_script(*options, made_up=made_up), 1, self.said)
        launch, second = self.entry("matmul cuda")["launches"]
        self.assertTrue(launch["within"] and not launch["within_at_first"])
        self.assertAlmostEqual(launch["difference_us"], -0.05)
        self.assertEqual([round(one, 6) for one in launch["differences_us"]], [-0.25, -0.05, -0.05])
        self.assertNotIn("differences_us", second)  # which was within
        self.assertEqual(len(self.entry("gelu cuda")["launches"][0]["differences_us"]), 3)
        self.assertNotIn("differences_us", self.entry("layernorm cuda")["launches"][0])
        self.assertIn("within, median of 3, 1 of them beyond: -0.250, -0.050, -0.050", self.markdown)
        self.assertIn("**beyond**, median of 3, 3 of them beyond: -0.250, -0.250, -0.250", self.markdown)
        self.assertIn("7 within the larger of 2% and 0.2 µs (6 of them at first", self.markdown)
        self.assertIn("1 beyond", self.markdown)

    def test_what_is_compared_again_is_in_another_place_each_time(self):
        made_up = {"matmul cuda": {"us": [10.0], "ncu_us": 0.95, "place_us": -0.2}}
        options = ("--implementations", "cuda", "--repeats", "1", "--places", "3")
        self.assertEqual(self.run_script(*options, made_up=made_up), 0, self.said)
        launch = self.entry("matmul cuda")["launches"][0]
        self.assertEqual([round(one, 6) for one in launch["differences_us"]], [-0.25, -0.25, -0.05, -0.05])
        self.assertIn("within, median of 4, 2 of them beyond", self.markdown)

    def test_a_repeat_that_fails_is_told(self):
        made_up = {"matmul cuda": {"us": [10.0], "ncu_us": 0.95, "fails_again": True}}
        options = ("--implementations", "cuda", "--repeats", "1", "--places", "2")
        self.assertEqual(self.run_script(*options, made_up=made_up), 1, self.said)
        self.assertIn("**beyond**, median of 1, 1 of them beyond: -0.250; 2 more could not be measured", self.markdown)

    def test_the_first_launches_under_ncu_do_not_count(self):
        made_up = {"matmul cuda": {"us": [10.0, 20.0], "ncu_first_us": 5.0}}
        self.assertEqual(self.run_script("--implementations", "cuda", made_up=made_up), 0, self.said)
        launch = self.entry("matmul cuda")["launches"][1]
        self.assertAlmostEqual(launch["ncu_median_us"], 20.7)
        self.assertAlmostEqual(launch["ncu_us"], 20.7)
        self.run_script("--implementations", "cuda", "--ncu-skip", "0", made_up=made_up)
        launch = self.entry("matmul cuda")["launches"][1]
        self.assertAlmostEqual(launch["ncu_median_us"], 20.7)
        self.assertAlmostEqual(launch["ncu_us"], 20.7 + 5 * 5 / 15)
        self.assertTrue(launch["within"])  # by the median
        self.assertAlmostEqual(launch["mean_difference_us"], -5 * 5 / 15)
        self.assertIn("| 20.700 · 22.367 |", self.markdown)

    def test_fewer_than_ten_launches_are_refused(self):
        self.assertEqual(self.run_script("--ncu-iterations", "14"), 2)
        self.assertIn("10 at least", self.said)

    def third(self, *names):
        stage = self.root / "share/stagecraft/stages/gelu/quads.cu"
        stage.parent.mkdir(parents=True)
        stage.write_text(SCRIPT.parents[2].joinpath("kernels/stages/gelu/quads.cu").read_text())
        made_up = {
            "gelu cuda": {"us": [5.5], "ncu_us": 0.36, "serialized_us": 0.96, "stage": "gelu/quads"},
            "gelu/quads": {"timed_us": 4.75},
            "gelu triton": {"us": [5.0], "ncu_us": 0.2},
        }
        options = ["--python", sys.executable, "--implementations", "cuda,triton", "--operations", "gelu,matmul"]
        self.assertEqual(self.run_script(*options, "--third", ",".join(names), made_up=made_up), 1, self.said)

    def test_further_instruments_are_asked_about_what_is_beyond(self):
        self.third("all")
        asked = self.entry("gelu cuda")["launches"][0]["third"]
        self.assertEqual(list(asked), ["serialized", "globaltimer", "cycles", "sparse", "application", "flushed"])
        self.assertEqual({name: one["count"] for name, one in asked.items()},
                         {"serialized": 4, "globaltimer": 64, "cycles": 10, "sparse": 10, "application": 10, "flushed": 10})
        for name, us, net in (
            ("globaltimer", 4.75, 4.5), ("cycles", 5.61, 4.56), ("sparse", 5.86, 4.56), ("flushed", 8.86, 4.56),
            ("application", 5.985, 4.56), ("serialized", 6.46, 4.56),
        ):  # fmt: skip
            self.assertAlmostEqual(asked[name]["us"], us, 4, name)
            self.assertAlmostEqual(asked[name]["net_us"], net, 4, name)
        self.assertNotIn("third", self.entry("matmul cuda")["launches"][0])  # within
        python = self.entry("gelu triton")["launches"][0]["third"]
        self.assertEqual(python["globaltimer"], {"problem": "it is no stage of this project"})
        self.assertAlmostEqual(python["sparse"]["net_us"], 3.9)
        row = "| gelu cuda | `kernel_0<float, 4>(int)` | 4.900 | 4.560 | 4.560 (6.460, n 4) | 4.500 (4.750, n 64) |"
        self.assertIn(row, self.markdown)
        self.assertIn("not measured: it is no stage of this project", self.markdown)

    def test_only_the_chosen_ones_are_asked(self):
        self.third("sparse")
        self.assertEqual(list(self.entry("gelu cuda")["launches"][0]["third"]), ["sparse"])
        self.assertEqual(self.run_script("--third", "a-fourth"), 2)
        self.assertIn("unknown: a-fourth", self.said)

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

    def test_what_a_tuner_found_first_is_kept_for_all_passes(self):
        made_up = {"matmul triton-tuned": {"tuned": True}}
        options = ("--python", sys.executable, "--implementations", "triton-tuned", "--operations", "matmul")
        self.assertEqual(self.run_script(*options, made_up=made_up), 0, self.said)
        self.assertEqual(self.entry("matmul triton-tuned")["launches"][0]["grid"][1:], [1, 1])

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


class TimedStages(unittest.TestCase):
    SOURCE = """// SPDX-License-Identifier: MIT
/* stage {"launches": [{"entry": "f", "block": 64, "grid": [{"cover": "rows", "by": 4}]}]} */
#include "stagecraft.cuh"
__device__ int helper() { return 1; }
extern "C" __global__ void __launch_bounds__(64, 2) f(STAGE_ARGS)
{
    if (helper())
        return;
    out[0] = a[0];
}
"""

    def test_keep_the_kernel_and_its_bounds(self):
        text = timed_stage.instrumented(self.SOURCE, "neighbor")
        self.assertIn("__device__ __forceinline__ void timed_body(STAGE_ARGS)\n{\n    if (helper())", text)
        self.assertIn('extern "C" __global__ void __launch_bounds__(64, 2) f(STAGE_ARGS)', text)
        self.assertIn("timed_body(a, b, rowptr, indices, out);", text)
        facts = json.loads(text.split("/* stage ")[1].split(" */")[0])
        self.assertEqual([one["entry"] for one in facts["launches"]], ["f", "timed_collect"])
        self.assertEqual(facts["launches"][1]["grid"], [{"cover": "rows", "by": 1 << 31}])
        scratch = self.SOURCE.replace('{"launches"', '{"scratch": 8, "launches"')
        self.assertIn("timed_body(a, b, c, out, scratch);", timed_stage.instrumented(scratch, "layernorm"))

    def test_what_cannot_be_timed_says_why(self):
        for changed, words in (
            (self.SOURCE.replace("/* stage", "/* other"), "no front matter"),
            (self.SOURCE.replace('{"launches"', '{"tensor_maps": [1], "launches"'), "without tensor maps"),
            (self.SOURCE.replace("(STAGE_ARGS)", "(int)"), "not declared as stages are"),
            (self.SOURCE.replace('"cover": "rows", "by": 4', '"per_sm": 2'), "covers no dims"),
        ):
            with self.assertRaisesRegex(timed_stage.NotTimed, words):
                timed_stage.instrumented(changed, "gelu")

    def test_times_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "out.bin")
            for values in ([1.0] * 63, [0.0] * 64, [float("nan")] * 64):
                file.write_bytes(array.array("f", values).tobytes())
                with self.assertRaises(timed_stage.NotTimed):
                    timed_stage.times(file)


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
