// SPDX-License-Identifier: MIT
#include "inputs.h"
#include "reference.h"
#include "sha256.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace stagecraft::operations {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "buffers are written as they lie in memory");

constexpr auto manifestName = "input.json";
constexpr auto hashesName = "inputs.sha256.json";
constexpr auto referenceName = "reference.f64.bin";

[[noreturn]] void fail(const fs::path &file, const std::string &cause)
{
    throw InputError(file.filename().string() + ": " + cause);
}

std::string systemCause()
{
    return std::strerror(errno);
}

// A reader sees the whole file or none of it.
void writeFile(const fs::path &file, std::span<const std::byte> bytes)
{
    const fs::path partial = file.string() + ".partial";
    errno = 0;
    std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    std::error_code error;
    if (!stream) {
        const auto cause = systemCause();
        fs::remove(partial, error);
        fail(file, "cannot be written: " + cause);
    }
    fs::rename(partial, file, error);
    if (error) {
        const auto cause = error.message();
        fs::remove(partial, error);
        fail(file, "cannot be put in place: " + cause);
    }
}

void writeFile(const fs::path &file, const json &content)
{
    const std::string text = content.dump(2) + "\n";
    writeFile(file, std::as_bytes(std::span(text)));
}

// Before every opening: a pipe would block it for ever.
void requireRegularFile(const fs::path &file)
{
    std::error_code error;
    const auto status = fs::status(file, error);
    if (!fs::exists(status))
        fail(file, "cannot be read: " + (error ? error.message() : std::string("it is not there")));
    if (!fs::is_regular_file(status))
        fail(file, "cannot be read: it is no regular file");
}

json readJson(const fs::path &file)
{
    requireRegularFile(file);
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        fail(file, "cannot be read: " + systemCause());
    try {
        return json::parse(stream);
    } catch (const json::parse_error &error) { // its text would hold the file's, however long that is
        fail(file, "is not valid JSON at byte " + std::to_string(error.byte));
    } catch (const json::exception &) {
        fail(file, "is not valid JSON: it holds a number that is beyond every range");
    }
}

std::string shortened(const std::string &text)
{
    constexpr std::size_t shownBytes = 80;
    return text.size() <= shownBytes ? text : text.substr(0, shownBytes) + "…";
}

template <class T>
std::vector<T> readBuffer(const fs::path &file, std::int64_t elements)
{
    requireRegularFile(file);
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error)
        fail(file, "cannot be read: " + error.message());
    const auto expected = static_cast<std::uintmax_t>(elements) * sizeof(T);
    if (size != expected)
        fail(file, "has " + std::to_string(size) + " bytes, its dims need " + std::to_string(expected));
    std::vector<T> values(static_cast<std::size_t>(elements));
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char *>(values.data()), static_cast<std::streamsize>(expected));
    if (!stream)
        fail(file, "cannot be read: " + systemCause());
    return values;
}

const Operation &readOperation(const fs::path &file, const json &manifest)
{
    if (!manifest.is_object() || !manifest.contains("op") || !manifest["op"].is_string())
        fail(file, "/op: expected the operation's name");
    if (const auto *operation = findOperation(manifest["op"].get<std::string>()))
        return *operation;
    fail(file, "/op: no operation is named " + shortened(manifest["op"].dump(-1, ' ', true)));
}

Dims readDims(const fs::path &file, const json &manifest, const Operation &operation)
{
    if (!manifest.contains("dims") || !manifest["dims"].is_array())
        fail(file, "/dims: expected an array of whole numbers");
    Dims dims;
    for (const auto &extent : manifest["dims"]) {
        if (!extent.is_number_integer() || (extent.is_number_unsigned() && extent.get<std::uint64_t>() > INT64_MAX))
            fail(file, "/dims: expected whole numbers of 64 bits");
        dims.push_back(extent);
    }
    if (const auto problem = dimsProblem(operation, dims))
        fail(file, "/dims: " + *problem);
    return dims;
}

std::optional<int> readCount(const fs::path &file, const json &manifest, const char *key, int least)
{
    const auto entry = manifest.find(key);
    if (entry == manifest.end())
        return std::nullopt;
    constexpr int most = 1'000'000; // as of --warmup and --iterations
    // A whole number that is not negative is stored unsigned.
    if (!entry->is_number_unsigned() || entry->get<std::uint64_t>() > most || entry->get<int>() < least)
        fail(file, "/" + std::string(key) + ": expected a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most));
    return entry->get<int>();
}

void readBuffers(const fs::path &directory, InputSet &inputs)
{
    for (const auto &buffer : inputBuffers(*findOperation(inputs.operation), inputs.dims)) {
        const auto file = directory / buffer.fileName();
        if (buffer.type == ElementType::Uint32) {
            auto &values = buffer.name == "rowptr" ? inputs.rowptr : inputs.indices;
            values = readBuffer<std::uint32_t>(file, buffer.elements);
            continue;
        }
        auto &values = buffer.name == "a" ? inputs.a : buffer.name == "b" ? inputs.b : inputs.c;
        values = readBuffer<float>(file, buffer.elements);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i]))
                fail(file, "element " + std::to_string(i) + " is not finite");
        }
    }
}

