// SPDX-License-Identifier: MIT
#pragma once

#include "messagejson.h"

#include <string_view>
#include <variant>

// JSON-RPC 2.0 around the messages. Every …Line function returns one line with its '\n'; text that is not UTF-8 has its
// bad bytes replaced, since what a compiler or a library printed must not be able to break the stream.
namespace stagecraft::protocol {

struct Request
{
    nlohmann::json id;
    std::string method;
    nlohmann::json params;
};
struct Notification
{
    std::string method;
    nlohmann::json params;
};
struct Result
{
    nlohmann::json id;
    nlohmann::json result;
};
struct ErrorReply
{
    nlohmann::json id; // null where the request had none that could be read
    int code = 0;
    std::string message;     // one line: what kind of error
    std::string reason, fix; // data.reason, data.fix; may be empty
    std::string log = {};    // data.log: a compiler's own words, many lines; may be empty
};
using Envelope = std::variant<Request, Notification, Result, ErrorReply>;

// A line that is no JSON-RPC message, with the id of the request where one could be read, else null.
class EnvelopeError : public ProtocolError
{
public:
    EnvelopeError(int code, std::string key, std::string cause, nlohmann::json requestId = nullptr)
        : ProtocolError(code, std::move(key), std::move(cause)), m_id(std::move(requestId))
    {
    }

    const nlohmann::json &id() const { return m_id; }

private:
    nlohmann::json m_id;
};

std::string requestLine(std::int64_t id, std::string_view method, const nlohmann::json &params);
std::string notificationLine(std::string_view method, const nlohmann::json &params);
std::string resultLine(const nlohmann::json &id, const nlohmann::json &result);
std::string errorLine(const ErrorReply &reply);

// Throws EnvelopeError (parseError, invalidRequest). An id is a string, a whole number or, in an error reply, null;
// params and result that are absent are an empty object.
Envelope parseLine(std::string_view line);

} // namespace stagecraft::protocol
