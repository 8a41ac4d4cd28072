// SPDX-License-Identifier: MIT
#include "stagefolder.h"

#include "frontmatter.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace stagecraft::stagefile {

namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path &file, const std::string &name)
{
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error)
        throw StageError(name + ": cannot be read: " + error.message());
    if (size > maximumStageBytes)
        throw StageError(name + ": has more than " + std::to_string(maximumStageBytes) + " bytes");
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream)
        throw StageError(name + ": cannot be read");
    return text;
}

std::vector<std::string> stageIds(const fs::path &folder)
{
    std::vector<std::string> ids;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".cu" && entry.is_regular_file(error))
            ids.push_back(entry.path().stem().string());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

// Moves each stage behind the one it names in `after`; those that name nothing present keep their alphabetical order.
// What is left when no further stage can be placed stands in a circle.
void sortIntoProgression(StageListing &listing)
{
    std::vector<Stage> ordered;
    std::set<std::string> waiting;
    for (const Stage &stage : listing.stages)
        waiting.insert(stage.id);
    std::vector<Stage> remaining = std::move(listing.stages);
    const auto ready = [&](const Stage &stage) { return !waiting.contains(stage.after); };
    for (auto next = std::find_if(remaining.begin(), remaining.end(), ready); next != remaining.end();
         next = std::find_if(remaining.begin(), remaining.end(), ready)) {
        waiting.erase(next->id);
        ordered.push_back(std::move(*next));
        remaining.erase(next);
    }
    for (const Stage &stage : remaining)
        listing.problems.push_back(stage.fileName + ": /after: \"" + stage.after + "\" leads back to this stage");
    listing.stages = std::move(ordered);
}

void reportUnknownPredecessors(StageListing &listing)
{
    std::set<std::string> known;
    for (const Stage &stage : listing.stages)
        known.insert(stage.id);
    for (const Stage &stage : listing.stages) {
        if (!stage.after.empty() && !known.contains(stage.after))
            listing.problems.push_back(stage.fileName + ": /after: there is no stage \"" + stage.after +
                                       "\" beside it");
    }
}

} // namespace

Stage readStage(const fs::path &folder, const std::string &operation, const std::string &id)
{
    if (id.find_first_of("/\\") != std::string::npos || !operations::findOperation(operation))
        throw StageError("\"" + operation + "/" + id + "\" is no stage name; expected OPERATION/ID");
    const std::string name = operation + "/" + id + ".cu";
    return parseStage(operation, id, readText(folder / operation / (id + ".cu"), name));
}

StageListing stagesOf(const fs::path &folder, const std::string &operation)
{
    StageListing listing;
    for (const std::string &id : stageIds(folder / operation)) {
        try {
            listing.stages.push_back(readStage(folder, operation, id));
        } catch (const StageError &error) {
            listing.problems.emplace_back(error.what());
        }
    }
    reportUnknownPredecessors(listing);
    sortIntoProgression(listing);
    return listing;
}

StageListing listStages(const fs::path &folder)
{
    StageListing all;
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        all.problems.push_back("the stages folder \"" + folder.filename().string() + "\" does not exist");
        return all;
    }
    for (const operations::Operation &operation : operations::catalogue()) {
        StageListing one = stagesOf(folder, operation.id);
        std::move(one.stages.begin(), one.stages.end(), std::back_inserter(all.stages));
        std::move(one.problems.begin(), one.problems.end(), std::back_inserter(all.problems));
    }
    return all;
}

} // namespace stagecraft::stagefile
