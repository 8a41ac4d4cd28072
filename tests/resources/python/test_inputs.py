# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs, references and comparisons of the Python worker against what the other workers have."""

import hashlib
import json
import math
import os
import re
import shutil
import struct
import tempfile
import unittest

import support

support.run_with(support.require_torch_worker())

import torch  # noqa: E402
from stagecraft_worker import catalogue, errors, generator, hostmemory, inputs, messages, reference  # noqa: E402

GOLDEN = os.path.join(support.ROOT, "tests", "kernels", "operations", "tst_inputs.cpp")
SMALL = {
    "matmul": [5, 3, 7],
    "gelu": [3, 5],
    "layernorm": [3, 33],
    "triangle": [5, 3],
    "neighbor": [6, 3, 11],
}


def params(operation, dims, seed=1, **more):
    return messages.PrepareParams(operation, list(dims), seed, "pytorch-cpu", **more)


def golden_rows():
    """The rows of the C++ generator's own test: operation, dims, seed, hashes."""
    with open(GOLDEN, encoding="utf-8") as stream:
        text = stream.read()
    row = re.compile(r'row\("(\w+)", \{([\d, ]+)\}, (\d+)u,\s*"([^"]+)"\)')
    for operation, dims, seed, expected in row.findall(text):
        yield operation, [int(extent) for extent in dims.split(",")], int(seed), expected


class Generator(unittest.TestCase):
    def test_makes_the_bytes_of_the_other_workers(self):
        rows = list(golden_rows())
        self.assertEqual({row[0] for row in rows}, set(catalogue.OPERATIONS))
        self.assertGreaterEqual(len(rows), 12)
        for operation, dims, seed, expected in rows:
            with self.subTest(operation=operation, dims=dims, seed=seed):
                made = generator.generate(catalogue.OPERATIONS[operation], dims, seed)
                found = " ".join(f"{name}.bin={hostmemory.sha256(made[name])[:16]}" for name in sorted(made))
                self.assertEqual(found, expected)

    def test_a_long_buffer_is_made_in_parts_that_fit(self):
        operation, dims = catalogue.OPERATIONS["neighbor"], [9, 7, 23]
        whole = {name: values.clone() for name, values in generator.generate(operation, dims, 5).items()}
        chunk, generator._CHUNK = generator._CHUNK, 4
        try:
            parts = generator.generate(operation, dims, 5)
        finally:
            generator._CHUNK = chunk
        for name, values in whole.items():
            self.assertTrue(torch.equal(values, parts[name]), name)


def write_directory(directory, operation, dims, seed=1):
    """An input directory as the program writes it."""
    made = generator.generate(catalogue.OPERATIONS[operation], dims, seed)
    for name, values in made.items():
        with open(os.path.join(directory, name + ".bin"), "wb") as stream:
            stream.write(hostmemory.bytes_of(values))
    with open(os.path.join(directory, "input.json"), "w", encoding="utf-8") as stream:
        json.dump({"op": operation, "dims": dims, "warmup": 1, "iterations": 2}, stream)
    hashes = {name + ".bin": hostmemory.sha256(values) for name, values in made.items()}
    with open(os.path.join(directory, "inputs.sha256.json"), "w", encoding="utf-8") as stream:
        json.dump({"seed": seed, "sha256": hashes}, stream)
    result = inputs.prepare_inputs(params(operation, dims, seed)).reference
    with open(os.path.join(directory, "reference.f64.bin"), "wb") as stream:
        stream.write(hostmemory.bytes_of(result))


