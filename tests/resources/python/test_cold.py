# SPDX-License-Identifier: GPL-3.0-or-later
"""A cold cache: how many copies there are, whose turn it is, what stands between two events, and what is refused."""

import math
import types
import unittest
from unittest import mock

import support

support.run_with(support.require_torch_worker())

import torch  # noqa: E402
from stagecraft_worker import compiled, copies, eager, errors, implementations, inputs, machine, passes  # noqa: E402
from stagecraft_worker import reference  # noqa: E402
from stagecraft_worker.messages import MeasureParams  # noqa: E402
from stagecraft_worker.requestqueue import Cancellation  # noqa: E402
from stagecraft_worker.workload import Rotation, Workload, poison_output, poison_results  # noqa: E402

from test_inputs import SMALL, params  # noqa: E402
from workerclient import ErrorReply, WorkerClient  # noqa: E402

CPU = torch.device("cpu")
GPU = types.SimpleNamespace(type="cuda")
CACHE = 2000  # bytes


def cache_of(size):
    return mock.patch("stagecraft_worker.machine.last_level_cache_bytes", return_value=size)


def prepared(operation, dims, implementation="pytorch-cpu", cold=True, cache=CACHE):
    made = inputs.prepare_inputs(params(operation, dims))
    with cache_of(cache):
        prepare = implementations.IMPLEMENTATIONS[implementation].prepare
        return made, prepare(copies.Copies(made, CPU, cold), mock.MagicMock())


class Refusals(unittest.TestCase):
    def refused(self, work, *words):
        with self.assertRaises(errors.WorkerError) as raised:
            work()
        self.assertEqual(raised.exception.code, errors.UNAVAILABLE)
        for word in words:
            self.assertIn(word, str(raised.exception))
        self.assertIn("--cache warm", raised.exception.fix)
        return raised.exception


