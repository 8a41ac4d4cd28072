// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignnamespace.h"

#include "foreignprogression.h"
#include "names.h"
#include "privacy.h"

#include <algorithm>
#include <limits>
#include <QRegularExpression>

namespace stagecraft::import {

namespace {

using evidence::State;

// Builds the evidence series by series.
class Builder
{
public:
    Builder(const Tool &tool, const QString &name, bool isSeveral, const QStringList &privateWords)
        : m_privateWords(privateWords), m_isSeveral(isSeveral)
    {
        m_evidence.name = m_evidence.experimentId = name;
        m_evidence.timing = tool.timing;
        m_imported = {{"tool", tool.title.toStdString()}, {"files", nlohmann::json::array()}};
    }

    void add(const NamedFile &file)
    {
        describe(file);
        QSet<QString> staged; // operations of this file that have their stage, by name and implementation
        for (const ForeignSeries &series : file.content.series)
            add(series, file, staged);
        for (const QString &sentence : file.content.leftOut)
            leaveOut(file, sentence);
        addProblems(file);
        if (!m_isSeveral)
            setOwnProgression(file.content.progressions);
    }

    evidence::Namespace take(const QStringList &fileIds)
    {
        fillRounds();
        m_evidence.resultsDocument = {{"format", 1}, {"imported", m_imported}};
        m_evidence.profilesDocument = {{"format", 1}};
        m_evidence.gpu = m_gpus.join(QStringLiteral("; "));
        m_evidence.driver = m_drivers.join(QStringLiteral("; "));
        m_evidence.cuda = m_cudas.join(QStringLiteral("; "));
        setBackend();
        if (m_isSeveral)
            setProgression(fileIds);
        return std::move(m_evidence);
    }

private:
    QString clean(const QString &text) const { return publicText(text, m_privateWords); }

    // Of GPUs and versions, where a host's name is often part of what is meant ("h200").
    static void addOnce(QStringList &list, const QString &text)
    {
        const QString visible = withoutPaths(text);
        if (!visible.isEmpty() && !list.contains(visible))
            list.append(visible);
    }

    void describe(const NamedFile &file)
    {
        const QString version = clean(file.content.toolVersion);
        nlohmann::json entry = {{"id", file.id.toStdString()}};
        if (!version.isEmpty())
            entry["version"] = version.toStdString();
        m_imported["files"].push_back(entry);
        addOnce(m_gpus, file.content.gpu);
        addOnce(m_drivers, file.content.driver);
        addOnce(m_cudas, file.content.cuda);
        if (m_evidence.utc.isEmpty())
            m_evidence.utc = file.content.utc;
    }

    // With several files, whose it is; each with its own sentence on what it lacks.
    QString ofFile(const NamedFile &file, const QString &sentence) const
    {
        return m_isSeveral ? file.id + QStringLiteral(": ") + sentence : sentence;
    }

    void leaveOut(const NamedFile &file, const QString &sentence)
    {
        const QString text = clean(ofFile(file, sentence));
        m_evidence.excluded.append(text);
        m_evidence.problems.append({file.id, {}, clean(sentence), false});
    }

    void addProblems(const NamedFile &file)
    {
        for (evidence::Problem problem : file.content.problems) {
            problem.file = file.id;
            problem.cause = clean(publicCause(problem.cause));
            if (!problem.pointer.isEmpty())
                problem.pointer = u'/' + clean(publicPointer(problem.pointer).sliced(1));
            // Without its first slash: the writer would take it for a path from the root.
            if (problem.fatal)
                m_evidence.excluded.append(ofFile(
                    file,
                    QStringLiteral("the file is damaged at %1; what is sound was taken.")
                        .arg(problem.pointer.isEmpty() ? QStringLiteral("its start") : problem.pointer.sliced(1))));
            m_evidence.problems.append(problem);
        }
    }

    QString implementationId(const ForeignSeries &series, const NamedFile &file) const
    {
        const QString own = clean(series.implementation);
        if (own.isEmpty())
            return file.id;
        return m_isSeveral ? file.id + u'/' + own : own;
    }

