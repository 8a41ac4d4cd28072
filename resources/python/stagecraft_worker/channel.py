# SPDX-License-Identifier: MIT
"""The way out: whole lines, from any thread."""

import os
import select
import threading

from .envelope import notification_line


class OutputChannel:
    """`on_lost` is called once, when nobody reads any more."""

    def __init__(self, descriptor, on_lost):
        self._descriptor = descriptor
        self._on_lost = on_lost
        self._lock = threading.Lock()
        self._lost = False

    def send(self, lines):
        with self._lock:
            if self._lost:
                return
            try:
                self._write(lines)
                return
            except OSError:
                self._lost = True
        self._on_lost()

    def log(self, level, text):
        self.send(notification_line("log", {"level": level, "text": text}))

    def _write(self, lines):
        rest = memoryview(lines)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # whoever has the other end may have set it so
                select.select([], [self._descriptor], [])
