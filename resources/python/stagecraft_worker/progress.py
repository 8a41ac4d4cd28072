# SPDX-License-Identifier: MIT
"""Words on the way of long work, so that it is not taken for a hang."""

import contextlib
import threading
import time

PERIOD = 5.0  # seconds
LIMIT = 1800.0  # seconds after which silence sets in again, so that what never ends is found out


class Progress:
    def __init__(self, channel):
        self._channel = channel

    def say(self, text):
        self._channel.log("info", text)

    @contextlib.contextmanager
    def during(self, what):
        """Says what goes on at once, and every few seconds that it goes on still."""
        done = threading.Event()
        begin = time.monotonic()

        def repeat():
            while not done.wait(PERIOD) and time.monotonic() - begin < LIMIT:
                self.say(f"still {what}, for {time.monotonic() - begin:.0f} s")

        self.say(what)
        thread = threading.Thread(target=repeat, name="progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
