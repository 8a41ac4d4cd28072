// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <filesystem>

// Where this program's stages are: share/stagecraft/stages beside its bin/ (build tree, installation and bundle alike),
// or stages/ in the folder that STAGECRAFT_RESOURCES names.
namespace stagecraft::worker {

std::filesystem::path stagesFolder();

// The stage "OP/ID" or, where `operation` is known, "ID": read from `source`, the text of its file, which is untrusted;
// where that is empty, from this program's own file. Throws WorkerError(invalid).
stagefile::Stage findStage(const std::string &operation, const std::string &name, const std::string &source = {});

// The text of stagecraft.cuh. Throws WorkerError(unavailable) where it is not there.
std::string stageHeader();

} // namespace stagecraft::worker
