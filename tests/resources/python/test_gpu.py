# SPDX-License-Identifier: GPL-3.0-or-later
"""What the worker makes of a GPU: its description, spans, records, and the ends of a broken one (see fakecuda.py)."""

import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import support
from workerclient import SILENCE, WORKER, ErrorReply, WorkerClient

PYTHON = support.require_torch_worker()
FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fakecuda.py")
UNAVAILABLE, FAILED, INVALID = -32001, -32002, -32003


class Gpu(unittest.TestCase):
    def start(self, behaviour="", **variables):
        environment = {**os.environ, "STAGECRAFT_CAPTURE_LIBRARY": __file__, **variables}
        command = ["setsid", PYTHON, "-B", FAKE, WORKER, behaviour]  # as the program starts its workers
        client = WorkerClient(command=command, environment=environment, stderr=subprocess.PIPE)
        self.addCleanup(client.__exit__)
        return client

    def described(self, *arguments, **variables):
        description = self.start(*arguments, **variables).call("describe")
        return description, {each["id"]: each for each in description["implementations"]}

    def refused(self, client, method, params, code, text):
        with self.assertRaises(ErrorReply) as raised:
            client.call(method, params)
        self.assertEqual(raised.exception.code, code)
        self.assertIn(text, raised.exception.reason)
        return raised.exception

    def measure(self, client, **more):
        handle = client.prepare("gelu", [3, 5], "pytorch")["handle"]
        return handle, {"handle": handle, "warmup": 2, "iterations": 5, **more}


class Description(Gpu):
    def test_names_the_gpus_and_launches_once(self):
        description, implementations = self.described()
        self.assertEqual(len(description["devices"]), 2)
        device = description["devices"][1]
        self.assertEqual((device["index"], device["name"], device["uuid"]), (1, "Fake GPU", "GPU-0000-1"))
        self.assertEqual((device["compute_capability"], device["sm_count"]), ("9.0", 132))
        self.assertEqual((device["max_threads_per_sm"], device["memory_bytes"]), (2048, 1 << 37))
        self.assertEqual(device["l2_bytes"], 60 << 20)
        self.assertEqual(description["self_test"], {"passed": True, "kernel_us": 2.5})
        self.assertEqual(description["capture"], {"available": True, "backend": "cupti", "timestamp_mode": "hardware"})
        capture = next(each for each in description["libraries"] if each["name"] == "capture library")
        self.assertEqual((capture["available"], capture["version"]), (True, "CUPTI API 130001, CUDA 13"))
        self.assertTrue(implementations["pytorch"]["available"])
        self.assertEqual(implementations["pytorch"]["timing_source"], "event")
        self.assertIn("no torch.compile", implementations["pytorch-compile"]["reason"])

    def test_a_device_that_is_not_there(self):
        client = self.start()
        self.refused(client, "describe", {"device": 2}, INVALID, "device 2 is not there; CUDA shows 2")
        gelu = {"operation": "gelu", "dims": [1, 1], "seed": 1, "implementation": "pytorch", "device": 2}
        error = self.refused(client, "prepare", gelu, INVALID, "device 2 is not there")
        self.assertEqual(error.fix, "choose a device from 0 to 1")
        self.assertEqual(client.call("prepare", {**gelu, "device": 1})["timing_source"], "event")

    def test_a_driver_that_is_too_old(self):
        description, implementations = self.described("old-driver")
        self.assertEqual(description["devices"], [])
        self.assertTrue(implementations["pytorch"]["reason"].endswith("too old (found version 11040)."))
        self.assertTrue(implementations["pytorch-cpu"]["available"])

    def test_a_gpu_that_launches_nothing(self):
        description, implementations = self.described("no-launch")
        self.assertEqual(len(description["devices"]), 2)
        self.assertFalse(description["self_test"]["passed"])
        self.assertIn("no kernel image is available", description["self_test"]["reason"])
        self.assertNotIn("More advice", description["self_test"]["reason"])
        self.assertFalse(implementations["pytorch"]["available"])
        self.assertIn("built for this GPU", implementations["pytorch"]["fix"])
        self.assertFalse(description["capture"]["available"])

    def test_a_capture_library_that_is_not_loaded(self):
        description, implementations = self.described("not-loaded")
        self.assertIn("did not load the capture library", description["capture"]["reason"])
        self.assertTrue(description["self_test"]["passed"])
        self.assertTrue(implementations["pytorch"]["available"])

    def test_counters_are_described_where_they_are_asked_for(self):
        client = self.start()
        self.assertNotIn("counters", client.call("describe"))
        self.assertEqual(
            client.call("describe", {"counters": True})["counters"], {"available": True, "backend": "cupti"}
        )
        for behaviour, reason in (
            ("counters-refused", "counters are for administrators"),
            ("uncounted", "counted as 0"),
            ("not-loaded", "did not load the capture library"),
        ):
            counters = self.start(behaviour).call("describe", {"counters": True})["counters"]
            self.assertFalse(counters["available"])
            self.assertIn(reason, counters["reason"])
            self.assertTrue(counters["fix"])
        left = self.start().call("describe", {"counters": True, "leave_profiler": True})["counters"]
        self.assertIn("--no-capture", left["reason"])
        old = self.start("old-driver").call("describe", {"counters": True})["counters"]
        self.assertEqual(old["reason"], "hardware counters are the GPU's")
        self.assertIn("too old", old["fix"])

    def test_another_profiler_keeps_the_device(self):
        description, _ = self.described(CUDA_INJECTION64_PATH="/opt/tool/libTool.so")
        self.assertIn("CUDA_INJECTION64_PATH names libTool.so", description["capture"]["reason"])
        self.assertEqual(description["self_test"], {"passed": True})

    def test_a_user_who_wants_tf32_does_not_get_it_here(self):
        description, _ = self.described(NVIDIA_TF32_OVERRIDE="1")
        self.assertEqual(len(description["devices"]), 2)