class Directory(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.directory)

    def path(self, file):
        return os.path.join(self.directory, file)

    def read(self, operation, dims, **more):
        return inputs.prepare_inputs(params(operation, dims, directory=self.directory, **more))

    def refused(self, text, operation, dims, **more):
        with self.assertRaises(errors.WorkerError) as raised:
            self.read(operation, dims, **more)
        self.assertEqual(raised.exception.code, errors.INVALID)
        self.assertIn(text, str(raised.exception))
        self.assertTrue(raised.exception.fix)

    def overwrite(self, file, offset, data, rehash=True):
        with open(self.path(file), "r+b") as stream:
            stream.seek(offset, os.SEEK_END if offset < 0 else os.SEEK_SET)
            stream.write(data)
        if rehash:
            os.remove(self.path("inputs.sha256.json"))

    def test_holds_what_would_be_made(self):
        for operation, dims in SMALL.items():
            with self.subTest(operation=operation):
                write_directory(self.directory, operation, dims)
                read, made = self.read(operation, dims), inputs.prepare_inputs(params(operation, dims))
                for name, tensor in made.tensors.items():
                    self.assertTrue(torch.equal(read.tensors[name], tensor), name)
                self.assertTrue(torch.equal(read.reference, made.reference))

    def test_without_a_reference_it_is_computed(self):
        write_directory(self.directory, "triangle", SMALL["triangle"])
        wanted = self.read("triangle", SMALL["triangle"]).reference
        os.remove(self.path("reference.f64.bin"))
        self.assertTrue(torch.equal(self.read("triangle", SMALL["triangle"]).reference, wanted))

    def test_without_edges(self):
        write_directory(self.directory, "neighbor", [3, 5, 0])
        read = self.read("neighbor", [3, 5, 0])
        self.assertEqual(read.tensors["indices"].numel(), 0)
        self.assertEqual(float(read.reference.abs().sum()), 0)

    def test_damage_is_named_by_file_and_cause(self):
        dims = SMALL["neighbor"]
        write_directory(self.directory, "neighbor", dims)
        self.refused("input.json: is of neighbor 6x3x11, not of gelu 2x2", "gelu", [2, 2])
        self.overwrite("b.bin", 4, b"\1", rehash=False)
        self.refused("b.bin: has SHA-256", "neighbor", dims)
        self.overwrite("a.bin", 8, struct.pack("<f", math.nan))
        self.refused("a.bin: element 2 is not finite", "neighbor", dims)
        self.overwrite("a.bin", 8, struct.pack("<f", 1.0), rehash=False)
        self.overwrite("indices.bin", 12, struct.pack("<I", 4000000000), rehash=False)
        self.refused("indices.bin: element 3 is 4000000000, but there are 6 nodes", "neighbor", dims)
        self.overwrite("rowptr.bin", 4, struct.pack("<I", 10), rehash=False)
        self.refused("rowptr.bin: element 2 is below the one before it", "neighbor", dims)
        self.overwrite("rowptr.bin", 0, struct.pack("<I", 1), rehash=False)
        self.refused("rowptr.bin: element 0 is 1, not 0", "neighbor", dims)
        os.truncate(self.path("reference.f64.bin"), 8)
        write_directory(self.directory, "neighbor", dims)
        os.truncate(self.path("reference.f64.bin"), 8)
        self.refused("reference.f64.bin: has 8 bytes, its dims need 144", "neighbor", dims)
        os.truncate(self.path("a.bin"), 4)
        self.refused("a.bin: has 4 bytes, its dims need 72", "neighbor", dims)
        os.remove(self.path("a.bin"))
        self.refused("a.bin: cannot be read: No such file or directory", "neighbor", dims)
        with open(self.path("input.json"), "w", encoding="utf-8") as stream:
            stream.write('{"op": "neighbor", "dims": [1')
        self.refused("input.json: is not valid JSON", "neighbor", dims)

    def test_ends_of_rows_must_be_the_edges(self):
        write_directory(self.directory, "neighbor", SMALL["neighbor"])
        self.overwrite("rowptr.bin", -4, struct.pack("<I", 99))
        self.refused("rowptr.bin: ends with 99, but there are 11 edges", "neighbor", SMALL["neighbor"])

    def test_asked_hashes_must_be_met(self):
        write_directory(self.directory, "gelu", [2, 3])
        with open(self.path("a.bin"), "rb") as stream:
            found = hashlib.sha256(stream.read()).hexdigest()
        self.read("gelu", [2, 3], sha256={"a.bin": found})
        self.refused("but 00 was asked for", "gelu", [2, 3], sha256={"a.bin": "00"})
        self.refused("sha256/c.bin: gelu has no such input", "gelu", [2, 3], sha256={"c.bin": "00"})
        with self.assertRaises(errors.WorkerError):
            inputs.prepare_inputs(params("gelu", [2, 3], sha256={"a.bin": "00"}))


