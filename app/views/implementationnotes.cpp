// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationnotes.h"

namespace stagecraft::views {

QMap<QString, QStringList> implementationNotes(const evidence::Namespace &evidence)
{
    QMap<QString, QStringList> notes;
    for (const evidence::OperationResult &result : evidence.results)
        for (const evidence::Round &round : result.rounds)
            for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it)
                if (!it->note.isEmpty() && !notes.value(it.key()).contains(it->note))
                    notes[it.key()].append(it->note);
    return notes;
}

} // namespace stagecraft::views
