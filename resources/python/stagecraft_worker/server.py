# SPDX-License-Identifier: MIT
"""The worker's process: streams, threads and the way it ends (kernels/worker/server.h)."""

import os
import signal
import threading
import time

from . import NAME, PROTOCOL, VERSION, endguard, streams
from .channel import OutputChannel
from .dispatcher import Dispatcher
from .envelope import notification_line
from .progress import Progress
from .requestqueue import RequestQueue, RequestReader

GRACE = 0.5  # seconds, of the one that the contract gives, for the work to come back and for libraries' exit functions


class Ending:
    """At the end of input, or when nobody reads any more, the process is gone within a second, whatever it is doing."""

    def __init__(self):
        self._begun = threading.Event()
        self.cleanup = lambda: None

    def begin(self):
        if not self._begun.is_set():
            self._begun.set()
            threading.Thread(target=self._end, name="ending", daemon=True).start()

    def _end(self):
        time.sleep(GRACE)
        self.cleanup()
        os._exit(0)


def serve(backend_factory, source, sink):
    queue, ending = RequestQueue(), Ending()

    def end():
        queue.close()
        ending.begin()

    channel = OutputChannel(sink, end)
    # The empty line ends what may have been printed without a line end before the streams were taken.
    hello = {"protocol": PROTOCOL, "worker": NAME, "worker_version": VERSION}
    channel.send(b"\n" + notification_line("hello", hello))
    RequestReader(source, queue, channel, end).start()
    backend = backend_factory(Progress(channel))
    ending.cleanup = backend.close
    dispatcher = Dispatcher(backend, channel, queue.cancellation)
    while True:
        request = queue.next()
        if request is None:
            break
        channel.send(dispatcher.reply(request))
        if backend.lost:
            backend.close()
            os._exit(0)  # libraries' exit functions would stumble over the dead context
        if request.method == "shutdown":
            ending.begin()
            break
    backend.close()


def main():
    # A terminal sends SIGINT to the program that started this worker too, which then cancels or closes the input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = streams.claim()
    endguard.start(source, sink)
    from .backend import Backend

    serve(Backend, source, sink)
    return 0
