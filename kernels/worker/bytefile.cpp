// SPDX-License-Identifier: MIT
#include "bytefile.h"

#include "backend.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace stagecraft::worker {

void writeBytes(const std::string &file, std::span<const std::byte> bytes, const std::string &what)
{
    errno = 0;
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream)
        throw WorkerError(protocol::error::failed,
                          what + " could not be written to " + file + ": " + std::strerror(errno),
                          "name a file in a folder that can be written to");
}

} // namespace stagecraft::worker
