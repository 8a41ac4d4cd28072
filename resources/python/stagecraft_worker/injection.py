# SPDX-License-Identifier: MIT
"""The capture library in this process: it records kernels between cudaProfilerStart and cudaProfilerStop.

The driver loads it when it starts, if CUDA_INJECTION64_PATH names it then. The variable is there for that moment alone:
a compiler that this process starts later has no kernels to record. The library writes its file at each stop; reading it
removes it.
"""

import contextlib
import ctypes
import os
import shutil
import tempfile

from .environment import Problem

_INJECTION = "CUDA_INJECTION64_PATH"
_DIRECTORY = "STAGECRAFT_CAPTURE_DIRECTORY"
_LIBRARY = "STAGECRAFT_CAPTURE_LIBRARY"
_FILE_NAME = "libstagecraft-capture-injection.so"


def library_path():
    """Beside this program's installation, seen from the folder of worker.py; not resolved through links, which the
    build tree has."""
    chosen = os.environ.get(_LIBRARY)
    if chosen:
        return os.path.abspath(chosen)
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.normpath(os.path.join(here, "..", "..", "..", "..", "lib", "stagecraft", _FILE_NAME))


def _find_problem(path):
    taken = os.environ.get(_INJECTION)
    if taken:
        reason = f"another tool has this process for itself: {_INJECTION} names {os.path.basename(taken)}"
        return Problem(reason, "start without that tool, or leave the device to it with --no-capture")
    if not os.path.isfile(path):
        reason = f"the capture library {os.path.basename(path)} is not part of this installation"
        return Problem(reason, f"build Stagecraft where a CUDA Toolkit is installed, or name it with {_LIBRARY}")
    return None


class Injection:
    def __init__(self):
        self.path = library_path()
        self.problem = _find_problem(self.path)
        self.directory = None
        self._functions = None

    @contextlib.contextmanager
    def armed(self):
        """CUDA is to be initialized inside."""
        if self.problem:
            yield
            return
        self.directory = tempfile.mkdtemp(prefix="stagecraft-capture-")
        os.environ[_INJECTION] = self.path
        os.environ[_DIRECTORY] = self.directory
        try:
            yield
        finally:
            del os.environ[_INJECTION], os.environ[_DIRECTORY]
            self._load()

    def _load(self):
        """The same copy that the driver has loaded, for the marks that only its own process can set."""
        try:
            library = ctypes.CDLL(self.path)
            library.stagecraft_capture_iteration.argtypes = [ctypes.c_int]
            library.stagecraft_capture_iteration.restype = None
            library.stagecraft_range_push.argtypes = [ctypes.c_char_p]
            library.stagecraft_range_push.restype = None
            library.stagecraft_range_pop.argtypes = []
            library.stagecraft_range_pop.restype = None
            self._functions = library
        except (OSError, AttributeError) as error:
            reason = f"the capture library cannot be loaded: {error}"
            self.problem = Problem(reason, "build or install Stagecraft again")

    def mark(self, iteration):
        """Kernels that this thread launches from here on belong to this iteration; -1: to none."""
        self._functions.stagecraft_capture_iteration(iteration)

    @contextlib.contextmanager
    def ranges(self, *names):
        """NVTX ranges inside each other, where the library is there."""
        if self._functions is None:
            yield
            return
        for name in names:
            self._functions.stagecraft_range_push(name.encode("ascii", "replace"))
        try:
            yield
        finally:
            for _ in names:
                self._functions.stagecraft_range_pop()

    @property
    def file(self):
        return os.path.join(self.directory, f"{os.getpid()}.json")

    def close(self):
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)
