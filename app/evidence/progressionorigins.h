// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <functional>

namespace stagecraft::evidence {

// The files of a namespace without the checks that need other namespaces, so that two progressions which name each
// other do not read each other for ever.
Namespace readNamespaceFiles(const QString &path, const std::function<bool()> &cancelled = {});

// Compares the progression's values with the namespaces they name, within 0.05 µs, and adds what disagrees (or could
// not be checked) to evidence.problems. Looks among `loaded`, beside the namespace's directory, then in the bundled
// ones.
void checkProgressionOrigins(Namespace &evidence, const QList<const Namespace *> &loaded);

} // namespace stagecraft::evidence