class Numbers(Refusals):
    def test_are_the_least_that_exceed_the_cache_twice(self):
        for operation, dims in SMALL.items():
            made, workload = prepared(operation, dims)
            first = eager.arguments(made, CPU)
            size = 4 * math.prod(made.operation.output_shape(*dims))
            size += sum(tensor.numel() * tensor.element_size() for tensor in first)
            count = len(workload._calls)
            self.assertGreater(count * size, 2 * CACHE)
            self.assertLessEqual((count - 1) * size, 2 * CACHE)
            amount = f"cold: {count} copies of {copies._megabytes(size)} rotate through a last-level cache of 0.002 MB"
            self.assertIn(amount, workload.note)

    def test_one_copy_is_never_enough(self):
        _, workload = prepared("gelu", [30, 50])
        self.assertEqual(len(workload._calls), 2)
        self.assertIn("cold: 2 copies of 0.0122 MB rotate through", workload.note)

    def test_more_than_the_most_are_refused(self):
        size = 4 * (15 + 5 + 15)
        _, workload = prepared("gelu", [3, 5], cache=1023 * size // 2)
        self.assertEqual(len(workload._calls), 1024)
        words = "1025 copies of 140 bytes to exceed a last-level cache of 0.0717 MB twice, and 1024 is the most"
        error = self.refused(lambda: prepared("gelu", [3, 5], cache=1024 * size // 2), words)
        self.assertIn("choose larger dims", error.fix)

    def test_the_cache_is_the_gpus_l2(self):
        with mock.patch("torch.cuda.get_device_properties") as properties:
            properties.return_value = types.SimpleNamespace(L2_cache_size=62914560)
            self.assertEqual(copies.cache_of(GPU), (62914560, "L2"))
            kept = copies.Copies(inputs.prepare_inputs(params("gelu", [1024, 768])), GPU, True)
            made = kept.make(lambda inputs: eager.arguments(inputs, CPU), lambda tensors: tensors)
            self.assertEqual(len(made), 40)
            self.assertEqual(kept._note, "; cold: 40 copies of 3.15 MB rotate through an L2 of 62.9 MB")
            properties.return_value = types.SimpleNamespace()
            self.refused(lambda: copies.cache_of(GPU), "does not say how large the GPU's L2 is")

    def test_a_system_that_does_not_tell_is_refused(self):
        self.refused(lambda: prepared("gelu", [3, 5], cache=0), "does not say how large the CPU's last-level cache is")

    def test_memory_that_is_short_is_refused(self):
        words = "cold takes 29 copies of 140 bytes, 0.00406 MB together, and there is not so much memory"
        with mock.patch("stagecraft_worker.machine.available_bytes", return_value=4000):
            self.refused(lambda: prepared("gelu", [3, 5]), words)
        with mock.patch("stagecraft_worker.machine.available_bytes", return_value=0):  # it does not tell
            prepared("gelu", [3, 5])
        for turn in (2, 29, 30):  # of the copies, and of the results
            calls = []

            def arguments(made, device):
                calls.append(made)
                if len(calls) == turn:
                    raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
                return [tensor.to(device) for tensor in made.tensors.values()]

            def gelu(a, b):
                return arguments(inputs.Inputs(None, [], {"a": a}, None), CPU)[0] + b

            with mock.patch.object(eager, "arguments", arguments), mock.patch.dict(eager.FUNCTIONS, gelu=gelu):
                self.refused(lambda: prepared("gelu", [3, 5]), words)

    def test_the_machine_tells_both_or_nothing(self):
        self.assertGreaterEqual(machine.last_level_cache_bytes(), 0)
        self.assertGreaterEqual(machine.available_bytes(), 0)
        silent = mock.patch("stagecraft_worker.machine._search", return_value="")
        with silent, mock.patch("os.sysconf", side_effect=OSError):
            self.assertEqual(machine.last_level_cache_bytes(), 0)

    def test_caches_of_the_last_level_are_added_up(self):
        listed = {
            "/0/index2": {"level": "2", "size": "1024K", "type": "Unified", "shared_cpu_list": "0"},
            "/0/index3": {"level": "3", "size": "32768K", "type": "Unified", "shared_cpu_list": "0-1"},
            "/1/index3": {"level": "3", "size": "32768K", "type": "Unified", "shared_cpu_list": "0-1"},
            "/2/index3": {"level": "3", "size": "32M", "type": "Unified", "shared_cpu_list": "2-3"},
        }

        def told(path, pattern):
            folder, _, name = path.rpartition("/")
            return listed[folder][name]

        with mock.patch("stagecraft_worker.machine._search", told), mock.patch("glob.glob", return_value=list(listed)):
            self.assertEqual(machine._cache_by_kernel(), 64 << 20)
            with mock.patch("stagecraft_worker.machine._cache_by_library", return_value=96 << 20):
                self.assertEqual(machine.last_level_cache_bytes(), 96 << 20)


class Turns(unittest.TestCase):
    def test_every_copy_is_right_and_has_memory_of_its_own(self):
        for operation, dims in SMALL.items():
            with self.subTest(operation=operation):
                made, workload = prepared(operation, dims)
                count = len(workload._calls)
                self.assertGreater(count, 2)
                inside = [cell.cell_contents for call in workload._calls for cell in call.__closure__]
                tensors = [tensor for part in inside if isinstance(part, list) for tensor in part if tensor.numel()]
                self.assertEqual(len({tensor.data_ptr() for tensor in tensors}), len(tensors))
                for _ in range(count + 1):
                    compared = reference.compare(passes.output_pass(workload), made.reference)
                    self.assertTrue(compared["passed"], compared)
                self.assertEqual(len({result.data_ptr() for result in workload._kept}), count)

    def rotation(self, count, log):
        def bound(copy):
            return lambda: log.append(copy) or torch.full((2,), float(copy))

        rotation = Rotation([bound(copy) for copy in range(count)], CPU, "", [lambda: None] * count)
        del log[:]
        return rotation

    def test_consecutive_calls_use_consecutive_copies(self):
        log = []
        workload = self.rotation(3, log)
        sink = mock.Mock()
        sink.put.side_effect = [False, True, False, False]
        passes.span_pass(workload, MeasureParams(1, 2, 4), mock.Mock(), sink, Cancellation())
        self.assertEqual(log, [0, 1, 2, 0, 1, 2, 0])  # two of warm-up, four spans, one after the sending
        self.assertEqual(passes.output_pass(workload).tolist(), [1.0, 1.0])

    def test_between_the_events_is_the_call_alone(self):
        log = []
        workload = self.rotation(2, log)
        next_call, keep = workload.next_call, workload.keep
        workload.next_call = lambda: log.append("bind") or next_call()
        workload.keep = lambda result: log.append("keep") or keep(result)

        class Event:
            def __init__(self, enable_timing):
                self.name = len(log)

            def record(self, stream):
                log.append("record")

            def synchronize(self):
                log.append("wait")

            def elapsed_time(self, end):
                return 0.001

        stand_ins = {"Event": Event, "current_stream": lambda device: "stream"}
        with mock.patch.multiple("torch.cuda", **stand_ins):
            clock = passes._EventClock(CPU)
            del log[:]
            for copy in (0, 1, 0):
                self.assertEqual(clock.time(workload), 1.0)
                self.assertEqual(log, ["bind", "record", copy, "record", "wait", "keep"])
                del log[:]

    def test_captured_iterations_rotate_too(self):
        log = []
        workload = self.rotation(3, log)
        injection = mock.Mock()
        injection.mark.side_effect = lambda iteration: log.append(f"mark {iteration}")
        with mock.patch("stagecraft_worker.passes._bracket"), mock.patch("stagecraft_worker.capturefile.to_result"):
            passes.capture_pass(workload, 1, 3, injection, Cancellation())
        marks = ["mark 0", 1, "mark -1", "mark 1", 2, "mark -1", "mark 2", 0, "mark -1"]
        self.assertEqual(log, [0, *marks])

    def test_a_result_is_kept_until_its_turn(self):
        workload = self.rotation(3, [])
        self.assertEqual([float(result[0]) for result in workload._kept], [0.0, 1.0, 2.0])
        workload.next_call()
        self.assertIsNone(workload._kept[0])
        self.assertIsNotNone(workload._kept[1])

    def test_poison_is_in_the_copy_that_is_checked(self):
        outputs = [torch.ones(3) for _ in range(3)]
        calls = [lambda output=output: output for output in outputs]
        workload = Rotation(calls, CPU, "", [poison_output(output) for output in outputs])
        for _ in range(3):
            self.assertTrue(torch.isnan(passes.output_pass(workload)).all())
        blocks = [torch.ones(3) for _ in range(3)]
        calls = [lambda block=block: block.view(3, 1) for block in blocks]
        workload = Rotation(calls, CPU, "", [poison_results(call) for call in calls])
        for _ in range(3):
            self.assertTrue(torch.isnan(passes.output_pass(workload)).all())

    def test_the_worst_copy_is_what_a_check_reports(self):
        right = torch.tensor([1.0, 2.0])
        wanted = right.double()

        def checked(results):
            calls = [lambda result=result: result for result in results]
            return passes.checked_pass(Rotation(calls, CPU, "", [lambda: None] * len(calls)), wanted)

        output, compared = checked([right, right, right])
        self.assertTrue(compared["passed"])
        for place in range(3):
            results = [right, right, right]
            results[place] = torch.tensor([1.0, 5.0])
            output, compared = checked(results)
            self.assertFalse(compared["passed"])
            self.assertEqual((compared["first_bad"], output.tolist()), (1, [1.0, 5.0]))
        near = torch.tensor([1.0, 2.0001])
        output, compared = checked([right, near, right])
        self.assertTrue(compared["passed"])
        self.assertGreater(compared["max_abs_error"], 0)
        failed = torch.full((2,), math.nan)  # without an error that is a number
        self.assertFalse(checked([near, failed, near])[1]["passed"])
        self.assertTrue(passes.checked_pass(Workload(lambda: right, CPU, "", lambda: None), wanted)[1]["passed"])

    def test_warm_is_one_call_again_and_again(self):
        made, workload = prepared("gelu", [3, 5], cold=False)
        self.assertIsInstance(workload, Workload)
        self.assertIs(workload.next_call(), workload.call)
        self.assertNotIn("cold", workload.note)
        (tensors,) = [cell.cell_contents for cell in workload.call.__closure__ if isinstance(cell.cell_contents, list)]
        self.assertEqual(tensors[0].data_ptr(), made.tensors["a"].data_ptr())


class Compiled(unittest.TestCase):
    """With a stand-in for the compiler, which needs a GPU and a newer PyTorch."""

    def prepared(self, per_call):
        self.compiled, graphs = [], []

        def compile(function, **options):
            self.compiled.append(options)

            def run(*arguments):
                graphs.extend([1] * per_call(len(graphs)))
                return function(*arguments)

            return run

        counted = mock.patch.object(compiled, "_graphs", lambda: len(graphs))
        with mock.patch("torch.compile", compile, create=True), counted:
            return prepared("gelu", [3, 5], "pytorch-compile")

    def test_once_for_all_copies(self):
        made, workload = self.prepared(lambda graphs: 0 if graphs else 1)
        self.assertEqual(self.compiled, [{"fullgraph": True, "dynamic": False}])
        self.assertIn("; compilation outside the spans; cold: 29 copies of 140 bytes", workload.note)
        for _ in range(30):
            self.assertTrue(reference.compare(passes.output_pass(workload), made.reference)["passed"])

    def test_anew_for_another_copy_is_an_error(self):
        with self.assertRaises(errors.WorkerError) as raised:
            self.prepared(lambda graphs: 1)
        self.assertEqual(raised.exception.code, errors.FAILED)
        self.assertIn("compiled anew for another copy", str(raised.exception))


class Worker(unittest.TestCase):
    def test_words(self):
        with WorkerClient() as client:
            for more, reason, fix in (
                ({"cache": "tepid"}, 'cache: there is no "tepid"', 'use "warm" or "cold"'),
                ({"arithmetic": "tf32"}, 'arithmetic: there is no "tf32"', 'use "any" or "fp32"'),
            ):
                with self.assertRaises(ErrorReply) as raised:
                    client.prepare("gelu", [3, 5], "pytorch-cpu", **more)
                found = raised.exception
                self.assertEqual((found.code, found.reason, found.fix), (errors.INVALID, reason, fix))
            plain = client.prepare("gelu", [3, 5], "pytorch-cpu")
            exact = client.prepare("gelu", [3, 5], "pytorch-cpu", arithmetic="fp32")
            self.assertEqual((exact["note"], exact["arithmetic"]), (plain["note"], "fp32"))
            spelt = client.prepare("gelu", [3, 5], "pytorch-cpu", cache="warm", arithmetic="any")
            self.assertEqual((spelt["note"], spelt["arithmetic"]), (plain["note"], "fp32"))
            with self.assertRaises(ErrorReply) as raised:  # no processor with so small a cache is left
                client.prepare("gelu", [1, 1], "pytorch-cpu", cache="cold")
            self.assertEqual(raised.exception.code, errors.UNAVAILABLE)
            self.assertTrue(client.call("check", {"handle": exact["handle"]})["passed"])


if __name__ == "__main__":
    support.main()
