// SPDX-License-Identifier: GPL-3.0-or-later
#include "contender.h"

#include "inputs.h"

#include <cstdio>

namespace stagecraft::tests {

using operations::Dims;
using operations::Operation;

std::string Contender::name(const Dims &dims) const
{
    return (stage ? stage->name() : operation->id + " " + implementation) + " " + operations::dimsText(dims);
}

Prepared::Prepared(WorkerProcess &process, const Contender &contender, const Dims &dims,
                   const std::filesystem::path &directory)
    : worker(process)
{
    protocol::PrepareParams params;
    params.operation = contender.operation->id;
    params.dims = dims;
    params.seed = operations::defaultSeed;
    params.directory = directory.string();
    params.implementation = contender.implementation;
    if (contender.stage) {
        params.stage = contender.stage->name();
        params.source = contender.stage->text;
    }
    try {
        worker.call(protocol::method::prepare, params).get_to(result);
    } catch (const Gone &) {
        // What the check before did to it is that check's failure; this one gets a worker of its own.
        worker.restart();
        worker.call(protocol::method::prepare, params).get_to(result);
    }
}

Prepared::~Prepared()
{
    try {
        worker.call(protocol::method::release, {{"handle", result.handle}});
    } catch (const std::exception &) {
        // The check that comes next says what is wrong with the worker.
    }
}

std::string requireCorrect(const Prepared &prepared, const Operation &operation, const Dims &dims)
{
    protocol::CheckResult check;
    prepared.worker.call(protocol::method::check, {{"handle", prepared.result.handle}}).get_to(check);
    require(check.checkedElements == operations::outputElements(operation, dims),
            std::to_string(check.checkedElements) + " elements were checked");
    require(check.passed, std::to_string(check.badElements) + " elements are wrong, the first is " +
                              std::to_string(check.firstBad.value_or(-1)));
    char text[32];
    std::snprintf(text, sizeof text, "error %.1e", check.relError.value_or(0));
    return text;
}

} // namespace stagecraft::tests
