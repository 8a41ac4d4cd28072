// SPDX-License-Identifier: MIT
#include "frontmatter.h"

#include "frontmatterkeys.h"
#include "sha256.h"
#include "tensormapshape.h"

#include <algorithm>
#include <span>

namespace stagecraft::stagefile {

namespace {

using operations::Operation;

constexpr std::int64_t largestDim = std::int64_t{1} << 40;
constexpr std::int64_t largestSharedBytes = 227 * 1024; // of one block on the GPUs with the most (sm_90, sm_100)
constexpr std::int64_t largestScratchBytes = std::int64_t{1} << 40;
constexpr std::int64_t largestBlockThreads = 1024;
constexpr std::size_t largestTensorMaps = 3; // that stagecraft.cuh has parameters for
constexpr std::size_t longestArithmetic = 32;
constexpr int firstWithTensorMaps = 90; // sm_90

bool isIdentifier(const std::string &text)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto inside = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), inside);
}

bool isStageId(const std::string &text)
{
    return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

// As external programs name theirs: what stands in evidence and in tables is one plain word.
bool isArithmetic(const std::string &text)
{
    return !text.empty() && text.size() <= longestArithmetic && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+';
    });
}

std::size_t lineOf(const std::string &text, std::size_t offset)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

struct Span
{
    std::size_t begin, end;
};

// The JSON's place: after white space and `//` lines (a licence line, say) the file must go on with `/* stage {`.
Span frontMatterSpan(const std::string &text, const std::string &fileName)
{
    std::size_t at = 0;
    for (;;) {
        at = text.find_first_not_of(" \t\r\n", at);
        if (at == std::string::npos || text.compare(at, 2, "//") != 0)
            break;
        at = text.find('\n', at);
    }
    const std::string expected = "expected the file to begin with a comment /* stage { … } */";
    if (at == std::string::npos || text.compare(at, 2, "/*") != 0)
        throw StageError(fileName + ":" + std::to_string(lineOf(text, at)) + ": no front matter; " + expected);
    const std::size_t word = text.find_first_not_of(" \t\r\n", at + 2);
    if (word == std::string::npos || text.compare(word, 5, "stage") != 0)
        throw StageError(fileName + ":" + std::to_string(lineOf(text, at)) +
                         ": the first comment is not the front matter; " + expected);
    const std::size_t end = text.find("*/", word);
    if (end == std::string::npos)
        throw StageError(fileName + ":" + std::to_string(lineOf(text, at)) + ": the front matter's comment has no end");
    return {word + 5, end};
}

nlohmann::json parseFrontMatter(const std::string &text, const std::string &fileName)
{
    const Span span = frontMatterSpan(text, fileName);
    try {
        return nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(span.begin),
                                     text.begin() + static_cast<std::ptrdiff_t>(span.end));
    } catch (const nlohmann::json::parse_error &error) {
        const std::size_t line = lineOf(text, span.begin + (error.byte > 0 ? error.byte - 1 : 0));
        throw StageError(fileName + ":" + std::to_string(line) + ": the front matter is not JSON: " + error.what());
    } catch (const nlohmann::json::exception &error) {
        throw StageError(fileName + ": the front matter is not JSON: " + error.what());
    }
}

Extent3 parseExtents(const FrontMatterValue &value)
{
    Extent3 extents{1, 1, 1};
    if (!value.json().is_array()) {
        extents[0] = value.integer(1, largestBlockThreads);
        return extents;
    }
    const auto items = value.items();
    if (items.empty() || items.size() > 3)
        value.fail("has " + std::to_string(items.size()) + " entries, expected one to three");
    for (std::size_t i = 0; i < items.size(); ++i)
        extents[i] = items[i].integer(1, largestBlockThreads);
    return extents;
}

Extent3 parseBlock(const FrontMatterValue &value)
{
    const Extent3 block = parseExtents(value);
    if (block[0] * block[1] * block[2] > largestBlockThreads)
        value.fail("has " + std::to_string(block[0] * block[1] * block[2]) + " threads, a block can have at most 1024");
    if (block[2] > 64)
        value.fail("z is " + std::to_string(block[2]) + ", a block can have at most 64 along z");
    return block;
}

Extent3 parseCluster(const FrontMatterValue &value)
{
    const Extent3 cluster = parseExtents(value);
    if (cluster[0] * cluster[1] * cluster[2] > 16)
        value.fail("has more than 16 blocks");
    return cluster;
}

