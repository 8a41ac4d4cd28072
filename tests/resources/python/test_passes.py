# SPDX-License-Identifier: GPL-3.0-or-later
"""The passes over a workload: poisoned results, spans, and the way of kernel records through the capture library.

CUDA's own functions are stood in for; what is tried is what the worker does around them.
"""

import json
import os
import shutil
import tempfile
import time
import unittest
from unittest import mock

import support

support.run_with(support.require_torch_worker())

import torch  # noqa: E402
from stagecraft_worker import errors, injection, passes  # noqa: E402
from stagecraft_worker.messages import CountersParams, MeasureParams  # noqa: E402
from stagecraft_worker.requestqueue import Cancellation  # noqa: E402
from stagecraft_worker.workload import Workload, poison_output, poison_results  # noqa: E402

CPU = torch.device("cpu")


class Poison(unittest.TestCase):
    def test_a_result_that_is_not_written_is_nan(self):
        output = torch.ones(5)
        result = passes.output_pass(Workload(lambda: output, CPU, "", poison_output(output)))
        self.assertTrue(torch.isnan(result).all())

    def test_an_element_that_is_not_written_is_nan(self):
        output = torch.ones(5)

        def call():
            output[:3] = 2
            return output

        result = passes.output_pass(Workload(call, CPU, "", poison_output(output)))
        self.assertEqual(result[:3].tolist(), [2, 2, 2])
        self.assertTrue(torch.isnan(result[3:]).all())

    def test_memory_that_is_handed_out_again_is_nan(self):
        # The GPU's caching allocator hands a freed block out again; the CPU's may or may not, so one block is named.
        block = torch.empty(200_000)

        def call():
            return block.view(400, 500)

        call().fill_(1)  # what a result that is right would leave behind
        result = passes.output_pass(Workload(call, CPU, "", poison_results(call)))
        self.assertTrue(torch.isnan(result).all())

    def test_a_view_is_read_in_the_order_of_its_indices(self):
        workload = Workload(lambda: torch.arange(6.0).view(2, 3).t(), CPU, "", lambda: None)
        self.assertEqual(passes.output_pass(workload).tolist(), [0, 3, 1, 4, 2, 5])


class Spans(unittest.TestCase):
    def measure(self, call, cancellation=None, written=False, **changes):
        self.sink = mock.Mock()
        self.sink.put.return_value = written
        params = MeasureParams(**{"handle": 1, "warmup": 2, "iterations": 3, **changes})
        workload = Workload(call, CPU, "", lambda: None)
        return passes.span_pass(workload, params, mock.Mock(), self.sink, cancellation or Cancellation())

    def test_are_microseconds_of_one_call_each(self):
        call = mock.Mock(side_effect=lambda: time.sleep(0.002))
        self.assertEqual(self.measure(call), {"count": 3, "cancelled": False})
        self.assertEqual(call.call_count, 5)
        samples = [one.args[0] for one in self.sink.put.call_args_list]
        self.assertEqual(len(samples), 3)
        self.assertTrue(all(us >= 2000 for us in samples), samples)

    def test_a_time_that_is_none_is_an_error(self):
        with mock.patch("time.perf_counter_ns", return_value=7), self.assertRaises(errors.WorkerError) as raised:
            self.measure(lambda: None)
        self.assertEqual(raised.exception.code, errors.FAILED)
        self.assertIn("less than one tick of the system's clock", str(raised.exception))

    def test_end_where_they_are_cancelled(self):
        cancellation = Cancellation()
        calls = []

        def call():
            calls.append(1)
            cancellation.requested = len(calls) == 4

        self.assertEqual(self.measure(call, cancellation, iterations=100), {"count": 2, "cancelled": True})

    def test_a_batch_that_was_written_is_followed_by_an_untimed_call(self):
        call = mock.Mock()
        self.assertEqual(self.measure(call, written=True)["count"], 3)
        self.assertEqual((call.call_count, self.sink.put.call_count), (2 + 3 + 3, 3))
        call.reset_mock()
        self.measure(call, written=True, bracket=True)
        self.assertEqual(call.call_count, 2 + 3)

    def test_python_collects_no_garbage_meanwhile(self):
        import gc

        states = []
        self.measure(lambda: states.append(gc.isenabled()))
        self.assertEqual(states, [False] * 5)
        self.assertTrue(gc.isenabled())


