// SPDX-License-Identifier: MIT
#include "standardstreams.h"

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace stagecraft::worker {

namespace {

int require(int result, const char *what)
{
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), what);
    return result;
}

// Above the standard ones, so that no later open() can be taken for one of them.
int moveAside(int descriptor, const char *what)
{
    return require(fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), what);
}

} // namespace

ProtocolDescriptors claimStandardStreams()
{
    const ProtocolDescriptors descriptors{moveAside(STDIN_FILENO, "standard input cannot be used"),
                                          moveAside(STDOUT_FILENO, "standard output cannot be used")};
    const int null = require(open("/dev/null", O_RDWR | O_CLOEXEC), "the null device cannot be opened");
    require(dup2(null, STDIN_FILENO), "standard input cannot be replaced");
    if (fcntl(STDERR_FILENO, F_GETFD) < 0)
        require(dup2(null, STDERR_FILENO), "standard error cannot be replaced");
    require(dup2(STDERR_FILENO, STDOUT_FILENO), "standard output cannot be replaced");
    if (null > STDERR_FILENO)
        close(null);
    return descriptors;
}

} // namespace stagecraft::worker
