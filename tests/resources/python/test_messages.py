# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines, envelopes and parameters: what a worker must refuse, and how it says so. Needs no PyTorch."""

import ast
import glob
import json
import os
import re
import sys
import unittest

import support

sys.path.insert(0, support.PYTHON_FOLDER)

import stagecraft_worker  # noqa: E402
from stagecraft_worker import capturefile, catalogue, envelope, errors, messages  # noqa: E402


class Lines(unittest.TestCase):
    def test_come_out_of_any_chunks(self):
        reader = envelope.LineReader()
        found = [line for chunk in (b"on", b"e\r\ntwo\n\nth", b"ree\n") for line in reader.lines(chunk)]
        self.assertEqual(found, [b"one", b"two", b"", b"three"])

    def test_too_long_is_reported_once_and_dropped(self):
        reader = envelope.LineReader(maximum=5)
        found = [line for chunk in (b"12", b"3456", b"789", b"\nok\n") for line in reader.lines(chunk)]
        self.assertEqual(found, [None, b"ok"])

    def test_numbers_that_json_lacks_are_never_written(self):
        with self.assertRaises(ValueError):
            envelope.result_line(1, {"max_abs_error": float("nan")})

    def test_text_that_is_no_unicode_does_not_break_the_stream(self):
        line = envelope.error_line(1, errors.FAILED, "failed", "a\udcffb\nc")
        self.assertEqual(line.count(b"\n"), 1)
        self.assertEqual(json.loads(line)["error"]["data"]["reason"], "a?b\nc")


class Envelopes(unittest.TestCase):
    def check(self, line, code, text, request_id=None):
        with self.assertRaises(envelope.EnvelopeError) as raised:
            envelope.parse_line(line)
        self.assertEqual((raised.exception.code, raised.exception.request_id), (code, request_id))
        self.assertIn(text, str(raised.exception))

    def test_requests_notifications_and_replies(self):
        request = envelope.parse_line(b'{"jsonrpc":"2.0","id":"x","method":"check","params":{"handle":1}}')
        self.assertEqual(request, envelope.Request("x", "check", {"handle": 1}))
        self.assertEqual(envelope.parse_line(b'{"jsonrpc":"2.0","method":"cancel"}').method, "cancel")
        self.assertIsNone(envelope.parse_line(b'{"jsonrpc":"2.0","id":1,"result":{}}'))

    def test_bad_lines_are_named(self):
        self.check(b"{", errors.PARSE_ERROR, "not valid JSON")
        self.check(b"\xff", errors.PARSE_ERROR, "not valid JSON")
        self.check(b"[" * 100000, errors.PARSE_ERROR, "not valid JSON")
        self.check(b"[]", errors.INVALID_REQUEST, "expected an object, found array")
        self.check(b'{"id":7,"method":"check"}', errors.INVALID_REQUEST, "jsonrpc", 7)
        self.check(b'{"jsonrpc":"2.0","id":1.5,"method":"check"}', errors.INVALID_REQUEST, "id:")
        self.check(b'{"jsonrpc":"2.0","id":true,"method":"check"}', errors.INVALID_REQUEST, "id:")
        self.check(b'{"jsonrpc":"2.0","id":7,"method":3}', errors.INVALID_REQUEST, "method: expected a string", 7)
        self.check(b'{"jsonrpc":"2.0","id":7,"method":"x","params":[]}', errors.INVALID_REQUEST, "params", 7)
        self.check(b'{"jsonrpc":"2.0","id":7}', errors.INVALID_REQUEST, "no reply either", 7)


class Parameters(unittest.TestCase):
    PREPARE = {"operation": "gelu", "dims": [2, 3], "seed": 2**64 - 1, "implementation": "triton"}

    def refused(self, read, params, text):
        with self.assertRaises(errors.ProtocolError) as raised:
            read(params)
        self.assertEqual(raised.exception.code, errors.INVALID_PARAMS)
        self.assertIn(text, str(raised.exception))

    def test_prepare(self):
        params = messages.read_prepare({**self.PREPARE, "sha256": {"a.bin": "0"}, "directory": "d"})
        self.assertEqual((params.dims, params.seed), ([2, 3], 2**64 - 1))
        self.assertEqual((params.sha256, params.directory, params.device), ({"a.bin": "0"}, "d", 0))

    def test_what_is_wrong_is_named_by_its_key(self):
        refused = lambda changes, text: self.refused(messages.read_prepare, {**self.PREPARE, **changes}, text)  # noqa
        refused({"dims": [2, -3]}, "dims/1: is negative: -3")
        refused({"dims": [2, 3.0]}, "dims/1: expected a whole number, found number")
        refused({"dims": "2x3"}, "dims: expected an array, found string")
        refused({"seed": 2**64}, "seed: is above 18446744073709551615")
        refused({"sha256": {"a.bin": 1}}, "sha256/a.bin: expected a string, found number")
        refused({"device": True}, "device: expected a whole number, found boolean")
        refused({"implementation": None}, "implementation: expected a string, found null")
        self.refused(messages.read_prepare, {}, "operation: is missing")
        measure = {"handle": 1, "warmup": 0, "iterations": 5}
        self.refused(messages.read_measure, {**measure, "iterations": 0}, "iterations: is 0, the smallest is 1")
        self.refused(messages.read_measure, {**measure, "bracket": 1}, "bracket: expected a boolean")
        self.refused(messages.read_capture, {**measure, "warmup": 2**31}, "warmup: is above 2147483647")
        self.refused(messages.read_check, {"handle": -1}, "handle: is negative")
        self.refused(messages.read_counters, {"handle": 1}, "warmup: is missing")
        self.refused(messages.read_counters, {**measure, "metrics": "a.sum"}, "metrics: expected an array")
        self.refused(messages.read_counters, {**measure, "metrics": ["a", 7]}, "metrics/1: expected a string")
        self.refused(messages.read_describe, {"counters": 1}, "counters: expected a boolean")

    def test_counters(self):
        params = messages.read_counters({"handle": 3, "warmup": 5, "metrics": ["a.sum"]})
        self.assertEqual((params.handle, params.warmup, params.metrics), (3, 5, ["a.sum"]))
        self.assertEqual(messages.read_counters({"handle": 3, "warmup": 5}).metrics, [])


