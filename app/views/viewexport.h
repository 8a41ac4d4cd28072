// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

#include <functional>

// Views to files, named alike wherever the export is started: VIEW-LAYOUT.png|svg for figures, VIEW.csv|md|html|json
// for tables, each after "NAMESPACE-" where there are several namespaces.
namespace stagecraft::views {

struct ExportRequest
{
    QList<const evidence::Namespace *> namespaces; // with different names
    QList<ViewId> views;
    QStringList formats; // of exportFormats()
    QList<widgets::Layout> layouts{widgets::Layout::Desktop};
    widgets::Theme theme = widgets::Theme::Dark;
    QString directory;   // created where it does not exist
    ViewOptions options; // its audience follows from the format: CSV and JSON are for programs
};

struct ExportResult
{
    QStringList files;  // written, by name within the directory
    QStringList errors; // each names the file and the cause
};

// "png", "svg" (figures), "csv", "md", "html", "json" (tables)
const QStringList &exportFormats();
bool isFigureFormat(const QString &format);

// Writes every file, replacing older ones; one failure does not stop the rest. Calls `written` after each file. PNG is
// drawn at two pixels per figure unit. Figures need a QGuiApplication. Safe on any thread.
ExportResult writeExport(const ExportRequest &request, const std::function<void(const QString &file)> &written = {});

} // namespace stagecraft::views
