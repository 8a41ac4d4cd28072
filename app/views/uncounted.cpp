// SPDX-License-Identifier: GPL-3.0-or-later
#include "uncounted.h"

#include <algorithm>

namespace stagecraft::views {

QString Uncounted::title() const
{
    if (names.size() == 1)
        return names.first();
    return QStringLiteral("%1 %2")
        .arg(names.size())
        .arg(areStages ? QStringLiteral("stages") : QStringLiteral("implementations"));
}

QString Uncounted::sentence() const
{
    const QString which = names.size() == 1 ? QString() : QStringLiteral(" (%1)").arg(names.join(QStringLiteral(", ")));
    return QStringLiteral("%1: %2, %3%4.").arg(title(), evidence::stateName(state), reason, which);
}

void addUncounted(QList<Uncounted> &all, const Uncounted &one)
{
    const auto found = std::ranges::find_if(
        all, [&one](const Uncounted &known) { return known.state == one.state && known.reason == one.reason; });
    if (found == all.end())
        return all.append(one);
    found->names += one.names;
    found->areStages = found->areStages && one.areStages;
}

widgets::FigureEntry uncountedEntry(const Uncounted &uncounted)
{
    widgets::FigureEntry entry;
    entry.title = uncounted.title();
    entry.metric = QStringLiteral("counters");
    entry.stateText = evidence::stateName(uncounted.state);
    entry.verdict = uncounted.reason;
    if (uncounted.names.size() > 1)
        entry.against = uncounted.names.join(QStringLiteral(", "));
    entry.toolTip = uncounted.sentence();
    return entry;
}

} // namespace stagecraft::views
