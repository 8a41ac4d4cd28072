// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesjson.h"

#include <array>

namespace stagecraft::commands {

namespace {

using nlohmann::json;

json textOrNull(const std::string &text)
{
    return text.empty() ? json() : json(text);
}

// By kind, those that are there; padding is not counted.
json mixJson(const run::InstructionMix &mix)
{
    json result = {{"total", mix.total()}, {"kinds", json::object()}};
    for (std::size_t kind = 0; kind < run::instructionKinds; ++kind) {
        if (mix.counts[kind] > 0 && run::InstructionKind(kind) != run::InstructionKind::NoOperation)
            result["kinds"][run::kindId(run::InstructionKind(kind)).toStdString()] = mix.counts[kind];
    }
    return result;
}

json launchJson(const CompiledLaunch &launch)
{
    const protocol::KernelResources &resources = launch.resources;
    json result = {{"entry", resources.entry},
                   {"threads_per_block", launch.threadsPerBlock},
                   {"registers", resources.registers},
                   {"shared_bytes", resources.sharedBytes},
                   {"local_bytes", resources.localBytes},
                   {"spill_bytes", resources.spillBytes},
                   {"barriers", resources.barriers},
                   {"resident_threads_per_sm", nullptr}};
    if (launch.occupancy) {
        result["resident_threads_per_sm"] = launch.occupancy->residentThreads;
        result["blocks_per_sm"] = launch.occupancy->blocksPerSm;
        result["limited_by"] = limitWord(launch.occupancy->limitedBy).toStdString();
    } else {
        result["resident_threads_reason"] = launch.noOccupancy.toStdString();
    }
    if (launch.mix)
        result["instructions"] = mixJson(*launch.mix);
    return result;
}

// The figures of the launch that has the most of each; the one with the fewest resident threads says what limits them.
void putExtremes(json &target, const json &launches)
{
    for (const char *key : {"registers", "shared_bytes", "local_bytes", "spill_bytes", "barriers"}) {
        for (const json &launch : launches) {
            if (!target.contains(key) || launch[key] > target[key])
                target[key] = launch[key];
        }
    }
    const json *scarcest = nullptr;
    for (const json &launch : launches) {
        const json &threads = launch["resident_threads_per_sm"];
        if (!scarcest || threads.is_null() || threads < (*scarcest)["resident_threads_per_sm"])
            scarcest = &launch;
        if (threads.is_null())
            break;
    }
    for (const char *key : {"resident_threads_per_sm", "limited_by", "resident_threads_reason"}) {
        if (scarcest && scarcest->contains(key))
            target[key] = (*scarcest)[key];
    }
}

json messagesJson(const CompiledStage &compiled, const QString &fileName)
{
    static constexpr std::array severities{"error", "warning", "note"};
    json messages = json::array();
    for (const run::CompileMessage &message : run::compileMessages(compiled.log, fileName))
        messages.push_back({{"line", message.line},
                            {"severity", severities.at(message.severity)},
                            {"text", message.text.toStdString()}});
    return messages;
}

json compiledJson(const CompiledStage &compiled, const QString &fileName)
{
    json result = {{"state", stateWord(compiled.state).toStdString()}};
    if (!compiled.reason.isEmpty())
        result["reason"] = compiled.reason.toStdString();
    if (!compiled.fix.isEmpty())
        result["fix"] = compiled.fix.toStdString();
    if (const json messages = messagesJson(compiled, fileName); !messages.empty())
        result["messages"] = messages;
    if (!compiled.noMachineCode.isEmpty())
        result["machine_code"] = {{"state", "unavailable"},
                                  {"reason", compiled.noMachineCode.toStdString()},
                                  {"fix", compiled.machineCodeFix.toStdString()}};
    json launches = json::array();
    for (const CompiledLaunch &launch : compiled.launches)
        launches.push_back(launchJson(launch));
    putExtremes(result, launches);
    result["launches"] = launches;
    return result;
}

// What the front matter says of the launches, where nothing was compiled.
json declaredLaunches(const stagefile::Stage &stage)
{
    json launches = json::array();
    for (const stagefile::LaunchSpec &launch : stage.launches)
        launches.push_back(
            {{"entry", launch.entry}, {"threads_per_block", launch.block[0] * launch.block[1] * launch.block[2]}});
    return launches;
}

json stageJson(const ListedStage &listed)
{
    const stagefile::Stage &stage = listed.entry.stage;
    json result = {{"id", stage.id},
                   {"operation", stage.operation},
                   {"title", stage.title},
                   {"change", stage.change},
                   {"after", textOrNull(stage.after)},
                   {"status", stage.status == stagefile::Status::Retained ? "retained" : "attempt"},
                   {"label", stage.label},
                   {"arithmetic", stage.arithmetic},
                   {"counts", stage.counts},
                   {"local_memory", textOrNull(stage.localMemory)},
                   {"source", stage.source},
                   {"file", stage.fileName},
                   {"own", listed.entry.own},
                   {"sha256", stage.sha256},
                   {"launches", declaredLaunches(stage)}};
    for (const CompiledStage &compiled : listed.compiled) {
        const json one = compiledJson(compiled, QString::fromStdString(stage.fileName));
        result["compiled"][compiled.architecture.toStdString()] = one;
        if (listed.compiled.size() == 1)
            result.update(one);
    }
    return result;
}

} // namespace

json stagesJson(const QList<ListedStage> &stages)
{
    json result = json::array();
    for (const ListedStage &listed : stages)
        result.push_back(stageJson(listed));
    return result;
}

} // namespace stagecraft::commands
