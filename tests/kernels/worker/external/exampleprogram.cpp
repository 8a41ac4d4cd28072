// SPDX-License-Identifier: MIT
// An external program: PROGRAM INPUT_DIR [--iterations N] [--capture]. This one multiplies matrices on the CPU.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

using nlohmann::json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

const std::string name = "example"; // of its files, and in --external example=PROGRAM

std::vector<float> readFloats(const fs::path &file, std::size_t count)
{
    std::vector<float> values(count);
    std::ifstream stream(file, std::ios::binary);
    if (!stream.read(reinterpret_cast<char *>(values.data()), static_cast<std::streamsize>(count * sizeof(float))))
        throw std::runtime_error(file.filename().string() + " is too short or cannot be read");
    return values;
}

void writeFile(const fs::path &file, const char *bytes, std::size_t size)
{
    std::ofstream stream(file, std::ios::binary);
    stream.write(bytes, static_cast<std::streamsize>(size));
    stream.close();
    if (!stream)
        throw std::runtime_error(file.filename().string() + " cannot be written");
}

// out(m,n) = a(m,k) · b(k,n), row-major: what stands for a kernel here.
void matmul(const std::vector<float> &a, const std::vector<float> &b, std::vector<float> &out, std::size_t n,
            std::size_t k)
{
    std::fill(out.begin(), out.end(), 0.0F);
    for (std::size_t row = 0; row < out.size() / n; ++row)
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t column = 0; column < n; ++column)
                out[row * n + column] += a[row * k + i] * b[i * n + column];
}

void run(const fs::path &directory, int iterations)
{
    // 1. What is asked for. Counts that the command line does not give are input.json's.
    const json input = json::parse(std::ifstream(directory / "input.json"));
    const int warmup = input.at("warmup");
    if (iterations == 0)
        iterations = input.at("iterations");
    if (input.at("op") != "matmul")
        std::exit(77); // "not this operation": unavailable, rather than failed
    const std::size_t m = input.at("dims").at(0), n = input.at("dims").at(1), k = input.at("dims").at(2);

    // 2. The inputs, outside the samples; a GPU program copies them to the device here.
    const auto a = readFloats(directory / "a.bin", m * k), b = readFloats(directory / "b.bin", k * n);
    std::vector<float> out(m * n);

    // 3. Warm-up calls, then one sample per iteration. With --capture a GPU program calls cuProfilerStart between the
    //    two, and cuProfilerStop after the last iteration.
    for (int i = 0; i < warmup; ++i)
        matmul(a, b, out, n, k);
    std::vector<double> samples;
    for (int i = 0; i < iterations; ++i) {
        const auto start = Clock::now();
        matmul(a, b, out, n, k);
        samples.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }

    // 4. The result as it is in memory, and the samples. "source" is "event", the default, where CUDA events took them.
    writeFile(directory / (name + "-output.bin"), reinterpret_cast<const char *>(out.data()),
              out.size() * sizeof(float));
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
    const json timing{{"op", input["op"]},
                      {"dims", input["dims"]},
                      {"warmup", warmup},
                      {"iterations", iterations},
                      {"samples_us", samples},
                      {"event_mean_us", mean},
                      {"run_id", std::to_string(Clock::now().time_since_epoch().count())},
                      {"source", "host"}};
    const std::string text = timing.dump(2) + "\n";
    writeFile(directory / (name + "-timing.json"), text.data(), text.size());
}

// Everything that goes wrong is said on standard error and ends with a status that is not 0: then no file is read.
int main(int argc, char **argv)
try {
    std::string directory;
    int iterations = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--iterations" && i + 1 < argc)
            iterations = std::stoi(argv[++i]);
        else if (argument != "--capture") // nothing to capture: the CPU has no kernel records
            directory = argument;
    }
    run(directory, iterations);
    return 0;
} catch (const std::exception &error) {
    std::cerr << name << ": " << error.what() << '\n';
    return 1;
}
