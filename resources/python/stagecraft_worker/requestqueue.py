# SPDX-License-Identifier: MIT
"""From the reading thread to the kernel thread (kernels/worker/requestqueue.h)."""

import collections
import os
import select
import threading

from . import envelope
from .errors import PARSE_ERROR

_CHUNK = 1 << 16


class Cancellation:
    """Whether the work in progress shall end at its next sample. Set by the reading thread."""

    def __init__(self):
        self.requested = False


class RequestQueue:
    def __init__(self):
        self.cancellation = Cancellation()
        self._changed = threading.Condition()
        self._waiting = collections.deque()
        self._closed = False

    def push(self, request):
        with self._changed:
            self._waiting.append([request, False])
            self._changed.notify()

    def cancel(self):
        """Ends the work in progress, and the work of requests that wait, but not of those that are still to come."""
        with self._changed:
            self.cancellation.requested = True
            for entry in self._waiting:
                entry[1] = True

    def close(self):
        with self._changed:
            self._closed = True
            self.cancellation.requested = True
            self._changed.notify()

    def next(self):
        """The next request, waited for; None once the queue is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting)
            if self._closed:
                return None
            request, self.cancellation.requested = self._waiting.popleft()
            return request


class RequestReader:
    """Reads requests on a thread of its own, so that `cancel` and the end of input take effect during a measure."""

    def __init__(self, descriptor, queue, channel, on_end):
        self._descriptor = descriptor
        self._queue = queue
        self._channel = channel
        self._on_end = on_end

    def start(self):
        threading.Thread(target=self._run, name="reader", daemon=True).start()

    def _run(self):
        lines = envelope.LineReader()
        while True:
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except BlockingIOError:
                select.select([self._descriptor], [], [])
                continue
            except OSError:
                break
            if not chunk:
                break
            for line in lines.lines(chunk):
                self._handle(line)
        self._on_end()

    def _handle(self, line):
        try:
            if line is None:
                too_long = f"a line is longer than {envelope.MAXIMUM_LINE_BYTES} bytes and was dropped"
                raise envelope.EnvelopeError(PARSE_ERROR, "", too_long)
            message = envelope.parse_line(line) if line else None
        except envelope.EnvelopeError as error:
            kind = "parse error" if error.code == PARSE_ERROR else "invalid request"
            self._channel.send(envelope.error_line(error.request_id, error.code, kind, str(error)))
            return
        if isinstance(message, envelope.Request):
            self._queue.push(message)
        elif isinstance(message, envelope.Notification) and message.method == "cancel":
            self._queue.cancel()
