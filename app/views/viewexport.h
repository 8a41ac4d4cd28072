// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

#include <functional>

// Views to files, named alike wherever the export is started: VIEW-LAYOUT.png|svg for figures, VIEW.csv|md|html|json
// for tables, report.html for all of them on one page, each after "NAMESPACE-" where there are several namespaces.
namespace stagecraft::views {

struct ExportRequest
{
    QList<const evidence::Namespace *> namespaces; // with different names
    QList<ViewId> views;
    QStringList formats; // of exportFormats()
    QList<widgets::Layout> layouts{widgets::Layout::Desktop};
    widgets::Theme theme = widgets::Theme::Page;
    double scale = 2;            // of PNG: pixels per figure unit
    QString directory;           // created where it does not exist
    ViewOptions options;         // its audience follows from the format: CSV and JSON are for programs
    bool isOneOfSeveral = false; // names say the namespace even where this request has only one
};

struct ExportResult
{
    QStringList files;  // written, by name within the directory
    QStringList errors; // each names the file and the cause
};

// Of PNG: below, text cannot be read; above, a figure takes hundreds of megabytes to draw.
inline constexpr double leastExportScale = 0.5, mostExportScale = 8;

// "png", "svg" (figures), "csv", "md", "html", "json" (tables), "report" (one page of both layouts and the tables of
// all requested views; it follows its reader's preference for dark or light, whatever `theme` is)
const QStringList &exportFormats();
bool isFigureFormat(const QString &format);

// Writes every file, replacing older ones; one failure does not stop the rest. Calls `written` after each file. Figures
// need a QGuiApplication. Safe on any thread.
ExportResult writeExport(const ExportRequest &request, const std::function<void(const QString &file)> &written = {});

} // namespace stagecraft::views
