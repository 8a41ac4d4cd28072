# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation through the worker on the CPU, at small and odd dims: inputs, check, result file and spans."""

import math
import os
import shutil
import struct
import tempfile
import unittest

import support
from workerclient import ErrorReply, WorkerClient

support.run_with(support.require_torch_worker())

from stagecraft_worker import inputs  # noqa: E402

from test_inputs import params, write_directory  # noqa: E402

CASES = {
    "matmul": ([1, 1, 1], [7, 5, 3], [65, 33, 129]),
    "gelu": ([1, 1], [3, 257], [31, 100]),
    "layernorm": ([1, 1], [3, 257], [2, 1500]),
    "triangle": ([1, 1], [5, 3], [33, 7]),
    "neighbor": ([1, 1, 1], [17, 3, 101], [3, 5, 0], [40, 70, 13]),
}


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = WorkerClient()
        cls.client.wait_until(lambda: cls.client.hello)
        cls.directory = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        cls.client.__exit__()
        shutil.rmtree(cls.directory)

    def test_are_right_and_are_timed(self):
        for operation, cases in CASES.items():
            for dims in cases:
                with self.subTest(operation=operation, dims=dims):
                    prepared = self.client.prepare(operation, dims, "pytorch-cpu")
                    self.assertEqual((prepared["arithmetic"], prepared["timing_source"]), ("fp32", "host"))
                    self.assertIn("on the CPU", prepared["note"])
                    self.one(operation, dims, prepared["handle"])

    def one(self, operation, dims, handle):
        output = os.path.join(self.directory, "out.bin")
        checked = self.client.call("check", {"handle": handle, "output": output})
        self.assertTrue(checked["passed"], checked)
        reference = inputs.prepare_inputs(params(operation, dims)).reference.tolist()
        self.assertEqual(checked["checked_elements"], len(reference))
        with open(output, "rb") as stream:
            result = struct.unpack(f"<{len(reference)}f", stream.read())
        largest = max(abs(one - other) for one, other in zip(result, reference))
        self.assertAlmostEqual(checked["max_abs_error"], largest, places=12)
        self.client.batches.clear()
        measured = self.client.call("measure", {"handle": handle, "warmup": 1, "iterations": 3, "bracket": True})
        self.assertEqual((measured["count"], len(self.client.samples())), (3, 3))

    def test_read_the_directory_that_all_workers_share(self):
        write_directory(self.directory, "layernorm", [4, 9])
        handle = self.client.prepare("layernorm", [4, 9], "pytorch-cpu", directory=self.directory)["handle"]
        self.assertTrue(self.client.call("check", {"handle": handle})["passed"])

    def test_are_compared_with_the_directorys_reference(self):
        write_directory(self.directory, "gelu", [2, 5])
        with open(os.path.join(self.directory, "reference.f64.bin"), "r+b") as stream:
            stream.seek(8 * 7)
            stream.write(struct.pack("<d", 3.0))
        handle = self.client.prepare("gelu", [2, 5], "pytorch-cpu", directory=self.directory)["handle"]
        checked = self.client.call("check", {"handle": handle})
        self.assertEqual((checked["passed"], checked["bad_elements"], checked["first_bad"]), (False, 1, 7))
        self.assertEqual(checked["first_bad_reference"], 3.0)
        self.assertFalse(math.isnan(checked["first_bad_value"]))

    def test_a_result_that_cannot_be_written_is_an_error(self):
        handle = self.client.prepare("gelu", [2, 5], "pytorch-cpu")["handle"]
        with self.assertRaises(ErrorReply) as raised:
            self.client.call("check", {"handle": handle, "output": os.path.join(self.directory, "no", "out.bin")})
        self.assertEqual(raised.exception.code, -32002)
        self.assertIn("could not be written", raised.exception.reason)


if __name__ == "__main__":
    support.main()