class Dims(unittest.TestCase):
    def problem(self, operation, dims):
        return catalogue.dims_problem(catalogue.OPERATIONS[operation], dims)

    def test_are_judged_by_name(self):
        self.assertIsNone(self.problem("neighbor", [1, 1, 0]))
        self.assertIn("takes 3 dimensions (m, n, k), not 2", self.problem("matmul", [1, 1]))
        self.assertIn("width is 0, the smallest is 1", self.problem("gelu", [1, 0]))
        self.assertIn("edges is 4294967296, more than 32-bit", self.problem("neighbor", [1, 1, 2**32]))
        self.assertIn("larger than one buffer", self.problem("triangle", [2**31, 2**31]))
        self.assertIn("buffer out", self.problem("matmul", [2**40, 2**40, 1]))


def capture_text(**changes):
    record = {"kernel_name": "k", "duration_us": 1.5, "iteration": 0, "grid": [1, 2, 3], "block": [32, 1, 1]}
    record.update({key: value for key, value in changes.items() if key in (*record, "registers_per_thread")})
    bracket = {"backend": "cupti", "timestamp_mode": "hardware", "records": [record], "dropped": 0, "invalid": 2}
    bracket.update({key: value for key, value in changes.items() if key in bracket})
    content = {"format": 1, "pid": 4711, "process": "python3", "cupti": "API 130001, CUDA 13", "brackets": [bracket]}
    content.update({key: value for key, value in changes.items() if key in content})
    return json.dumps(content)


class CaptureFiles(unittest.TestCase):
    def refused(self, code, text, content):
        with self.assertRaises(errors.WorkerError) as raised:
            capturefile.parse(content)
        self.assertEqual(raised.exception.code, code)
        self.assertIn(text, str(raised.exception))
        return raised.exception

    def test_become_a_result(self):
        result = capturefile.to_result(capturefile.parse(capture_text(registers_per_thread=40))[0], 1, False)
        self.assertEqual(result["records"][0]["registers_per_thread"], 40)
        self.assertEqual((result["backend"], result["timestamp_mode"]), ("cupti", "hardware"))
        self.assertEqual((result["requested_iterations"], result["cancelled"]), (1, False))
        self.assertEqual((result["dropped"], result["invalid"]), (0, 2))

    def test_tell_the_version_of_cupti(self):
        self.assertEqual(capturefile.parse(capture_text())[1], "API 130001, CUDA 13")

    def test_records_of_no_iteration_are_no_result(self):
        for iteration in (-1, 3):
            with self.assertRaises(errors.WorkerError) as raised:
                capturefile.to_result(capturefile.parse(capture_text(iteration=iteration))[0], 3, False)
            self.assertEqual(raised.exception.code, errors.FAILED)
            self.assertIn("1 kernel records belong to no iteration, the first is of k", str(raised.exception))

    def test_a_refusal_is_passed_on(self):
        refusal = {"unavailable": {"reason": "WSL2", "fix": "use Linux"}}
        error = self.refused(errors.UNAVAILABLE, "WSL2", capture_text(brackets=[refusal]))
        self.assertEqual(error.fix, "use Linux")

    def test_damage_is_named(self):
        self.refused(errors.FAILED, "not valid JSON", "{")
        self.refused(errors.FAILED, "/cupti: no text", capture_text(cupti=13))
        self.refused(errors.FAILED, "/format", capture_text(format=2))
        self.refused(errors.FAILED, "/brackets", capture_text(brackets=[]))
        self.refused(errors.FAILED, "/brackets/1: no object", capture_text(brackets=[{}, None]))
        self.refused(errors.FAILED, "/brackets/0/records: no array", capture_text(records=None))
        self.refused(errors.FAILED, "/records/0/duration_us", capture_text(duration_us=0))
        self.refused(errors.FAILED, "/records/0/duration_us", capture_text(duration_us="1"))
        self.refused(errors.FAILED, "/records/0/grid", capture_text(grid=[1, 2]))
        self.refused(errors.FAILED, "/records/0/iteration", capture_text(iteration=-2))
        self.refused(errors.FAILED, "/records/0/registers_per_thread", capture_text(registers_per_thread=-1))
        self.refused(errors.FAILED, "/dropped", capture_text(dropped="many"))


