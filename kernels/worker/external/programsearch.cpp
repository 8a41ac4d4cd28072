// SPDX-License-Identifier: MIT
#include "programsearch.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;

enum class Kind
{
    Missing,
    Directory,
    NotExecutable,
    Executable
};

Kind kindOf(const fs::path &file)
{
    std::error_code error;
    const auto status = fs::status(file, error);
    if (!fs::exists(status))
        return Kind::Missing;
    if (fs::is_directory(status))
        return Kind::Directory;
    return fs::is_regular_file(status) && access(file.c_str(), X_OK) == 0 ? Kind::Executable : Kind::NotExecutable;
}

FoundProgram notFound(const std::string &name, Kind kind, bool searched)
{
    switch (kind) {
    case Kind::Directory:
        return {{}, name + " is a folder, not a program", "name the program in it"};
    case Kind::NotExecutable:
        return {{},
                "the program " + name + " cannot be executed",
                "make it executable (chmod +x), or name its interpreter as the program and the file as an argument"};
    default:
        return {{},
                "the program " + name + (searched ? " is in no folder of PATH" : " does not exist"),
                searched ? "name it with its folder, or add that to PATH" : "check its name and folder, or build it"};
    }
}

} // namespace

std::string programName(const std::string &program)
{
    const auto name = fs::path(program).filename().string();
    return name.empty() ? "\"\"" : name;
}

FoundProgram findProgram(const std::string &program)
{
    const auto name = programName(program);
    if (program.find('/') != std::string::npos || program.empty()) {
        const auto kind = program.empty() ? Kind::Missing : kindOf(program);
        return kind == Kind::Executable ? FoundProgram{program, {}, {}} : notFound(name, kind, false);
    }
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/bin:/usr/bin");
    Kind seen = Kind::Missing;
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto file = fs::path(folder.empty() ? "." : folder) / program;
        const auto kind = kindOf(file);
        if (kind == Kind::Executable)
            return {file.string(), {}, {}};
        if (kind == Kind::NotExecutable) // remembered as execvp() does; a directory of that name is passed over
            seen = kind;
    }
    // A folder here is what was meant, though a shell would not look here.
    if (seen == Kind::Missing && kindOf(program) == Kind::Directory)
        seen = Kind::Directory;
    return notFound(name, seen, true);
}

} // namespace stagecraft::worker
