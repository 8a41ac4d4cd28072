// SPDX-License-Identifier: MIT
#include "workerstream.h"

namespace stagecraft::protocol {

namespace {

constexpr std::size_t maximumBannerBytes = 4096;

// nullopt: the line is no hello of any version.
std::optional<Hello> helloOf(const std::string &line)
{
    if (line.find(method::hello) == std::string::npos)
        return std::nullopt;
    try {
        const Envelope envelope = parseLine(line);
        const auto *note = std::get_if<Notification>(&envelope);
        if (note && note->method == method::hello)
            return note->params.get<Hello>();
    } catch (const ProtocolError &) {
        // Something else that happens to hold the word.
    }
    return std::nullopt;
}

void requireSameVersion(const Hello &hello)
{
    if (hello.protocol != version)
        throw ProtocolError(rpc::invalidRequest, "protocol",
                            "worker \"" + hello.worker + "\" speaks protocol version " +
                                std::to_string(hello.protocol) + ", this program speaks version " +
                                std::to_string(version) + "; use a worker of the same release");
}

} // namespace

std::optional<WorkerStream::Event> WorkerStream::next()
{
    if (!m_helloReceived)
        return nextBeforeHello();
    while (auto line = m_lines.next()) {
        if (!line->empty())
            return parseLine(*line);
    }
    return std::nullopt;
}

std::optional<WorkerStream::Event> WorkerStream::nextBeforeHello()
{
    std::optional<std::string> line;
    try {
        line = m_lines.next();
    } catch (const ProtocolError &error) {
        return Banner{error.cause()};
    }
    if (!line)
        return std::nullopt;
    if (auto hello = helloOf(*line)) {
        requireSameVersion(*hello);
        m_helloReceived = true;
        return *hello;
    }
    return Banner{line->substr(0, maximumBannerBytes)};
}

} // namespace stagecraft::protocol
