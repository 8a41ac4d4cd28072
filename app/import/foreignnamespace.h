// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"

namespace stagecraft::import {

// A file that was read, and what it is called in the evidence.
struct NamedFile
{
    QString id;
    ForeignFile content;
};

// The evidence of these files, sound by the rules that `stagecraft check` applies. Each record and sample of a series
// is in it; what its format cannot hold is among `excluded`.
// `privateWords` (names of hosts and users) are hidden in every text of the files.
evidence::Namespace foreignNamespace(const Tool &tool, const QString &name, const QList<NamedFile> &files,
                                     const QStringList &privateWords = {});

} // namespace stagecraft::import
