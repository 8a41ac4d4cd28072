// SPDX-License-Identifier: MIT
#include "programfile.h"

#include "backend.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;
using protocol::error::failed;

static_assert(std::endian::native == std::endian::little, "outputs are read as they lie in memory");

constexpr auto writeIt = "the program must write it into its input directory before it ends, under exactly this name";

// ", but other-output.bin is there", where the program wrote under another name; else empty.
std::string otherName(const fs::path &file)
{
    const auto name = file.filename().string();
    const auto suffix = name.substr(name.rfind('-'));
    std::error_code error;
    for (fs::directory_iterator entry(file.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
        const auto other = entry->path().filename().string();
        if (other != name && other.ends_with(suffix))
            return ", but " + other + " is there";
    }
    return {};
}

// A pipe or a device in a file's place would be read without end.
std::uintmax_t sizeOf(const fs::path &file)
{
    const auto name = file.filename().string();
    std::error_code error;
    const auto status = fs::status(file, error);
    if (!fs::exists(status))
        throw WorkerError(
            failed, name + " is missing: the program ended without an error and did not write it" + otherName(file),
            writeIt);
    if (!fs::is_regular_file(status))
        throw WorkerError(failed, name + " is no file", writeIt);
    const auto size = fs::file_size(file, error);
    if (error)
        throw WorkerError(failed, name + " cannot be read: " + error.message(), writeIt);
    return size;
}

void readInto(const fs::path &file, char *bytes, std::uintmax_t size)
{
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes, static_cast<std::streamsize>(size));
    if (!stream)
        throw WorkerError(failed, file.filename().string() + " cannot be read: " + std::strerror(errno), writeIt);
}

} // namespace

std::string readProgramFile(const fs::path &file, std::uintmax_t maximumBytes)
{
    const auto size = sizeOf(file);
    if (size > maximumBytes)
        throw WorkerError(protocol::error::invalid,
                          file.filename().string() + " has " + std::to_string(size) + " bytes, more than the " +
                              std::to_string(maximumBytes) + " that so many iterations can need",
                          "write one sample per iteration and few other keys");
    std::string text(static_cast<std::size_t>(size), '\0');
    readInto(file, text.data(), size);
    return text;
}

std::vector<float> readOutput(const fs::path &file, std::int64_t elements)
{
    const auto size = sizeOf(file), expected = static_cast<std::uintmax_t>(elements) * sizeof(float);
    if (size != expected)
        throw WorkerError(failed,
                          file.filename().string() + " has " + std::to_string(size) + " bytes, expected " +
                              std::to_string(expected) + " (" + std::to_string(elements) + " float32)",
                          "write the whole result as little-endian float32, row-major, without a header");
    std::vector<float> values(static_cast<std::size_t>(elements));
    readInto(file, reinterpret_cast<char *>(values.data()), size);
    return values;
}

} // namespace stagecraft::worker
