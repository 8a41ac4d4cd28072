// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpuchecks.h"
#include "inputs.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

// Inf, NaN and FLT_MAX among a matrix multiplication's inputs. A worker takes finite inputs only, so a kernel put
// before the stage's own writes them into the arrays that are on the GPU already.
namespace stagecraft::tests {

namespace {

namespace fs = std::filesystem;
using operations::Dims;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();

struct Plant
{
    char array; // 'a' or 'b'
    std::int64_t row, column;
    float value;
};

// No output meets two of them whose sum depends on the order of adding. Where a's row meets b's column: Inf · 0,
// Inf · Inf, products that overflow, FLT_MAX times a small number, and each alone.
const std::vector<Plant> plants{
    {'a', 3, 5, inf},       {'b', 5, 7, 0.0f},       {'b', 5, 9, -inf},   {'a', 17, 2, -inf},      {'a', 30, 11, nan},
    {'a', 40, 20, largest}, {'b', 20, 33, largest},  {'b', 20, 34, 0.5f}, {'b', 20, 35, -largest}, {'b', 14, 50, inf},
    {'b', 15, 52, nan},     {'b', 16, 60, -largest}, {'a', 55, 16, 1.5f}, {'a', 56, 16, -0.25f},   {'b', 17, 61, -inf},
};

std::string plantingKernel(const Dims &dims)
{
    std::string code = "\nextern \"C\" __global__ void plant_values(STAGE_ARGS)\n{\n"
                       "    if (blockIdx.x + threadIdx.x > 0)\n        return;\n";
    for (const Plant &plant : plants) {
        const std::int64_t columns = plant.array == 'a' ? dims[2] : dims[1];
        code += std::string("    const_cast<float *>(") + plant.array + ")[" +
                std::to_string(plant.row * columns + plant.column) + "] = __uint_as_float(" +
                std::to_string(std::bit_cast<std::uint32_t>(plant.value)) + "u);\n";
    }
    return code + "}\n";
}

// The stage's text with one more launch, before its own.
std::string planted(const std::string &text, const Dims &dims)
{
    const std::size_t begin = text.find('{', text.find("/* stage")), end = text.find("*/", begin);
    nlohmann::json front = nlohmann::json::parse(text.substr(begin, end - begin));
    // A json of its own: insert() would take the braces for a list of elements.
    const nlohmann::json plant{
        {"entry", "plant_values"}, {"block", 32}, {"grid", nlohmann::json::array({{{"cover", "m"}, {"by", 1 << 30}}})}};
    auto &launches = front.at("launches");
    launches.insert(launches.begin(), plant);
    return text.substr(0, begin) + front.dump() + text.substr(end) + plantingKernel(dims);
}

operations::InputSet plantedInputs(const operations::Operation &operation, const Dims &dims)
{
    operations::InputSet inputs = operations::generateInputs(operation, dims, operations::defaultSeed);
    for (const Plant &plant : plants) {
        auto &array = plant.array == 'a' ? inputs.a : inputs.b;
        array[static_cast<std::size_t>(plant.row * (plant.array == 'a' ? dims[2] : dims[1]) + plant.column)] =
            plant.value;
    }
    return inputs;
}

struct Sum
{
    double value = 0, magnitude = 0;
};

// What FP32 gives: a product or a sum beyond its range is Inf.
Sum exactSum(const operations::InputSet &inputs, const Dims &dims, std::int64_t row, std::int64_t column)
{
    Sum sum;
    for (std::int64_t k = 0; k < dims[2]; ++k) {
        const double product = static_cast<double>(inputs.a[static_cast<std::size_t>(row * dims[2] + k)]) *
                               static_cast<double>(inputs.b[static_cast<std::size_t>(k * dims[1] + column)]);
        const bool overflows = std::abs(product) > static_cast<double>(largest);
        sum.value += overflows ? std::copysign(static_cast<double>(inf), product) : product;
        sum.magnitude += std::abs(product);
    }
    if (std::abs(sum.value) > static_cast<double>(largest))
        sum.value = std::copysign(static_cast<double>(inf), sum.value);
    return sum;
}

bool agrees(float out, const Sum &sum)
{
    if (std::isnan(sum.value))
        return std::isnan(out);
    if (std::isinf(sum.value))
        return static_cast<double>(out) == sum.value;
    return std::abs(static_cast<double>(out) - sum.value) <= 1e-5 * sum.magnitude;
}

std::vector<float> resultOf(WorkerProcess &worker, const Contender &contender, const Dims &dims, const fs::path &file)
{
    stagefile::Stage stage = *contender.stage;
    stage.text = planted(stage.text, dims);
    Contender changed = contender;
    changed.stage = &stage;
    const Prepared prepared(worker, changed, dims, {});
    // It does not pass, as the inputs are not those of the reference; what counts is the file.
    worker.call(protocol::method::check, {{"handle", prepared.result.handle}, {"output", file.string()}});
    std::vector<float> out(static_cast<std::size_t>(operations::outputElements(*contender.operation, dims)));
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char *>(out.data()), static_cast<std::streamsize>(out.size() * sizeof(float)));
    require(stream.gcount() == static_cast<std::streamsize>(out.size() * sizeof(float)), "the result is short");
    return out;
}

std::string asFp32(WorkerProcess &worker, const Contender &contender, const Dims &dims, const fs::path &scratch)
{
    const operations::InputSet inputs = plantedInputs(*contender.operation, dims);
    const std::vector<float> out = resultOf(worker, contender, dims, scratch / "planted.bin");
    int notFinite = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(out.size()); ++i) {
        const std::int64_t row = i / dims[1], column = i % dims[1];
        const Sum sum = exactSum(inputs, dims, row, column);
        const float value = out[static_cast<std::size_t>(i)];
        notFinite += std::isfinite(sum.value) ? 0 : 1;
        require(agrees(value, sum), "(" + std::to_string(row) + ", " + std::to_string(column) + ") is " +
                                        std::to_string(value) + ", in FP32 " + std::to_string(sum.value));
    }
    return std::to_string(notFinite) + " of " + std::to_string(out.size()) + " outputs are Inf or NaN, as in FP32";
}

} // namespace

void checkPlanted(Checklist &list, WorkerProcess &worker, const std::vector<Contender> &contenders,
                  const stagefile::GpuFacts &gpu, const fs::path &scratch)
{
    for (const Contender &contender : contenders) {
        if (!contender.stage || contender.operation->id != "matmul")
            continue;
        // Whole tiles, tails, and more than one block of k.
        for (const Dims &dims : {Dims{256, 256, 256}, Dims{132, 260, 100}, Dims{65, 67, 29}}) {
            if (!stagefile::misfit(*contender.stage, dims, gpu))
                list.run(contender.name(dims) + ", Inf, NaN and FLT_MAX planted",
                         [&] { return asFp32(worker, contender, dims, scratch); });
        }
    }
}

} // namespace stagecraft::tests
