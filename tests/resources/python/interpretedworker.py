# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker with Triton's interpreter, on whatever PyTorch there is: for test_triton.py."""

import os
import runpy
import sys

import oldtorch

oldtorch.adapt()
os.environ["TRITON_INTERPRET"] = "1"
runpy.run_path(sys.argv[1], run_name="__main__")
