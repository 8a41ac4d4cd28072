// SPDX-License-Identifier: MIT
#include "bytefile.h"

#include "backend.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace stagecraft::worker {

namespace {

bool isFull(int cause)
{
    return cause == ENOSPC || cause == EDQUOT;
}

// Half a result is none. What is no regular file, as a device is, holds no part of it.
void removePart(const std::string &file)
{
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error))
        std::filesystem::remove(file, error);
}

} // namespace

void writeBytes(const std::string &file, std::span<const std::byte> bytes, const std::string &what)
{
    errno = 0;
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    const bool isOpen = stream.is_open();
    stream.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (stream)
        return;
    const int cause = errno;
    if (isOpen)
        removePart(file);
    throw WorkerError(protocol::error::failed, what + " could not be written to " + file + ": " + std::strerror(cause),
                      isFull(cause) ? "make room on its disk" : "name a file in a folder that can be written to");
}

} // namespace stagecraft::worker