    // The first implementation of an operation that may be the file's stage is it, in all its rounds.
    bool isStage(const ForeignSeries &series, const QString &operation, QSet<QString> &staged)
    {
        if (!m_isSeveral || !series.isProgressionStage)
            return false;
        QString key = operation + u'|' + series.cache;
        for (const qint64 dim : series.dims)
            key += u'|' + QString::number(dim);
        const QString whole = key + QStringLiteral("||") + series.implementation;
        if (staged.contains(key))
            return staged.contains(whole);
        staged << key << whole;
        return true;
    }

    void add(const ForeignSeries &series, const NamedFile &file, QSet<QString> &staged)
    {
        const QString operation = m_names.name(series.operation, m_privateWords);
        const QString id = implementationId(series, file);
        QString stage = isStage(series, operation, staged) ? stageName(operation, file.id) : QString();
        if (!m_isSeveral && !series.stageId.isEmpty())
            stage = stageName(operation, series.stageId);
        if (!addSpan(series, operation, id, stage))
            leaveOut(file, QStringLiteral("%1 of %2 is there twice; the first stays.").arg(operation, id));
        else
            addCapture(series, operation, id, stage);
    }

    evidence::OperationResult &resultFor(const QString &operation, const ForeignSeries &series)
    {
        const QString key = QStringLiteral("%1|%2").arg(operation, series.cache);
        for (const qsizetype index : std::as_const(m_places[key])) {
            if (m_evidence.results[index].dims == series.dims)
                return m_evidence.results[index];
        }
        m_places[key].append(m_evidence.results.size());
        evidence::OperationResult &result = m_evidence.results.emplace_back();
        result.operation = operation;
        result.dims = series.dims;
        result.cache = series.cache;
        return result;
    }

    static evidence::Round &roundFor(evidence::OperationResult &result, int index)
    {
        const auto place = std::find_if(result.rounds.begin(), result.rounds.end(),
                                        [index](const evidence::Round &round) { return round.index >= index; });
        if (place != result.rounds.end() && place->index == index)
            return *place;
        evidence::Round round;
        round.index = index;
        return *result.rounds.insert(place, round);
    }

    // Whether the place was free.
    bool addSpan(const ForeignSeries &series, const QString &operation, const QString &id, const QString &stage)
    {
        evidence::Round &round = roundFor(resultFor(operation, series), series.round.value_or(0));
        if (round.implementations.contains(id))
            return false;
        evidence::Measurement measurement;
        if (series.span) {
            measurement = *series.span;
            measurement.note = clean(measurement.note);
            measurement.reason = clean(measurement.reason);
        } else {
            measurement.state = State::Unavailable;
            measurement.reason = series.noSpan;
        }
        measurement.note = withWarnings(measurement, series);
        measurement.stage = stage;
        round.order.append(id);
        round.implementations.insert(id, measurement);
        return true;
    }

    // What nobody must overlook stands first.
    static QString withWarnings(const evidence::Measurement &measurement, const ForeignSeries &series)
    {
        QStringList notes;
        if (measurement.state == State::Ok && !measurement.samplesUs.isEmpty() && !measurement.correctness)
            notes.append(QStringLiteral("not checked: no result was compared with a reference"));
        if (series.iterations == 0)
            notes.append(mixture(series.records));
        notes.append(measurement.note);
        notes.removeAll(QString());
        return notes.join(QStringLiteral("; "));
    }

    // Launches of one base name can be of unlike kernels; where each is an iteration, their mean is of all of them.
    static QString mixture(const QList<evidence::KernelRecord> &records)
    {
        QSet<QString> names, kinds;
        for (const evidence::KernelRecord &record : records) {
            names.insert(record.kernelName);
            kinds.insert(record.kernelName + u'\n' + record.gridSize + u'\n' + record.blockSize);
        }
        if (kinds.size() < 2)
            return {};
        return QStringLiteral("%1 unlike kinds of launches averaged (%2 full names, %1 with their grids and blocks)")
            .arg(kinds.size())
            .arg(names.size());
    }

    void addCapture(const ForeignSeries &series, const QString &operation, const QString &id, const QString &stage)
    {
        evidence::Capture capture;
        capture.operation = operation;
        capture.language = id;
        capture.dims = series.dims;
        capture.cache = series.cache;
        capture.round = series.round.value_or(0);
        capture.stage = stage;
        capture.backend = series.backend;
        const qint64 launches = series.records.size() + series.invalidRecords;
        if (series.backend.isEmpty() || launches == 0 || launches > std::numeric_limits<int>::max()) {
            capture.state = State::Unavailable;
            capture.reason = series.backend.isEmpty() ? series.noKernels : QStringLiteral("no launch was recorded");
        } else {
            setRecords(capture, series, static_cast<int>(launches));
        }
        m_evidence.captures.append(capture);
    }

