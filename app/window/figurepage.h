// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"
#include "viewcatalogue.h"

// What one tab shows: a figure per namespace, and their values in one table.
namespace stagecraft::window {

struct FigurePage
{
    views::ViewId view = views::ViewId::KernelSpan;
    QList<widgets::Figure> figures; // one per shown namespace, none for a view that is a table
    widgets::ValueTable values;
};

// Pure: safe on any thread. What a running namespace has not measured yet is "pending".
FigurePage buildPage(views::ViewId view, const QList<EvidenceListModel::Entry> &entries);

} // namespace stagecraft::window
