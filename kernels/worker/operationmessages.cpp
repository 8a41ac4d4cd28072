// SPDX-License-Identifier: MIT
#include "operationmessages.h"

#include <cmath>

namespace stagecraft::worker {

namespace {

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

const operations::Operation &requireOperation(const std::string &id)
{
    if (const auto *operation = operations::findOperation(id))
        return *operation;
    throw WorkerError(protocol::error::invalid, "no operation is named \"" + id + "\"",
                      "use matmul, gelu, layernorm, triangle or neighbor");
}

void requireDims(const operations::Operation &operation, const operations::Dims &dims)
{
    if (const auto problem = operations::dimsProblem(operation, dims))
        throw WorkerError(protocol::error::invalid, *problem,
                          "the defaults are " + operations::dimsText(operation.defaultDims));
}

protocol::CheckResult toCheckResult(const operations::Comparison &comparison)
{
    protocol::CheckResult result;
    result.passed = comparison.passed;
    result.rtol = comparison.rtol;
    result.atol = comparison.atol;
    result.checkedElements = comparison.checkedElements;
    result.badElements = comparison.badElements;
    result.relError = finite(comparison.relError);
    if (comparison.finiteElements > 0)
        result.maxAbsError = comparison.maxAbsError;
    result.firstBad = comparison.firstBad;
    if (comparison.firstBad) {
        result.firstBadValue = finite(comparison.firstBadValue);
        result.firstBadReference = finite(comparison.firstBadReference);
    }
    result.reference = "fp64";
    return result;
}

protocol::CaptureSupport captureNotWanted()
{
    return {
        false, "cupti", {}, "kernel records were not asked for (--no-capture)", "capture again without --no-capture"};
}

} // namespace stagecraft::worker
