// SPDX-License-Identifier: MIT
#include "capturefile.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace stagecraft::capture {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".json";
constexpr std::size_t mostDigits = 18; // what a process id of 64 bits never exceeds

// 0 where the name is no process's.
std::int64_t pidOf(const std::string &name)
{
    if (!name.ends_with(extension))
        return 0;
    const std::string digits = name.substr(0, name.size() - extension.size());
    if (digits.empty() || digits.size() > mostDigits || digits.find_first_not_of("0123456789") != std::string::npos)
        return 0;
    return std::stoll(digits);
}

// Looked at before it is opened: a pipe would not end, and a link leads out of the directory.
std::string contents(const fs::path &file)
{
    const std::string name = file.filename().string();
    std::error_code error;
    if (fs::symlink_status(file, error).type() != fs::file_type::regular)
        throw CaptureFileError(name, {}, "is not a regular file");
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error && size > maximumCaptureFileBytes)
        throw CaptureFileError(name, {},
                               "holds " + std::to_string(size >> 20) + " MB, of which at most " +
                                   std::to_string(maximumCaptureFileBytes >> 20) +
                                   " MB are read: bracket less of the program");
    std::ifstream stream(file, std::ios::binary);
    std::string text(error ? 0 : size, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (error || !stream)
        throw CaptureFileError(name, {}, "cannot be read");
    return text;
}

std::vector<std::int64_t> processesIn(const fs::path &directory)
{
    std::vector<std::int64_t> pids;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        if (const std::int64_t pid = pidOf(entry->path().filename().string()))
            pids.push_back(pid);
        if (pids.size() > maximumCaptureFiles)
            throw CaptureFileError(directory.string(), {},
                                   "holds the files of more than " + std::to_string(maximumCaptureFiles) +
                                       " processes");
    }
    if (error)
        throw CaptureFileError(directory.string(), {}, "cannot be read: " + error.message());
    std::sort(pids.begin(), pids.end());
    return pids;
}

} // namespace

std::string captureFileName(std::int64_t pid)
{
    return std::to_string(pid) + std::string(extension);
}

std::vector<CaptureFile> readCaptureDirectory(const fs::path &directory)
{
    std::vector<CaptureFile> files;
    for (const std::int64_t pid : processesIn(directory)) {
        const std::string name = captureFileName(pid);
        CaptureFile file = parseCapture(contents(directory / name), name);
        if (file.pid != pid)
            throw CaptureFileError(name, "/pid", "is " + std::to_string(file.pid) + ", which the file's name is not");
        if (!file.brackets.empty())
            files.push_back(std::move(file));
    }
    return files;
}

} // namespace stagecraft::capture
