// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// Text to the terminal, as UTF-8; lines in printable form (widgets::printableText). Results go to standard output,
// progress and complaints to standard error.
namespace stagecraft::commands {

void printLine(const QString &text);        // standard output, with a line end, flushed
void printDocument(const QByteArray &utf8); // standard output: as it is, CSV's line ends too, but for other controls
void complainLine(const QString &text);     // standard error, with a line end

// Words of `known` that a mistyped `word` may have meant, nearest first, three at most.
QStringList nearWords(const QString &word, const QStringList &known);

// "; did you mean a, b or c?", or an empty text where nothing is near.
QString didYouMean(const QString &word, const QStringList &known);

// The text broken at spaces into lines of at most `width` columns (a longer word stands on a line of its own).
QStringList wrapped(const QString &text, int width);

} // namespace stagecraft::commands
