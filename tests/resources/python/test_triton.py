# SPDX-License-Identifier: GPL-3.0-or-later
"""The Triton kernels in Triton's own interpreter, which runs them on the CPU: every tile, at odd dims, against FP64."""

import contextlib
import os
import unittest
from unittest import mock

import support

PYTHON, ENVIRONMENT = support.require_triton_worker()
support.run_with(PYTHON, {**ENVIRONMENT, "TRITON_INTERPRET": "1"})

import oldtorch  # noqa: E402

oldtorch.adapt()

import torch  # noqa: E402
import triton  # noqa: E402
from stagecraft_worker import copies, inputs, passes, reference, tiles, tritonwork, tuning  # noqa: E402
from stagecraft_worker.workload import Workload, poison_output  # noqa: E402

from test_inputs import params  # noqa: E402
from workerclient import WORKER, ErrorReply, WorkerClient  # noqa: E402

CPU = torch.device("cpu")
CASES = {
    "matmul": ([1, 1, 1], [33, 65, 47], [64, 32, 96], [7, 130, 5]),
    "gelu": ([1, 1], [3, 257], [5, 1024], [4099, 1]),
    "layernorm": ([1, 1], [3, 257], [2, 1024], [2, 1025], [1, 5000]),
    "triangle": ([1, 1], [5, 3], [33, 2], [65, 1]),
    "neighbor": ([1, 1, 1], [17, 3, 101], [3, 5, 0], [9, 130, 300], [2, 64, 200]),
}
TILED = {
    "matmul": [33, 65, 47],
    "gelu": [3, 257],
    "layernorm": [2, 1300],
    "triangle": [33, 2],
    "neighbor": [9, 70, 300],
}


class Kernels(unittest.TestCase):
    def check(self, operation, dims, chosen, wide=False):
        with self.subTest(operation=operation, dims=dims, tiles=chosen.text(), wide=wide):
            made = inputs.prepare_inputs(params(operation, dims))
            launch = tritonwork.launch_of(made, CPU)
            call = tritonwork.call_with(launch, chosen, wide)
            out = passes.output_pass(Workload(call, CPU, "", poison_output(launch.output)))
            compared = reference.compare(out, made.reference)
            self.assertTrue(compared["passed"], compared)
            self.assertLess(compared["max_abs_error"], 1e-5)

    def test_are_right_with_the_fixed_tiles(self):
        for operation, cases in CASES.items():
            for dims in cases:
                self.check(operation, dims, tiles.FIXED[operation])

    def test_are_right_with_every_tile_of_the_set(self):
        for operation, dims in TILED.items():
            for chosen in tiles.TUNED[operation]:
                self.check(operation, dims, chosen)

    def test_are_right_with_offsets_of_64_bits(self):
        for operation, dims in TILED.items():
            self.check(operation, dims, tiles.FIXED[operation], wide=True)

    def test_gelu_is_right_far_from_zero(self):
        made = inputs.prepare_inputs(params("gelu", [1, 64]))
        made.tensors["a"][:] = torch.linspace(-60, 60, 64)
        launch = tritonwork.launch_of(made, CPU)
        out = tritonwork.call_with(launch, tiles.FIXED["gelu"], False)().view(-1)
        wanted = reference.reference(made.operation, made.tensors)
        self.assertTrue(reference.compare(out, wanted)["passed"])

    def test_layernorm_is_right_where_the_mean_is_large(self):
        for width in (300, 2000):
            made = inputs.prepare_inputs(params("layernorm", [2, width]))
            made.tensors["a"] += 100
            launch = tritonwork.launch_of(made, CPU)
            out = tritonwork.call_with(launch, tiles.FIXED["layernorm"], False)().view(-1)
            wanted = reference.reference(made.operation, made.tensors)
            self.assertTrue(reference.compare(out, wanted)["passed"])

    def test_take_64_bits_only_where_they_must(self):
        narrow = inputs.prepare_inputs(params("matmul", [2, 2, 2]))
        self.assertFalse(tritonwork.is_wide(narrow))
        narrow.dims = [1 << 16, 1 << 15, 8]
        self.assertTrue(tritonwork.is_wide(narrow))


class Sets(unittest.TestCase):
    def test_are_the_ones_that_are_documented(self):
        self.assertEqual(
            {name: chosen.text() for name, chosen in tiles.FIXED.items()},
            {
                "matmul": "32×32×32, 4 warps",
                "gelu": "256, 4 warps",
                "layernorm": "1024, 4 warps",
                "triangle": "32×32×32, 4 warps",
                "neighbor": "32×64, 4 warps",
            },
        )
        for operation, sizes in {
            "matmul": ("64×64×16", "128×64×16"),
            "triangle": ("64×64×16", "128×64×16"),
            "gelu": ("1024",),
            "layernorm": ("1024",),
        }.items():
            for size in sizes:
                self.assertTrue(any(chosen.text().startswith(size + ",") for chosen in tiles.TUNED[operation]), size)
        for operation, chosen in tiles.TUNED.items():
            self.assertIs(chosen[0], tiles.FIXED[operation])
            self.assertEqual(len({each.text() for each in chosen}), len(chosen), operation)

    def test_stand_in_the_help_as_they_are(self):
        with open(os.path.join(support.ROOT, "resources", "help", "implementations.md"), encoding="utf-8") as stream:
            page = stream.read()
        for operation, configurations in tiles.TUNED.items():
            words = []
            for chosen in configurations:
                stages = f" s{chosen.stages}" if chosen.stages else ""
                words.append("×".join(map(str, chosen.sizes.values())) + f" w{chosen.warps}{stages}")
            self.assertIn(f"| `{operation}` | {' · '.join(words)} |", page)


