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


def _closed(descriptor):
    """A poll object that answers when the other end is closed, and not before."""
    poll = select.poll()
    poll.register(descriptor, select.POLLRDHUP)  # POLLHUP and POLLERR are always told
    return poll


def _watch(source, lifeline, worker):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    either = _closed(source)
    either.register(lifeline, 0)
    either.poll()
    if not _closed(lifeline).poll(LIMIT_MS):
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
