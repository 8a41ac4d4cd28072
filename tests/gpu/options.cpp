// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <stdexcept>

namespace stagecraft::tests {

namespace fs = std::filesystem;

namespace {

// The installation's own worker, not resolved through links: it looks for the capture library from where it stands.
void completePython(Options &options)
{
    WorkerCommand &python = options.python;
    if (python.prefix.empty() && !python.program.empty())
        throw std::invalid_argument("--python-worker needs --python");
    if (python.prefix.empty() || !python.program.empty())
        return;
    const fs::path prefix = fs::path(options.worker.program).parent_path().parent_path();
    python.program = (prefix / "share/stagecraft/python/worker.py").string();
}

} // namespace

Options parseOptions(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = [&] {
            if (i + 1 == argc)
                throw std::invalid_argument(argument + " needs a value");
            return std::string(argv[++i]);
        };
        if (argument == "--report")
            options.report = value();
        else if (argument == "--python")
            options.python.prefix = {value()};
        else if (argument == "--python-worker")
            options.python.program = value();
        else if (argument == "--libraries")
            options.sanitizeLibraries = true;
        else if (argument == "--sanitize-pass")
            options.sanitizePass = true;
        else if (argument == "--worker-prefix")
            options.worker.prefix.push_back(value());
        else if (argument == "--help" || argument == "-h")
            options.help = true;
        else if (argument.starts_with("-"))
            throw std::invalid_argument("unknown option " + argument);
        else if (!options.worker.program.empty())
            throw std::invalid_argument("more than one worker is named: " + argument);
        else
            options.worker.program = fs::canonical(argument).string();
    }
    if (options.worker.program.empty())
        options.worker.program = fs::read_symlink("/proc/self/exe").parent_path() / "stagecraft-worker-cuda";
    completePython(options);
    return options;
}

} // namespace stagecraft::tests
