#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stagecraft's Python worker: runs PyTorch and Triton and talks JSON-RPC over standard input and output.

The program starts it with the interpreter that its user chose. It needs Python 3.9 and nothing else to start: what it
measures is imported when it is asked for, and what is missing is told as unavailable, with what to do.
"""

import os
import sys

if sys.version_info < (3, 9):
    sys.stderr.write(
        "stagecraft-worker-python: Python 3.9 or newer is needed, this is %d.%d; choose another interpreter\n"
        % sys.version_info[:2]
    )
    sys.exit(1)

# Also where the interpreter runs isolated (-I), which leaves the script's own folder out.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from stagecraft_worker.server import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
