// SPDX-License-Identifier: GPL-3.0-or-later
#include "capturefile.h"
#include "metriclist.h"
#include "reference.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

// An external program named "odd" that is right but for what it is told: WORD… INPUT_DIR [--iterations N] [--capture].
// A word is a fault, or KEY:VALUE; "later" keeps every fault for runs of more than one iteration.

namespace {

namespace fs = std::filesystem;
using namespace stagecraft;
using nlohmann::json;

struct Request
{
    std::set<std::string> faults;
    std::map<std::string, std::string> values; // of KEY:VALUE
    fs::path directory;
    int iterations = 0;
    bool capture = false;

    bool is(const char *fault) const { return faults.contains(fault); }
    std::string value(const char *key) const { return values.contains(key) ? values.at(key) : std::string(); }
    int number(const char *key, int standard) const
    {
        return values.contains(key) ? std::stoi(values.at(key)) : standard;
    }
};

Request readArguments(int argc, char **argv)
{
    Request request;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto colon = word.find(':');
        if (word == "--iterations")
            request.iterations = std::stoi(argv[++i]);
        else if (word == "--capture")
            request.capture = true;
        else if (word.starts_with('/'))
            request.directory = word;
        else if (colon != std::string::npos)
            request.values[word.substr(0, colon)] = word.substr(colon + 1);
        else
            request.faults.insert(word);
    }
    if (request.is("later") && request.iterations == 1) {
        request.faults.clear();
        request.values.clear();
    }
    return request;
}

void write(const fs::path &file, const std::string &text)
{
    const auto partial = file.string() + ".partial";
    std::ofstream(partial, std::ios::binary) << text;
    fs::rename(partial, file);
}

// A process that does not end by itself and has left the group and the session, where it is not told to stay.
pid_t leaveChild(const Request &request)
{
    const pid_t child = fork();
    if (child == 0) {
        if (!request.is("stay"))
            setsid();
        signal(SIGTERM, SIG_IGN);
        for (;;)
            pause();
    }
    return child;
}

// Its own and its child's process id go to a file, so that whoever waits for that knows that both are there.
void hang(const Request &request)
{
    const pid_t child = leaveChild(request);
    write(request.value("pids"), std::to_string(getpid()) + " " + std::to_string(child));
    while (request.is("flood"))
        std::cout << "a line without end to it\n";
    for (;;)
        pause();
}

