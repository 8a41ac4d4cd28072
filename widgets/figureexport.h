// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"
#include "valuetable.h"

#include <QImage>

// Files from figures and tables. Written atomically; each returns an error text that names file and cause, empty on
// success. Needs a QGuiApplication (any platform, offscreen too), on any thread.
namespace stagecraft::widgets {

// The figure as an image of its layout's width × scale, with resolution and metadata; null where it would be too large.
QImage figureImage(const Figure &figure, Layout layout, Theme theme, double scale);

QString exportPng(const Figure &figure, Layout layout, Theme theme, double scale, const QString &path);
QString exportSvg(const Figure &figure, Layout layout, Theme theme, const QString &path); // text as outlines
QString exportCsv(const ValueTable &table, const QString &path);      // RFC 4180, C locale, stored precision
QString exportMarkdown(const ValueTable &table, const QString &path); // display precision
QString exportHtml(const ValueTable &table, const QString &path);     // display precision, self-contained
QString exportJson(const ValueTable &table, const QString &path);     // stored precision

QByteArray toCsv(const ValueTable &table);
QByteArray toMarkdown(const ValueTable &table);
QByteArray toHtml(const ValueTable &table);
QByteArray toJson(const ValueTable &table);

// For the clipboard: stored precision for spreadsheets, and a bare HTML table (display precision) for documents.
QByteArray toTsv(const ValueTable &table);
QByteArray toHtmlTable(const ValueTable &table);

} // namespace stagecraft::widgets
