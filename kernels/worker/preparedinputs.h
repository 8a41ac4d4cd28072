// SPDX-License-Identifier: MIT
#pragma once

#include "backend.h"
#include "inputs.h"

namespace stagecraft::worker {

struct PreparedInputs
{
    operations::InputSet inputs;
    std::vector<double> reference;
};

// The inputs that `params` asks for: read from its directory, else generated here, and checked against its hashes. The
// reference is computed here where the directory brings none.
// Throws WorkerError(error::invalid) for an operation or dims that do not exist, for a directory that is damaged or
// holds something else, and for a hash that differs.
PreparedInputs prepareInputs(const protocol::PrepareParams &params);

} // namespace stagecraft::worker