class Progress:
    def __init__(self):
        self.said = []

    def say(self, text):
        self.said.append(text)

    @contextlib.contextmanager
    def during(self, what):
        self.say(what)
        yield


class Tuning(unittest.TestCase):
    """Triton's tuner with its stopwatch stood in for, since the interpreter has no times."""

    def tune(self, operation, timings):
        timings = iter(timings)

        def stopwatch(self, kernel_call, quantiles):
            kernel_call()
            timing = next(timings)
            if timing is None:
                raise triton.runtime.errors.OutOfResources(300000, 232448, "shared memory")
            return [timing] * len(quantiles)

        made, self.progress = inputs.prepare_inputs(params(operation, TILED[operation])), Progress()
        launch = tritonwork.launch_of(made, CPU)
        with mock.patch.object(triton.runtime.autotuner.Autotuner, "do_bench", stopwatch):
            (call,), report = tuning.tune([launch], operation, False, self.progress)
        launch.output.fill_(float("nan"))
        self.assertTrue(reference.compare(call().view(-1), made.reference)["passed"])
        return report

    def test_tries_the_whole_set_and_names_the_fastest(self):
        for operation, configurations in tiles.TUNED.items():
            timings = [5.0] * len(configurations)
            timings[3] = 1.0
            report = self.tune(operation, timings)
            self.assertTrue(report.startswith(configurations[3].text()), report)
            self.assertIn(f"the fastest of {len(configurations)} configurations by triton.autotune", report)
            self.assertIn("timed in CUDA graphs on warm data", report)
            self.assertIn(f"over {len(configurations)} configurations", self.progress.said[0])
            self.assertIn(report, self.progress.said[-1])

    def test_counts_what_could_not_be_launched(self):
        timings = [5.0] * len(tiles.TUNED["matmul"])
        timings[1], timings[4], timings[2] = None, None, 2.0
        report = self.tune("matmul", timings)
        self.assertTrue(report.startswith(tiles.TUNED["matmul"][2].text()), report)
        self.assertIn(f"the fastest of {len(timings) - 2} configurations", report)
        self.assertIn("(2 more could not be launched)", report)


class Cold(unittest.TestCase):
    """Copies of everything that a kernel reads and writes, its calls in turn."""

    def check(self, operation, prepare, words):
        made = inputs.prepare_inputs(params(operation, TILED[operation]))
        held = filter(torch.is_tensor, tritonwork.launch_of(made, CPU).arguments)
        size = sum(tensor.numel() * tensor.element_size() for tensor in held)
        with mock.patch("stagecraft_worker.machine.last_level_cache_bytes", return_value=size):
            workload = prepare(copies.Copies(made, CPU, True), Progress())
        self.assertIn(f"; cold: 3 copies of {copies._megabytes(size)} rotate through a last-level cache", workload.note)
        self.assertTrue(workload.note.endswith(words), workload.note)
        results = {result.data_ptr() for result in workload._kept}
        self.assertEqual(len(results), 3)
        for _ in range(4):
            self.assertTrue(reference.compare(passes.output_pass(workload), made.reference)["passed"])
        self.assertEqual({result.data_ptr() for result in workload._kept}, results)

    def test_fixed_tiles(self):
        for operation in TILED:
            with self.subTest(operation=operation):
                self.check(operation, tritonwork.prepare_fixed, " MB")

    def test_tuned_once_on_one_copy(self):
        timed = []

        def stopwatch(self, kernel_call, quantiles):
            timed.append(1)
            kernel_call()
            return [1.0] * len(quantiles)

        with mock.patch.object(triton.runtime.autotuner.Autotuner, "do_bench", stopwatch):
            for operation in TILED:
                with self.subTest(operation=operation):
                    del timed[:]
                    words = "; tuned once, on one copy, for which the tuner empties the cache between calls"
                    self.check(operation, tritonwork.prepare_tuned, words)
                    self.assertEqual(len(timed), len(tiles.TUNED[operation]))


class Worker(unittest.TestCase):
    def test_runs_them_in_the_interpreter_and_says_so(self):
        command = [
            PYTHON,
            "-B",
            os.path.join(os.path.dirname(os.path.abspath(__file__)), "interpretedworker.py"),
            WORKER,
        ]
        with WorkerClient(command=command, environment=ENVIRONMENT) as client:
            description = client.call("describe")
            implementations = {each["id"]: each for each in description["implementations"]}
            self.assertTrue(implementations["triton"]["available"])
            self.assertEqual(implementations["triton"]["timing_source"], "host")
            self.assertIn("its times say nothing", implementations["triton"]["note"])
            self.assertIn("no times to tune by", implementations["triton-tuned"]["reason"])
            self.assertTrue(next(each for each in description["libraries"] if each["name"] == "Triton")["version"])
            prepared = client.prepare("neighbor", [9, 70, 40], "triton")
            self.assertIn("32×64, 4 warps, IEEE FP32", prepared["note"])
            self.assertIn("interpreter", prepared["note"])
            self.assertTrue(client.call("check", {"handle": prepared["handle"]})["passed"])
            measured = client.call("measure", {"handle": prepared["handle"], "warmup": 0, "iterations": 2})
            self.assertEqual(measured["count"], 2)
            with self.assertRaises(ErrorReply) as raised:
                client.prepare("gelu", [2, 2], "triton-tuned")
            self.assertEqual(raised.exception.code, -32001)


if __name__ == "__main__":
    support.main()
