// SPDX-License-Identifier: MIT
#include "capturelibrary.h"

#include <cstdlib>
#include <filesystem>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;

constexpr auto variable = "STAGECRAFT_CAPTURE_LIBRARY";

fs::path bundledLibrary()
{
    std::error_code error;
    const auto worker = fs::read_symlink("/proc/self/exe", error);
    return worker.parent_path().parent_path() / "lib/stagecraft/libstagecraft-capture-injection.so";
}

CaptureLibrary takenBy(const std::string &tool)
{
    CaptureLibrary library;
    library.support.reason = "another tool has the program for itself: CUDA_INJECTION64_PATH names " + tool;
    library.support.fix = "start without that tool, or leave the device to it with --no-capture";
    return library;
}

} // namespace

CaptureLibrary findCaptureLibrary()
{
    if (const char *taken = std::getenv("CUDA_INJECTION64_PATH"); taken && *taken != '\0')
        return takenBy(fs::path(taken).filename().string());
    const char *chosen = std::getenv(variable);
    const bool isChosen = chosen && *chosen != '\0';
    std::error_code error;
    const auto file = fs::absolute(isChosen ? fs::path(chosen) : bundledLibrary(), error);
    CaptureLibrary library;
    if (!error && fs::is_regular_file(file, error)) {
        library.path = file.string();
        library.support.available = true;
        library.support.backend = "cupti";
        return library;
    }
    if (isChosen) {
        library.support.reason = std::string("the capture library that ") + variable + " names is not there";
        library.support.fix = std::string("correct the variable ") + variable + " or remove it";
    } else {
        library.support.reason = "the capture library, which records kernels, is not part of this build";
        library.support.fix = "build Stagecraft where a CUDA Toolkit 12 or 13 is installed, or with `packaging/run.sh "
                              "--cuda-wheels`";
    }
    return library;
}

} // namespace stagecraft::worker
