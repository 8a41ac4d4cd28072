# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the Python worker share: the interpreters that have what a test needs, and how a test file runs."""

import glob
import os
import shutil
import subprocess
import sys
import unittest

from workerclient import ROOT

SKIPPED = 77  # as CTest is told
PYTHON_FOLDER = os.path.join(ROOT, "resources", "python")
_FIND = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"


def skip(reason):
    print("SKIPPED:", reason)
    sys.exit(SKIPPED)


def has_module(python, module, environment=None):
    return subprocess.run([python, "-c", _FIND, module], env=environment, check=False).returncode == 0


def python_with_torch():
    """Debian's packages are for Debian's own interpreter, which need not be the first on the path. None: nowhere."""
    candidates = [os.environ.get("STAGECRAFT_TEST_PYTHON"), sys.executable, shutil.which("python3"), "/usr/bin/python3"]
    present = [python for python in dict.fromkeys(candidates) if python and os.path.exists(python)]
    return next((python for python in present if has_module(python, "torch")), None)


def triton_environment(python):
    """The environment in which this interpreter has Triton: its own, or with the wheel that packaging/test.sh brings.
    None: it has not."""
    if has_module(python, "triton"):
        return dict(os.environ)
    for site in glob.glob(os.path.join(ROOT, "build", "cuda-wheels", "triton", "lib", "python3*", "site-packages")):
        environment = {**os.environ, "PYTHONPATH": site}
        if has_module(python, "triton", environment):
            return environment
    return None


def require_torch_worker():
    """The interpreter for worker processes that need PyTorch."""
    python = python_with_torch()
    return python or skip("no Python here has PyTorch (apt-get install python3-torch)")


def require_triton_worker():
    python = require_torch_worker()
    environment = triton_environment(python)
    if environment is None:
        skip("Triton is not here: packaging/test.sh brings its wheel (packaging/wheels/triton.txt) where it can")
    return python, environment


def run_with(python, environment=None):
    """Goes on in that interpreter, where this one is another."""
    if os.environ.get("STAGECRAFT_TEST_CHILD") != sys.argv[0]:
        environment = {**(environment or os.environ), "STAGECRAFT_TEST_CHILD": sys.argv[0]}
        os.execve(python, [python, "-B", *sys.argv], environment)
    sys.path.insert(0, PYTHON_FOLDER)


def main():
    sys.path.insert(0, PYTHON_FOLDER)
    unittest.main(verbosity=2)


if __name__ == "__main__":  # as packaging/test.sh asks
    print(python_with_torch() or "")
