// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeoptions.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <getopt.h>
#include <iostream>

namespace {

constexpr std::array behaviours{
    "floors",             // has floors of every operation
    "floors-wait",        // the benchmark of floors goes on until it is cancelled
    "floors-fail",        // the benchmark of floors fails
    "counters",           // has hardware counters of every call
    "counters-refused",   // … but the driver refuses them
    "counters-unknown",   // … answers as a worker from before they were there
    "counters-fail",      // … fails
    "counters-kill",      // … SIGKILL
    "counters-ask-kill",  // … SIGKILL when asked whether they are to be had
    "counters-hang",      // … never returns
    "counters-wait",      // … goes on until it is cancelled
    "counters-cancelled", // … says that it was cancelled
    "counters-empty",     // … of no kernel
    "counters-unlisted",  // … with values of metrics that it does not list
    "sample-refused",     // the driver refuses to sample
    "hang-in-sample",     // sampling never returns
    "kill-in-sample",     // … SIGKILL
    "sample-nonsense",    // … has fewer than no samples
    "good",               // spans, records and checks as they should be
    "banner",             // prints lines, and one without its end, on standard output before hello
    "chatter",            // prints to standard output in the middle of every function
    "exit-at-start",      // ends with status 3 before hello
    "silent",             // never says hello
    "other-version",      // says hello in protocol version 999
    "no-device",          // describes its implementations as unavailable
    "unavailable",        // prepare answers that the implementation is unavailable
    "no-cold",            // … where a cold cache is asked for
    "ignores-wishes",     // prepare takes no notice of cache and arithmetic, as before they were there
    "chooses-3xtf32",     // the stage that cuda chooses is of that arithmetic, unless exact FP32 is asked for
    "no-nvrtc",           // prepare and compile have no compiler
    "compile-error",      // … answer with a compiler's log
    "hang-in-compile",    // … never return
    "kill-in-compile",    // … SIGKILL
    "impossible-launch",  // prepare refuses a launch that fits no multiprocessor
    "endless-loop",       // check never returns
    "illegal-address",    // check answers with a CUDA error that loses the context, and the worker ends
    "hang-in-prepare",    // prepare never returns
    "kill-in-prepare",    // SIGKILL
    "wrong-result",       // check fails with a finite difference
    "nan-result",         // check fails with elements that are not finite
    "wrong-later",        // … from the second check of a preparation on, with a finite difference
    "error-later",        // the second check of a preparation answers with a CUDA-like error
    "kill-later",         // SIGKILL there
    "hang-later",         // never returns from there
    "kill-in-measure",    // SIGKILL after half of the samples
    "abort-in-measure",   // abort() there
    "hang-in-measure",    // never comes back from there, cancelled or not
    "error-in-measure",   // answers there with a CUDA-like error
    "slow-measure",       // stands still there until it is cancelled
    "nan-sample",         // a sample there that is not a number
    "malformed-message",  // a line there that is no message
    "no-capture",         // capture is unavailable
    "kill-in-capture",    // SIGKILL
    "varying-launches",   // one record less than whole launches per iteration
};

[[noreturn]] void usage(const std::string &problem)
{
    std::cerr << "stagecraft-fake-worker: " << problem
              << "\nusage: stagecraft-fake-worker [--behaviour NAME] [--name WORKER] [--implementation ID]…\n"
                 "       [--operation OP] [--only ID] [--round N] [--rate SAMPLES_PER_SECOND]\n       [--trace FILE] "
                 "[--gpu NAME]\nbehaviours:";
    for (const auto *behaviour : behaviours)
        std::cerr << ' ' << behaviour;
    std::cerr << '\n';
    std::exit(2);
}

} // namespace

FakeOptions parseFakeOptions(int argc, char **argv)
{
    constexpr std::array<option, 10> known{{{"behaviour", required_argument, nullptr, 'b'},
                                            {"name", required_argument, nullptr, 'n'},
                                            {"implementation", required_argument, nullptr, 'i'},
                                            {"operation", required_argument, nullptr, 'o'},
                                            {"only", required_argument, nullptr, 'y'},
                                            {"round", required_argument, nullptr, 'r'},
                                            {"rate", required_argument, nullptr, 's'},
                                            {"trace", required_argument, nullptr, 't'},
                                            {"gpu", required_argument, nullptr, 'g'},
                                            {nullptr, 0, nullptr, 0}}};
    FakeOptions options;
    for (int key = 0; (key = getopt_long(argc, argv, "", known.data(), nullptr)) != -1;) {
        if (key == 'b')
            options.behaviour = optarg;
        else if (key == 'n')
            options.name = optarg;
        else if (key == 'i')
            options.implementations.emplace_back(optarg);
        else if (key == 'o')
            options.operation = optarg;
        else if (key == 'y')
            options.only = optarg;
        else if (key == 'r')
            options.round = std::atoi(optarg);
        else if (key == 'g')
            options.gpu = optarg;
        else if (key == 't')
            options.trace = optarg;
        else if (key == 's')
            options.rate = std::atof(optarg);
        else
            usage("wrong option");
    }
    if (optind < argc)
        usage(std::string("unexpected argument ") + argv[optind]);
    if (std::ranges::find(behaviours, options.behaviour) == behaviours.end())
        usage("no behaviour is named " + options.behaviour);
    if (options.implementations.empty())
        options.implementations = {"cuda"};
    return options;
}
