// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"
#include "valuetable.h"

#include <memory>
#include <QImage>
#include <QMimeData>

// Files from figures and tables. Written atomically; each returns an error text that names file and cause, empty on
// success. Needs a QGuiApplication (any platform, offscreen too), on any thread.
namespace stagecraft::widgets {

// The figure as an image of its layout's width × scale, with resolution (96 dpi × scale) and metadata; null where it
// would be too large. Around the sheet of Theme::Page it is transparent.
QImage figureImage(const Figure &figure, Layout layout, Theme theme, double scale);

// For the clipboard: the image, and the same as SVG for programs that take it.
std::unique_ptr<QMimeData> figureMimeData(const Figure &figure, Layout layout, Theme theme, double scale);

QString exportPng(const Figure &figure, Layout layout, Theme theme, double scale, const QString &path);
QString exportSvg(const Figure &figure, Layout layout, Theme theme, const QString &path); // text as outlines
QString exportCsv(const ValueTable &table, const QString &path);      // RFC 4180, C locale, stored precision
QString exportMarkdown(const ValueTable &table, const QString &path); // display precision
QString exportHtml(const ValueTable &table, const QString &path);     // display precision, self-contained
QString exportJson(const ValueTable &table, const QString &path);     // stored precision

// Replaces the file as a whole or not at all; returns an error text, empty on success.
QString writeFile(const QString &path, const QByteArray &content);

QByteArray toCsv(const ValueTable &table);
QByteArray toMarkdown(const ValueTable &table);
QByteArray toHtml(const ValueTable &table);
QByteArray toJson(const ValueTable &table);

// For the clipboard: stored precision for spreadsheets, and a bare HTML table (display precision) for documents.
QByteArray toTsv(const ValueTable &table);
QByteArray toHtmlTable(const ValueTable &table);

} // namespace stagecraft::widgets
