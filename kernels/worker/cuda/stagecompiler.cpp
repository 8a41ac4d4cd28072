// SPDX-License-Identifier: MIT
#include "stagecompiler.h"

#include "cudacheck.h"
#include "ptxaslog.h"
#include "stagekernels.h"
#include "stageresources.h"

#include <algorithm>
#include <memory>
#include <ranges>
#include <regex>
#include <sstream>

namespace stagecraft::worker {

namespace {

void requireNvrtc()
{
    const LibraryState &state = nvrtc().state;
    if (!state.available)
        throw WorkerError(protocol::error::unavailable, "stages cannot be compiled: NVRTC: " + state.reason, state.fix);
}

std::string architectureName(const char *kind, int number)
{
    // 9.0 has instructions (wgmma, setmaxnreg) that only its architecture-specific target offers.
    return kind + std::to_string(number) + (number == 90 ? "a" : "");
}

struct ProgramDeleter
{
    using pointer = nvrtcProgram;
    void operator()(nvrtcProgram program) const { nvrtc().destroyProgram(&program); }
};
using Program = std::unique_ptr<nvrtcProgram, ProgramDeleter>;

Program createProgram(const std::string &text, const std::string &fileName)
{
    const std::string header = stageHeader();
    const char *const headerText = header.c_str();
    const char *const headerName = "stagecraft.cuh";
    nvrtcProgram program = nullptr;
    STAGECRAFT_CHECK(nvrtc().createProgram(&program, text.c_str(), fileName.c_str(), 1, &headerText, &headerName));
    return Program(program);
}

// Seen to be known to NVRTC 12.9 and 13.0; an older release might refuse it.
bool knowsNoCache()
{
    return nvrtc().major > 12 || (nvrtc().major == 12 && nvrtc().minor >= 9);
}

std::vector<std::string> compilerOptions(const std::vector<stagefile::Macro> &macros, const std::string &architecture)
{
    // Line information costs nothing at run time and lets a profiler show the stage's source. No fast math: approximate
    // instructions are named where a stage wants them.
    std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17", "--generate-line-info"};
    if (architecture.starts_with("sm_"))
        options.emplace_back("--ptxas-options=--verbose");
    // Beside a driver NVRTC may answer from a cache on disk, without the words of ptxas that the resources are read
    // from.
    if (knowsNoCache())
        options.emplace_back("--no-cache");
    for (const auto &[name, value] : macros)
        options.push_back("--define-macro=" + name + "=" + value);
    return options;
}

std::string logOf(nvrtcProgram program)
{
    std::size_t size = 0;
    STAGECRAFT_CHECK(nvrtc().getProgramLogSize(program, &size));
    std::string log(size, '\0');
    if (size > 0)
        STAGECRAFT_CHECK(nvrtc().getProgramLog(program, log.data()));
    log.erase(std::find(log.begin(), log.end(), '\0'), log.end());
    return log;
}

std::vector<char> imageOf(nvrtcProgram program, bool machineCode)
{
    std::size_t size = 0;
    STAGECRAFT_CHECK(machineCode ? nvrtc().getCUBINSize(program, &size) : nvrtc().getPTXSize(program, &size));
    std::vector<char> image(size);
    STAGECRAFT_CHECK(machineCode ? nvrtc().getCUBIN(program, image.data()) : nvrtc().getPTX(program, image.data()));
    return image;
}

// The first line that says error, which is the one to correct; others often follow from it.
std::string firstError(const std::string &log)
{
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("error") != std::string::npos)
            return ": " + line;
    }
    return {};
}

[[noreturn]] void refuse(nvrtcResult result, const std::string &log, const std::string &fileName,
                         const std::string &architecture)
{
    const std::string error = nvrtc().getErrorString(result);
    if (result == NVRTC_ERROR_COMPILATION)
        throw WorkerError(protocol::error::failed, fileName + " does not compile for " + architecture + firstError(log),
                          "correct the source at the lines that the compiler names", log);
    const bool badOption = result == NVRTC_ERROR_INVALID_OPTION;
    throw WorkerError(protocol::error::failed, fileName + " was not compiled for " + architecture + ": " + error,
                      badOption ? "choose an architecture that NVRTC " + nvrtc().state.version + " knows"
                                : "check the NVRTC that stagecraft doctor lists",
                      log);
}

} // namespace

std::string knownArchitectures()
{
    std::string text;
    for (const int number : nvrtc().architectures())
        text += (text.empty() ? "" : ", ") + architectureName("sm_", number);
    return text;
}

void requireArchitecture(const std::string &architecture)
{
    std::smatch parts;
    if (!std::regex_match(architecture, parts, std::regex("(sm|compute)_([0-9]{2,3})[af]?")))
        throw WorkerError(protocol::error::invalid, "\"" + architecture + "\" is no architecture",
                          "name one such as sm_80 or sm_90a");
    const std::vector<int> known = nvrtc().architectures();
    if (known.empty() || std::ranges::find(known, std::stoi(parts[2])) != known.end())
        return;
    throw WorkerError(protocol::error::invalid,
                      "NVRTC " + nvrtc().state.version + " does not know the architecture " + architecture,
                      "choose among " + knownArchitectures());
}

CompileTarget targetFor(int computeMajor, int computeMinor)
{
    requireNvrtc();
    const int wanted = 10 * computeMajor + computeMinor;
    const std::vector<int> known = nvrtc().architectures();
    if (known.empty() || std::ranges::find(known, wanted) != known.end())
        return {architectureName("sm_", wanted), {}};
    const std::string why = "NVRTC " + nvrtc().state.version + " does not know compute capability " +
                            std::to_string(computeMajor) + "." + std::to_string(computeMinor) + ": compiled for ";
    for (const int architecture : known | std::views::reverse) {
        if (architecture > wanted)
            continue;
        const bool sameMajor = architecture / 10 == computeMajor;
        const std::string name =
            sameMajor ? architectureName("sm_", architecture) : "compute_" + std::to_string(architecture);
        return {name, why + name};
    }
    throw WorkerError(protocol::error::unavailable,
                      "NVRTC " + nvrtc().state.version + " no longer compiles for compute capability " +
                          std::to_string(computeMajor) + "." + std::to_string(computeMinor),
                      "install the CUDA Toolkit 12");
}

CompiledCode compileSource(const std::string &text, const std::string &fileName,
                           const std::vector<stagefile::Macro> &macros, const std::string &architecture)
{
    requireNvrtc();
    const Program program = createProgram(text, fileName);
    const std::vector<std::string> options = compilerOptions(macros, architecture);
    std::vector<const char *> pointers;
    std::ranges::transform(options, std::back_inserter(pointers), &std::string::c_str);
    const nvrtcResult result =
        nvrtc().compileProgram(program.get(), static_cast<int>(pointers.size()), pointers.data());
    CompiledCode code;
    code.log = logOf(program.get());
    if (result != NVRTC_SUCCESS)
        refuse(result, code.log, fileName, architecture);
    code.image = imageOf(program.get(), architecture.starts_with("sm_"));
    const std::vector<char> ptx = imageOf(program.get(), false);
    code.ptx.assign(ptx.begin(), std::ranges::find(ptx, '\0'));
    code.kernels = resourcesInLog(code.log);
    return code;
}

CompiledCode compileStage(const stagefile::Stage &stage, const operations::Dims &dims, const std::string &architecture)
{
    CompiledCode code = compileSource(stage.text, stage.fileName, stagefile::macrosOf(stage, dims), architecture);
    requireEntries(stage, code);
    return code;
}

} // namespace stagecraft::worker
