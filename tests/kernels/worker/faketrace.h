// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakeoptions.h"

#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

// Says in the file of --trace when a call of the backend begins and when it ends, one line each: "begin cuda measure
// cublas 2 warmup 25". Workers may share the file: lines are appended whole.
class FakeTrace
{
public:
    FakeTrace(const FakeOptions &options, std::string_view method, const std::string &implementation, int round = -1,
              const std::string &more = {})
        : m_file(options.trace), m_call(options.name + ' ' + std::string(method) + ' ' + implementation)
    {
        if (round >= 0)
            m_call += ' ' + std::to_string(round);
        write("begin " + m_call + (more.empty() ? more : ' ' + more));
    }
    ~FakeTrace() { write("end " + m_call); }
    FakeTrace(const FakeTrace &) = delete;
    FakeTrace &operator=(const FakeTrace &) = delete;

private:
    void write(const std::string &text) const
    {
        if (m_file.empty())
            return;
        const std::string line = text + '\n';
        const int descriptor = open(m_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
        if (descriptor < 0 || ::write(descriptor, line.data(), line.size()) < 0)
            _exit(4); // a test would wait for what cannot be written
        close(descriptor);
    }

    std::string m_file, m_call;
};
