// SPDX-License-Identifier: MIT
#pragma once

#include "linereader.h"
#include "outputchannel.h"
#include "requestqueue.h"

#include <functional>
#include <thread>

namespace stagecraft::worker {

// The thread that reads: requests go to the queue, cancel takes effect at once, lines that are no message are answered.
class RequestReader
{
public:
    // onEnd is called on the reading thread at the end of input.
    RequestReader(int descriptor, RequestQueue &queue, OutputChannel &channel, std::function<void()> onEnd);
    ~RequestReader(); // ends the thread, even in the middle of waiting for input
    RequestReader(const RequestReader &) = delete;
    RequestReader &operator=(const RequestReader &) = delete;

private:
    void run();
    void readLines(protocol::LineReader &lines);
    void handle(protocol::Envelope message);

    int m_descriptor;
    int m_wake; // an eventfd that becomes readable when the thread shall end
    RequestQueue &m_queue;
    OutputChannel &m_channel;
    std::function<void()> m_onEnd;
    std::thread m_thread;
};

} // namespace stagecraft::worker
