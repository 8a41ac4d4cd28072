// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidenceloader.h"

namespace stagecraft::window {

// What paths given by a user stand for.
struct SortedPaths
{
    QList<EvidenceSource>
        sources; // of origin Opened or Imported, in the order given; foreign files of one kind together
    QStringList stageFolders;
    QStringList missing; // there is nothing at these paths
    QStringList unknown; // files of no kind that can be read
};

// Looks at the paths: a folder of evidence or one of its files is that namespace; a folder that contains such folders
// is all of them, by name; a foreign file is known by its content. Reads folders and the beginnings of files: not for
// the event loop.
SortedPaths sortPaths(const QStringList &paths);

// "a namespace (a folder or a summary, .json), Nsight Systems (.sqlite), …"
QString readableKinds();

} // namespace stagecraft::window