class Reference(unittest.TestCase):
    """Against sums written out over Python's own floats, which are FP64."""

    def made(self, operation):
        prepared = inputs.prepare_inputs(params(operation, SMALL[operation]))
        tensors = {name: tensor.tolist() for name, tensor in prepared.tensors.items()}
        return prepared.dims, tensors, prepared.reference.tolist()

    def check(self, found, wanted):
        self.assertEqual(len(found), len(wanted))
        for i, (one, other) in enumerate(zip(found, wanted)):
            self.assertAlmostEqual(one, other, delta=1e-13, msg=f"element {i}")

    def test_matmul(self):
        (m, n, k), t, found = self.made("matmul")
        wanted = [math.fsum(t["a"][i][x] * t["b"][x][j] for x in range(k)) for i in range(m) for j in range(n)]
        self.check(found, wanted)

    def test_gelu(self):
        (rows, width), t, found = self.made("gelu")
        xs = [t["a"][i][j] + t["b"][j] for i in range(rows) for j in range(width)]
        self.check(found, [0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) for x in xs])

    def test_layernorm(self):
        (rows, width), t, found = self.made("layernorm")
        wanted = []
        for row in t["a"]:
            mean = math.fsum(row) / width
            deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in row) / width + 1e-5)
            wanted += [(x - mean) / deviation * scale + bias for x, scale, bias in zip(row, t["b"], t["c"])]
        self.check(found, wanted)

    def test_triangle(self):
        (n, channels), t, found = self.made("triangle")
        a, b = t["a"], t["b"]
        wanted = [
            math.fsum(a[i][k][c] * b[j][k][c] for k in range(n))
            for i in range(n)
            for j in range(n)
            for c in range(channels)
        ]
        self.check(found, wanted)

    def test_neighbor(self):
        (nodes, width, _), t, found = self.made("neighbor")
        rows = [range(t["rowptr"][i], t["rowptr"][i + 1]) for i in range(nodes)]
        self.assertTrue(any(not row for row in rows), "no empty row")
        value = lambda e, j: t["b"][e] * t["a"][t["indices"][e]][j]  # noqa: E731
        self.check(found, [math.fsum(value(e, j) for e in row) for row in rows for j in range(width)])


class Comparison(unittest.TestCase):
    def compare(self, out, wanted):
        return reference.compare(torch.tensor(out, dtype=torch.float32), torch.tensor(wanted, dtype=torch.float64))

    def test_tolerance_is_absolute_and_relative(self):
        self.assertTrue(self.compare([0.000099, 100.0099], [0.0, 100.0])["passed"])
        result = self.compare([1.0, 0.00011, 100.02], [1.0, 0.0, 100.0])
        self.assertFalse(result["passed"])
        self.assertEqual((result["bad_elements"], result["first_bad"], result["checked_elements"]), (2, 1, 3))
        self.assertAlmostEqual(result["first_bad_value"], 0.00011, places=9)
        self.assertEqual(result["first_bad_reference"], 0.0)
        self.assertAlmostEqual(result["max_abs_error"], 0.02, delta=1e-5)
        self.assertAlmostEqual(result["rel_error"], 0.02 / math.sqrt(10001), delta=1e-6)
        self.assertEqual((result["rtol"], result["atol"], result["reference"]), (1e-4, 1e-4, "fp64"))

    def test_what_is_not_finite_is_bad_and_has_no_figure(self):
        for value in (math.nan, math.inf, -math.inf):
            result = self.compare([1.0, value], [1.0, 2.0])
            self.assertEqual((result["passed"], result["bad_elements"], result["first_bad"]), (False, 1, 1))
            self.assertNotIn("first_bad_value", result)
            self.assertNotIn("rel_error", result)
            self.assertEqual(result["max_abs_error"], 0.0)
            self.assertNotIn("max_abs_error", self.compare([value], [1.0]))
            json.dumps(result, allow_nan=False)
        self.assertFalse(self.compare([1.0], [math.nan])["passed"])
        self.assertFalse(self.compare([math.inf], [math.inf])["passed"])

    def test_equal_is_zero(self):
        result = self.compare([0.0, 0.0], [0.0, 0.0])
        self.assertEqual((result["passed"], result["rel_error"], result["max_abs_error"]), (True, 0.0, 0.0))

    def test_lengths_must_agree(self):
        with self.assertRaises(ValueError):
            self.compare([1.0], [1.0, 2.0])


if __name__ == "__main__":
    support.main()