void checkRows(const fs::path &directory, const InputSet &inputs)
{
    const auto file = directory / "rowptr.bin";
    if (inputs.rowptr.front() != 0)
        fail(file, "element 0 is " + std::to_string(inputs.rowptr.front()) + ", not 0");
    for (std::size_t i = 1; i < inputs.rowptr.size(); ++i) {
        if (inputs.rowptr[i] < inputs.rowptr[i - 1])
            fail(file, "element " + std::to_string(i) + " is below the one before it");
    }
    if (inputs.rowptr.back() != inputs.indices.size())
        fail(file, "ends with " + std::to_string(inputs.rowptr.back()) + ", but there are " +
                       std::to_string(inputs.indices.size()) + " edges");
}

void checkIndices(const fs::path &directory, const InputSet &inputs)
{
    for (std::size_t i = 0; i < inputs.indices.size(); ++i) {
        if (inputs.indices[i] >= static_cast<std::uint64_t>(inputs.dims[0]))
            fail(directory / "indices.bin", "element " + std::to_string(i) + " is " +
                                                std::to_string(inputs.indices[i]) + ", but there are " +
                                                std::to_string(inputs.dims[0]) + " nodes");
    }
}

void checkHashes(const fs::path &directory, InputSet &inputs)
{
    const auto file = directory / hashesName;
    std::error_code error;
    if (!fs::exists(file, error))
        return;
    const json content = readJson(file);
    if (!content.is_object() || !content.contains("seed") || !content["seed"].is_number_unsigned())
        fail(file, "/seed: expected a whole number");
    if (!content.contains("sha256") || !content["sha256"].is_object())
        fail(file, "/sha256: expected an object of file names and hashes");
    inputs.seed = content["seed"];
    for (const auto &[name, hash] : hashes(inputs)) {
        const auto recorded = content["sha256"].find(name);
        if (recorded == content["sha256"].end() || !recorded->is_string())
            fail(file, "/sha256/" + name + ": is missing");
        if (*recorded != hash)
            fail(directory / name, "has SHA-256 " + hash + ", but " + hashesName + " records " +
                                       shortened(recorded->dump(-1, ' ', true)));
    }
}

json jsonOf(const InputManifest &manifest)
{
    json content{{"op", manifest.operation}, {"dims", manifest.dims}};
    if (manifest.warmup)
        content["warmup"] = *manifest.warmup;
    if (manifest.iterations)
        content["iterations"] = *manifest.iterations;
    return content;
}

bool holds(const fs::path &directory, const InputSet &inputs)
{
    std::error_code error;
    if (!fs::exists(directory / hashesName, error))
        return false;
    try {
        const auto found = readInputDirectory(directory);
        readReference(directory, outputElements(*findOperation(found.operation), found.dims));
        return found.operation == inputs.operation && found.dims == inputs.dims && found.seed == inputs.seed &&
               hashes(found) == hashes(inputs);
    } catch (const InputError &) {
        return false; // damaged or another's: written anew
    }
}

void makeDirectory(const fs::path &directory)
{
    std::error_code error;
    fs::create_directories(directory, error);
    if (error)
        fail(directory, "cannot be made: " + error.message());
}

} // namespace

InputManifest readInputManifest(const fs::path &directory)
{
    const fs::path file = directory / manifestName;
    const json manifest = readJson(file);
    const auto &operation = readOperation(file, manifest);
    return {operation.id, readDims(file, manifest, operation), readCount(file, manifest, "warmup", 0),
            readCount(file, manifest, "iterations", 1)};
}

void writeInputManifest(const fs::path &directory, const InputManifest &manifest)
{
    writeFile(directory / manifestName, jsonOf(manifest));
}

void writeInputDirectory(const fs::path &directory, const InputSet &inputs, int warmup, int iterations)
{
    const InputManifest manifest{inputs.operation, inputs.dims, warmup, iterations};
    makeDirectory(directory);
    if (!holds(directory, inputs)) {
        // The hashes go first and come back last: without them a directory that was cut short is not taken for whole.
        std::error_code error;
        fs::remove(directory / hashesName, error);
        const auto &operation = *findOperation(inputs.operation);
        for (const auto &buffer : inputBuffers(operation, inputs.dims))
            writeFile(directory / buffer.fileName(), inputs.bytes(buffer.name));
        writeFile(directory / referenceName, std::as_bytes(std::span<const double>(reference(inputs))));
        writeInputManifest(directory, manifest);
        writeFile(directory / hashesName, json{{"seed", inputs.seed}, {"sha256", hashes(inputs)}});
    } else if (readJson(directory / manifestName) != jsonOf(manifest)) {
        writeInputManifest(directory, manifest);
    }
}

InputSet readInputDirectory(const fs::path &directory)
{
    const auto manifest = readInputManifest(directory);
    InputSet inputs;
    inputs.operation = manifest.operation;
    inputs.dims = manifest.dims;
    readBuffers(directory, inputs);
    if (inputs.operation == "neighbor") {
        checkRows(directory, inputs);
        checkIndices(directory, inputs);
    }
    checkHashes(directory, inputs);
    return inputs;
}

bool hasReference(const fs::path &directory)
{
    std::error_code error;
    return fs::exists(directory / referenceName, error);
}

std::vector<double> readReference(const fs::path &directory, std::int64_t elements)
{
    return readBuffer<double>(directory / referenceName, elements);
}

} // namespace stagecraft::operations
