// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

#include <QRegularExpression>

namespace stagecraft::evidence {

using nlohmann::json;

QString withoutAbsolutePaths(const QString &text)
{
    if (!text.contains(QLatin1Char('/')))
        return text;
    // A slash that starts a word starts a path: not the one in "OP/ID", "a / b" or "https://host".
    static const QRegularExpression path(QStringLiteral(R"((?<![\w/.~:-])(?:file://)?/(?!/)((?:[^\s/"'<>|:;,()]+/)*))"
                                                        R"((?=[^\s/"'<>|:;,()]))"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression afterColon(QStringLiteral(R"(:/(?!/)((?:[^\s/"'<>|:;,()]+/)+))"));
    QString relative = text;
    relative.replace(path, QString());
    relative.replace(afterColon, QStringLiteral(":"));
    return relative;
}

json withoutAbsolutePaths(const json &document)
{
    if (document.is_string())
        return withoutAbsolutePaths(QString::fromStdString(document.get_ref<const std::string &>())).toStdString();
    if (document.is_object()) {
        json object = json::object();
        for (const auto &[key, value] : document.items())
            object[withoutAbsolutePaths(QString::fromStdString(key)).toStdString()] = withoutAbsolutePaths(value);
        return object;
    }
    if (document.is_array()) {
        json list = json::array();
        for (const json &value : document)
            list.push_back(withoutAbsolutePaths(value));
        return list;
    }
    return document;
}

} // namespace stagecraft::evidence
