// SPDX-License-Identifier: MIT
#include "startfailure.h"

#include "programsearch.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace stagecraft::worker {

namespace {

using protocol::error::unavailable;

constexpr std::size_t longestLine = 256; // of a #! line: what Linux reads of it

std::string firstLine(const std::string &path)
{
    std::string bytes(longestLine, '\0');
    std::ifstream stream(path, std::ios::binary);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes.substr(0, bytes.find('\n'));
}

// "python4" of "#! /opt/bin/python4 -u"; empty where the line names none.
std::string interpreterOf(const std::string &line)
{
    const auto begin = line.find_first_not_of(" \t", 2);
    if (!line.starts_with("#!") || begin == std::string::npos)
        return {};
    return programName(line.substr(begin, line.find_first_of(" \t", begin) - begin));
}

WorkerError noInterpreter(const std::string &name, std::string interpreter)
{
    if (interpreter.ends_with('\r'))
        return {unavailable, "the #! line of " + name + " ends with a carriage return", "save it with Unix line ends"};
    const auto isOdd = [](unsigned char c) { return c < 0x20 || c >= 0x7f; };
    std::ranges::replace_if(interpreter, isOdd, '?');
    return {unavailable, "the interpreter " + interpreter + " that the #! line of " + name + " names is not there",
            "correct that line, or name an interpreter first, as in python3 " + name};
}

} // namespace

WorkerError notStarted(const std::string &path, int cause)
{
    const auto name = programName(path), line = firstLine(path);
    if (cause == ENOEXEC && line.starts_with("\x7f"
                                             "ELF"))
        return {unavailable, name + " is a program for another machine", "build it for this one"};
    if (cause == ENOEXEC)
        return {unavailable, name + " is no program and has no #! line",
                "name its interpreter first, as in python3 " + name};
    if (const auto interpreter = interpreterOf(line); cause == ENOENT && !interpreter.empty())
        return noInterpreter(name, interpreter);
    return {protocol::error::failed, "the program " + name + " cannot be started: " + std::strerror(cause),
            "run it in a terminal: it must start there"};
}

} // namespace stagecraft::worker
