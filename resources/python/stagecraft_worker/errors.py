# SPDX-License-Identifier: MIT
"""What becomes an error reply. The codes are those of kernels/protocol/messages.h and of JSON-RPC itself."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602

UNAVAILABLE = -32001
FAILED = -32002
INVALID = -32003
CANCELLED = -32004

KINDS = {UNAVAILABLE: "unavailable", FAILED: "failed", INVALID: "invalid", CANCELLED: "cancelled"}


class ProtocolError(Exception):
    """A message that is not valid: the key as a path ("dims/0") and the cause."""

    def __init__(self, code, key, cause):
        super().__init__(f"{key}: {cause}" if key else cause)
        self.code = code


class WorkerError(Exception):
    """Work that cannot be done: a reason for people, and what to do about it."""

    def __init__(self, code, reason, fix="", log=""):
        super().__init__(reason)
        self.code = code
        self.fix = fix
        self.log = log


def unavailable(reason, fix=""):
    return WorkerError(UNAVAILABLE, reason, fix)


def failed(reason, fix=""):
    return WorkerError(FAILED, reason, fix)


def invalid(reason, fix=""):
    return WorkerError(INVALID, reason, fix)


def one_line(error):
    """An exception's own words, without the advice that libraries put below them."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
