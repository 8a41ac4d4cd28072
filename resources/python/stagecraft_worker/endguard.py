# SPDX-License-Identifier: MIT
"""Ends the worker at the end of its input even while a library holds the interpreter's lock.

Loading PyTorch or starting CUDA can take seconds in one call during which no Python thread runs, so no thread can keep
the promise that the worker is gone within a second. A second process can: it waits for the other end of the worker's
input to be closed, which poll() tells without reading anything. It also removes what the worker cannot when it is
killed, and is in a session of its own, so that a signal to the worker's whole process group leaves it to do so.
"""

import os
import select
import shutil
import signal

LIMIT_MS = 900  # more than the worker's own grace: this is for when that did not do

_held = None  # the worker's end of the lifeline

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


def _remove(lifeline):
    """At the worker's end, which is the end of what it writes: the folders that it named."""
    with os.fdopen(lifeline, "rb") as stream:
        for folder in stream.read().split(b"\0")[:-1]:
            shutil.rmtree(folder, ignore_errors=True)


def remove_at_end(folder):
    """The folder goes with the worker, however that ends."""
    if _held is not None:
        os.write(_held, os.fsencode(folder) + b"\0")


def start(source, sink):
    """To be called before the first thread. The second process ends with the worker, which holds the lifeline's end."""
    global _held
    worker = os.getpid()
    lifeline, _held = os.pipe()
    if os.fork() != 0:
        os.close(lifeline)
        return
    try:
        os.setsid()
        os.close(_held)
        os.close(sink)
        _watch(source, lifeline, worker)
        _remove(lifeline)
    finally:
        os._exit(0)
