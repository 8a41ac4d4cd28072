// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracebytes.h"

#include "benchmarktext.h"

#include <QByteArrayView>

#include <algorithm>

namespace stagecraft::import {

namespace {

constexpr qsizetype longestWord = 16; // longer than any spelling of a special number

// The bytes that may follow the first of a UTF-8 sequence (RFC 3629, section 4), and how many there are; 0: none that
// starts so.
struct Sequence
{
    int following = 0;
    uchar least = 0x80, most = 0xBF; // of the second byte
};

Sequence sequenceOf(uchar first)
{
    if (first >= 0xC2 && first <= 0xDF)
        return {1};
    if (first == 0xE0)
        return {2, 0xA0, 0xBF};
    if (first == 0xED)
        return {2, 0x80, 0x9F};
    if (first >= 0xE1 && first <= 0xEF)
        return {2};
    if (first == 0xF0)
        return {3, 0x90, 0xBF};
    if (first >= 0xF1 && first <= 0xF3)
        return {3};
    if (first == 0xF4)
        return {3, 0x80, 0x8F};
    return {};
}

// Bytes of the sequence that starts the view: 0 where none does, −1 where it goes on behind the view.
qsizetype sequenceLength(QByteArrayView view)
{
    const auto at = [view](qsizetype i) { return static_cast<uchar>(view[i]); };
    const Sequence sequence = sequenceOf(at(0));
    for (qsizetype i = 1; i <= sequence.following; ++i) {
        if (i == view.size())
            return -1;
        if (at(i) < (i == 1 ? sequence.least : 0x80) || at(i) > (i == 1 ? sequence.most : 0xBF))
            return 0;
    }
    return sequence.following > 0 ? sequence.following + 1 : 0;
}

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+';
}

} // namespace

qsizetype TraceBytes::clean(char *data, qsizetype size, bool isEnd)
{
    qsizetype done = 0;
    while (done < size && m_problem.isEmpty()) {
        const qsizetype taken =
            m_isText ? cleanText(data + done, size - done, isEnd) : cleanWord(data + done, size - done, isEnd);
        if (taken == 0)
            break;
        done += taken;
    }
    return done;
}

qsizetype TraceBytes::cleanText(char *data, qsizetype size, bool isEnd)
{
    const char c = data[0];
    qsizetype length = 1;
    if (static_cast<uchar>(c) >= 0x80) {
        length = sequenceLength({data, size});
        if (length < 0 && !isEnd)
            return 0;
        if (length <= 0) {
            data[0] = '?';
            length = 1;
        }
    }
    m_textBytes += length;
    if (m_textBytes > mostTextBytes)
        m_problem = QStringLiteral("A single text is longer than %1 MiB, which is the most that is read.")
                        .arg(mostTextBytes >> 20);
    m_isText = c != '"' || m_isEscaped;
    m_isEscaped = c == '\\' && !m_isEscaped;
    return length;
}

qsizetype TraceBytes::cleanWord(char *data, qsizetype size, bool isEnd)
{
    if (data[0] == '"') {
        m_isText = true;
        m_textBytes = 0;
        return 1;
    }
    const char *end = std::find_if_not(data, data + std::min(size, longestWord), isWordPart);
    const qsizetype length = end - data;
    if (length == size && length < longestWord && !isEnd)
        return 0; // it may go on
    if (isSpecialNumber({data, length})) {
        std::fill(data, data + length, ' ');
        data[0] = data[1] = '"';
    }
    return std::max<qsizetype>(length, 1);
}

} // namespace stagecraft::import
