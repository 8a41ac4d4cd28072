// SPDX-License-Identifier: MIT
#pragma once

#include "messages.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stagecraft::capture {

// A value of a capture file and where it stands there; whoever asks for what it is not gets a CaptureFileError that
// names the place. The document and the file's name outlive it.
class CaptureNode
{
public:
    CaptureNode(nlohmann::json &value, std::string pointer, const std::string &file)
        : m_value(value), m_pointer(std::move(pointer)), m_file(file)
    {
    }

    [[noreturn]] void fail(const std::string &cause) const;

    bool has(const char *name) const { return m_value.contains(name); }
    CaptureNode at(const char *name) const;
    const CaptureNode &object() const;
    std::vector<CaptureNode> elements() const;
    std::vector<std::pair<std::string, CaptureNode>> members() const; // of an object

    std::string text() const;
    std::string word() const; // it goes into evidence and onto screens as it is: short, printable ASCII
    bool truth() const;
    std::int64_t count() const;
    double amount() const; // a number, finite and not negative
    protocol::KernelRecord record() const;

private:
    bool isUnmarked() const;

    nlohmann::json &m_value;
    std::string m_pointer;
    const std::string &m_file;
};

} // namespace stagecraft::capture
