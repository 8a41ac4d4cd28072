// SPDX-License-Identifier: MIT
#include "descendants.h"

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace stagecraft::worker {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds pause{2};

std::optional<pid_t> number(std::string_view text)
{
    pid_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// The parent of a process out of /proc/PID/stat: "PID (NAME) STATE PARENT …", where NAME may hold anything.
std::optional<pid_t> parentOf(const fs::path &process)
{
    std::ifstream stream(process / "stat");
    std::string line;
    std::getline(stream, line);
    const auto name = line.rfind(") ");
    if (name == std::string::npos || line.size() < name + 5)
        return std::nullopt;
    const auto begin = name + 4, end = line.find(' ', begin);
    return number(std::string_view(line).substr(begin, end - begin));
}

std::vector<pid_t> children()
{
    std::vector<pid_t> found;
    std::error_code error;
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
        const auto pid = number(entry->path().filename().string());
        if (pid && parentOf(entry->path()) == getpid())
            found.push_back(*pid);
    }
    return found;
}

} // namespace

void adoptDescendants()
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::signal(SIGCHLD, SIG_DFL); // ignored, as a parent may have left it, there would be nothing to wait for
}

bool endChildren(std::chrono::milliseconds patience)
{
    for (const auto deadline = Clock::now() + patience; Clock::now() < deadline;) {
        for (const auto pid : children())
            kill(pid, SIGKILL);
        pid_t ended = 0;
        do
            ended = waitpid(-1, nullptr, WNOHANG);
        while (ended > 0);
        if (ended < 0)
            return true; // ECHILD: no child is left
        std::this_thread::sleep_for(pause);
    }
    return false;
}

} // namespace stagecraft::worker
