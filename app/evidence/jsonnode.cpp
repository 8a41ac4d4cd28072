// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonnode.h"

#include <cmath>
#include <limits>

namespace stagecraft::evidence {

namespace {

// Whole numbers up to this are exact in a double, which is what other JSON readers keep.
constexpr double largestExactCount = 9007199254740992.0;

// What a sound value of each kind is, without a word about any other.
std::optional<double> soundAmount(const nlohmann::json &value)
{
    if (!value.is_number())
        return std::nullopt;
    const auto number = value.get<double>();
    return std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<qint64> soundCount(const nlohmann::json &value)
{
    const double number = value.is_number() ? value.get<double>() : -1;
    const bool sound = number >= 0 && number <= largestExactCount && std::floor(number) == number;
    return sound ? std::optional(static_cast<qint64>(number)) : std::nullopt;
}

} // namespace

std::string escapedToken(const std::string &key)
{
    std::string token;
    for (const char c : key) {
        if (c == '~')
            token += "~0";
        else if (c == '/')
            token += "~1";
        else
            token += c;
    }
    return token;
}

JsonNode::JsonNode(const nlohmann::json *value, std::string pointer, ProblemLog *log)
    : m_value(value && !value->is_null() && !value->is_discarded() ? value : nullptr),
      m_pointer(std::move(pointer)),
      m_log(log)
{
}

const nlohmann::json *JsonNode::find(const char *key) const
{
    if (!isObject())
        return nullptr;
    const auto found = m_value->find(key);
    return found == m_value->end() || found->is_null() ? nullptr : &*found;
}

JsonNode JsonNode::member(const char *key) const
{
    return {find(key), m_pointer + '/' + escapedToken(key), m_log};
}

const std::string *JsonNode::rawText(const char *key) const
{
    const nlohmann::json *value = find(key);
    return value && value->is_string() ? &value->get_ref<const std::string &>() : nullptr;
}

JsonNode JsonNode::element(std::size_t index) const
{
    return {isArray() && index < m_value->size() ? &(*m_value)[index] : nullptr,
            m_pointer + '/' + std::to_string(index), m_log};
}

void JsonNode::contradiction(const QString &cause) const
{
    // What is not there where the text stops may only have been lost; the stop itself is in the log.
    if (!m_value && m_log->stoppedInside(m_pointer.substr(0, m_pointer.rfind('/'))))
        return;
    m_log->contradiction(m_pointer, cause);
}

void JsonNode::contradiction(const char *key, const QString &cause) const
{
    member(key).contradiction(cause);
}

QString JsonNode::found() const
{
    if (!m_value)
        return QStringLiteral("nothing");
    if (m_value->is_structured())
        return QString::fromLatin1(m_value->type_name());
    // A cut of untrusted text: invalid UTF-8 cannot occur, the parser refused it.
    return QString::fromLatin1(m_value->type_name()) + QLatin1Char(' ') +
           excerpt(QString::fromStdString(m_value->dump()));
}

bool JsonNode::requireObject() const
{
    if (isObject())
        return true;
    contradiction(QStringLiteral("An object is expected, %1 found.").arg(found()));
    return false;
}

bool JsonNode::requireArray() const
{
    if (isArray())
        return true;
    contradiction(QStringLiteral("A list is expected, %1 found.").arg(found()));
    return false;
}

std::optional<double> JsonNode::asAmount() const
{
    const std::optional<double> value = m_value ? soundAmount(*m_value) : std::nullopt;
    if (!value)
        contradiction(isNumber()
                          ? QStringLiteral("A finite number that is not negative is expected, %1 found.").arg(found())
                          : QStringLiteral("A number is expected, %1 found.").arg(found()));
    return value;
}

std::optional<qint64> JsonNode::asCount() const
{
    const std::optional<qint64> value = m_value ? soundCount(*m_value) : std::nullopt;
    if (!value)
        contradiction(QStringLiteral("A whole number that is not negative is expected, %1 found.").arg(found()));
    return value;
}

std::optional<QString> JsonNode::asText() const
{
    if (m_value && m_value->is_string())
        return QString::fromStdString(m_value->get_ref<const std::string &>());
    contradiction(QStringLiteral("Text is expected, %1 found.").arg(found()));
    return std::nullopt;
}

QString JsonNode::text(const char *key) const
{
    const nlohmann::json *value = find(key);
    if (!value)
        return {};
    if (value->is_string())
        return QString::fromStdString(value->get_ref<const std::string &>());
    return member(key).asText().value_or(QString());
}

QString JsonNode::requiredText(const char *key) const
{
    const std::string *text = rawText(key);
    return text ? QString::fromStdString(*text) : member(key).asText().value_or(QString());
}

std::optional<double> JsonNode::amount(const char *key) const
{
    const nlohmann::json *value = find(key);
    if (!value)
        return std::nullopt;
    const std::optional<double> sound = soundAmount(*value);
    return sound ? sound : member(key).asAmount();
}

std::optional<double> JsonNode::requiredAmount(const char *key) const
{
    return member(key).asAmount();
}

std::optional<qint64> JsonNode::count(const char *key) const
{
    const nlohmann::json *value = find(key);
    if (!value)
        return std::nullopt;
    const std::optional<qint64> sound = soundCount(*value);
    return sound ? sound : member(key).asCount();
}

std::optional<int> JsonNode::smallCount(const char *key) const
{
    const std::optional<qint64> value = count(key);
    if (!value)
        return std::nullopt;
    if (*value <= std::numeric_limits<int>::max())
        return static_cast<int>(*value);
    contradiction(key, QStringLiteral("%1 is out of range.").arg(*value));
    return std::nullopt;
}

std::optional<bool> JsonNode::flag(const char *key) const
{
    const JsonNode node = member(key);
    if (!node.exists())
        return std::nullopt;
    if (node.value()->is_boolean())
        return node.value()->get<bool>();
    node.contradiction(QStringLiteral("true or false is expected, %1 found.").arg(node.found()));
    return std::nullopt;
}

QStringList JsonNode::texts(const char *key) const
{
    QStringList list;
    eachElement(key, [&list](const JsonNode &element) {
        if (const auto value = element.asText())
            list.append(*value);
    });
    return list;
}

QList<double> JsonNode::amounts(const char *key) const
{
    QList<double> list;
    const JsonNode node = member(key);
    if (!node.exists() || !node.requireArray())
        return list;
    list.reserve(static_cast<qsizetype>(node.size()));
    for (std::size_t i = 0; i < node.size(); ++i) {
        std::optional<double> value = soundAmount((*node.m_value)[i]);
        if (!value)
            value = node.element(i).asAmount();
        if (value)
            list.append(*value);
    }
    return list;
}

QList<qint64> JsonNode::counts(const char *key) const
{
    QList<qint64> list;
    eachElement(key, [&list](const JsonNode &element) {
        if (const auto value = element.asCount())
            list.append(*value);
    });
    return list;
}

QMap<QString, QString> JsonNode::textMap(const char *key) const
{
    QMap<QString, QString> map;
    eachMember(key, [&map](const QString &name, const JsonNode &value) {
        if (const auto text = value.asText())
            map.insert(name, *text);
    });
    return map;
}

} // namespace stagecraft::evidence
