# SPDX-License-Identifier: MIT
"""From a request to the backend and back to the line of the reply (kernels/worker/dispatcher.h)."""

import traceback

from . import NAME, PROTOCOL, VERSION, messages
from .envelope import error_line, result_line
from .errors import (
    FAILED,
    INVALID_PARAMS,
    KINDS,
    METHOD_NOT_FOUND,
    ProtocolError,
    WorkerError,
    invalid,
    one_line,
    unavailable,
)
from .samples import SampleSink


class _UnknownMethod(Exception):
    pass


class Dispatcher:
    def __init__(self, backend, channel, cancellation):
        self._backend = backend
        self._channel = channel
        self._cancellation = cancellation
        self._names = {}  # what a profiler's ranges call each prepared handle
        self._methods = {
            "describe": self._describe,
            "compile": self._compile,
            "prepare": self._prepare,
            "check": self._check,
            "measure": self._measure,
            "capture": self._capture,
            "counters": self._counters,
            "release": self._release,
            "shutdown": lambda params: {},
        }

    def reply(self, request):
        """The reply to any request: a result or an error, never an exception."""

        def answer(code, kind, reason, fix="", log=""):
            return error_line(request.id, code, kind, reason, fix, log)

        try:
            return result_line(request.id, self._call(request))
        except _UnknownMethod:
            return answer(METHOD_NOT_FOUND, "method not found", f'this worker has no method "{request.method}"')
        except ProtocolError as error:
            return answer(INVALID_PARAMS, "invalid params", str(error))
        except WorkerError as error:
            return answer(error.code, KINDS.get(error.code, "failed"), str(error), error.fix, error.log)
        except Exception as error:  # a library's: whatever it is, the worker must answer
            return answer(FAILED, "failed", one_line(error), log=traceback.format_exc())

    def _call(self, request):
        method = self._methods.get(request.method)
        if method is None:
            raise _UnknownMethod
        return method(request.params)

    def _describe(self, params):
        identity = {"protocol": PROTOCOL, "worker": NAME, "worker_version": VERSION}
        return {**self._backend.describe(messages.read_describe(params)), **identity}

    def _compile(self, params):
        raise unavailable("the Python worker compiles no stages", "stages are compiled by the CUDA worker")

    def _prepare(self, params):
        prepare = messages.read_prepare(params)
        result = self._backend.prepare(prepare)
        self._names[result["handle"]] = (prepare.operation, prepare.implementation)
        return result

    def _check(self, params):
        check = messages.read_check(params)
        with self._ranges(check, "check"):
            return self._backend.check(check)

    def _measure(self, params):
        measure = messages.read_measure(params)
        sink = SampleSink(self._channel, measure.handle)
        with self._ranges(measure, "spans"):
            try:
                return self._backend.measure(measure, sink, self._cancellation)
            finally:
                sink.flush()

    def _capture(self, params):
        capture = messages.read_capture(params)
        with self._ranges(capture, "capture"):
            return self._backend.capture(capture, self._cancellation)

    def _counters(self, params):
        counters = messages.read_counters(params)
        with self._backend.ranges(*self._names_of(counters.handle), "counters"):
            return self._backend.counters(counters, self._cancellation)

    def _release(self, params):
        handle = messages.read_handle(params)
        self._names_of(handle)
        self._backend.release(handle)
        del self._names[handle]
        return {}

    def _ranges(self, params, phase):
        """Operation, implementation, round and phase: the round as people count it, from 1."""
        return self._backend.ranges(*self._names_of(params.handle), f"round {params.round + 1}", phase)

    def _names_of(self, handle):
        if handle not in self._names:
            fix = "prepare it first; a released handle cannot be used again"
            raise invalid(f"handle {handle} is not prepared", fix)
        return self._names[handle]