class Passes(Gpu):
    def test_spans_and_records(self):
        client = self.start()
        handle, params = self.measure(client)
        self.assertTrue(client.call("check", {"handle": handle})["passed"])
        self.assertEqual(client.call("measure", params), {"count": 5, "cancelled": False})
        self.assertEqual(len(client.samples()), 5)
        self.assertLess(max(client.samples()), 3600 * 1e6)  # no event was made within one
        captured = client.call("capture", params)
        self.assertEqual([record["iteration"] for record in captured["records"]], list(range(5)))
        self.assertEqual(captured["records"][0]["registers_per_thread"], 40)
        self.assertEqual((captured["backend"], captured["requested_iterations"]), ("cupti", 5))
        self.assertEqual(client.call("release", {"handle": handle}), {})

    def test_counters_of_one_call(self):
        client = self.start()
        handle, params = self.measure(client)
        counted = client.call("counters", {"handle": handle, "warmup": 1, "metrics": ["a.sum", "b.sum"]})
        self.assertEqual((counted["backend"], counted["replay_mode"], counted["passes"]), ("cupti", "kernel", 3))
        self.assertEqual([metric["name"] for metric in counted["metrics"]], ["a.sum", "b.sum"])
        self.assertEqual([kernel["kernel_name"] for kernel in counted["kernels"]], ["fake"])
        self.assertEqual(counted["kernels"][0]["values"], {"a.sum": 1000, "b.sum": 1001})
        self.assertEqual(counted["kernels"][0]["registers_per_thread"], 40)
        self.assertEqual(len(client.call("capture", params)["records"]), 5)  # brackets record again
        self.assertEqual(client.call("measure", params)["count"], 5)

    def test_counters_that_are_not_to_be_had(self):
        client = self.start("counters-refused")
        handle, params = self.measure(client)
        asked = {"handle": handle, "warmup": 0}
        error = self.refused(client, "counters", asked, UNAVAILABLE, "counters are for administrators")
        self.assertEqual(error.fix, "be one")
        self.assertEqual(len(client.call("capture", params)["records"]), 5)
        self.refused(client, "counters", {**asked, "metrics": ["a b"]}, INVALID, "no name of a metric")
        self.refused(client, "counters", {**asked, "handle": 99}, INVALID, "handle 99 is not prepared")
        client = self.start(STAGECRAFT_CAPTURE="off")
        handle, _ = self.measure(client)
        self.refused(client, "counters", {**asked, "handle": handle}, UNAVAILABLE, "switched off")

    def test_without_the_library_records_are_unavailable(self):
        client = self.start(STAGECRAFT_CAPTURE="off")
        _, params = self.measure(client)
        self.refused(client, "capture", params, UNAVAILABLE, "switched off")

    def test_records_that_nobody_wants_leave_the_profiler_alone(self):
        client = self.start()
        description = client.call("describe", {"device": 0, "leave_profiler": True})
        self.assertEqual(description["capture"]["available"], False)
        self.assertIn("--no-capture", description["capture"]["reason"])
        self.assertTrue(description["self_test"]["passed"])
        _, params = self.measure(client)
        self.refused(client, "capture", params, UNAVAILABLE, "--no-capture")

    def test_the_profiler_is_left_for_good_or_not_at_all(self):
        client = self.start()
        client.call("describe")
        error = self.refused(client, "describe", {"leave_profiler": True}, INVALID, "leave_profiler comes too late")
        self.assertIn("first describe", error.fix)
        _, params = self.measure(client)
        self.assertEqual(len(client.call("capture", params)["records"]), 5)

        client = self.start()
        for asked in (True, False):
            description = client.call("describe", {"leave_profiler": asked})
            self.assertIn("--no-capture", description["capture"]["reason"])

    def test_a_bracket_is_for_other_instruments(self):
        client = self.start()
        _, params = self.measure(client)
        error = self.refused(client, "measure", {**params, "bracket": True}, INVALID, "own capture library records")
        self.assertIn("leave_profiler", error.fix)
        self.assertEqual(client.samples(), [])

        client = self.start()
        client.call("describe", {"leave_profiler": True})
        _, params = self.measure(client)
        self.assertEqual(client.call("measure", {**params, "bracket": True})["count"], 5)

    def test_a_killed_worker_leaves_no_folder(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        client = self.start(TMPDIR=folder)
        client.call("describe")
        self.assertTrue(any(name.startswith("stagecraft-capture-") for name in os.listdir(folder)))
        os.killpg(client.process.pid, signal.SIGKILL)
        client.process.stderr.read()  # held by the process that tidies up
        self.assertEqual(os.listdir(folder), [])

    def test_a_time_of_nothing_is_an_error(self):
        client = self.start("instant")
        _, params = self.measure(client)
        self.refused(client, "measure", params, FAILED, "less than one tick of the GPU's events")

    def test_memory_that_is_not_there(self):
        client = self.start("memory")
        _, params = self.measure(client)
        error = self.refused(client, "measure", params, FAILED, "the GPU's memory does not hold these dims")
        self.assertIn("smaller dims", error.fix)
        self.assertEqual(client.call("describe")["worker"], "python")

    def test_a_lost_context_ends_the_worker_after_its_reply(self):
        client = self.start("lost")
        _, params = self.measure(client)
        reason = "an illegal memory access was encountered; the GPU context of this worker is lost, so it ends now"
        self.refused(client, "measure", params, FAILED, reason)
        self.assertEqual(len(client.samples()), 2)
        self.assertEqual(client.wait_for_end(), 0)
        client.process.stderr.read()
        self.assertEqual(client.process.wait(SILENCE), 0)


if __name__ == "__main__":
    support.main()
