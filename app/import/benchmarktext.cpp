// SPDX-License-Identifier: GPL-3.0-or-later
#include "benchmarktext.h"

#include "catalogue.h"
#include "foreignbytes.h"
#include "jsondocument.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft::import {

namespace {

using evidence::JsonNode;

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The special number that starts here; empty where none does.
QByteArrayView specialAt(QByteArrayView rest)
{
    const qsizetype sign = rest.startsWith('-') ? 1 : 0;
    const auto *end = std::find_if_not(rest.begin() + sign, rest.end(), isWordPart);
    const QByteArrayView word = rest.first(end - rest.begin());
    return isSpecialNumber(word) ? word : QByteArrayView();
}

} // namespace

bool isSpecialNumber(QByteArrayView word)
{
    static constexpr std::array<QByteArrayView, 3> spellings{"nan", "inf", "infinity"};
    const QByteArrayView unsignedWord = word.startsWith('-') ? word.sliced(1) : word;
    return std::ranges::any_of(
        spellings, [&](QByteArrayView spelling) { return unsignedWord.compare(spelling, Qt::CaseInsensitive) == 0; });
}

bool startsAsObject(const QByteArray &head)
{
    const QByteArray text = head.startsWith("\xEF\xBB\xBF") ? head.sliced(3) : head;
    return text.trimmed().startsWith('{');
}

QByteArray withQuotedSpecials(const QByteArray &text)
{
    QByteArray quoted;
    qsizetype copied = 0;
    bool inText = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inText && c == '\\') {
            ++i;
        } else if (c == '"') {
            inText = !inText;
        } else if (!inText && (c == 'N' || c == 'I' || c == '-' || c == 'n' || c == 'i')) {
            const QByteArrayView special = specialAt(QByteArrayView(text).sliced(i));
            if (special.isEmpty())
                continue;
            quoted.append(text.constData() + copied, i - copied);
            quoted.append('"').append(special).append('"');
            i += special.size() - 1;
            copied = i + 1;
        }
    }
    if (copied == 0)
        return text;
    quoted.append(text.constData() + copied, text.size() - copied);
    return quoted;
}

nlohmann::json readBenchmarkJson(const QString &path, evidence::ProblemLog &log, ForeignFile &file,
                                 const Cancelled &cancelled)
{
    const QByteArray text = readForeignText(path, log, file, cancelled);
    if (text.isEmpty())
        return nlohmann::json(nlohmann::json::value_t::discarded);
    nlohmann::json document = evidence::parseDocument(withQuotedSpecials(text), log);
    if (document.is_discarded())
        file.error = QStringLiteral("The file's text is no JSON.");
    return document;
}

std::optional<double> foreignNumber(const JsonNode &node)
{
    if (node.isNumber())
        return node.value()->get<double>();
    if (!node.exists() || !node.value()->is_string())
        return std::nullopt;
    bool isNumber = false;
    const double value = QString::fromStdString(node.value()->get_ref<const std::string &>()).toDouble(&isNumber);
    if (isNumber)
        return value;
    return specialAt(QByteArrayView(node.value()->get_ref<const std::string &>())).isEmpty()
               ? std::nullopt
               : std::optional(std::nan(""));
}

std::optional<double> foreignTimeUs(const JsonNode &node, double unitUs)
{
    if (!node.exists())
        return std::nullopt;
    const std::optional<double> value = foreignNumber(node);
    if (!value) {
        node.contradiction(QStringLiteral("A time is expected, and no number stands here."));
        return std::nullopt;
    }
    const double us = *value * unitUs;
    if (std::isfinite(us) && us >= shortestTimeUs && us <= longestTimeUs)
        return us;
    node.contradiction(QStringLiteral("A time above 0 and below a year is expected, %1 found.").arg(foreignText(node)));
    return std::nullopt;
}

QString foreignText(const JsonNode &node)
{
    if (!node.exists())
        return {};
    if (node.value()->is_string())
        return QString::fromStdString(node.value()->get_ref<const std::string &>());
    return QString::fromStdString(node.value()->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

QString benchmarkOperation(const QString &name, const QList<qint64> &dims)
{
    const operations::Operation *known = operations::findOperation(name.toStdString());
    const bool isOther = known && !dims.isEmpty() && static_cast<std::size_t>(dims.size()) != known->dimNames.size();
    return isOther ? name + QStringLiteral(" benchmark") : name;
}

QString percentText(double share)
{
    return QStringLiteral("%1 %").arg(100 * share, 0, 'g', 3);
}

evidence::Measurement measured(const QList<double> &samplesUs, const QString &source, const QStringList &notes)
{
    evidence::Measurement measurement;
    measurement.samplesUs = samplesUs;
    measurement.source = source;
    QStringList said = notes;
    said.removeAll(QString());
    measurement.note = said.join(QStringLiteral("; "));
    return measurement;
}

evidence::Measurement notMeasured(evidence::State state, const QString &reason, const QString &source)
{
    evidence::Measurement measurement;
    measurement.source = source;
    measurement.state = state;
    measurement.reason = reason;
    return measurement;
}

} // namespace stagecraft::import
