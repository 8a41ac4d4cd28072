// SPDX-License-Identifier: MIT
#pragma once

#include "envelope.h"
#include "linereader.h"

#include <variant>

namespace stagecraft::protocol {

// What a worker's standard output says, for the program's side. Before the hello line anything may come (a login
// banner, a launcher's chatter); after it every line is a message.
class WorkerStream
{
public:
    struct Banner
    {
        std::string text;
    }; // a line before hello, at most 4096 bytes of it
    using Event = std::variant<Banner, Hello, Envelope>;

    explicit WorkerStream(std::size_t maximumLine = maximumLineBytes) : m_lines(maximumLine) {}

    void append(std::string_view chunk) { m_lines.append(chunk); }

    // The next event, nullopt until more bytes come. Throws ProtocolError for a hello of another protocol version (the
    // text names both versions, and helloReceived() stays false) and for a line after hello that is no message; the
    // stream can be read on.
    std::optional<Event> next();

    bool helloReceived() const { return m_helloReceived; }

private:
    std::optional<Event> nextBeforeHello();

    LineReader m_lines;
    bool m_helloReceived = false;
};

} // namespace stagecraft::protocol