    void setRecords(evidence::Capture &capture, const ForeignSeries &series, int launches)
    {
        capture.status = QStringLiteral("ok");
        capture.launches = launches;
        capture.requestedIterations = series.iterations > 0 ? series.iterations : launches;
        capture.invalidRecords = series.invalidRecords;
        capture.records = series.records;
        for (evidence::KernelRecord &record : capture.records) {
            record.kernelName = kernelName(record.kernelName);
            if (m_seen.contains(record.kernelName))
                continue;
            m_seen.insert(record.kernelName);
            capture.kernelNames.append(record.kernelName);
        }
        for (const QString &name : series.kernelNames) {
            if (const QString visible = kernelName(name); !m_seen.contains(visible)) {
                m_seen.insert(visible);
                capture.kernelNames.append(visible);
            }
        }
        m_seen.clear();
    }

    // Cleaned once, and shared by all records.
    QString kernelName(const QString &name)
    {
        const auto known = m_kernelNames.constFind(name);
        return known != m_kernelNames.constEnd() ? *known : *m_kernelNames.insert(name, clean(name));
    }

    // Each implementation of an operation needs an entry in each of its rounds.
    void fillRounds()
    {
        for (evidence::OperationResult &result : m_evidence.results) {
            QSet<QString> ids;
            for (const evidence::Round &round : std::as_const(result.rounds)) {
                for (const QString &id : round.order)
                    ids.insert(id);
            }
            for (evidence::Round &round : result.rounds) {
                for (const QString &id : std::as_const(ids)) {
                    if (round.implementations.contains(id))
                        continue;
                    evidence::Measurement &missing = round.implementations[id];
                    missing.state = State::NotRun;
                    missing.reason = QStringLiteral("the file has no such round of it");
                }
            }
        }
    }

    void setBackend()
    {
        QStringList backends;
        for (const evidence::Capture &capture : std::as_const(m_evidence.captures)) {
            if (!capture.backend.isEmpty() && !backends.contains(capture.backend))
                backends.append(capture.backend);
        }
        if (backends.size() == 1)
            m_evidence.captureBackend = backends.first();
    }

    void setOwnProgression(const QList<evidence::OperationProgression> &operations)
    {
        if (operations.isEmpty())
            return;
        evidence::Progression progression;
        progression.operations = operations;
        for (evidence::OperationProgression &operation : progression.operations) {
            operation.operation = m_names.name(operation.operation, m_privateWords);
            for (evidence::ProgressionStage &stage : operation.stages) {
                stage.origin = m_evidence.experimentId;
                stage.retainedIn = {m_evidence.experimentId};
            }
        }
        progression.deviceName = m_gpus.join(QStringLiteral("; "));
        m_evidence.progression = progression;
    }

    void setProgression(const QStringList &fileIds)
    {
        QStringList leftOut;
        if (m_gpus.size() > 1)
            leftOut.append(QStringLiteral("The files are of different GPUs (%1): their times are no progression.")
                               .arg(m_gpus.join(QStringLiteral(", "))));
        else
            m_evidence.progression = fileProgression(m_evidence, fileIds, leftOut);
        for (const QString &sentence : std::as_const(leftOut))
            m_evidence.problems.append({m_evidence.name, {}, sentence, false});
        m_evidence.excluded += leftOut;
    }

    evidence::Namespace m_evidence;
    nlohmann::json m_imported;
    OperationNames m_names;
    QHash<QString, QList<qsizetype>> m_places; // of results, by operation and cache state
    QHash<QString, QString> m_kernelNames;
    QSet<QString> m_seen;
    QStringList m_gpus, m_drivers, m_cudas;
    const QStringList m_privateWords;
    bool m_isSeveral;
};

} // namespace

evidence::Namespace foreignNamespace(const Tool &tool, const QString &name, const QList<NamedFile> &files,
                                     const QStringList &privateWords)
{
    Builder builder(tool, name, files.size() > 1, privateWords);
    QStringList ids;
    for (const NamedFile &file : files) {
        builder.add(file);
        ids.append(file.id);
    }
    return builder.take(ids);
}

} // namespace stagecraft::import
