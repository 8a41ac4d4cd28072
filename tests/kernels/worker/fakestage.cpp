// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakestage.h"

#include "backend.h"
#include "frontmatter.h"
#include "stagefit.h"

#include <algorithm>
#include <regex>

using namespace stagecraft;
using worker::WorkerError;

namespace {

constexpr int smCount = 132; // of the fake GPU

}

FakeStage FakeStage::parse(const std::string &operation, const std::string &stageName, const std::string &source)
{
    FakeStage fake;
    try {
        fake.stage = stagefile::parseStage(operation, stageName.substr(stageName.find('/') + 1), source);
    } catch (const stagefile::StageError &error) {
        throw WorkerError(protocol::error::invalid, error.what(), "correct the front matter of the stage's file");
    }
    static const std::regex mark(R"(fake: ([a-z-]+)(=([0-9.]+))?)");
    for (std::sregex_iterator at(source.begin(), source.end(), mark), end; at != end; ++at) {
        if ((*at)[3].matched)
            fake.numbers[(*at)[1]] = std::stod((*at)[3]);
        else
            fake.behaviours.insert((*at)[1]);
    }
    return fake;
}

double FakeStage::number(const std::string &key, double otherwise) const
{
    const auto found = numbers.find(key);
    return found == numbers.end() ? otherwise : found->second;
}

std::optional<double> FakeStage::us() const
{
    return numbers.contains("us") ? std::optional(numbers.at("us")) : std::nullopt;
}

protocol::KernelResources FakeStage::resources(const stagefile::LaunchSpec &launch) const
{
    const auto bytes = [&](const char *key, double otherwise) {
        return static_cast<std::int64_t>(number(key, otherwise));
    };
    return {launch.entry,
            static_cast<int>(number("registers", 37)),
            1,
            bytes("shared", 2048) + launch.sharedBytes,
            bytes("local", 0),
            bytes("spill", 0)};
}

std::vector<protocol::Launch> FakeStage::launches(const std::vector<std::int64_t> &dims) const
{
    std::vector<protocol::Launch> result;
    for (const stagefile::LaunchSpec &launch : stage.launches)
        result.push_back(
            {launch.entry, stagefile::gridOf(stage, launch, dims, smCount), launch.block, resources(launch), 1536});
    return result;
}

std::string FakeStage::compileErrorLog() const
{
    const std::string before = stage.text.substr(0, stage.text.find("fake: compile-error"));
    const auto line = 1 + std::ranges::count(before, '\n');
    return stage.fileName + "(" + std::to_string(line) + "): error: identifier \"undeclared_name\" is undefined\n" +
           "      out[0] = undeclared_name;\n               ^\n\n1 error detected in the compilation of \"" +
           stage.fileName + "\".\n";
}
