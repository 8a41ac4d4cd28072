// SPDX-License-Identifier: GPL-3.0-or-later
#include "imported.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

// As the importers write them.
constexpr std::array<std::string_view, 5> tools{"Google Benchmark", "Kernel Tuner", "NVBench", "Nsight Systems",
                                                "PyTorch profiler"};

constexpr std::array<const char *, 8> ownKeys{
    "source_sha256",    "rounds",           "runs",           "rounds_per_run", "iterations_per_round",
    "warmup_per_round", "gpu_state_before", "gpu_state_after"};

bool isKnownTool(const json &imported)
{
    const auto tool = imported.find("tool");
    return tool != imported.end() && tool->is_string() &&
           std::ranges::find(tools, std::string_view(tool->get_ref<const std::string &>())) != tools.end();
}

bool namesFiles(const json &imported)
{
    const auto files = imported.find("files");
    return files != imported.end() && files->is_array() && !files->empty() &&
           std::ranges::all_of(*files, [](const json &file) {
               const auto id = file.is_object() ? file.find("id") : file.end();
               return file.is_object() && id != file.end() && id->is_string();
           });
}

bool isOwnRun(const json &root)
{
    if (std::ranges::any_of(ownKeys, [&root](const char *key) { return root.contains(key); }))
        return true;
    const auto results = root.find("results");
    return results != root.end() && results->is_array() && std::ranges::any_of(*results, [](const json &result) {
               return result.is_object() && result.contains("input_hashes");
           });
}

} // namespace

bool isImported(const nlohmann::json &results)
{
    if (!results.is_object())
        return false;
    const auto imported = results.find("imported");
    return imported != results.end() && imported->is_object() && isKnownTool(*imported) && namesFiles(*imported) &&
           !isOwnRun(results);
}

} // namespace stagecraft::evidence
