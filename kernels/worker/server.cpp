// SPDX-License-Identifier: MIT
#include "server.h"

#include "dispatcher.h"
#include "requestreader.h"
#include "standardstreams.h"

#include <csignal>
#include <iostream>
#include <system_error>
#include <unistd.h>

namespace stagecraft::worker {

namespace {

// Design: gone within 1 s. Half of it is the backend's to come back in, and for the libraries' own exit functions.
constexpr std::chrono::milliseconds grace{500};

// Detached, since it must outlive main(): what it guards against is a process that hangs on its way out.
void endAfterGrace(void (*abandon)())
{
    std::thread([abandon] {
        std::this_thread::sleep_for(grace);
        if (abandon)
            abandon();
        _exit(EXIT_SUCCESS);
    }).detach();
}

void talk(Backend &backend, const protocol::Hello &hello, ProtocolDescriptors descriptors, void (*abandon)())
{
    RequestQueue queue;
    const auto end = [&queue, abandon] {
        queue.close();
        endAfterGrace(abandon);
    };
    OutputChannel channel(descriptors.out, end);
    backend.begin({[&channel](const protocol::LogNote &note) {
                       channel.send(protocol::notificationLine(protocol::method::log, note));
                   },
                   queue.cancelRequested()});
    SampleSender sender(channel);
    Dispatcher dispatcher(backend, hello, sender, queue.cancelRequested());
    // The empty line ends what a library may have printed without a line end before this function took descriptor 1.
    channel.send("\n" + protocol::notificationLine(protocol::method::hello, hello));
    const RequestReader reader(descriptors.in, queue, channel, end);
    while (const auto request = queue.next()) {
        channel.send(dispatcher.reply(*request));
        if (request->method == protocol::method::shutdown || backend.lost()) {
            endAfterGrace(abandon);
            return;
        }
    }
}

} // namespace

int serve(Backend &backend, const std::string &name, const std::string &version, void (*abandon)())
{
    try {
        std::signal(SIGPIPE, SIG_IGN);
        std::signal(SIGINT, SIG_IGN);
        talk(backend, {protocol::version, name, version}, claimStandardStreams(), abandon);
        return EXIT_SUCCESS;
    } catch (const std::exception &error) {
        std::cerr << "stagecraft-worker-" << name << ": " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}

} // namespace stagecraft::worker