def counted_text(**changes):
    counters = {
        "passes": 13,
        "replay_mode": "kernel",
        "metrics": [{"name": "a.sum", "unit": "inst"}, {"name": "b.pct"}],
        "missing": [{"name": "c.sum", "reason": "not on this GPU"}],
        "kernels": [{"a.sum": 12, "b.pct": 99.5}, {"a.sum": 0}],
        **changes,
    }
    return capture_text(brackets=[{"backend": "cupti", "counters": counters}])


class CountedFiles(unittest.TestCase):
    RECORDS = [{"kernel_name": name, "duration_us": 2, "grid": [1, 1, 1], "block": [32, 1, 1]} for name in ("k", "l")]

    def refused(self, text, **changes):
        with self.assertRaises(errors.WorkerError) as raised:
            capturefile.parse(counted_text(**changes))
        self.assertEqual(raised.exception.code, errors.FAILED)
        self.assertIn("/brackets/0/counters" + text, str(raised.exception))

    def test_become_a_result(self):
        result = capturefile.to_counters(self.RECORDS, capturefile.parse(counted_text())[0])
        self.assertEqual((result["backend"], result["passes"], result["replay_mode"]), ("cupti", 13, "kernel"))
        self.assertEqual(result["metrics"], [{"name": "a.sum", "unit": "inst"}, {"name": "b.pct"}])
        self.assertEqual(result["missing"], [{"name": "c.sum", "reason": "not on this GPU"}])
        self.assertEqual([kernel["kernel_name"] for kernel in result["kernels"]], ["k", "l"])
        self.assertEqual(result["kernels"][1]["values"], {"a.sum": 0})

    def test_are_no_records_and_the_other_way_round(self):
        with self.assertRaises(errors.WorkerError) as raised:
            capturefile.to_result(capturefile.parse(counted_text())[0], 1, False)
        self.assertIn("counted where it was to record", str(raised.exception))
        with self.assertRaises(errors.WorkerError) as raised:
            capturefile.to_counters(self.RECORDS, capturefile.parse(capture_text())[0])
        self.assertIn("recorded where it was to count", str(raised.exception))

    def test_damage_is_named(self):
        self.refused("/passes", passes=0)
        self.refused("/passes", passes=1.5)
        self.refused("/replay_mode", replay_mode="application")
        self.refused("/metrics: no array", metrics={})
        self.refused("/metrics: one comes twice", metrics=[{"name": "a.sum"}, {"name": "a.sum"}])
        self.refused("/metrics/0: no object", metrics=["a.sum"])
        for name in ("", "a b", "a,b", "\x1b[31m", "x" * 201, 7, "é"):
            self.refused("/metrics/0/name", metrics=[{"name": name}])
        for unit in (7, "\n", "x" * 65):
            self.refused("/metrics/0/unit", metrics=[{"name": "a.sum", "unit": unit}])
        self.refused("/missing/0/reason", missing=[{"name": "c.sum"}])
        self.refused("/missing/0/reason", missing=[{"name": "c.sum", "reason": "x" * 1001}])
        self.refused("/kernels/0: no object", kernels=[4])
        self.refused("/kernels/0: holds a value of no metric that is listed", kernels=[{"\x1b[31m": 1}])
        for value in (-1, "1", None, True, float("nan"), float("inf"), 1e31):
            self.refused("/kernels/0/a.sum: no count", kernels=[{"a.sum": value}])
        self.refused("/kernels: no array of 512 at most", kernels=[{}] * 513)


class Sources(unittest.TestCase):
    def test_are_python_3_9(self):
        files = glob.glob(os.path.join(support.PYTHON_FOLDER, "**", "*.py"), recursive=True)
        self.assertGreater(len(files), 20)
        for file in files:
            with open(file, encoding="utf-8") as stream:
                ast.parse(stream.read(), file, feature_version=(3, 9))

    def test_have_the_programs_version(self):
        with open(os.path.join(support.ROOT, "CMakeLists.txt"), encoding="utf-8") as stream:
            version = re.search(r"^ *VERSION ([0-9.]+)$", stream.read(), re.MULTILINE).group(1)
        self.assertEqual(stagecraft_worker.VERSION, version)


if __name__ == "__main__":
    support.main()
