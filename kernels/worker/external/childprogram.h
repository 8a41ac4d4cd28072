// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"

#include <map>
#include <string>
#include <vector>

namespace stagecraft::worker {

struct ProgramCall
{
    std::string name;                               // what its user calls it, in what is told of it
    std::string path;                               // of the file that is executed
    std::vector<std::string> arguments;             // after its name
    std::map<std::string, std::string> environment; // added to this process's own, or in place of its values
};

struct ProgramEnd
{
    int status = 0; // as waitpid() tells it
    bool cancelled = false;
    std::string lastLines; // of its standard error, joined by " | "

    bool succeeded() const { return !cancelled && status == 0; }
    // "ended with exit status 3", "was ended by signal SIGSEGV (11)", with its last lines where it wrote any.
    std::string text() const;
};

// Runs a program to its end, in this process's group and session: whoever ends the group ends the program too, and the
// program does not outlive the thread that calls this. Its standard output and error go to this process's standard
// error, and what it prints is told to the session as progress; it reads nothing. Everything that it started is gone
// when this returns, and that is soon after the session's cancelRequested.
// Throws WorkerError: error::unavailable where the file is nothing that can be executed, error::failed where it cannot
// be started for another cause or does not end when it is killed.
ProgramEnd runProgram(const ProgramCall &call, const Session &session);

} // namespace stagecraft::worker
