// SPDX-License-Identifier: MIT
#include "descendants.h"
#include "externalbackend.h"
#include "server.h"

#include <iostream>
#include <regex>

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
    stagecraft::worker::ExternalBackend backend({arguments[0], arguments[1], {arguments.begin() + 2, arguments.end()}});
    return stagecraft::worker::serve(backend, "external", STAGECRAFT_VERSION, abandon);
}
