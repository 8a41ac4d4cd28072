// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <filesystem>

// A folder of stages, laid out as <operation>/<id>.cu: this project's own (kernels/stages) or a user's.
namespace stagecraft::stagefile {

struct StageListing
{
    std::vector<Stage> stages;         // operations in catalogue order; within one, a stage stands after its `after`
    std::vector<std::string> problems; // one sentence for each file that is no valid stage
};

// Reads <folder>/<operation>/<id>.cu. Throws StageError, also where it cannot be read.
Stage readStage(const std::filesystem::path &folder, const std::string &operation, const std::string &id);

// Never throws: files that are not valid are problems, the others are stages. A folder without an operation's subfolder
// has no stages for it; a folder that does not exist is one problem.
StageListing listStages(const std::filesystem::path &folder);

// One operation's part of listStages.
StageListing stagesOf(const std::filesystem::path &folder, const std::string &operation);

} // namespace stagecraft::stagefile
