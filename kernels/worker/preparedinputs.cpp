// SPDX-License-Identifier: MIT
#include "preparedinputs.h"

#include "operationmessages.h"

namespace stagecraft::worker {

namespace {

using namespace operations;

WorkerError invalid(const std::string &reason, const std::string &fix)
{
    return {protocol::error::invalid, reason, fix};
}

PreparedInputs readInputs(const protocol::PrepareParams &params, const Operation &operation)
{
    try {
        PreparedInputs result{readInputDirectory(params.directory), {}};
        const auto &found = result.inputs;
        if (found.operation != params.operation || found.dims != params.dims)
            throw InputError("input.json: is of " + found.operation + " " + dimsText(found.dims) + ", not of " +
                             params.operation + " " + dimsText(params.dims));
        result.reference = hasReference(params.directory)
                               ? readReference(params.directory, outputElements(operation, params.dims))
                               : reference(found);
        return result;
    } catch (const InputError &error) {
        throw invalid(std::string("the input directory cannot be used: ") + error.what(),
                      "correct the file that is named, or have the directory written again by whoever made it");
    }
}

PreparedInputs makeInputs(const protocol::PrepareParams &params, const Operation &operation)
{
    PreparedInputs result{generateInputs(operation, params.dims, params.seed), {}};
    result.reference = reference(result.inputs);
    return result;
}

void checkHashes(const protocol::PrepareParams &params, const InputSet &inputs)
{
    if (params.sha256.empty())
        return;
    const auto found = hashes(inputs);
    for (const auto &[file, hash] : params.sha256) {
        const auto entry = found.find(file);
        if (entry == found.end())
            throw invalid("sha256/" + file + ": " + params.operation + " has no such input", "name its inputs only");
        if (entry->second != hash)
            throw invalid(file + " has SHA-256 " + entry->second + " here, but " + hash + " was asked for",
                          "use the same release of every worker, and the seed that the hashes were made with");
    }
}

} // namespace

PreparedInputs prepareInputs(const protocol::PrepareParams &params)
{
    const auto &operation = requireOperation(params.operation);
    requireDims(operation, params.dims);
    auto result = params.directory.empty() ? makeInputs(params, operation) : readInputs(params, operation);
    checkHashes(params, result.inputs);
    return result;
}

} // namespace stagecraft::worker
