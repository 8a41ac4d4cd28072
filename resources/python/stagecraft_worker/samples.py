# SPDX-License-Identifier: MIT
"""Samples on their way out, in batches."""

import time
from array import array

from .envelope import notification_line

INTERVAL = 0.025  # seconds: with a sample that comes just too early for it, at most the 50 ms of the contract
MAXIMUM_BATCH = 8192  # keeps a line below 200 KB


class SampleSink:
    """Takes the samples of one measure into memory that is there before the first of them.

    A batch is written by the kernel thread itself, after a sample has ended and before the next begins: a thread of its
    own would compete for the interpreter's lock with the calls that are being timed.
    """

    def __init__(self, channel, handle):
        self._channel = channel
        self._handle = handle
        self._values = array("d", bytes(8 * MAXIMUM_BATCH))
        self._first = 0
        self._count = 0
        self._sent = None  # when the last batch went, or the first sample came

    def put(self, us):
        """True where a batch was written, which leaves the processor's caches to other code than the timed call's."""
        now = time.monotonic()
        self._sent = self._sent or now
        self._values[self._count] = us
        self._count += 1
        if self._count < MAXIMUM_BATCH and now - self._sent < INTERVAL:
            return False
        self.flush()
        return True

    def flush(self):
        if self._count:
            us = self._values[: self._count].tolist()
            self._channel.send(notification_line("samples", {"handle": self._handle, "first": self._first, "us": us}))
            self._first += self._count
            self._count = 0
        self._sent = time.monotonic()
