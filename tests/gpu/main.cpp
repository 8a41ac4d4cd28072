// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpuchecks.h"
#include "options.h"
#include "report.h"
#include "stagefolder.h"

#include <cstdlib>
#include <iostream>

using namespace stagecraft;

namespace {

namespace fs = std::filesystem;

constexpr int noGpu = 77, wrongUsage = 2;

// Removed on every way out.
class ScratchFolder
{
public:
    ScratchFolder()
    {
        std::string pattern = (fs::temp_directory_path() / "stagecraft-gpu-check-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw std::runtime_error("no folder for scratch files can be made");
        m_path = pattern;
    }
    ~ScratchFolder()
    {
        std::error_code error;
        fs::remove_all(m_path, error);
    }
    ScratchFolder(const ScratchFolder &) = delete;
    ScratchFolder &operator=(const ScratchFolder &) = delete;
    const fs::path &path() const { return m_path; }

private:
    fs::path m_path;
};

fs::path stagesOf(const fs::path &worker)
{
    if (const char *resources = std::getenv("STAGECRAFT_RESOURCES"); resources && *resources)
        return fs::path(resources) / "stages";
    return worker.parent_path().parent_path() / "share/stagecraft/stages";
}

std::vector<stagefile::Stage> soundStages(const fs::path &folder)
{
    stagefile::StageListing listing = stagefile::listStages(folder);
    if (!listing.problems.empty())
        throw std::runtime_error("not all stages are sound: " + listing.problems.front());
    return std::move(listing.stages);
}

stagefile::GpuFacts factsOf(const protocol::Device &device)
{
    const std::size_t dot = device.computeCapability.find('.');
    return {std::stoi(device.computeCapability), std::stoi(device.computeCapability.substr(dot + 1)), device.smCount};
}

int verdict(const tests::Checklist &list)
{
    const int failed = list.count(tests::Outcome::Failed);
    std::cout << list.count(tests::Outcome::Passed) << " passed, " << failed << " failed, "
              << list.count(tests::Outcome::Skipped) << " skipped" << std::endl;
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int runSanitized(const tests::Options &options)
{
    const std::vector<stagefile::Stage> stages = soundStages(stagesOf(options.worker.program));
    tests::WorkerProcess worker(options.worker);
    protocol::DescribeResult libraries;
    if (options.sanitizeLibraries)
        worker.call(protocol::method::describe, nlohmann::json{{"device", 0}}).get_to(libraries);
    std::erase_if(libraries.implementations, [](const auto &one) { return one.id == "cuda"; });
    tests::Checklist list;
    tests::checkFewDims(list, worker, tests::contenders(libraries, stages));
    tests::checkEnd(list, worker);
    if (list.count(tests::Outcome::Passed) <= 1) // the worker's end
        throw std::runtime_error("no stage could be run");
    return verdict(list);
}

int runAll(const tests::Options &options)
{
    const ScratchFolder scratch;
    const fs::path folder = stagesOf(options.worker.program);
    const std::vector<stagefile::Stage> stages = soundStages(folder);
    tests::WorkerProcess worker(options.worker);
    const auto description =
        worker.call(protocol::method::describe, nlohmann::json{{"device", 0}}).get<protocol::DescribeResult>();
    if (description.devices.empty()) {
        std::cout << "skipped: no GPU to check on: " << description.implementations.front().reason << std::endl;
        return noGpu;
    }
    tests::Checklist list;
    const auto contenders = tests::contenders(description, stages);
    tests::checkDevice(list, description);
    tests::checkWork(list, worker, contenders, scratch.path());
    tests::checkPlanted(list, worker, contenders, factsOf(description.devices.front()), scratch.path());
    tests::checkCounters(list, options.worker, contenders, factsOf(description.devices.front()));
    tests::checkContract(list, worker, contenders, stages, factsOf(description.devices.front()), scratch.path());
    tests::checkFaults(list, options.worker, folder, scratch.path());
    if (!options.python.program.empty())
        tests::checkPeers(list, options.python, scratch.path());
    if (!options.report.empty())
        tests::writeReport(options.report, list, description);
    return verdict(list);
}

} // namespace

int main(int argc, char **argv)
{
    try {
        const tests::Options options = tests::parseOptions(argc, argv);
        if (options.help) {
            std::cout << tests::usage;
            return EXIT_SUCCESS;
        }
        return options.sanitizePass ? runSanitized(options) : runAll(options);
    } catch (const std::invalid_argument &error) {
        std::cerr << tests::usage << "\nerror: " << error.what() << std::endl;
        return wrongUsage;
    } catch (const std::exception &error) {
        std::cerr << "stagecraft-gpu-check: " << error.what() << std::endl;
        return EXIT_FAILURE;
    }
}
