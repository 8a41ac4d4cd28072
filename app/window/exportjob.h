// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"
#include "viewcatalogue.h"

#include <QStringList>

// Figures and tables to files, named as `stagecraft export` names them.
namespace stagecraft::window {

struct ExportRequest
{
    QList<NamespacePointer> namespaces;
    QList<views::ViewId> views;
    QStringList formats; // of exportFormats()
    QList<widgets::Layout> layouts;
    widgets::Theme theme = widgets::Theme::Dark;
    QString directory;
};

struct ExportResult
{
    QStringList files;  // written, by name
    QStringList errors; // file and cause each
};

// "png", "svg" (figures), "csv", "md", "html", "json" (tables)
const QStringList &exportFormats();

// Creates the directory and writes everything; one failure does not stop the rest. Safe on any thread.
ExportResult writeExport(const ExportRequest &request);

} // namespace stagecraft::window
