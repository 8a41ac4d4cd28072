// SPDX-License-Identifier: MIT
#include "childprogram.h"

#include "descendants.h"
#include "errortail.h"
#include "programprogress.h"
#include "programsearch.h"
#include "startfailure.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace stagecraft::worker {

namespace {

constexpr int pollMs = 20; // how late a cancellation and the end of a program with closed outputs are seen

class Descriptor
{
public:
    explicit Descriptor(int descriptor) : m_descriptor(descriptor) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    int get() const { return m_descriptor; }
    void reset()
    {
        if (m_descriptor >= 0)
            close(m_descriptor);
        m_descriptor = -1;
    }

private:
    int m_descriptor;
};

struct Pipe
{
    Pipe() : Pipe(made()) {}
    explicit Pipe(std::array<int, 2> ends) : read(ends[0]), write(ends[1]) {}

    static std::array<int, 2> made()
    {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw std::system_error(errno, std::generic_category(), "no pipe for the program");
        return ends;
    }

    Descriptor read, write;
};

struct Outputs
{
    Outputs()
    {
        fcntl(out.read.get(), F_SETFL, O_NONBLOCK);
        fcntl(errors.read.get(), F_SETFL, O_NONBLOCK);
    }

    void wait() const
    {
        std::array<pollfd, 2> waiting{{{out.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}}};
        poll(waiting.data(), waiting.size(), pollMs); // a closed descriptor, −1, is passed over
    }

    Pipe out, errors;
};

// What execve() takes, made before fork(): between fork() and exec() nothing may be allocated.
class Texts
{
public:
    void add(std::string text) { m_texts.push_back(std::move(text)); }
    char *const *pointers()
    {
        m_pointers.clear();
        for (auto &text : m_texts)
            m_pointers.push_back(text.data());
        m_pointers.push_back(nullptr);
        return m_pointers.data();
    }

private:
    std::vector<std::string> m_texts;
    std::vector<char *> m_pointers;
};

Texts argumentsOf(const ProgramCall &call)
{
    Texts texts;
    texts.add(call.path);
    for (const auto &argument : call.arguments)
        texts.add(argument);
    return texts;
}

Texts environmentOf(const ProgramCall &call)
{
    Texts texts;
    for (char **entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        if (!call.environment.contains(std::string(text.substr(0, text.find('=')))))
            texts.add(std::string(text));
    }
    for (const auto &[name, value] : call.environment)
        texts.add(name + "=" + value);
    return texts;
}

// In the child, where only what is safe in a signal handler may be called.
[[noreturn]] void becomeProgram(const char *path, char *const *arguments, char *const *environment,
                                const Outputs &outputs, int failure, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE); // it was gone before it could be asked for that
    // The worker ignores these; an ignored signal stays so across exec.
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    dup2(outputs.out.write.get(), STDOUT_FILENO);
    dup2(outputs.errors.write.get(), STDERR_FILENO);
    execve(path, arguments, environment); // not execvpe(): that gives a Python script without "#!" to the shell
    const int cause = errno;
    [[maybe_unused]] const auto told = write(failure, &cause, sizeof cause);
    _exit(EXIT_FAILURE);
}

// Returns once the program runs.
pid_t start(const ProgramCall &call, Outputs &outputs)
{
    auto arguments = argumentsOf(call), environment = environmentOf(call);
    char *const *const argumentPointers = arguments.pointers();
    char *const *const environmentPointers = environment.pointers();
    Pipe failure;
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        throw std::system_error(errno, std::generic_category(), "no process for the program");
    if (child == 0)
        becomeProgram(call.path.c_str(), argumentPointers, environmentPointers, outputs, failure.write.get(), parent);
    outputs.out.write.reset();
    outputs.errors.write.reset();
    failure.write.reset();
    int cause = 0;
    if (read(failure.read.get(), &cause, sizeof cause) == sizeof cause) {
        waitpid(child, nullptr, 0);
        throw notStarted(call.path, cause);
    }
    return child;
}

// Takes one chunk of what has arrived, and no more: a program that prints without end must not keep this process from
// seeing a cancellation. Empty where there is none; at its end the descriptor is closed.
std::string taken(Descriptor &descriptor)
{
    std::array<char, 1 << 14> chunk;
    ssize_t length = 0;
    do
        length = read(descriptor.get(), chunk.data(), chunk.size());
    while (length < 0 && errno == EINTR);
    if (length <= 0) {
        if (length == 0 || errno != EAGAIN)
            descriptor.reset();
        return {};
    }
    [[maybe_unused]] const auto passed = write(STDERR_FILENO, chunk.data(), static_cast<std::size_t>(length));
    return {chunk.data(), static_cast<std::size_t>(length)};
}

// False where the program has printed nothing since.
bool drain(Outputs &outputs, ErrorTail &tail)
{
    const auto errors = taken(outputs.errors.read);
    tail.append(errors);
    return !taken(outputs.out.read).empty() || !errors.empty();
}

} // namespace

std::string ProgramEnd::text() const
{
    std::string text;
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        const char *name = sigabbrev_np(number);
        text = "was ended by signal " +
               (name ? "SIG" + std::string(name) + " (" + std::to_string(number) + ")" : std::to_string(number));
    } else {
        text = "ended with exit status " + std::to_string(WEXITSTATUS(status));
    }
    return lastLines.empty() ? text : text + ". Its last lines: " + lastLines;
}

ProgramEnd runProgram(const ProgramCall &call, const Session &session)
{
    ProgramEnd end;
    end.cancelled = session.cancelRequested;
    if (end.cancelled)
        return end;
    adoptDescendants();
    Outputs outputs;
    const pid_t child = start(call, outputs);
    ProgramProgress progress(session, call.name);
    ErrorTail tail;
    while (waitpid(child, &end.status, WNOHANG) == 0) {
        if (session.cancelRequested) {
            end.cancelled = true;
            break;
        }
        outputs.wait();
        if (drain(outputs, tail))
            progress.printed();
    }
    // What it left behind would go on beside the next measurement.
    if (!endChildren())
        throw WorkerError(protocol::error::failed,
                          "the program " + programName(call.path) +
                              " or what it started does not end when it is killed",
                          "it may wait inside a driver: look for it in the list of processes");
    while (drain(outputs, tail)) {
    }
    end.lastLines = tail.lastLines();
    return end;
}

} // namespace stagecraft::worker
