// SPDX-License-Identifier: GPL-3.0-or-later
#include "documents.h"

namespace stagecraft::evidence {

using nlohmann::json;

json textJson(const QString &text)
{
    return text.isEmpty() ? json(nullptr) : json(text.toStdString());
}

json textsJson(const QStringList &texts)
{
    json list = json::array();
    for (const QString &text : texts)
        list.push_back(text.toStdString());
    return list;
}

json textMapJson(const QMap<QString, QString> &map)
{
    json object = json::object();
    for (auto it = map.begin(); it != map.end(); ++it)
        object[it.key().toStdString()] = it.value().toStdString();
    return object.empty() ? json(nullptr) : object;
}

json dimsJson(const QList<qint64> &dims)
{
    return dims.isEmpty() ? json(nullptr) : json(std::vector<qint64>(dims.begin(), dims.end()));
}

void setState(json &target, State state, const QString &reason, const char *stateKey, const char *reasonKey)
{
    target[stateKey] = state == State::Ok ? json(nullptr) : json(stateName(state).toStdString());
    target[reasonKey] = textJson(reason);
}

} // namespace stagecraft::evidence