class FakeLibrary:
    """What the capture library does in a process that is profiled: records what is launched while it is on."""

    def __init__(self, directory):
        self.directory = directory
        self.iteration = -1
        self.on = False
        self.records = []
        self.ranges = []
        self.rests = 0
        self.metrics = None  # where it counts
        self.counts_as = lambda launches: launches  # how many kernels it says it counted

    def stagecraft_capture_counters(self, metrics):
        self.metrics = metrics and metrics.decode().split(",")

    def stagecraft_capture_iteration(self, iteration):
        self.iteration = iteration
        self.rests += iteration == -1 and not self.on

    def stagecraft_range_push(self, name):
        self.ranges.append(name)

    def stagecraft_range_pop(self):
        self.ranges.append(None)

    def launch(self, name, iteration=None):
        if self.on:
            where = self.iteration if iteration is None else iteration
            record = {"kernel_name": name, "duration_us": 2.5, "iteration": where}
            self.records.append({**record, "grid": [1, 1, 1], "block": [32, 1, 1]})

    def cudaProfilerStart(self):  # noqa: N802
        self.on, self.records = True, []
        return 0

    def cudaProfilerStop(self):  # noqa: N802
        self.on = False
        bracket = {"backend": "cupti", "timestamp_mode": "hw", "records": self.records, "dropped": 0, "invalid": 0}
        if self.metrics:
            bracket = {"backend": "cupti", "counters": self.counters()}
        self.write({"format": 1, "pid": os.getpid(), "process": "python3", "brackets": [bracket]})
        return 0

    def counters(self):
        kernels = range(self.counts_as(len(self.records)))
        return {
            "passes": 3,
            "replay_mode": "kernel",
            "metrics": [{"name": name} for name in self.metrics],
            "missing": [],
            "kernels": [{name: 100 * (kernel + 1) for name in self.metrics} for kernel in kernels],
        }

    def write(self, content):
        with open(os.path.join(self.directory, f"{os.getpid()}.json"), "w", encoding="utf-8") as stream:
            json.dump(content, stream)


class Captured(unittest.TestCase):
    def setUp(self):
        directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, directory)
        self.library = FakeLibrary(directory)
        with mock.patch.dict(os.environ, {"STAGECRAFT_CAPTURE_LIBRARY": __file__}):
            self.injection = injection.Injection()
        self.injection.directory, self.injection._functions = directory, self.library
        patches = (
            mock.patch("torch.cuda.cudart", return_value=self.library, create=True),
            mock.patch("torch.cuda.check_error"),
        )
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)


class Capture(Captured):
    def capture(self, call, iterations=3, cancellation=None):
        workload = Workload(call, CPU, "", lambda: None)
        return passes.capture_pass(workload, 2, iterations, self.injection, cancellation or Cancellation())

    def test_tells_which_iteration_launched_what(self):
        def call():
            self.library.launch("first")
            self.library.launch("second")

        result = self.capture(call)
        found = [(record["iteration"], record["kernel_name"]) for record in result["records"]]
        self.assertEqual(found, [(i, name) for i in range(3) for name in ("first", "second")])
        self.assertEqual((result["requested_iterations"], result["cancelled"]), (3, False))
        self.assertEqual(os.listdir(self.injection.directory), [])
        self.assertEqual((self.library.iteration, self.library.rests), (-1, 1))

    def test_a_kernel_of_no_iteration_is_an_error(self):
        with self.assertRaises(errors.WorkerError) as raised:
            self.capture(lambda: self.library.launch("stray", iteration=-1))
        self.assertIn("3 kernel records belong to no iteration, the first is of stray", str(raised.exception))

    def test_a_cancelled_one_says_so(self):
        cancellation = Cancellation()

        def call():
            self.library.launch("k")
            cancellation.requested = len(self.library.records) == 2

        result = self.capture(call, 100, cancellation)
        self.assertEqual((len(result["records"]), result["cancelled"]), (2, True))

    def test_a_failing_call_ends_the_bracket(self):
        def call():
            if self.library.on:
                raise RuntimeError("CUDA error")

        with self.assertRaises(RuntimeError):
            self.capture(call)
        self.assertFalse(self.library.on)
        self.assertEqual(self.library.iteration, -1)

    def test_without_a_file_the_library_was_not_loaded(self):
        self.library.write = lambda content: None
        with self.assertRaises(errors.WorkerError) as raised:
            self.capture(lambda: None)
        self.assertEqual(raised.exception.code, errors.UNAVAILABLE)
        self.assertIn("did not load the capture library", str(raised.exception))

    def test_a_refusal_is_told_once_by_the_library_and_each_time_here(self):
        refusal = {"unavailable": {"reason": "this user may not profile", "fix": "ask the driver"}}
        self.library.write({"format": 1, "pid": os.getpid(), "process": "python3", "brackets": [refusal]})
        self.library.write = lambda content: None
        for _ in range(2):
            with self.assertRaises(errors.WorkerError) as raised:
                self.capture(lambda: None)
            self.assertEqual(
                (raised.exception.code, str(raised.exception)), (errors.UNAVAILABLE, "this user may not profile")
            )
            self.assertEqual(raised.exception.fix, "ask the driver")

    def test_brackets_of_before_are_passed_over(self):
        bracket = {"backend": "cupti", "timestamp_mode": "hw", "records": [], "dropped": 3, "invalid": 0}
        write = self.library.write
        self.library.write = lambda content: write({**content, "brackets": [bracket, *content["brackets"]]})
        result = self.capture(lambda: self.library.launch("k"))
        self.assertEqual((len(result["records"]), result["dropped"]), (3, 0))

    def test_ranges_close_in_turn(self):
        with self.injection.ranges("matmul", "triton", "round 1", "spans"):
            self.assertEqual(self.library.ranges, [b"matmul", b"triton", b"round 1", b"spans"])
        self.assertEqual(self.library.ranges[4:], [None] * 4)


