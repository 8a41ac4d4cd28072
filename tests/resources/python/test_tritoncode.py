# SPDX-License-Identifier: GPL-3.0-or-later
"""The Triton kernels through Triton's real compiler, for a GPU that need not be here: they compile with every tile, use
no tensor core, and fit the shared memory."""

import os
import re
import tempfile
import unittest

import support

PYTHON, ENVIRONMENT = support.require_triton_worker()
support.run_with(PYTHON, {name: value for name, value in ENVIRONMENT.items() if name != "TRITON_INTERPRET"})

CACHE = tempfile.TemporaryDirectory()
os.environ["TRITON_CACHE_DIR"] = CACHE.name

import triton  # noqa: E402
from stagecraft_worker import tiles, tritonkernels  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

POINTERS = {"a", "b", "out", "scale", "bias", "weights"}
INDEX_POINTERS = {"rowptr", "indices"}
CONSTANTS = {"layernorm": {"width": 768}}
TENSOR_CORES = re.compile(r"\b(wgmma|mma\.sync|tcgen05)")
SHARED_WITHOUT_ASKING = 48 << 10


def signature(kernel, constants, wide):
    """The types of a launch's arguments; with `wide`, those of more elements than 32 bits number."""
    types = {}
    for name in kernel.arg_names:
        if name in constants:
            types[name] = "constexpr"
        elif name in POINTERS:
            types[name] = "*fp32"
        else:
            types[name] = ("*" if name in INDEX_POINTERS else "") + ("i64" if wide else "i32")
    return types


def compiled(operation, chosen, wide=False, ones=False, architecture=90):
    """The machine code as a launch would get it; `ones`: every dim is 1, which Triton makes a constant."""
    kernel = getattr(tritonkernels, operation)
    constants = {**chosen.sizes, "WIDE": wide, **CONSTANTS.get(operation, {})}
    if ones:
        scalars = [name for name in kernel.arg_names if name not in POINTERS | INDEX_POINTERS | set(constants)]
        constants.update({name: 1 for name in [*scalars, *CONSTANTS.get(operation, {})]})
    types = signature(kernel, constants, wide)
    aligned = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(types.values()) if kind != "constexpr"}
    values = {(kernel.arg_names.index(name),): value for name, value in constants.items()}
    options = {"num_warps": chosen.warps, **({"num_stages": chosen.stages} if chosen.stages else {})}
    return triton.compile(
        ASTSource(kernel, types, values, aligned), target=GPUTarget("cuda", architecture, 32), options=options
    )


class Code(unittest.TestCase):
    def check(self, operation, chosen, **how):
        with self.subTest(operation=operation, tiles=chosen.text(), **how):
            code = compiled(operation, chosen, **how)
            self.assertTrue(code.asm["cubin"])
            self.assertIsNone(TENSOR_CORES.search(code.asm["ptx"]))
            self.assertLessEqual(code.metadata.shared, SHARED_WITHOUT_ASKING)
            self.assertEqual(code.metadata.num_warps, chosen.warps)
            return code

    def test_compiles_with_every_tile_of_the_set(self):
        for operation, configurations in tiles.TUNED.items():
            for chosen in configurations:
                self.check(operation, chosen)

    def test_compiles_for_dims_of_one_and_for_large_ones(self):
        for operation, chosen in tiles.FIXED.items():
            self.check(operation, chosen, ones=True)
            self.check(operation, chosen, wide=True)

    def test_compiles_for_older_gpus(self):
        for operation, chosen in tiles.FIXED.items():
            self.check(operation, chosen, architecture=80)

    def test_products_are_multiply_adds(self):
        for operation in ("matmul", "triangle"):
            code = self.check(operation, tiles.FIXED[operation])
            # 32·32·32 of them a step, by 128 threads.
            self.assertGreaterEqual(code.asm["ptx"].count("fma.rn.f32"), 256)

    def test_this_test_would_see_a_tensor_core(self):
        text = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f1};"
        self.assertIsNotNone(TENSOR_CORES.search(text))


if __name__ == "__main__":
    support.main()
