// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <optional>
#include <vector>

// NAMESPACE… on the command line: a directory, a summary file, or the name of bundled evidence.
namespace stagecraft::commands {

// What evidence::readNamespace() takes: the argument itself where it exists, else the bundled namespace of that name;
// nullopt where neither exists.
std::optional<QString> findNamespace(const QString &argument);

// "'outt' is neither a file or directory nor the name of bundled evidence (mage-001, …)"
QString missingNamespace(const QString &argument);

struct LoadedNamespaces
{
    std::vector<evidence::Namespace> namespaces; // in the order of the arguments
    QString problem;                             // set: an argument names nothing, or two have the same name
};
LoadedNamespaces loadNamespaces(const QStringList &arguments);

// The same where two may have one name, as in old/h and new/h: then each is called by its folder and name, and after
// that by its number.
LoadedNamespaces loadNamesakes(const QStringList &arguments);

// "mage-003/summary.json: /rows/0/dims: cause"; a recorded state, which is no contradiction, starts its cause with
// "recorded: ".
QString problemLine(const evidence::Namespace &evidence, const evidence::Problem &problem);

// What the journal of a run that did not end says of itself: an evidence that has such a problem was recovered from it.
bool isOfUnfinishedRun(const evidence::Problem &problem);

} // namespace stagecraft::commands