std::string knownDim(const std::string &name, const FrontMatterValue &where, const Operation &operation)
{
    if (std::find(operation.dimNames.begin(), operation.dimNames.end(), name) != operation.dimNames.end())
        return name;
    std::string known;
    for (const std::string &dim : operation.dimNames)
        known += (known.empty() ? "" : ", ") + dim;
    where.fail("\"" + name + "\" is no dim of " + operation.id + "; its dims are " + known);
}

GridExtent parseGridExtent(const FrontMatterValue &value, const Operation &operation)
{
    std::optional<std::int64_t> perSm;
    if (value.has("per_sm"))
        perSm = value.at("per_sm").integer(1, 64);
    if (perSm && !value.has("cover")) {
        value.onlyKeys({"per_sm"});
        return PerSm{*perSm};
    }
    value.onlyKeys({"cover", "by", "per_sm"});
    Cover cover;
    cover.perSm = perSm;
    const FrontMatterValue dims = value.at("cover");
    if (dims.json().is_array()) {
        for (const FrontMatterValue &dim : dims.items())
            cover.dims.push_back(knownDim(dim.text(), dim, operation));
        if (cover.dims.empty())
            dims.fail("names no dim");
    } else {
        cover.dims.push_back(knownDim(dims.text(), dims, operation));
    }
    cover.by = value.has("by") ? value.at("by").integer(1, std::int64_t{1} << 31) : 1;
    return cover;
}

LaunchSpec parseLaunch(const FrontMatterValue &value, const Operation &operation)
{
    value.onlyKeys({"entry", "block", "cluster", "grid", "shared_bytes"});
    LaunchSpec launch;
    launch.entry = value.at("entry").text();
    if (!isIdentifier(launch.entry))
        value.at("entry").fail("\"" + launch.entry + "\" is not a C identifier");
    launch.block = parseBlock(value.at("block"));
    if (value.has("cluster"))
        launch.cluster = parseCluster(value.at("cluster"));
    for (const FrontMatterValue &extent : value.at("grid").items())
        launch.grid.push_back(parseGridExtent(extent, operation));
    if (launch.grid.empty() || launch.grid.size() > 3)
        value.at("grid").fail("has " + std::to_string(launch.grid.size()) + " extents, expected one to three");
    if (value.has("shared_bytes"))
        launch.sharedBytes = value.at("shared_bytes").integer(0, largestSharedBytes);
    return launch;
}

TensorMapSpec parseTensorMap(const FrontMatterValue &value, const Operation &operation)
{
    value.onlyKeys({"buffer", "box", "swizzle"});
    TensorMapSpec map;
    map.buffer = value.at("buffer").text();
    const std::size_t rank = arrayRank(operation, map.buffer);
    if (rank == 0)
        value.at("buffer").fail("is \"" + map.buffer + "\", " + operation.id +
                                " has no array of floats of that name; expected one of its inputs or out");
    for (const FrontMatterValue &extent : value.at("box").items())
        map.box.push_back(extent.integer(1, 256));
    map.swizzle = value.textOr("swizzle", "none");
    if (map.swizzle != "none" && map.swizzle != "32B" && map.swizzle != "64B" && map.swizzle != "128B")
        value.at("swizzle").fail("is \"" + map.swizzle + "\", expected none, 32B, 64B or 128B");
    if (const auto problem = boxProblem(map, rank))
        value.at("box").fail(*problem);
    return map;
}

std::string parseArchitecture(const FrontMatterValue &value)
{
    const std::string text = value.text();
    const std::size_t digits = text.find_first_not_of("0123456789", 3);
    const bool shape = text.compare(0, 3, "sm_") == 0 && text.size() >= 5 && text.size() <= 7 && digits != 3;
    if (!shape || (digits != std::string::npos && text.substr(digits) != "a"))
        value.fail("is \"" + text + "\", expected an architecture such as sm_80 or sm_90a");
    return text;
}

Requirements parseRequirements(const FrontMatterValue &value, const Operation &operation)
{
    value.onlyKeys({"multiple_of", "min", "max", "equals", "arch"});
    Requirements requirements;
    const auto read = [&](const std::string &key, std::optional<std::int64_t> DimRequirement::*field,
                          std::int64_t low) {
        if (!value.has(key))
            return;
        for (const auto &[dim, limit] : value.at(key).members())
            requirements.dims[knownDim(dim, limit, operation)].*field = limit.integer(low, largestDim);
    };
    read("multiple_of", &DimRequirement::multipleOf, 1);
    read("min", &DimRequirement::min, 0);
    read("max", &DimRequirement::max, 0);
    read("equals", &DimRequirement::equals, 0);
    if (value.has("arch"))
        requirements.architecture = parseArchitecture(value.at("arch"));
    return requirements;
}

