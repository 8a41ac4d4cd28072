// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workerprocess.h"

#include <filesystem>

namespace stagecraft::tests {

struct Options
{
    WorkerCommand worker;         // the program beside this one unless named
    WorkerCommand python;         // the Python worker; no program: not asked for
    std::filesystem::path report; // empty: none
    bool sanitizePass = false, sanitizeLibraries = false;
    bool help = false;
};

inline constexpr auto usage = R"(usage: stagecraft-gpu-check [OPTION…] [WORKER]

Checks every stage and library on the GPU, through WORKER: stagecraft-worker-cuda, else the one beside this program.

  --python PATH      check PyTorch and Triton too, in this Python
  --python-worker F  its worker (share/stagecraft/python/worker.py of WORKER's installation)
  --report FILE      write what became of each check to FILE, as JSON
  --sanitize-pass    only run each stage at a few small dims, for a tool that watches the worker
  --libraries        with --sanitize-pass: the libraries too
  --worker-prefix W  start the worker with this word before it; once for each word, as in
                     --worker-prefix compute-sanitizer --worker-prefix --tool --worker-prefix memcheck
  --help             this text

Exit status: 0 all passed, 1 something failed, 2 wrong usage, 77 no GPU here.
)";

// Throws std::invalid_argument with a sentence where the arguments are wrong.
Options parseOptions(int argc, char **argv);

} // namespace stagecraft::tests
