// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problemlog.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace stagecraft::evidence {

// One reference token of a JSON pointer (RFC 6901).
std::string escapedToken(const std::string &key);

// A value of an untrusted document together with its JSON pointer. Every accessor checks the type: what is absent gives
// nothing, what has the wrong type gives nothing and a contradiction in the log. The document and the log must outlive
// it.
class JsonNode
{
public:
    JsonNode(const nlohmann::json *value, std::string pointer, ProblemLog *log);

    bool exists() const { return m_value != nullptr; } // there and not null
    bool isObject() const { return m_value && m_value->is_object(); }
    bool isArray() const { return m_value && m_value->is_array(); }
    bool isNumber() const { return m_value && m_value->is_number(); }
    const nlohmann::json *value() const { return m_value; }
    const std::string &pointer() const { return m_pointer; }
    ProblemLog &log() const { return *m_log; }

    JsonNode member(const char *key) const;
    // The member's text where it is one; null for anything else, without a word in the log.
    const std::string *rawText(const char *key) const;
    JsonNode element(std::size_t index) const;
    std::size_t size() const { return m_value ? m_value->size() : 0; } // of an array or object

    // Reports the problem at this node or at its member.
    void contradiction(const QString &cause) const;
    void contradiction(const char *key, const QString &cause) const;

    bool requireObject() const; // a contradiction where it is something else
    bool requireArray() const;

    // Of a member. Numbers are finite and not negative; counts are whole numbers as well.
    QString text(const char *key) const;
    QString requiredText(const char *key) const;
    std::optional<double> amount(const char *key) const;
    std::optional<double> requiredAmount(const char *key) const;
    std::optional<qint64> count(const char *key) const;
    std::optional<int> smallCount(const char *key) const; // fits int
    std::optional<bool> flag(const char *key) const;
    QStringList texts(const char *key) const;
    QList<double> amounts(const char *key) const; // the sound ones
    QList<qint64> counts(const char *key) const;
    QMap<QString, QString> textMap(const char *key) const;

    // Calls visit(JsonNode) for each element of the array member, or visit(QString key, JsonNode) for each value of the
    // object member; a contradiction where it has another type.
    template <typename Visit>
    void eachElement(const char *key, Visit visit) const
    {
        const JsonNode list = member(key);
        if (!list.exists() || !list.requireArray())
            return;
        for (std::size_t i = 0; i < list.size(); ++i)
            visit(list.element(i));
    }
    template <typename Visit>
    void eachMember(const char *key, Visit visit) const
    {
        const JsonNode map = member(key);
        if (!map.exists() || !map.requireObject())
            return;
        for (const auto &[name, value] : map.value()->items())
            visit(QString::fromStdString(name), JsonNode(&value, map.pointer() + '/' + escapedToken(name), m_log));
    }

    // Of this node itself.
    std::optional<double> asAmount() const;
    std::optional<qint64> asCount() const;
    std::optional<QString> asText() const;

private:
    QString found() const; // what stands there, for messages
    // The member, null where it is absent or null. Sound values are read from it directly: making a node costs a
    // pointer's text, and is left to those that have something to report.
    const nlohmann::json *find(const char *key) const;

    const nlohmann::json *m_value;
    std::string m_pointer;
    ProblemLog *m_log;
};

} // namespace stagecraft::evidence
