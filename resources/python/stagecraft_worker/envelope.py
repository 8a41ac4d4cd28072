# SPDX-License-Identifier: MIT
"""JSON-RPC 2.0 around the messages, one a line (kernels/protocol/envelope.h)."""

import json
from typing import Any, NamedTuple

from .errors import INVALID_REQUEST, PARSE_ERROR, ProtocolError

MAXIMUM_LINE_BYTES = 64 << 20


class Request(NamedTuple):
    id: Any
    method: str
    params: dict


class Notification(NamedTuple):
    method: str
    params: dict


class EnvelopeError(ProtocolError):
    """A line that is no JSON-RPC message, with the id of the request where one could be read."""

    def __init__(self, code, key, cause, request_id=None):
        super().__init__(code, key, cause)
        self.request_id = request_id


def type_name(value):
    """What JSON calls the type of a value."""
    if value is None:
        return "null"
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]


def _line(message):
    # Bytes that are no UTF-8 (surrogates, in Python) must not break the stream; JSON has no NaN, so none is written.
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def notification_line(method, params):
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


def result_line(request_id, result):
    return _line({"jsonrpc": "2.0", "id": request_id, "result": result})


def error_line(request_id, code, message, reason="", fix="", log=""):
    error = {"code": code, "message": message}
    data = {key: text for key, text in (("reason", reason), ("fix", fix), ("log", log)) if text}
    if data:
        error["data"] = data
    return _line({"jsonrpc": "2.0", "id": request_id, "error": error})


def _no_constant(name):
    raise ValueError(f"{name} is no JSON")


def _parsed(line):
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise EnvelopeError(PARSE_ERROR, "", "the line is not valid JSON") from None


def _is_id(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def parse_line(line):
    """A Request, a Notification, or None for a reply, which a worker never asked for. Raises EnvelopeError."""
    message = _parsed(line)
    if not isinstance(message, dict):
        raise EnvelopeError(INVALID_REQUEST, "", f"expected an object, found {type_name(message)}")
    has_id = "id" in message
    request_id = message["id"] if has_id and _is_id(message["id"]) else None
    if message.get("jsonrpc") != "2.0":
        raise EnvelopeError(INVALID_REQUEST, "jsonrpc", 'expected "2.0"', request_id)
    if "method" not in message:
        if has_id and ("result" in message or "error" in message):
            return None
        raise EnvelopeError(INVALID_REQUEST, "method", "is missing, and the line is no reply either", request_id)
    if has_id and request_id is None:
        raise EnvelopeError(INVALID_REQUEST, "id", "expected a string or a whole number")
    method, params = message["method"], message.get("params", {})
    if not isinstance(method, str):
        raise EnvelopeError(INVALID_REQUEST, "method", f"expected a string, found {type_name(method)}", request_id)
    if not isinstance(params, dict):
        raise EnvelopeError(INVALID_REQUEST, "params", f"expected an object, found {type_name(params)}", request_id)
    return Request(request_id, method, params) if has_id else Notification(method, params)


class LineReader:
    """Lines out of chunks of bytes. One that is too long is reported once and dropped up to its end."""

    def __init__(self, maximum=MAXIMUM_LINE_BYTES):
        self._maximum = maximum
        self._parts = []
        self._length = 0
        self._dropping = False

    def lines(self, chunk):
        """The lines that are complete with this chunk; None stands for one that was too long."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield from self._add(end)
            if not self._dropping:
                yield b"".join(self._parts).rstrip(b"\r")
            self._parts, self._length, self._dropping = [], 0, False
        yield from self._add(rest)

    def _add(self, part):
        if self._dropping or not part:
            return
        self._parts.append(part)
        self._length += len(part)
        if self._length > self._maximum:
            self._parts, self._dropping = [], True
            yield None
