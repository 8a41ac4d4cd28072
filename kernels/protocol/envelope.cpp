// SPDX-License-Identifier: MIT
#include "envelope.h"

#include <limits>

namespace stagecraft::protocol {

namespace {

using nlohmann::json;

std::string line(const json &message)
{
    return message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

bool validId(const json &id)
{
    return id.is_string() || id.is_number_integer();
}

json optionalObject(const json &message, const char *key, const json &id)
{
    if (!message.contains(key))
        return json::object();
    if (!message[key].is_object())
        throw EnvelopeError(rpc::invalidRequest, key,
                            std::string("expected an object, found ") + message[key].type_name(), id);
    return message[key];
}

std::string textOf(const json &object, const char *key)
{
    const auto entry = object.find(key);
    return entry != object.end() && entry->is_string() ? entry->get<std::string>() : std::string();
}

ErrorReply parseError(const json &message, const json &id)
{
    const json &error = message["error"];
    if (!error.is_object() || !error.contains("code") || !error["code"].is_number_integer())
        throw EnvelopeError(rpc::invalidRequest, "error/code", "expected a whole number", id);
    const auto code = error["code"].get<std::int64_t>();
    if (code < std::numeric_limits<int>::min() || code > std::numeric_limits<int>::max())
        throw EnvelopeError(rpc::invalidRequest, "error/code", "does not fit 32 bits", id);
    const json data = error.value("data", json::object());
    const auto dataText = [&](const char *key) { return data.is_object() ? textOf(data, key) : std::string(); };
    return {id, static_cast<int>(code), textOf(error, "message"), dataText("reason"), dataText("fix"), dataText("log")};
}

Envelope parseCall(const json &message, const json &id)
{
    if (!message["method"].is_string())
        throw EnvelopeError(rpc::invalidRequest, "method",
                            std::string("expected a string, found ") + message["method"].type_name(), id);
    auto method = message["method"].get<std::string>();
    auto params = optionalObject(message, "params", id);
    if (!message.contains("id"))
        return Notification{std::move(method), std::move(params)};
    return Request{id, std::move(method), std::move(params)};
}

} // namespace

std::string requestLine(std::int64_t id, std::string_view method, const json &params)
{
    return line({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}

std::string notificationLine(std::string_view method, const json &params)
{
    return line({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

std::string resultLine(const json &id, const json &result)
{
    return line({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

std::string errorLine(const ErrorReply &reply)
{
    json error = {{"code", reply.code}, {"message", reply.message}};
    if (!reply.reason.empty())
        error["data"]["reason"] = reply.reason;
    if (!reply.fix.empty())
        error["data"]["fix"] = reply.fix;
    if (!reply.log.empty())
        error["data"]["log"] = reply.log;
    return line({{"jsonrpc", "2.0"}, {"id", reply.id}, {"error", error}});
}

Envelope parseLine(std::string_view text)
{
    const json message = json::parse(text, nullptr, false);
    if (message.is_discarded())
        throw EnvelopeError(rpc::parseError, {}, "the line is not valid JSON");
    if (!message.is_object())
        throw EnvelopeError(rpc::invalidRequest, {}, std::string("expected an object, found ") + message.type_name());
    const bool hasId = message.contains("id");
    const json id = hasId && validId(message["id"]) ? message["id"] : json();
    if (!message.contains("jsonrpc") || message["jsonrpc"] != "2.0")
        throw EnvelopeError(rpc::invalidRequest, "jsonrpc", "expected \"2.0\"", id);
    if (hasId && id.is_null() && !(message.contains("error") && message["id"].is_null()))
        throw EnvelopeError(rpc::invalidRequest, "id", "expected a string or a whole number");
    if (message.contains("method"))
        return parseCall(message, id);
    if (message.contains("error"))
        return parseError(message, id);
    if (!message.contains("result") || !hasId)
        throw EnvelopeError(rpc::invalidRequest, "method", "is missing, and the line is no reply either", id);
    return Result{id, optionalObject(message, "result", id)};
}

} // namespace stagecraft::protocol
