// SPDX-License-Identifier: MIT
#include "descendants.h"
#include "externalbackend.h"
#include "server.h"

#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <regex>
#include <thread>
#include <unistd.h>

namespace {

constexpr int wrongUsage = 2;

// It becomes part of file names.
bool isName(const std::string &text)
{
    return std::regex_match(text, std::regex("[a-z0-9_-]{1,64}"));
}

// The backend is busy with something that cannot be cancelled, as large inputs are.
void abandon()
{
    stagecraft::worker::endChildren(std::chrono::milliseconds(200));
    stagecraft::worker::PrivateDirectory::removeAll();
}

volatile std::sig_atomic_t terminationPipe = -1;

extern "C" void onTermination(int)
{
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(terminationPipe, &byte, 1);
}

// The system sends SIGTERM when the program that started this worker is gone, whatever ended it. A handler may do
// nothing of what is to be done then, so a thread waits for it.
void abandonOnTermination()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return; // then the signal ends this process alone, and its children by their own arrangement
    terminationPipe = ends[1];
    std::thread([end = ends[0]] {
        char byte = 0;
        while (::read(end, &byte, 1) != 1)
            continue;
        abandon();
        _exit(128 + SIGTERM);
    }).detach();
    struct sigaction action = {};
    action.sa_handler = onTermination;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() < 2 || !isName(arguments[0])) {
        std::cerr << "usage: stagecraft-worker-external NAME PROGRAM [ARGUMENT...]\n"
                     "NAME is 1 to 64 of a-z, 0-9, - and _. PROGRAM is run as PROGRAM [ARGUMENT...] DIRECTORY\n"
                     "--iterations N [--capture] and writes NAME-output.bin and NAME-timing.json into DIRECTORY.\n";
        return wrongUsage;
    }
    abandonOnTermination();
    stagecraft::worker::ExternalBackend backend({arguments[0], arguments[1], {arguments.begin() + 2, arguments.end()}});
    return stagecraft::worker::serve(backend, "external", STAGECRAFT_VERSION, abandon);
}
