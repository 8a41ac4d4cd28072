# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker of Stagecraft as a child process, spoken to in JSON-RPC lines (resources/help/protocol.md)."""
import json
import queue
import subprocess
import threading
import time

END_SECONDS = 60  # for a tool around the worker to write what it has


class Refused(Exception):
    """The worker said no, with its own words."""

    def __init__(self, error):
        data = error.get("data") or {}
        reason = data.get("reason") or error.get("message", "no reason")
        super().__init__(f"{reason} [to do: {data['fix']}]" if data.get("fix") else reason)


class Gone(Exception):
    """The worker ended, or said nothing within its time."""


class PipeWorker:
    def __init__(self, command, environment, log):
        """`log`: an open binary file for what the worker prints."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=environment
        )
        self._lines = queue.Queue()
        self._last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def call(self, method, params, seconds):
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:  # the latter of an input that kill() has closed
            raise Gone(f"the worker reads no more: {error}") from None
        return self._reply(method, time.monotonic() + seconds)

    def _reply(self, method, deadline):
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self.kill()
                raise Gone(f"no answer to {method} within its time") from None
            if line is None:
                raise Gone(f"the worker ended in the middle of {method}, exit status {self._process.wait()}")
            message = _message(line)
            if message.get("id") != self._last_id:
                continue
            if "error" in message:
                raise Refused(message["error"])
            return message.get("result") or {}

    def end(self):
        """In an orderly way, so that what watches the worker can write what it has."""
        try:
            self.call("shutdown", {}, END_SECONDS)
        except (Refused, Gone):
            pass  # it ends all the same, with its input
        self._close_input()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        self._close_input()  # what a tool around it leaves behind ends with its input
        self._process.kill()
        self._process.wait()

    def _close_input(self):
        try:
            self._process.stdin.close()
        except OSError:
            pass  # it is gone already


def _message(line):
    """An empty one where the line is none: a tool or a library may print there."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}
