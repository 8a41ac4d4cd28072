// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <functional>

namespace stagecraft::evidence {

// Reads a namespace directory, or a single summary file NAME.json. Never throws and never stops at the first fault:
// what is sound is in the result, what is not is in problems. Reentrant, so it may run on any thread.
// Namespaces that a progression's origins name are looked for among `loaded`, beside `path` and in bundledDirectory().
// `cancelled` is asked between files and some thousand values, on the calling thread; once it says true, reading ends
// within a few milliseconds and what comes back is incomplete, without a problem that says so.
Namespace readNamespace(const QString &path, const QList<const Namespace *> &loaded = {},
                        const std::function<bool()> &cancelled = {});

// Where the program's own evidence lies (resources/evidence of the build, the installation or the bundle);
// empty where there is none.
QString bundledDirectory();

// Names of the bundled namespaces in the order to show them.
QStringList bundledNames();

// What to give to readNamespace() for a namespace of that name: DIRECTORY/NAME, else DIRECTORY/NAME.json; empty where
// neither exists.
QString namespacePath(const QString &directory, const QString &name);
QString bundledPath(const QString &name);

} // namespace stagecraft::evidence
