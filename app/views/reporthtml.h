// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPair>
#include <QString>

// Pieces of an HTML page. Internal to the report.
namespace stagecraft::views::html {

// Text for an element or a quoted attribute; characters that no reader can see are replaced.
QString text(const QString &plain);

QString paragraph(const QString &plain);
QString list(const QStringList &items);                       // of paragraphs; empty for none
QString facts(const QList<QPair<QString, QString>> &pairs);   // a name and its value a line
QString details(const QString &summary, const QString &html); // folded away until asked for

} // namespace stagecraft::views::html
