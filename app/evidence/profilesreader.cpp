// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"
#include "valueparts.h"

#include <QSet>

namespace stagecraft::evidence {

namespace {

// Neighbouring records say the same again and again: their texts are converted, and held, once.
class RepeatedText
{
public:
    explicit RepeatedText(const char *key, bool isRequired = false) : m_key(key), m_isRequired(isRequired) {}
    QString of(const JsonNode &record)
    {
        const std::string *raw = record.rawText(m_key);
        if (!raw)
            return m_isRequired ? record.requiredText(m_key) : record.text(m_key); // which say what is wrong
        if (!m_last || *raw != *m_last)
            m_text = QString::fromStdString(*raw);
        m_last = raw;
        return m_text;
    }

private:
    const char *m_key;
    bool m_isRequired;
    const std::string *m_last = nullptr; // in the document
    QString m_text;
};

struct RecordTexts
{
    RepeatedText name{"kernel_name", true}, grid{"grid_size"}, block{"block_size"};
};

std::optional<KernelRecord> readRecord(const JsonNode &node, Capture &capture, RecordTexts &texts)
{
    if (!node.requireObject()) {
        ++capture.invalidRecords;
        return std::nullopt;
    }
    KernelRecord record;
    record.kernelName = texts.name.of(node);
    record.gridSize = texts.grid.of(node);
    record.blockSize = texts.block.of(node);
    record.registersPerThread = node.smallCount("registers_per_thread");
    record.sharedMemBytes = node.count("shared_mem_bytes");
    record.iteration = node.smallCount("iteration");
    record.durationUs = node.amount("duration_us").value_or(0);
    if (record.durationUs > 0)
        return record;
    ++capture.invalidRecords;
    const JsonNode duration = node.member("duration_us");
    if (!duration.exists() || (duration.isNumber() && duration.value()->get<double>() == 0))
        duration.log().note(duration.pointer(), QStringLiteral("The record has no time; it is counted and left out."));
    return std::nullopt;
}

void checkKernelNames(const JsonNode &node, const Capture &capture)
{
    if (!node.member("kernel_names").isArray() || capture.records.isEmpty())
        return;
    QSet<QString> recorded;
    for (const KernelRecord &record : capture.records)
        recorded.insert(record.kernelName);
    const QSet<QString> named(capture.kernelNames.begin(), capture.kernelNames.end());
    for (const QString &name : recorded - named)
        node.contradiction("kernel_names",
                           QStringLiteral("The records name %1, the list does not.").arg(excerpt(name)));
    // A kernel all of whose records had no time stays in the list.
    if (capture.invalidRecords > 0)
        return;
    for (const QString &name : named - recorded)
        node.contradiction("kernel_names", QStringLiteral("The list names %1, no record does.").arg(excerpt(name)));
}

void checkCapture(const JsonNode &node, const Capture &capture)
{
    const qint64 records = capture.records.size() + capture.invalidRecords;
    if (!node.member("launches").exists())
        node.contradiction("launches", QStringLiteral("The number of captured launches is expected."));
    else if (capture.launches == 0)
        node.contradiction("launches", QStringLiteral("No launch was captured, yet the state is ok."));
    if (records != capture.launches)
        node.contradiction("launches", QStringLiteral("%1 launches are recorded, %2 kernel records are there.")
                                           .arg(capture.launches)
                                           .arg(records));
    if (capture.requestedIterations == 0)
        node.contradiction("requested_iterations", QStringLiteral("At least one requested iteration is expected."));
    // Where every record names its iteration, launches that vary are a flag of the value and no contradiction.
    else if (capture.launches % capture.requestedIterations != 0 && launchesByIteration(capture).isEmpty())
        node.contradiction("launches",
                           QStringLiteral("%1 launches over %2 iterations is no whole number per iteration.")
                               .arg(capture.launches)
                               .arg(capture.requestedIterations));
    checkKernelNames(node, capture);
}

Capture readCapture(const JsonNode &node)
{
    Capture capture;
    if (!node.requireObject()) {
        capture.state = State::Invalid;
        return capture;
    }
    const RecordedState recorded = readState(node);
    capture.state = recorded.state;
    capture.reason = recorded.reason;
    capture.operation = node.requiredText("operation");
    capture.language = node.requiredText("language");
    capture.backend = node.text("backend");
    capture.timestampMode = node.text("timestamp_mode");
    capture.status = node.text("status");
    capture.dims = readDims(node);
    capture.cache = node.text("cache");
    capture.round = node.smallCount("round");
    capture.stage = node.text("stage");
    capture.launches = node.smallCount("launches").value_or(0);
    capture.requestedIterations = node.smallCount("requested_iterations").value_or(0);
    capture.kernelNames = node.texts("kernel_names");
    capture.invalidRecords = node.count("invalid_records").value_or(0);
    RecordTexts texts;
    node.eachElement("kernel_metrics", [&](const JsonNode &element) {
        if (auto record = readRecord(element, capture, texts))
            capture.records.append(*std::move(record));
    });
    if (capture.state == State::Ok || capture.state == State::Throttled)
        checkCapture(node, capture);
    return capture;
}

} // namespace

void readProfiles(const JsonNode &root, Namespace &evidence)
{
    if (!root.requireObject())
        return;
    if (!root.member("captures").isArray()) {
        root.contradiction("captures",
                           QStringLiteral("There is no list of captures: this is no comparison-profiles file."));
        return;
    }
    if (evidence.experimentId.isEmpty())
        readText(root, "experiment_id", evidence.experimentId);
    else if (const QString id = root.text("experiment_id"); !id.isEmpty() && id != evidence.experimentId)
        root.contradiction("experiment_id",
                           QStringLiteral("%1 stands here, %2 in %3.")
                               .arg(excerpt(id), excerpt(evidence.experimentId), QLatin1String(resultsFile)));
    readText(root, "timestamp_mode", evidence.timestampMode);
    readText(root, "backend", evidence.captureBackend);
    root.eachElement("captures",
                     [&evidence](const JsonNode &capture) { evidence.captures.append(readCapture(capture)); });
}

} // namespace stagecraft::evidence