class Counters(Captured):
    def call(self):
        self.calls += 1
        for name in ("first", "second"):
            self.library.launch(name)

    def count(self, call=None, cancellation=None, workload=None, **changes):
        self.calls = 0
        params = CountersParams(**{"handle": 1, "warmup": 2, "metrics": ["a.sum"], **changes})
        workload = workload or Workload(call or self.call, CPU, "", lambda: None)
        return passes.counter_pass(workload, params, self.injection, cancellation or Cancellation())

    def refused(self, code, text, **arguments):
        with self.assertRaises(errors.WorkerError) as raised:
            self.count(**arguments)
        self.assertEqual(raised.exception.code, code)
        self.assertIn(text, str(raised.exception))
        self.assertTrue(raised.exception.fix)

    def test_have_the_names_of_a_recorded_call(self):
        result = self.count()
        self.assertEqual(self.calls, 2 + 1 + 1)
        found = [(kernel["kernel_name"], kernel["values"]) for kernel in result["kernels"]]
        self.assertEqual(found, [("first", {"a.sum": 100}), ("second", {"a.sum": 200})])
        self.assertEqual(result["kernels"][0]["block"], [32, 1, 1])
        self.assertNotIn("duration_us", result["kernels"][0])  # what was run again and again is no time
        self.assertEqual((result["backend"], result["replay_mode"], result["passes"]), ("cupti", "kernel", 3))
        self.assertEqual((result["metrics"], result["cancelled"]), ([{"name": "a.sum"}], False))

    def test_are_of_the_librarys_own_set_where_none_are_named(self):
        self.assertEqual(self.count(metrics=[])["metrics"], [{"name": "usual"}])

    def test_leave_a_library_that_records(self):
        self.count()
        self.assertIsNone(self.library.metrics)
        self.assertEqual(self.library.rests, 1)  # once, at the end: between the two calls CUPTI stays
        self.assertEqual(os.listdir(self.injection.directory), [])

    def test_leave_a_library_that_records_after_a_failing_call(self):
        def call():
            if self.library.metrics:
                raise RuntimeError("CUDA error")

        with self.assertRaises(RuntimeError):
            self.count(call)
        self.assertIsNone(self.library.metrics)
        self.assertFalse(self.library.on)
        self.assertEqual(self.library.rests, 1)

    def test_of_cold_copies_are_refused(self):
        workload = Workload(self.call, CPU, "", lambda: None)
        workload.copies = 2
        self.refused(errors.UNAVAILABLE, "finds them in the cache", workload=workload)
        self.assertEqual(self.calls, 0)

    def test_of_calls_that_differ_are_refused(self):
        self.library.counts_as = lambda launches: launches + 1
        self.refused(errors.FAILED, "launched 2 kernels when it was recorded and 3 when they were counted")

    def test_of_a_library_that_records_all_the_same(self):
        self.library.stagecraft_capture_counters = lambda metrics: None
        self.refused(errors.FAILED, "recorded where it was to count")

    def test_a_refusal_is_passed_on(self):
        refusal = {"unavailable": {"reason": "counters are for administrators", "fix": "be one"}}
        write = self.library.write

        def refuse(content):
            write({**content, "brackets": [refusal]} if self.library.metrics else content)

        self.library.write = refuse
        self.refused(errors.UNAVAILABLE, "counters are for administrators")
        self.assertIsNone(self.library.metrics)

    def test_a_cancelled_one_counts_nothing(self):
        cancellation = Cancellation()
        cancellation.requested = True
        result = self.count(cancellation=cancellation)
        self.assertEqual((self.calls, result["cancelled"], result["kernels"]), (0, True, []))
        self.assertEqual(self.library.rests, 1)


