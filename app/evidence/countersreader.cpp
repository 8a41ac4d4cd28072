// SPDX-License-Identifier: GPL-3.0-or-later
#include "counterlimits.h"
#include "filereaders.h"
#include "printabletext.h"

#include <QRegularExpression>

namespace stagecraft::evidence {

namespace {

constexpr qsizetype mostCaptures = 10'000;
constexpr qsizetype longestText = 4'000, longestName = 16'000; // of a kernel: templates make long ones

QString shortText(const QString &text, qsizetype longest = longestText)
{
    return printable(text.left(longest));
}

// Of a list or an object.
bool isBounded(const JsonNode &node, const char *key, qsizetype most)
{
    const JsonNode member = node.member(key);
    const auto count = static_cast<qsizetype>(member.isArray() || member.isObject() ? member.size() : 0);
    if (count > most)
        member.contradiction(
            QStringLiteral("There are %1 entries, and %2 is the most. They are not read.").arg(count).arg(most));
    return count <= most;
}

bool isSoundName(const QString &name, const JsonNode &node)
{
    if (isMetricName(name))
        return true;
    node.contradiction(QStringLiteral("\"%1\" is no metric's name: up to 200 printable characters without a space are "
                                      "expected. It is left out.")
                           .arg(excerpt(name)));
    return false;
}

void readMetrics(const JsonNode &node, CounterCapture &capture)
{
    if (isBounded(node, "metrics", mostMetrics))
        node.eachMember("metrics", [&capture](const QString &name, const JsonNode &metric) {
            if (isSoundName(name, metric) && metric.requireObject())
                capture.units.insert(name, shortText(metric.text("unit")));
        });
    if (isBounded(node, "lacking", mostMetrics))
        node.eachMember("lacking", [&capture](const QString &name, const JsonNode &reason) {
            const auto text = reason.asText();
            if (text && isSoundName(name, reason))
                capture.lacking.insert(name, shortText(*text));
        });
}

void readValue(const QString &name, const JsonNode &node, QMap<QString, double> &values)
{
    const auto value = node.asAmount();
    if (!value)
        return;
    if (name.contains(QLatin1String("pct_of_peak")) && *value > mostPeakPercent)
        node.contradiction(QStringLiteral("%1 % of a peak is no counter's value: up to %2 is possible, since a rate "
                                          "and its peak are counted at slightly different times. It is left out.")
                               .arg(*value)
                               .arg(mostPeakPercent));
    else if (*value > mostCounterValue)
        node.contradiction(
            QStringLiteral("%1 is no counter's value: up to 1e30 is possible. It is left out.").arg(*value));
    else
        values.insert(name, *value);
}

// In one sentence: where a file was cut, a kernel's values are there and most of the metrics are not.
void sayUnlisted(const JsonNode &kernel, const QStringList &names)
{
    if (names.size() == 1)
        kernel.contradiction(QStringLiteral("%1 is not among the metrics of this entry. Its value is left out.")
                                 .arg(excerpt(names.first())));
    else if (!names.isEmpty())
        kernel.contradiction(
            QStringLiteral("%1 and %2 more are not among the metrics of this entry. Their values are left out.")
                .arg(excerpt(names.first()), QString::number(names.size() - 1)));
}

void readKernel(const JsonNode &node, CounterCapture &capture)
{
    if (!node.requireObject())
        return;
    CountedKernel kernel;
    kernel.kernelName = shortText(node.requiredText("kernel_name"), longestName);
    kernel.gridSize = shortText(node.text("grid_size"));
    kernel.blockSize = shortText(node.text("block_size"));
    kernel.registersPerThread = node.smallCount("registers_per_thread");
    kernel.sharedMemBytes = node.count("shared_mem_bytes");
    QStringList unlisted;
    if (isBounded(node, "values", mostMetrics))
        node.eachMember("values", [&](const QString &name, const JsonNode &value) {
            if (capture.units.contains(name))
                readValue(name, value, kernel.values);
            else
                unlisted.append(name);
        });
    sayUnlisted(node, unlisted);
    capture.kernels.append(kernel);
}

void readCapture(const JsonNode &node, Namespace &evidence)
{
    CounterCapture capture;
    if (!node.requireObject()) {
        capture.state = State::Invalid; // which keeps the place of those behind it
        capture.reason = QStringLiteral("the file has no entry here");
        evidence.counters.append(capture);
        return;
    }
    const RecordedState recorded = readState(node);
    capture.state = recorded.state;
    capture.reason = shortText(recorded.reason);
    capture.operation = shortText(node.requiredText("operation"));
    capture.language = shortText(node.requiredText("language"));
    capture.dims = readDims(node);
    capture.cache = shortText(node.text("cache"));
    capture.stage = shortText(node.text("stage"));
    capture.arithmetic = shortText(node.text("arithmetic"));
    capture.backend = shortText(node.text("backend"));
    capture.replayMode = shortText(node.text("replay_mode"));
    capture.passes = node.smallCount("passes");
    readMetrics(node, capture);
    if (isBounded(node, "kernels", mostCountedKernels))
        node.eachElement("kernels", [&capture](const JsonNode &kernel) { readKernel(kernel, capture); });
    evidence.counters.append(capture);
}

} // namespace

bool isMetricName(const QString &name)
{
    static const QRegularExpression form(QStringLiteral("\\A[!-~]{1,200}\\z"));
    return form.match(name).hasMatch();
}

void readCounters(const JsonNode &root, Namespace &evidence)
{
    if (!root.requireObject())
        return;
    if (!root.member("captures").isArray()) {
        root.contradiction("captures",
                           QStringLiteral("There is no list of captures: this is no comparison-counters file."));
        return;
    }
    const QString id = root.text("experiment_id");
    if (evidence.experimentId.isEmpty())
        evidence.experimentId = shortText(id);
    else if (!id.isEmpty() && id != evidence.experimentId)
        root.contradiction("experiment_id", QStringLiteral("%1 stands here, but the namespace is of %2.")
                                                .arg(excerpt(id), excerpt(evidence.experimentId)));
    if (isBounded(root, "captures", mostCaptures))
        root.eachElement("captures", [&evidence](const JsonNode &capture) { readCapture(capture, evidence); });
}

} // namespace stagecraft::evidence
