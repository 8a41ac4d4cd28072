# SPDX-License-Identifier: GPL-3.0-or-later
"""The other side of the Python worker: a child process and what it says. Used by the tests and by smoke.py."""

import collections
import json
import os
import queue
import subprocess
import sys
import threading

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
WORKER = os.path.join(ROOT, "resources", "python", "worker.py")
SILENCE = 120.0  # seconds without a word after which a wait has failed


class ErrorReply(Exception):
    def __init__(self, error):
        data = error.get("data", {})
        super().__init__(f"{error['message']}: {data.get('reason', '')} ({data.get('fix', 'no fix')})")
        self.code = error["code"]
        self.message = error["message"]
        self.reason = data.get("reason", "")
        self.fix = data.get("fix", "")
        self.log = data.get("log", "")


class WorkerClient:
    """Leaving the `with` block closes the worker's input and waits for its end."""

    def __init__(
        self, python=None, arguments=(), environment=None, worker=WORKER, command=None, on_log=None, stderr=None
    ):
        command = command or [python or sys.executable, *arguments, worker]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=environment
        )
        self.banner = []  # lines before hello
        self.hello = None
        self.logs = []
        self.batches = []  # samples notifications
        self._on_log = on_log
        self._replies = collections.deque()
        self._lines = queue.Queue()
        self._last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close_input()
        try:
            self.process.wait(SILENCE)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            if self.process.stderr:
                self.process.stderr.close()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def close_input(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def send(self, method, params=None):
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params or {}}
        self.send_bytes(json.dumps(request).encode() + b"\n")
        return self._last_id

    def notify(self, method):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "method": method}).encode() + b"\n")

    def step(self):
        """Takes in one line. False at the end of the output."""
        line = self._lines.get(timeout=SILENCE)
        if line is None:
            return False
        try:
            message = json.loads(line)
        except ValueError:
            if self.hello is not None:
                raise AssertionError(f"a line that is no message: {line!r}") from None
            self.banner.append(line)
            return True
        method = message.get("method")
        if method is None:
            self._replies.append(message)
        elif method == "hello":
            self.hello = message["params"]
        elif method == "samples":
            self.batches.append(message["params"])
        elif method == "log":
            self.logs.append(message["params"]["text"])
            if self._on_log:
                self._on_log(message["params"]["text"])
        return True

    def wait_until(self, condition):
        while not condition():
            if not self.step():
                raise AssertionError("the worker ended")

    def next_reply(self):
        self.wait_until(lambda: self._replies)
        return self._replies.popleft()

    def result(self, request_id):
        reply = self.next_reply()
        if "error" in reply:
            raise ErrorReply(reply["error"])
        if reply["id"] != request_id:
            raise AssertionError(f"a reply to {reply['id']} where {request_id} was waited for")
        return reply["result"]

    def call(self, method, params=None):
        return self.result(self.send(method, params))

    def prepare(self, operation, dims, implementation, **more):
        params = {"operation": operation, "dims": list(dims), "seed": 1, "implementation": implementation, **more}
        return self.call("prepare", params)

    def samples(self):
        return [us for batch in self.batches for us in batch["us"]]

    def wait_for_end(self):
        while self.step():
            pass
        return self.process.wait(SILENCE)
