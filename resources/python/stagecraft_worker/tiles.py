# SPDX-License-Identifier: MIT
"""The sizes that the Triton kernels are compiled with: the fixed ones of `triton`, and the set that `triton-tuned`
chooses from."""

from typing import NamedTuple, Optional


class Tiles(NamedTuple):
    sizes: dict  # the kernel's constants by name
    warps: int = 4
    stages: Optional[int] = None  # of the software pipeline; None: Triton's own default

    def text(self):
        parts = ["×".join(map(str, self.sizes.values())), "1 warp" if self.warps == 1 else f"{self.warps} warps"]
        if self.stages is not None:
            parts.append("1 stage" if self.stages == 1 else f"{self.stages} stages")
        return ", ".join(parts)


def _product(m, n, k, warps, stages=None):
    return Tiles({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}, warps, stages)


def _contraction(i, j, k, warps, stages=None):
    return Tiles({"BLOCK_I": i, "BLOCK_J": j, "BLOCK_K": k}, warps, stages)


def _block(size, warps):
    return Tiles({"BLOCK": size}, warps)


def _gather(edges, features, warps):
    return Tiles({"EDGES": edges, "FEATURES": features}, warps)


FIXED = {
    "matmul": _product(32, 32, 32, 4),
    "gelu": _block(256, 4),
    "layernorm": _block(1024, 4),
    "triangle": _contraction(32, 32, 32, 4),
    "neighbor": _gather(32, 64, 4),
}

# Each set begins with the fixed sizes.
TUNED = {
    "matmul": [
        FIXED["matmul"],
        _product(32, 64, 32, 4, 2),
        _product(64, 32, 32, 4, 2),
        _product(64, 64, 16, 4, 3),
        _product(64, 64, 16, 8, 3),
        _product(64, 64, 32, 8, 2),
        _product(128, 64, 16, 4, 3),
        _product(128, 64, 16, 8, 3),
        _product(64, 128, 16, 8, 3),
        _product(128, 128, 16, 8, 2),
    ],
    "gelu": [
        FIXED["gelu"],
        _block(512, 4),
        _block(1024, 4),
        _block(1024, 8),
        _block(2048, 4),
        _block(2048, 8),
        _block(4096, 8),
    ],
    "layernorm": [
        FIXED["layernorm"],
        _block(1024, 1),
        _block(1024, 2),
        _block(1024, 8),
        _block(512, 4),
        _block(2048, 4),
        _block(2048, 8),
        _block(4096, 8),
        _block(4096, 16),
    ],
    "triangle": [
        FIXED["triangle"],
        _contraction(32, 32, 16, 4, 2),
        _contraction(32, 64, 16, 4, 2),
        _contraction(64, 32, 32, 4, 2),
        _contraction(64, 64, 16, 4, 2),
        _contraction(64, 64, 16, 8, 3),
        _contraction(128, 64, 16, 4, 2),
        _contraction(128, 64, 16, 8, 3),
    ],
    "neighbor": [
        FIXED["neighbor"],
        _gather(8, 64, 1),
        _gather(8, 64, 2),
        _gather(16, 64, 1),
        _gather(16, 64, 2),
        _gather(16, 64, 4),
        _gather(32, 64, 2),
        _gather(16, 32, 1),
        _gather(16, 128, 4),
    ],
}
