# SPDX-License-Identifier: MIT
"""Ends the worker at the end of its input even while a library holds the interpreter's lock.

Loading PyTorch or starting CUDA can take seconds in one call during which no Python thread runs, so no thread can keep
the promise that the worker is gone within a second. A second process can: it waits for the other end of the worker's
input to be closed, which poll() tells without reading anything.
"""

import os
import select
import signal

LIMIT_MS = 900  # more than the worker's own grace: this is for when that did not do


_CLOSED = select.POLLHUP | select.POLLERR | select.POLLRDHUP


def _closed(descriptors, limit_ms=None):
    """Waits until the other end of one is closed; which ones are."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLRDHUP)
    return {descriptor for descriptor, events in poll.poll(limit_ms) if events & _CLOSED}


def _watch(source, lifeline, worker):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if source in _closed((source, lifeline)) and not _closed((lifeline,), LIMIT_MS):
        os.kill(worker, signal.SIGKILL)


def start(source, sink):
    """To be called before the first thread. The second process ends with the worker, which holds the lifeline's end."""
    worker = os.getpid()
    lifeline, held = os.pipe()
    if os.fork() != 0:
        os.close(lifeline)
        return
    try:
        os.close(held)
        os.close(sink)
        _watch(source, lifeline, worker)
    finally:
        os._exit(0)
