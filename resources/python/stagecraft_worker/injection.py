# SPDX-License-Identifier: MIT
"""The capture library in this process: it records kernels between cudaProfilerStart and cudaProfilerStop.

The driver loads it when it starts, if CUDA_INJECTION64_PATH names it then. The variable is there for that moment alone:
a compiler that this process starts later has no kernels to record. The library writes its file at each stop; reading it
removes it. STAGECRAFT_CAPTURE=off in the worker's environment leaves the device to another profiler.
"""

import contextlib
import ctypes
import os
import shutil
import tempfile

from . import capturefile, endguard
from .environment import Problem
from .errors import UNAVAILABLE, WorkerError, invalid, unavailable

_INJECTION = "CUDA_INJECTION64_PATH"
_DIRECTORY = "STAGECRAFT_CAPTURE_DIRECTORY"
_METRICS = "STAGECRAFT_CAPTURE_METRICS"
_LIBRARY = "STAGECRAFT_CAPTURE_LIBRARY"
_SWITCH = "STAGECRAFT_CAPTURE"
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
    if os.environ.get(_SWITCH) == "off":
        return Problem(f"capturing kernel records is switched off ({_SWITCH})", f"remove {_SWITCH} to capture")
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
        self.cupti = ""  # its version, once it has recorded
        self._functions = None
        self._refusal = None

    @property
    def is_armed(self):
        """Whether the driver was told to load the library, which it can be once and for good."""
        return self.directory is not None

    def leave(self):
        """The device's profiler is another program's, for this worker's life. Raises WorkerError where that is too late."""
        if self.is_armed:
            reason = "leave_profiler comes too late: this worker has the capture library, which the driver keeps loaded"
            raise invalid(reason, "start a worker anew and send leave_profiler with its first describe")
        self.problem = Problem("kernel records were not asked for (--no-capture)", "capture again without --no-capture")

    @contextlib.contextmanager
    def armed(self):
        """CUDA is to be initialized inside."""
        if self.problem:
            yield
            return
        try:
            self.directory = tempfile.mkdtemp(prefix="stagecraft-capture-")
            endguard.remove_at_end(self.directory)
        except OSError as error:
            reason = f"there is no room for the capture library's file: {error.strerror}"
            self.problem = Problem(reason, "name a folder that can be written to in TMPDIR")
            yield
            return
        os.environ[_INJECTION] = self.path
        os.environ[_DIRECTORY] = self.directory
        metrics = os.environ.pop(_METRICS, None)  # a user's: here brackets record unless they are asked to count
        try:
            yield
        finally:
            del os.environ[_INJECTION], os.environ[_DIRECTORY]
            if metrics is not None:
                os.environ[_METRICS] = metrics
            self._load()

    def _load(self):
        """The same copy that the driver has loaded, for the marks that only its own process can set."""
        try:
            library = ctypes.CDLL(self.path)
            library.stagecraft_capture_iteration.argtypes = [ctypes.c_int]
            library.stagecraft_capture_iteration.restype = None
            library.stagecraft_capture_counters.argtypes = [ctypes.c_char_p]
            library.stagecraft_capture_counters.restype = None
            library.stagecraft_range_push.argtypes = [ctypes.c_char_p]
            library.stagecraft_range_push.restype = None
            library.stagecraft_range_pop.argtypes = []
            library.stagecraft_range_pop.restype = None
            self._functions = library
        except (OSError, AttributeError) as error:
            reason = f"the capture library cannot be loaded: {error}"
            self.problem = Problem(reason, "build or install Stagecraft again")

    def mark(self, iteration):
        """Kernels that are launched from here on, by any thread, belong to this iteration; -1: to none."""
        self._functions.stagecraft_capture_iteration(iteration)

    @contextlib.contextmanager
    def counting(self, metrics):
        """Brackets inside count kernels where they else record them: metrics by their names, of an empty list the
        library's own."""
        self._functions.stagecraft_capture_counters(",".join(metrics or ("usual",)).encode("ascii"))
        try:
            yield
        finally:
            self._functions.stagecraft_capture_counters(None)

    def rest(self):
        """After a bracket: takes away what recording has added to each launch, which later spans would hold."""
        if self._functions is not None:
            self.mark(-1)

    def take(self):
        """The last bracket, whose file goes. Raises WorkerError.

        Where CUPTI cannot be used the library sees no bracket: its refusal is written once and holds for all.
        """
        try:
            taken = capturefile.take(os.path.join(self.directory, f"{os.getpid()}.json"))
        except WorkerError as error:
            if error.code == UNAVAILABLE:
                self._refusal = error
            raise
        if taken is None:
            reason = "the driver did not load the capture library: no kernel records were written"
            fix = "check that no other profiler or sandbox keeps libraries out"
            raise self._refusal or unavailable(reason, fix)
        bracket, self.cupti = taken
        return bracket

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

    def close(self):
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)
