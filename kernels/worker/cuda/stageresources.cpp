// SPDX-License-Identifier: MIT
#include "stageresources.h"

#include "backend.h"
#include "frontmatter.h"
#include "stagefolder.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace stagecraft::worker {

namespace fs = std::filesystem;

fs::path stagesFolder()
{
    if (const char *named = std::getenv("STAGECRAFT_RESOURCES"); named && *named)
        return fs::path(named) / "stages";
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return program.parent_path().parent_path() / "share/stagecraft/stages";
}

stagefile::Stage findStage(const std::string &operation, const std::string &name, const std::string &source)
{
    const std::size_t slash = name.find('/');
    const std::string owner = slash == std::string::npos ? operation : name.substr(0, slash);
    const std::string id = slash == std::string::npos ? name : name.substr(slash + 1);
    if (owner != operation)
        throw WorkerError(protocol::error::invalid, "stage \"" + name + "\" is not of " + operation,
                          "name a stage of " + operation);
    try {
        return source.empty() ? stagefile::readStage(stagesFolder(), operation, id)
                              : stagefile::parseStage(operation, id, source);
    } catch (const stagefile::StageError &error) {
        throw WorkerError(protocol::error::invalid, error.what(),
                          source.empty() ? "name one of the stages that stagecraft lists"
                                         : "correct the front matter of the stage's file");
    }
}

std::string stageHeader()
{
    std::ifstream stream(stagesFolder() / "stagecraft.cuh", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream || text.empty())
        throw WorkerError(protocol::error::unavailable, "stagecraft.cuh is not in the stages folder",
                          "install Stagecraft again, or correct STAGECRAFT_RESOURCES");
    return text;
}

} // namespace stagecraft::worker
