// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparisonplan.h"
#include "viewcatalogue.h"

#include <functional>

// What one tab shows: a figure per namespace, and their values in one table.
namespace stagecraft::window {

struct ComparisonFacts;

struct FigurePage
{
    views::ViewId view = views::ViewId::KernelSpan;
    QList<widgets::Figure> figures; // one per shown namespace, or one of all that are compared
    widgets::ValueTable values;
    QString hint = {};                                     // without figures: what to do about it
    QSharedPointer<const ComparisonFacts> comparison = {}; // of the view `compare`, where two are shown
};

// Pure: safe on any thread. The samples of a running namespace are left to the live chart once they are many: laying
// out hundreds of thousands anew after each measurement would cost the event loop more than a frame. What a running
// namespace has not measured yet is "pending".
// `reference` is views::ViewOptions::reference; `comparison` is of the view `compare` only.
// Once `cancelled` says so, the rest is left out: nobody will see that page.
using Cancelled = std::function<bool()>;
FigurePage buildPage(views::ViewId view, const QList<EvidenceListModel::Entry> &entries, const QString &reference = {},
                     const ComparisonState &comparison = {}, const Cancelled &cancelled = {});

// Columns of the compare view's table in the order in which they are read: who, by how much, and whether it is drift.
void putChangesForward(widgets::ValueTable &table);

// The implementations that the namespaces measured, in the order in which they are listed everywhere.
QStringList implementationsOf(const QList<EvidenceListModel::Entry> &entries);

} // namespace stagecraft::window
