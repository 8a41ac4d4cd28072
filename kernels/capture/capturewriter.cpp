// SPDX-License-Identifier: MIT
#include "capturewriter.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace stagecraft::capture {

namespace {

// Every byte has reached the file when this is true; else errno says why not.
bool writeWhole(const std::filesystem::path &file, const std::string &text)
{
    // Never through a name that is there already: in a folder that others may write to it could be a link.
    std::unique_ptr<std::FILE, int (*)(std::FILE *)> stream(std::fopen(file.c_str(), "wxe"), &std::fclose);
    return stream && std::fwrite(text.data(), 1, text.size(), stream.get()) == text.size() &&
           std::fclose(stream.release()) == 0;
}

} // namespace

std::optional<std::string> writeCapture(const std::filesystem::path &file, const std::string &text)
{
    std::filesystem::path part = file;
    part += ".part";
    std::error_code ignored;
    std::filesystem::remove(part, ignored); // of an earlier process of this id
    if (writeWhole(part, text) && std::rename(part.c_str(), file.c_str()) == 0)
        return std::nullopt;
    const std::string cause = std::strerror(errno);
    std::filesystem::remove(part, ignored);
    return file.string() + " cannot be written: " + cause +
           "; name a folder that can be written to in STAGECRAFT_CAPTURE_DIRECTORY";
}

} // namespace stagecraft::capture
