// SPDX-License-Identifier: GPL-3.0-or-later
#include "runinputs.h"

#include "inputs.h"
#include "publictext.h"

#include <filesystem>

namespace stagecraft::run {

RunInputs makeRunInputs(const RunPlan &plan, const PlannedOperation &planned, bool shared)
{
    RunInputs made;
    try {
        const auto *operation = operations::findOperation(planned.operation.toStdString());
        const operations::Dims dims(planned.dims.begin(), planned.dims.end());
        const operations::InputSet inputs = operations::generateInputs(*operation, dims, plan.seed);
        made.sha256 = operations::hashes(inputs);
        if (!shared)
            return made;
        made.directory = std::make_shared<QTemporaryDir>();
        if (!made.directory->isValid()) {
            made.problem =
                QStringLiteral("no temporary directory for the inputs: %1").arg(made.directory->errorString());
            return made;
        }
        operations::writeInputDirectory(std::filesystem::path(made.directory->path().toStdString()), inputs,
                                        plan.warmup, plan.iterations);
    } catch (const std::exception &error) {
        made.problem = QStringLiteral("the inputs could not be made: %1").arg(publicText(std::string(error.what())));
    }
    return made;
}

} // namespace stagecraft::run
