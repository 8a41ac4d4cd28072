// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

// What the fake worker's command line asks of it.
struct FakeOptions
{
    std::string behaviour = "good";
    std::string name = "fake";                // of the worker, in hello
    std::vector<std::string> implementations; // "cuda" where none is given
    std::optional<std::string> operation;     // misbehaves for this operation only
    std::optional<std::string> only;          // … for this implementation only
    std::optional<int> round;                 // … in this round only (counted from 0)
    std::string gpu = "Fake GPU";             // the name of its device
    std::string trace;                        // a file that every call's start and end are written to, see FakeTrace
    double rate = 0;                          // samples per second of a measure; 0: as fast as possible
};

// Prints the usage to standard error and exits with 2 where the options are wrong.
FakeOptions parseFakeOptions(int argc, char **argv);