// Goes on when the file that it is told of is there.
void printAndWait(const Request &request)
{
    while (!fs::exists(request.value("prints"))) {
        std::cout << "chatter on standard output" << std::endl;
        usleep(20'000);
    }
}

void misbehaveAtOnce(const Request &request)
{
    if (request.is("hang"))
        hang(request);
    if (!request.value("prints").empty())
        printAndWait(request);
    if (const auto file = request.value("visible"); !file.empty()) {
        const char *devices = std::getenv("CUDA_VISIBLE_DEVICES");
        write(file, devices ? devices : "every GPU");
    }
    if (request.is("leave"))
        write(request.value("pids"), std::to_string(getpid()) + " " + std::to_string(leaveChild(request)));
    if (const int status = request.number("status", 0); status != 0)
        std::exit(status);
    if (request.is("signal"))
        raise(SIGTERM);
    if (request.is("exit")) {
        std::cout << "chatter on standard output\n";
        std::cerr << "first line\n\nno such device\nlast line\n";
        std::exit(3);
    }
}

void writeOutput(const Request &request, const operations::InputSet &inputs)
{
    const auto exact = operations::reference(inputs);
    std::vector<float> out(exact.begin(), exact.end());
    if (request.is("nan"))
        out[2] = std::numeric_limits<float>::quiet_NaN();
    if (request.is("infinite"))
        out[1] = std::numeric_limits<float>::infinity();
    const char *metrics = std::getenv("STAGECRAFT_CAPTURE_METRICS");
    if (request.is("wrong") || (request.is("wrong-counted") && metrics && *metrics))
        out[3] += 1;
    if (request.is("short"))
        out.pop_back();
    if (request.is("long"))
        out.push_back(0);
    const auto file = request.directory / "odd-output.bin";
    if (request.is("pipe"))
        mkfifo(file.c_str(), 0600);
    else if (!request.is("no-output"))
        write(request.is("other-name") ? request.directory / "other-output.bin" : file,
              {reinterpret_cast<const char *>(out.data()), out.size() * sizeof(float)});
}

// set:POINTER=JSON and erase:POINTER change what would be right; timing:TEXT stands in its place.
void writeTiming(const Request &request, const operations::InputManifest &manifest)
{
    const int iterations = request.iterations > 0 ? request.iterations : manifest.iterations.value();
    std::vector<double> samples;
    for (int i = 0; i < iterations; ++i)
        samples.push_back(10 + i % 5);
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    json timing{{"op", manifest.operation}, {"dims", manifest.dims},  {"warmup", manifest.warmup.value()},
                {"iterations", iterations}, {"samples_us", samples},  {"event_mean_us", sum / iterations},
                {"run_id", "run 7"},        {"unheard_of", {1, 2, 3}}};
    if (const auto change = request.value("set"); !change.empty())
        timing[json::json_pointer(change.substr(0, change.find('=')))] =
            json::parse(change.substr(change.find('=') + 1));
    if (const auto key = request.value("erase"); !key.empty())
        timing.erase(key);
    if (request.is("huge"))
        timing["padding"] = std::string(2 << 20, 'x');
    const auto text = request.value("timing");
    if (!request.is("no-timing"))
        write(request.directory / "odd-timing.json", text.empty() ? timing.dump() : text);
}

// As many kernels as are recorded, or counted:N; of kernel k the metric at place m, both from 0, is 100 (k + 1) + m.
capture::CounterReading readingOf(const Request &request, const std::string &metrics, int launches)
{
    capture::CounterReading reading;
    reading.passes = 4;
    for (const std::string &name : capture::metricsNamed(metrics))
        reading.metrics.push_back({name, "inst"});
    for (int kernel = 0; kernel < request.number("counted", launches); ++kernel) {
        auto &values = reading.kernels.emplace_back();
        for (std::size_t i = 0; i < reading.metrics.size(); ++i)
            values[reading.metrics[i].name] = 100.0 * (kernel + 1) + static_cast<double>(i);
    }
    return reading;
}

capture::CaptureBracket bracketOf(const Request &request, int iterations)
{
    capture::CaptureBracket bracket;
    if (request.is("refused")) {
        bracket.unavailable = capture::Refusal{"another profiler has the device", "end it"};
        return bracket;
    }
    const char *variable = std::getenv("STAGECRAFT_CAPTURE_METRICS");
    const std::string metrics = variable ? variable : "";
    if (request.is("refused-counters") && !metrics.empty()) {
        bracket.unavailable = capture::Refusal{"counters are for administrators", "be one"};
        return bracket;
    }
    bracket.backend = "cupti";
    bracket.unterminated = request.is("unterminated");
    if (request.is("counts-always") || (!metrics.empty() && !request.is("records-always"))) {
        bracket.counters = readingOf(request, metrics, request.number("launches", 2 * iterations));
        return bracket;
    }
    bracket.timestampMode = "stand-in";
    bracket.dropped = request.number("dropped", 0);
    const int launches = request.number("launches", 2 * iterations);
    for (int i = 0; i < launches; ++i) {
        protocol::KernelRecord record;
        record.kernelName = i % 2 == 0 ? "fill" : "kernel";
        record.durationUs = 1 + i;
        record.iteration = request.is("marked") ? i / 2 : capture::unmarkedIteration;
        record.grid = record.block = {1, 1, 1};
        bracket.records.push_back(record);
    }
    return bracket;
}

// What the library that the driver loads would write; without a GPU nothing loads it.
void writeCapture(const Request &request, int iterations)
{
    const char *directory = std::getenv("STAGECRAFT_CAPTURE_DIRECTORY");
    const char *library = std::getenv("CUDA_INJECTION64_PATH");
    if (!request.capture || !directory || !library || !fs::exists(library) || request.is("no-bracket"))
        return;
    for (int process = 0; process < request.number("processes", 1); ++process) {
        capture::CaptureFile file{getpid() + process, "odd", "API 130001, CUDA 13", {}};
        for (int i = 0; i < request.number("brackets", 1); ++i)
            file.brackets.push_back(bracketOf(request, iterations));
        write(fs::path(directory) / capture::captureFileName(file.pid),
              request.is("damaged") ? "{" : captureText(file));
    }
}

} // namespace

int main(int argc, char **argv)
{
    const Request request = readArguments(argc, argv);
    misbehaveAtOnce(request);
    const auto inputs = operations::readInputDirectory(request.directory);
    const auto manifest = operations::readInputManifest(request.directory);
    writeOutput(request, inputs);
    writeTiming(request, manifest);
    writeCapture(request, request.iterations > 0 ? request.iterations : manifest.iterations.value());
    return 0;
}
