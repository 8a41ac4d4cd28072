// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody's CUDA program, which the capture library is loaded into: does what its arguments say, in their order, with
// the made-up libcuda of the folder that is the first argument. Prints its process id, then what it is asked for.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

void *driver = nullptr;

template <typename Function, typename... Arguments>
auto callOf(void *library, const char *name, Arguments... arguments)
{
    auto *const function = reinterpret_cast<Function *>(library ? dlsym(library, name) : nullptr);
    if (!function) {
        std::fprintf(stderr, "no %s\n", name);
        std::_Exit(9);
    }
    return function(arguments...);
}

void cuda(const char *name)
{
    if (const int code = callOf<int()>(driver, name)) {
        std::fprintf(stderr, "%s: %d\n", name, code);
        std::_Exit(8);
    }
}

void *injection()
{
    const char *path = std::getenv("CUDA_INJECTION64_PATH");
    return path ? dlopen(path, RTLD_LAZY) : nullptr;
}

// A child that does the one thing and ends as programs do, by exit().
void inChild(const std::function<void()> &work)
{
    const pid_t child = fork();
    if (child == 0) {
        work();
        std::exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
        std::_Exit(7);
}

std::string fileIn(const char *folder)
{
    return folder + ("/" + std::to_string(getpid()) + ".json");
}

void plantStaleFile(const char *folder)
{
    if (std::FILE *const file = std::fopen(fileIn(folder).c_str(), "w")) {
        std::fputs("left by an earlier process of this id", file);
        std::fclose(file);
    }
}

void printLoaded(const char *name)
{
    std::FILE *const maps = std::fopen("/proc/self/maps", "r");
    std::string last;
    for (char line[4096]; maps && std::fgets(line, sizeof line, maps);) {
        const char *path = std::strchr(line, '/');
        if (path && std::strstr(path, name) && last != path)
            std::fputs((last = path).c_str(), stdout);
    }
    if (maps)
        std::fclose(maps);
}

void enter(const char *folder)
{
    if (chdir(folder) != 0)
        std::_Exit(5);
}

void printActive(const char *soname)
{
    std::printf("active %d\n", callOf<int()>(dlopen(soname, RTLD_LAZY | RTLD_NOLOAD), "fakeCuptiActive"));
}

const std::map<std::string, void (*)(const char *)> steps{
    {"init", [](const char *) { callOf<int(unsigned)>(driver, "cuInit", 0u); }},
    {"start", [](const char *) { cuda("cuProfilerStart"); }},
    {"stop", [](const char *) { cuda("cuProfilerStop"); }},
    {"runtime-start", [](const char *) { cuda("cudaProfilerStart"); }},
    {"runtime-stop", [](const char *) { cuda("cudaProfilerStop"); }},
    {"wait", [](const char *) { cuda("cuCtxSynchronize"); }},
    {"launch", [](const char *name) { callOf<void(const char *, int)>(driver, "fakeDriverLaunch", name, 1); }},
    {"launch-untimed", [](const char *name) { callOf<void(const char *, int)>(driver, "fakeDriverLaunch", name, 0); }},
    {"drop", [](const char *count) { callOf<void(unsigned)>(driver, "fakeDriverDrop", unsigned(std::atoi(count))); }},
    {"fail", [](const char *code) { callOf<void(int)>(driver, "fakeDriverFail", std::atoi(code)); }},
    {"iteration",
     [](const char *index) { callOf<void(int)>(injection(), "stagecraft_capture_iteration", std::atoi(index)); }},
    {"count",
     [](const char *metrics) { callOf<void(const char *)>(injection(), "stagecraft_capture_counters", metrics); }},
    {"record",
     [](const char *) {
         callOf<void(const char *)>(injection(), "stagecraft_capture_counters", static_cast<const char *>(nullptr));
     }},
    {"elsewhere", [](const char *name) { std::thread(cuda, name).join(); }}, // a call on another thread
    {"push", [](const char *name) { callOf<void(const char *)>(injection(), "stagecraft_range_push", name); }},
    {"pop", [](const char *) { callOf<void()>(injection(), "stagecraft_range_pop"); }},
    {"load", [](const char *path) { dlopen(path, RTLD_NOW | RTLD_LOCAL); }},
    {"loaded", printLoaded},
    {"active", printActive}, // what the made-up libcupti of that soname is doing
    {"remove", [](const char *folder) { unlink(fileIn(folder).c_str()); }},
    {"plant", plantStaleFile},
    {"forget", [](const char *variable) { unsetenv(variable); }},
    {"enter", enter},
    {"fork", [](const char *) { inChild([] {}); }},
    {"fork-bracket",
     [](const char *) {
         inChild([] {
             cuda("cuProfilerStart");
             callOf<void(const char *, int)>(driver, "fakeDriverLaunch", "child's", 1);
             cuda("cuProfilerStop");
         });
     }},
    {"quit", [](const char *) { std::_Exit(0); }}, // as a process that is ended from outside
};

} // namespace

int main(int count, char **arguments)
{
    driver = count > 1 ? dlopen((std::string(arguments[1]) + "/libcuda.so.1").c_str(), RTLD_NOW) : nullptr;
    std::printf("%d\n", static_cast<int>(getpid()));
    std::fflush(stdout);
    for (int i = 2; i < count; ++i) {
        const std::string argument = arguments[i];
        const std::size_t colon = argument.find(':');
        const auto step = steps.find(argument.substr(0, colon));
        if (step == steps.end())
            return 6;
        step->second(colon == std::string::npos ? "" : argument.c_str() + colon + 1);
    }
    return 0;
}
