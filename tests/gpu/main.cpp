// SPDX-License-Identifier: GPL-3.0-or-later
// stagecraft-gpu-check [WORKER]: WORKER is stagecraft-worker-cuda, else the one beside this program. Exit status 0: all
// passed, 1: something failed, 77: no GPU here.
#include "gpuchecks.h"

#include <cstdlib>
#include <iostream>

using namespace stagecraft;

namespace {

namespace fs = std::filesystem;

constexpr int skipped = 77;

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

int runAll(const fs::path &program)
{
    const ScratchFolder scratch;
    tests::WorkerProcess worker(program.string());
    const auto description =
        worker.call(protocol::method::describe, nlohmann::json{{"device", 0}}).get<protocol::DescribeResult>();
    if (description.devices.empty()) {
        std::cout << "skipped: no GPU to check on: " << description.implementations.front().reason << std::endl;
        return skipped;
    }
    tests::Checklist list;
    tests::checkDevice(list, description);
    tests::checkWork(list, worker, description, stagesOf(program), scratch.path());
    tests::checkFaults(list, program.string(), stagesOf(program), scratch.path());
    std::cout << list.count() - list.failures() << " of " << list.count() << " checks passed" << std::endl;
    return list.failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        const fs::path own = fs::read_symlink("/proc/self/exe");
        return runAll(argc > 1 ? fs::canonical(argv[1]) : own.parent_path() / "stagecraft-worker-cuda");
    } catch (const std::exception &error) {
        std::cerr << "stagecraft-gpu-check: " << error.what() << std::endl;
        return EXIT_FAILURE;
    }
}
