// SPDX-License-Identifier: GPL-3.0-or-later
#include "declarationchecks.h"

#include "imported.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace stagecraft::evidence {

namespace {

constexpr std::array<std::pair<const char *, std::size_t>, 5> dimsCounts{
    {{"matmul", 3}, {"gelu", 2}, {"layernorm", 2}, {"triangle", 2}, {"neighbor", 3}}};

bool isText(const JsonNode &node)
{
    return node.exists() && node.value()->is_string();
}

// `isImports`: another tool measured, which seldom compares results with a reference; nothing here can catch up on it.
void checkMeasurement(const JsonNode &node, const Measurement &measurement, bool isImports)
{
    checkStateText(node.member("state"));
    // Another tool's benchmark may have measured by a timer of its own, of which the tool does not know more.
    if (!isImports || stringAt(node.member("source")) != QLatin1String("manual"))
        checkWord(node.member("source"), "event", "host");
    if (measurement.state != State::Ok || measurement.samplesUs.isEmpty() || node.member("correctness").exists())
        return;
    if (isImports)
        node.log().note(node.pointer(),
                        QStringLiteral("Not checked: the tool that measured compared no result with a reference."));
    else
        node.contradiction("correctness", QStringLiteral("The state is ok and there are samples, but no correctness "
                                                         "check; unchecked times are no results."));
}

} // namespace

QString stringAt(const JsonNode &node)
{
    return isText(node) ? QString::fromStdString(node.value()->get_ref<const std::string &>()) : QString();
}

void checkWord(const JsonNode &node, const char *first, const char *second)
{
    const QString word = stringAt(node);
    if (isText(node) && word != QLatin1String(first) && word != QLatin1String(second))
        node.contradiction(QStringLiteral("%1 or %2 is expected, \"%3\" found.")
                               .arg(QLatin1String(first), QLatin1String(second), excerpt(word)));
}

void checkStateText(const JsonNode &state)
{
    if (isText(state) && stringAt(state).isEmpty())
        state.contradiction(QStringLiteral("The state is empty text; a state's name is expected, or no state for ok."));
}

void checkExtent(const JsonNode &record, const char *key, const std::string *&last)
{
    // As CUDA numbers them: x, then y and z where they are written, none of them 0.
    static const QRegularExpression form(QStringLiteral("\\A[1-9][0-9]{0,9}(, ?[1-9][0-9]{0,9}){0,2}\\z"));
    const std::string *text = record.rawText(key);
    if (!text || (last && *text == *last))
        return;
    if (form.match(QString::fromStdString(*text)).hasMatch())
        last = text;
    else
        record.contradiction(key,
                             QStringLiteral("Up to three whole numbers above 0 are expected (\"x,y,z\"), \"%1\" found.")
                                 .arg(excerpt(QString::fromStdString(*text))));
}

void checkMeasurementWords(const JsonNode &root, const Namespace &evidence)
{
    const JsonNode results = root.member("results");
    const bool isImports = root.value() && isImported(*root.value());
    for (qsizetype i = 0; i < evidence.results.size(); ++i) {
        const JsonNode result = results.element(static_cast<std::size_t>(i)), rounds = result.member("rounds");
        checkWord(result.member("cache"), "warm", "cold");
        for (qsizetype r = 0; r < evidence.results[i].rounds.size(); ++r) {
            const JsonNode implementations = rounds.element(static_cast<std::size_t>(r)).member("implementations");
            const auto &measurements = evidence.results[i].rounds[r].implementations;
            for (auto it = measurements.begin(); it != measurements.end(); ++it)
                checkMeasurement(implementations.member(it.key().toUtf8().constData()), *it, isImports);
        }
    }
}

void checkCaptureWords(const JsonNode &root, const Namespace &evidence)
{
    checkWord(root.member("backend"), "cupti", "nsys");
    const JsonNode captures = root.member("captures");
    for (qsizetype i = 0; i < evidence.captures.size(); ++i) {
        const JsonNode node = captures.element(static_cast<std::size_t>(i));
        checkStateText(node.member("state"));
        checkWord(node.member("backend"), "cupti", "nsys");
        checkWord(node.member("cache"), "warm", "cold");
        if (evidence.captures[i].state == State::Ok && evidence.captures[i].status == QLatin1String("failed"))
            node.contradiction("status", QStringLiteral("The status is failed, yet the state is ok."));
        const JsonNode records = node.member("kernel_metrics");
        const std::string *lastGrid = nullptr, *lastBlock = nullptr;
        for (std::size_t k = 0; records.isArray() && k < records.size(); ++k) {
            const JsonNode record = records.element(k);
            checkExtent(record, "grid_size", lastGrid);
            checkExtent(record, "block_size", lastBlock);
        }
    }
}

void checkOperationName(const JsonNode &node, const char *key)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\z"));
    const JsonNode name = node.member(key);
    if (isText(name) && !form.match(stringAt(name)).hasMatch())
        name.contradiction(QStringLiteral("\"%1\" is no operation's name: up to 64 letters, digits, '.', '_' and '-' "
                                          "are expected.")
                               .arg(excerpt(stringAt(name))));
}

void checkDimsCount(const JsonNode &node, const QString &operation)
{
    const JsonNode dims = node.member("dims");
    const auto known = std::find_if(dimsCounts.begin(), dimsCounts.end(), [&operation](const auto &entry) {
        return operation == QLatin1String(entry.first);
    });
    if (known == dimsCounts.end() || !dims.isArray() || dims.log().stoppedInside(dims.pointer()))
        return;
    if (dims.size() != known->second)
        dims.contradiction(
            QStringLiteral("%1 has %2 dims, %3 are here.").arg(operation).arg(known->second).arg(dims.size()));
}

} // namespace stagecraft::evidence
