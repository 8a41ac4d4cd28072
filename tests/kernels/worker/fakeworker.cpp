// SPDX-License-Identifier: GPL-3.0-or-later
// A worker for tests and benchmarks: the product's server with a backend whose behaviour is told on the command line.
#include "fakebackend.h"
#include "server.h"

#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace {

void beforeHello(const std::string &behaviour)
{
    if (behaviour == "exit-at-start") {
        std::cerr << "the fake worker ends before it says hello\n";
        std::exit(3);
    }
    if (behaviour == "banner") {
        std::cout << "Last login: today\n{\"jsonrpc\":\"2.0\",\"method\":\"other\"}\n{ broken\nno line end"
                  << std::flush;
    } else if (behaviour == "other-version") {
        std::cout << R"({"jsonrpc":"2.0","method":"hello","params":{"protocol":999,"worker":"fake"}})" << std::endl;
    }
    while (behaviour == "silent" || behaviour == "other-version") {
        char ignored[256];
        if (read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            std::exit(0);
    }
}

} // namespace

int main(int argc, char **argv)
{
    const auto options = parseFakeOptions(argc, argv);
    beforeHello(options.behaviour);
    FakeBackend backend(options, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    return stagecraft::worker::serve(backend, options.name, "0");
}
