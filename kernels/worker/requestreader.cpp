// SPDX-License-Identifier: MIT
#include "requestreader.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace stagecraft::worker {

namespace {

using namespace stagecraft::protocol;

int makeWake()
{
    const int descriptor = eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0)
        throw std::system_error(errno, std::generic_category(), "no descriptor for waking the reading thread");
    return descriptor;
}

std::string errorTo(const nlohmann::json &id, const ProtocolError &error)
{
    const auto *kind = error.code() == rpc::parseError ? "parse error" : "invalid request";
    return errorLine({id, error.code(), kind, error.what(), {}});
}

} // namespace

RequestReader::RequestReader(int descriptor, RequestQueue &queue, OutputChannel &channel, std::function<void()> onEnd)
    : m_descriptor(descriptor),
      m_wake(makeWake()),
      m_queue(queue),
      m_channel(channel),
      m_onEnd(std::move(onEnd)),
      m_thread(&RequestReader::run, this)
{
}

RequestReader::~RequestReader()
{
    eventfd_write(m_wake, 1);
    m_thread.join();
    close(m_wake);
}

void RequestReader::run()
{
    LineReader lines;
    std::array<char, 1 << 16> chunk;
    for (;;) {
        std::array<pollfd, 2> waiting{{{m_descriptor, POLLIN, 0}, {m_wake, POLLIN, 0}}};
        if (poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR)
            continue;
        if (waiting[1].revents != 0)
            return;
        const auto length = read(m_descriptor, chunk.data(), chunk.size());
        if (length < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (length <= 0)
            break;
        lines.append({chunk.data(), static_cast<std::size_t>(length)});
        readLines(lines);
    }
    m_onEnd();
}

void RequestReader::readLines(LineReader &lines)
{
    for (;;) {
        try {
            const auto line = lines.next();
            if (!line)
                return;
            if (!line->empty())
                handle(parseLine(*line));
        } catch (const EnvelopeError &error) {
            m_channel.send(errorTo(error.id(), error));
        } catch (const ProtocolError &error) {
            m_channel.send(errorTo(nullptr, error));
        }
    }
}

void RequestReader::handle(Envelope message)
{
    if (auto *request = std::get_if<Request>(&message)) {
        m_queue.push(std::move(*request));
    } else if (const auto *note = std::get_if<Notification>(&message); note && note->method == method::cancel) {
        m_queue.cancel();
    }
    // JSON-RPC: other notifications are never answered, and a worker asks nothing that could be replied to.
}

} // namespace stagecraft::worker
