// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"
#include "viewcatalogue.h"

// The parts of the view `compare`; compareview.h puts id, metadata and the unavailable around them. Internal to the
// views.
namespace stagecraft::views {

// Two namespaces: what changed of each row.
widgets::Figure twoFigure(const evidence::Namespace &base, const evidence::Namespace &now, const ViewOptions &options);
widgets::ValueTable twoTable(const evidence::Namespace &base, const evidence::Namespace &now,
                             const ViewOptions &options);

// All of options.baselines and the namespace: a trend, with the change from the first to the last.
widgets::Figure trendFigure(const evidence::Namespace &now, const ViewOptions &options);
widgets::ValueTable trendTable(const evidence::Namespace &now, const ViewOptions &options);

// The rules, the drift of every implementation, and where the values of all namespaces come from.
struct Origin
{
    const evidence::Namespace *evidence = nullptr;
    QList<evidence::ValueRow> rows;
};
QStringList compareFooter(const evidence::Comparison &comparison, const QList<Origin> &origins,
                          const ViewOptions &options);
QList<Origin> originsOf(const evidence::Namespace &base, const evidence::Namespace &now,
                        const evidence::Comparison &comparison);

} // namespace stagecraft::views
