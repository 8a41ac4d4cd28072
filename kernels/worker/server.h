// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

#include <string>

namespace stagecraft::worker {

// Runs a worker named `name` ("cuda", "host") until `shutdown` or the end of standard input, and returns the status
// for main() to return. To be called first in main(), on the thread that shall be the kernel thread, once per process.
//
// Takes standard input and output for the protocol: from here on descriptor 1 is standard error and descriptor 0 reads
// nothing, so that what kernels and libraries print or read cannot break the stream. The hello line is the first thing
// written. Three threads: this one calls the backend; one reads, so that `cancel` takes effect during a measure while
// other requests wait their turn; one sends samples. A request that is not valid is answered with a JSON-RPC error, an
// exception of the backend with error::failed (WorkerError: with its own code).
//
// At the end of input, or when nobody reads the output any more, the work in progress is cancelled and the process is
// gone within 1 s, by _exit() if the backend does not return: then `abandon` is called first, on a thread of its own,
// for what must not be left behind and no destructor will see to. SIGINT is ignored: a terminal sends it to the program
// that started this worker too, and that program cancels or closes the input.
int serve(Backend &backend, const std::string &name, const std::string &version, void (*abandon)() = nullptr);

} // namespace stagecraft::worker
