// SPDX-License-Identifier: GPL-3.0-or-later
#include "console.h"

#include "figuretext.h"

#include <QList>
#include <QPair>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace stagecraft::commands {
namespace {

// Evidence and workers put their own words into what is printed; a terminal must not take them for its commands. What
// else a document holds is for its reader.
QString withoutControls(QString text)
{
    static const auto allowed = QStringLiteral("\n\t\r");
    for (QChar &c : text)
        if (c.category() == QChar::Other_Control && !allowed.contains(c))
            c = QChar::ReplacementCharacter;
    return text;
}

void write(std::FILE *stream, const QByteArray &bytes)
{
    // Where the terminal is gone there is nobody to tell.
    (void)std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stream);
    (void)std::fflush(stream);
}

void writeLine(std::FILE *stream, const QString &text)
{
    write(stream, widgets::printableText(text).toUtf8() + '\n');
}

// Levenshtein distance, without case.
int editDistance(const QString &left, const QString &right)
{
    const QString a = left.toLower(), b = right.toLower();
    std::vector<int> previous(static_cast<std::size_t>(b.size()) + 1);
    std::iota(previous.begin(), previous.end(), 0);
    for (int i = 0; i < a.size(); ++i) {
        std::vector<int> current{i + 1};
        for (int j = 0; j < b.size(); ++j) {
            const auto column = static_cast<std::size_t>(j);
            const int substitution = previous[column] + (a[i] == b[j] ? 0 : 1);
            current.push_back(std::min({substitution, previous[column + 1] + 1, current[column] + 1}));
        }
        previous = std::move(current);
    }
    return previous.back();
}

} // namespace

void printLine(const QString &text)
{
    writeLine(stdout, text);
}

void printDocument(const QByteArray &utf8)
{
    write(stdout, withoutControls(QString::fromUtf8(utf8)).toUtf8());
}

void complainLine(const QString &text)
{
    writeLine(stderr, text);
}

QStringList nearWords(const QString &word, const QStringList &known)
{
    QList<QPair<int, QString>> ranked;
    for (const QString &candidate : known) {
        const int distance = editDistance(word, candidate);
        const bool prefix = word.size() >= 2 && candidate.startsWith(word, Qt::CaseInsensitive);
        // Two letters that changed places are two edits.
        const int size = static_cast<int>(candidate.size());
        if (prefix || distance <= (size < 4 ? 1 : std::max(2, size / 3)))
            ranked.append({distance, candidate});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    QStringList words;
    for (const auto &[distance, candidate] : ranked.mid(0, 3))
        words.append(candidate);
    return words;
}

QString didYouMean(const QString &word, const QStringList &known)
{
    QStringList words = nearWords(word, known);
    if (words.isEmpty())
        return {};
    const QString last = words.takeLast();
    const QString start = words.isEmpty() ? QString() : words.join(QStringLiteral(", ")) + QStringLiteral(" or ");
    return QStringLiteral("; did you mean %1?").arg(start + last);
}

QStringList wrapped(const QString &text, int width)
{
    QStringList lines{QString()};
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!lines.last().isEmpty() && lines.last().size() + 1 + word.size() > width)
            lines.append(QString());
        lines.last() += lines.last().isEmpty() ? word : QLatin1Char(' ') + word;
    }
    return lines;
}

} // namespace stagecraft::commands