Status parseStatus(const FrontMatterValue &value)
{
    const std::string text = value.text();
    if (text == "retained")
        return Status::Retained;
    if (text == "attempt")
        return Status::Attempt;
    value.fail("is \"" + text + "\", expected retained or attempt");
}

void parseWords(const FrontMatterValue &root, Stage &stage)
{
    stage.title = root.at("title").text();
    stage.change = root.textOr("change", {});
    stage.after = root.textOr("after", {});
    if (!stage.after.empty() && !isStageId(stage.after))
        root.at("after").fail("\"" + stage.after + "\" is not a stage id (lower-case letters, digits and '-')");
    stage.status = parseStatus(root.at("status"));
    if (stage.status == Status::Attempt && stage.after.empty())
        root.fail("an attempt must name in \"after\" the stage that it was compared with");
    stage.label = root.textOr("label", stage.id);
    stage.arithmetic = root.textOr("arithmetic", "fp32");
    if (!isArithmetic(stage.arithmetic))
        root.at("arithmetic")
            .fail("is \"" + stage.arithmetic + "\", expected 1 to " + std::to_string(longestArithmetic) +
                  " of a-z, 0-9, + and -, such as fp32 or 3xtf32");
    stage.source = root.textOr("source", {});
    stage.localMemory = root.textOr("local_memory", {});
    if (root.has("local_memory") && stage.localMemory.empty())
        root.at("local_memory").fail("is empty, expected a sentence that says why the stage uses local memory");
}

// The oldest GPU that the stage asks for must have tensor maps, if it asks for these too.
void requireMapsAndArchitecture(const FrontMatterValue &root, const Stage &stage)
{
    const std::string &architecture = stage.requirements.architecture;
    if (stage.tensorMaps.empty() || architecture.empty() || std::stoi(architecture.substr(3)) >= firstWithTensorMaps)
        return;
    root.at("requires")
        .at("arch")
        .fail("is " + architecture + ", but the stage has tensor maps, which need sm_90 or newer");
}

void parseWork(const FrontMatterValue &root, const Operation &operation, Stage &stage)
{
    for (const FrontMatterValue &launch : root.at("launches").items())
        stage.launches.push_back(parseLaunch(launch, operation));
    if (stage.launches.empty())
        root.at("launches").fail("is empty, a stage launches at least one kernel");
    if (root.has("scratch"))
        stage.scratchBytes = root.at("scratch").integer(0, largestScratchBytes);
    if (root.has("tensor_maps")) {
        for (const FrontMatterValue &map : root.at("tensor_maps").items())
            stage.tensorMaps.push_back(parseTensorMap(map, operation));
        if (stage.tensorMaps.size() > largestTensorMaps)
            root.at("tensor_maps").fail("has more than three entries");
    }
    if (root.has("requires"))
        stage.requirements = parseRequirements(root.at("requires"), operation);
    requireMapsAndArchitecture(root, stage);
    if (root.has("counts")) {
        for (const auto &[what, number] : root.at("counts").members())
            stage.counts[what] = number.number();
    }
}

} // namespace

Stage parseStage(const std::string &operationId, const std::string &id, std::string text)
{
    Stage stage;
    stage.operation = operationId;
    stage.id = id;
    stage.fileName = operationId + "/" + id + ".cu";
    const Operation *operation = operations::findOperation(operationId);
    if (!operation)
        throw StageError(stage.fileName + ": \"" + operationId + "\" is no operation");
    if (!isStageId(id))
        throw StageError(stage.fileName + ": \"" + id + "\" is not a stage id (lower-case letters, digits and '-')");
    if (text.size() > maximumStageBytes)
        throw StageError(stage.fileName + ": has more than " + std::to_string(maximumStageBytes) + " bytes");
    const nlohmann::json json = parseFrontMatter(text, stage.fileName);
    const FrontMatterValue root(json, stage.fileName);
    root.onlyKeys({"title", "change", "after", "status", "label", "arithmetic", "launches", "scratch", "tensor_maps",
                   "requires", "counts", "local_memory", "source"});
    parseWords(root, stage);
    parseWork(root, *operation, stage);
    stage.sha256 = operations::sha256(std::as_bytes(std::span(text)));
    stage.text = std::move(text);
    return stage;
}

} // namespace stagecraft::stagefile
