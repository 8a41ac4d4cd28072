// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace stagecraft::import {

// Bytes of JSON on their way to a parser that would end at the first of them that JSON has not: a bare NaN or Infinity
// becomes an empty text, which no reader takes for a number, and each byte that is no UTF-8 a question mark. Places
// keep their numbers. A single text of more than mostTextBytes ends the stream, before a parser collects it.
class TraceBytes
{
public:
    static constexpr qint64 mostTextBytes = qint64{64} << 20;

    // Cleans data[0, size) in place and returns how many of its first bytes are ready; the rest (the start of
    // something, less than 16 bytes) belongs before the bytes that come next. With `isEnd` all are ready.
    qsizetype clean(char *data, qsizetype size, bool isEnd);

    QString problem() const { return m_problem; } // why the stream ends here; empty: it goes on

private:
    qsizetype cleanText(char *data, qsizetype size, bool isEnd); // within quotes: how many bytes were taken
    qsizetype cleanWord(char *data, qsizetype size, bool isEnd); // outside

    bool m_isText = false, m_isEscaped = false;
    qint64 m_textBytes = 0;
    QString m_problem;
};

} // namespace stagecraft::import
