// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "stage.h"

#include <map>
#include <optional>
#include <set>

// A stage as the fake worker takes it: read from the text that came with the request, like the real worker's, and then
// asked for instructions. A comment "fake: NAME" names one of the worker's behaviours for this stage alone, and
// "fake: KEY=NUMBER" sets us (the span's start, 2.5 times the kernel time), registers, shared (static bytes), local or
// spill.
struct FakeStage
{
    // Throws WorkerError(invalid) for a text whose front matter is wrong.
    static FakeStage parse(const std::string &operation, const std::string &stageName, const std::string &source);

    bool does(const char *behaviour) const { return behaviours.contains(behaviour); }
    std::optional<double> us() const;
    stagecraft::protocol::KernelResources resources(const stagecraft::stagefile::LaunchSpec &launch) const;
    std::vector<stagecraft::protocol::Launch> launches(const std::vector<std::int64_t> &dims) const;

    // As NVRTC words it, at the line of "fake: compile-error".
    std::string compileErrorLog() const;

    stagecraft::stagefile::Stage stage;
    std::set<std::string> behaviours;
    std::map<std::string, double> numbers;

private:
    double number(const std::string &key, double otherwise) const;
};
