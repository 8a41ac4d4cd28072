// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace stagecraft::protocol {

// The codes that JSON-RPC 2.0 itself defines; this project's own are in messages.h.
namespace rpc {
inline constexpr int parseError = -32700;
inline constexpr int invalidRequest = -32600;
inline constexpr int methodNotFound = -32601;
inline constexpr int invalidParams = -32602;
inline constexpr int internalError = -32603;
} // namespace rpc

// A message that is not valid. what() is a sentence for people: the key as a path ("devices/0/sm_count") and the cause.
class ProtocolError : public std::runtime_error
{
public:
    ProtocolError(int code, std::string key, std::string cause)
        : std::runtime_error(key.empty() ? cause : key + ": " + cause),
          m_code(code),
          m_key(std::move(key)),
          m_cause(std::move(cause))
    {
    }

    int code() const { return m_code; }
    const std::string &key() const { return m_key; } // empty where no key is at fault
    const std::string &cause() const { return m_cause; }

private:
    int m_code;
    std::string m_key;
    std::string m_cause;
};

} // namespace stagecraft::protocol
