# SPDX-License-Identifier: MIT
"""Standard input and output, taken for the protocol alone (kernels/worker/standardstreams.h)."""

import fcntl
import os

STDIN, STDOUT, STDERR = 0, 1, 2


def _move_aside(descriptor):
    # Above the standard ones, so that no later open() can be taken for one of them; closed in programs started here.
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, STDERR + 1)


def _is_open(descriptor):
    try:
        fcntl.fcntl(descriptor, fcntl.F_GETFD)
        return True
    except OSError:
        return False


def claim():
    """Returns (input, output) for the protocol. From here on descriptor 1 is standard error and 0 reads nothing."""
    source, sink = _move_aside(STDIN), _move_aside(STDOUT)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, STDIN)
    if not _is_open(STDERR):
        os.dup2(null, STDERR)
    os.dup2(STDERR, STDOUT)
    if null > STDERR:
        os.close(null)
    return source, sink
