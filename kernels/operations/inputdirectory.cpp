// SPDX-License-Identifier: MIT
#include "inputs.h"
#include "reference.h"
#include "sha256.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
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

json readJson(const fs::path &file)
{
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        fail(file, "cannot be read: " + systemCause());
    try {
        return json::parse(stream);
    } catch (const json::exception &error) {
        fail(file, std::string("is not valid JSON: ") + error.what());
    }
}

template <class T>
std::vector<T> readBuffer(const fs::path &file, std::int64_t elements)
{
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

void readManifest(const fs::path &file, InputSet &inputs)
{
    const json manifest = readJson(file);
    if (!manifest.is_object() || !manifest.contains("op") || !manifest["op"].is_string())
        fail(file, "/op: expected the operation's name");
    inputs.operation = manifest["op"];
    const auto *operation = findOperation(inputs.operation);
    if (!operation)
        fail(file, "/op: no operation is named \"" + inputs.operation + "\"");
    if (!manifest.contains("dims") || !manifest["dims"].is_array())
        fail(file, "/dims: expected an array of whole numbers");
    for (const auto &extent : manifest["dims"]) {
        if (!extent.is_number_integer() || (extent.is_number_unsigned() && extent.get<std::uint64_t>() > INT64_MAX))
            fail(file, "/dims: expected whole numbers of 64 bits");
        inputs.dims.push_back(extent);
    }
    if (const auto problem = dimsProblem(*operation, inputs.dims))
        fail(file, "/dims: " + *problem);
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
            fail(directory / name,
                 "has SHA-256 " + hash + ", but " + hashesName + " records " + recorded->get<std::string>());
    }
}

json manifestOf(const InputSet &inputs, int warmup, int iterations)
{
    return {{"op", inputs.operation}, {"dims", inputs.dims}, {"warmup", warmup}, {"iterations", iterations}};
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

void writeInputDirectory(const fs::path &directory, const InputSet &inputs, int warmup, int iterations)
{
    makeDirectory(directory);
    if (!holds(directory, inputs)) {
        // The hashes go first and come back last: without them a directory that was cut short is not taken for whole.
        std::error_code error;
        fs::remove(directory / hashesName, error);
        const auto &operation = *findOperation(inputs.operation);
        for (const auto &buffer : inputBuffers(operation, inputs.dims))
            writeFile(directory / buffer.fileName(), inputs.bytes(buffer.name));
        writeFile(directory / referenceName, std::as_bytes(std::span<const double>(reference(inputs))));
        writeFile(directory / manifestName, manifestOf(inputs, warmup, iterations));
        writeFile(directory / hashesName, json{{"seed", inputs.seed}, {"sha256", hashes(inputs)}});
    } else if (readJson(directory / manifestName) != manifestOf(inputs, warmup, iterations)) {
        writeFile(directory / manifestName, manifestOf(inputs, warmup, iterations));
    }
}

InputSet readInputDirectory(const fs::path &directory)
{
    InputSet inputs;
    readManifest(directory / manifestName, inputs);
    readBuffers(directory, inputs);
    if (inputs.operation == "neighbor") {
        checkRows(directory, inputs);
        checkIndices(directory, inputs);
    }
    checkHashes(directory, inputs);
    return inputs;
}

std::vector<double> readReference(const fs::path &directory, std::int64_t elements)
{
    return readBuffer<double>(directory / referenceName, elements);
}

} // namespace stagecraft::operations