class Injection(unittest.TestCase):
    def made(self, **variables):
        with mock.patch.dict(os.environ, variables):
            return injection.Injection()

    def test_is_there_for_the_start_of_cuda_alone(self):
        made = self.made(STAGECRAFT_CAPTURE_LIBRARY=__file__)
        self.assertIsNone(made.problem)
        with made.armed():
            self.assertEqual(os.environ["CUDA_INJECTION64_PATH"], __file__)
            self.assertTrue(os.path.isdir(os.environ["STAGECRAFT_CAPTURE_DIRECTORY"]))
            self.assertEqual(os.stat(made.directory).st_mode & 0o777, 0o700)
        self.assertNotIn("CUDA_INJECTION64_PATH", os.environ)
        self.assertNotIn("STAGECRAFT_CAPTURE_DIRECTORY", os.environ)
        self.assertIn("cannot be loaded", made.problem.reason)  # this file is no library
        made.close()
        self.assertFalse(os.path.exists(made.directory))

    def test_a_users_own_metrics_do_not_reach_the_library(self):
        with mock.patch.dict(os.environ, {"STAGECRAFT_CAPTURE_METRICS": "usual"}):
            made = self.made(STAGECRAFT_CAPTURE_LIBRARY=__file__)
            with made.armed():
                self.assertNotIn("STAGECRAFT_CAPTURE_METRICS", os.environ)
            self.assertEqual(os.environ["STAGECRAFT_CAPTURE_METRICS"], "usual")
        made.close()

    def test_leaves_another_tool_alone(self):
        variables = {
            "CUDA_INJECTION64_PATH": "/opt/nsight/libToolsInjection64.so",
            "STAGECRAFT_CAPTURE_LIBRARY": __file__,
        }
        with mock.patch.dict(os.environ, variables):
            made = injection.Injection()
            with made.armed():
                self.assertEqual(os.environ["CUDA_INJECTION64_PATH"], variables["CUDA_INJECTION64_PATH"])
            self.assertEqual(os.environ["CUDA_INJECTION64_PATH"], variables["CUDA_INJECTION64_PATH"])
        self.assertIn("another tool", made.problem.reason)
        self.assertIn("libToolsInjection64.so", made.problem.reason)
        self.assertNotIn("/opt", made.problem.reason)
        self.assertIn("--no-capture", made.problem.fix)

    def test_can_be_switched_off(self):
        made = self.made(STAGECRAFT_CAPTURE_LIBRARY=__file__, STAGECRAFT_CAPTURE="off")
        with made.armed():
            self.assertNotIn("CUDA_INJECTION64_PATH", os.environ)
        self.assertIn("switched off", made.problem.reason)

    def test_is_looked_for_beside_the_installation(self):
        made = self.made(STAGECRAFT_CAPTURE_LIBRARY="")
        expected = os.path.normpath(os.path.join(support.PYTHON_FOLDER, "../../../lib/stagecraft"))
        self.assertEqual(os.path.dirname(made.path), expected)
        self.assertIn("is not part of this installation", made.problem.reason)
        with made.ranges("no library, no ranges"):
            pass

    def test_marks_through_the_built_library(self):
        path = os.environ.get("STAGECRAFT_BUILT_CAPTURE_LIBRARY", "")
        if not os.path.exists(path):
            self.skipTest("the capture library is not part of this build")
        made = self.made(STAGECRAFT_CAPTURE_LIBRARY=path)
        with made.armed():
            pass
        self.addCleanup(made.close)
        self.assertIsNone(made.problem)
        made.mark(3)
        made.mark(-1)
        with made.counting(["smsp__inst_executed.sum"]):
            pass
        with made.ranges("matmul", "pytorch"):
            pass


if __name__ == "__main__":
    support.main()
