// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

// From the model back to the files' JSON. Internal to this library; callers use writeNamespace() and writeMage().
namespace stagecraft::evidence {

// Every key that this program knows, with null where the model has nothing: withUnknownKeys() needs to tell "known and
// absent" from "unknown".
nlohmann::json resultsJson(const Namespace &evidence);
nlohmann::json profilesJson(const Namespace &evidence);
nlohmann::json summaryJson(const Namespace &evidence);     // the namespace must have a summary
nlohmann::json progressionJson(const Namespace &evidence); // the namespace must have a progression
nlohmann::json floorsJson(const Namespace &evidence);
nlohmann::json countersJson(const Namespace &evidence);

// `fresh` without its nulls, plus the keys of `previous` that `fresh` does not know, at every level. Elements of lists
// belong together when they name the same thing (op, id, round …). Keys that are data (implementation ids, file names)
// are never brought back.
nlohmann::json withUnknownKeys(nlohmann::json fresh, const nlohmann::json &previous);

// An absolute path in any text or key is cut to its last component: evidence is committed and read elsewhere.
QString withoutAbsolutePaths(const QString &text);
nlohmann::json withoutAbsolutePaths(const nlohmann::json &document);

// Creates the directory and replaces directory/name in one step. An error text that names file and cause, or empty.
QString writeDocument(const nlohmann::json &document, const QString &directory, const char *name);

// Null for "not recorded".
nlohmann::json textJson(const QString &text);
nlohmann::json textsJson(const QStringList &texts);
nlohmann::json textMapJson(const QMap<QString, QString> &map);
nlohmann::json dimsJson(const QList<qint64> &dims);

template <typename Value>
nlohmann::json optionalJson(const std::optional<Value> &value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

// `state` and `reason` as readers expect them: absent means ok.
void setState(nlohmann::json &target, State state, const QString &reason, const char *stateKey = "state",
              const char *reasonKey = "reason");

} // namespace stagecraft::evidence
