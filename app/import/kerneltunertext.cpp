// SPDX-License-Identifier: GPL-3.0-or-later
#include "kerneltunertext.h"

#include "jsondocument.h"

namespace stagecraft::import {

namespace {

using nlohmann::json;

// The brackets that are open at the end of the text, outermost first; "\"" at the end: inside of text.
QByteArray openBrackets(const QByteArray &text)
{
    QByteArray open;
    bool inText = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inText && c == '\\')
            ++i;
        else if (c == '"')
            inText = !inText;
        else if (!inText && (c == '{' || c == '['))
            open.append(c);
        else if (!inText && (c == '}' || c == ']') && !open.isEmpty())
            open.chop(1);
    }
    return inText ? open + '"' : open;
}

// nlohmann's objects are sorted by their keys; this listens to the text's own order.
class CacheKeys : public nlohmann::json_sax<json>
{
public:
    QStringList keys;

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t & /*text*/) override { return true; }
    bool string(string_t & /*value*/) override { return true; }
    bool binary(binary_t & /*value*/) override { return true; }
    bool start_object(std::size_t /*elements*/) override { return deeper(); }
    bool start_array(std::size_t /*elements*/) override { return deeper(); }
    bool end_object() override { return higher(); }
    bool end_array() override { return higher(); }
    bool key(string_t &name) override
    {
        if (m_depth == 1)
            m_isCache = name == "cache";
        else if (m_depth == 2 && m_isCache)
            keys.append(QString::fromStdString(name));
        return true;
    }
    bool parse_error(std::size_t /*at*/, const std::string & /*token*/,
                     const nlohmann::detail::exception & /*error*/) override
    {
        return false;
    }

private:
    bool deeper() { return ++m_depth <= evidence::maximumDepth; }
    bool higher()
    {
        --m_depth;
        return true;
    }

    std::size_t m_depth = 0;
    bool m_isCache = false;
};

} // namespace

bool closeCache(QByteArray &text)
{
    if (openBrackets(text) != "{{")
        return false;
    QByteArray whole = text.trimmed();
    if (whole.endsWith(','))
        whole = whole.chopped(1).trimmed();
    if (!whole.endsWith('}') && !whole.endsWith('{')) // inside of a number or behind a key
        return false;
    text = whole + "}}";
    return true;
}

QStringList cacheOrder(const QByteArray &text)
{
    CacheKeys listener;
    json::sax_parse(text.begin(), text.end(), &listener);
    listener.keys.removeDuplicates();
    return listener.keys;
}

} // namespace stagecraft::import
