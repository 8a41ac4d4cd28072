// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencewriter.h"

#include "documents.h"
#include "filereaders.h"

namespace stagecraft::evidence {

namespace {

QString mapped(const QMap<QString, QString> &map, const QString &id)
{
    return map.value(id, id);
}

// mage's form knows neither two cases of one operation nor two implementations of one name.
QString mapProblem(const Namespace &evidence, const QMap<QString, QString> &map)
{
    QMap<QString, QString> operations, sources;
    for (const OperationResult &result : evidence.results) {
        if (operations.contains(result.operation))
            return QStringLiteral(
                       "mage's form has one case per operation; %1 is there with several dims or cache states.")
                .arg(result.operation);
        operations.insert(result.operation, {});
        for (const Round &round : result.rounds) {
            for (const QString &id : round.implementations.keys()) {
                const QString target = mapped(map, id);
                if (sources.value(target, id) != id)
                    return QStringLiteral("The map gives %1 and %2 the same name %3.")
                        .arg(sources.value(target), id, target);
                sources.insert(target, id);
            }
        }
    }
    return {};
}

// Why mage's form cannot hold this measurement; empty where it can. It has no states: written there, times that are no
// results would read as such.
QString unfit(const Measurement &measurement, const std::optional<int> &iterations)
{
    if (measurement.state != State::Ok)
        return stateName(measurement.state) + QStringLiteral(": ") + measurement.reason;
    if (iterations && measurement.samplesUs.size() != *iterations)
        return QStringLiteral("%1 samples of %2").arg(measurement.samplesUs.size()).arg(*iterations);
    return measurement.correctness && measurement.correctness->passed ? QString()
                                                                      : QStringLiteral("its result was not checked");
}

QStringList implementationsOf(const OperationResult &result)
{
    QStringList ids;
    for (const Round &round : result.rounds)
        ids += round.implementations.keys();
    ids.removeDuplicates();
    return ids;
}

// Those with every round. The form's readers count rounds × iterations of each, so one that lacks a round is left out,
// and what it lacks is said.
QStringList wholeImplementations(const OperationResult &result, const Namespace &evidence,
                                 const QMap<QString, QString> &map, QStringList &excluded)
{
    QStringList whole;
    for (const QString &id : implementationsOf(result)) {
        const qsizetype before = excluded.size();
        for (const Round &round : result.rounds) {
            const auto found = round.implementations.find(id);
            const QString problem = found == round.implementations.end() ? QStringLiteral("not measured")
                                                                         : unfit(*found, evidence.iterationsPerRound);
            if (!problem.isEmpty())
                excluded.append(QStringLiteral("%1 %2, for want of round %3: %4")
                                    .arg(result.operation, mapped(map, id))
                                    .arg(round.index)
                                    .arg(problem));
        }
        if (excluded.size() == before)
            whole.append(id);
    }
    return whole;
}

Measurement mageMeasurement(Measurement measurement)
{
    measurement.stage.clear();
    measurement.arithmetic.clear();
    measurement.source.clear();
    measurement.note.clear();
    measurement.correctness->relError.reset();
    measurement.correctness->reference.clear();
    return measurement;
}

Round mageRound(const Round &round, const QStringList &whole, const QMap<QString, QString> &map)
{
    Round result = round;
    result.run.reset();
    result.order.clear();
    result.implementations.clear();
    for (const QString &id : round.order) {
        if (whole.contains(id))
            result.order.append(mapped(map, id));
    }
    for (const QString &id : whole)
        result.implementations.insert(mapped(map, id), mageMeasurement(round.implementations.value(id)));
    return result;
}

// Of the records what the form has: a record's iteration would be of its own round.
void join(Capture &joined, const Capture &capture)
{
    joined.launches += capture.launches;
    joined.requestedIterations += capture.requestedIterations;
    for (KernelRecord record : capture.records) {
        record.iteration.reset();
        joined.records.append(record);
    }
    for (const QString &name : capture.kernelNames) {
        if (!joined.kernelNames.contains(name))
            joined.kernelNames.append(name);
    }
}

// Why mage's form cannot hold this round's capture; empty where it can.
QString unfit(const Capture &capture)
{
    if (capture.state != State::Ok)
        return stateName(capture.state) + QStringLiteral(": ") + capture.reason;
    if (capture.invalidRecords > 0)
        return QStringLiteral("kernel records without a time");
    if (capture.requestedIterations == 0 || capture.launches % capture.requestedIterations != 0)
        return QStringLiteral("launches that vary, %1 in %2 iterations")
            .arg(capture.launches)
            .arg(capture.requestedIterations);
    return {};
}

bool hasSameLaunches(const Capture &capture, const Capture &other)
{
    return qint64{capture.launches} * other.requestedIterations == qint64{other.launches} * capture.requestedIterations;
}

// One for each operation and implementation, joined over the rounds.
QList<Capture> mageCaptures(const Namespace &evidence, const QMap<QString, QStringList> &whole,
                            const QMap<QString, QString> &map, QStringList &excluded)
{
    QList<Capture> captures;
    for (const Capture &capture : evidence.captures) {
        if (!whole.value(capture.operation).contains(capture.language))
            continue;
        const QString language = mapped(map, capture.language);
        auto same = std::find_if(captures.begin(), captures.end(), [&](const Capture &other) {
            return other.operation == capture.operation && other.language == language;
        });
        QString problem = unfit(capture);
        if (problem.isEmpty() && same != captures.end() && !hasSameLaunches(*same, capture))
            problem = QStringLiteral("other launches per iteration than in the rounds before");
        if (!problem.isEmpty()) {
            excluded.append(QStringLiteral("%1 %2, capture of round %3: %4")
                                .arg(capture.operation, language)
                                .arg(capture.round.value_or(0))
                                .arg(problem));
            continue;
        }
        if (same == captures.end()) {
            Capture first;
            first.operation = capture.operation;
            first.language = language;
            first.backend = capture.backend;
            first.status = capture.status.isEmpty() ? QStringLiteral("ok") : capture.status;
            captures.append(first);
            same = captures.end() - 1;
        }
        join(*same, capture);
    }
    return captures;
}

Namespace mageForm(const Namespace &evidence, const QMap<QString, QString> &map)
{
    Namespace form = evidence;
    form.driver.clear();
    form.runs.reset();
    form.roundsPerRun.reset();
    QMap<QString, QStringList> whole; // operation → implementations
    for (OperationResult &result : form.results) {
        whole[result.operation] = wholeImplementations(result, evidence, map, form.excluded);
        result.cache.clear();
        for (Round &round : result.rounds)
            round = mageRound(round, whole[result.operation], map);
    }
    form.captures = mageCaptures(evidence, whole, map, form.excluded);
    return form;
}

} // namespace

QString writeMage(const Namespace &evidence, const QMap<QString, QString> &map, const QString &directory)
{
    if (const QString problem = mapProblem(evidence, map); !problem.isEmpty())
        return problem;
    const Namespace form = mageForm(evidence, map);
    nlohmann::json results = withUnknownKeys(resultsJson(form), evidence.resultsDocument);
    nlohmann::json profiles = withUnknownKeys(profilesJson(form), evidence.profilesDocument);
    results.erase("format");
    profiles.erase("format");
    if (!profiles.contains("timing"))
        profiles["timing"] =
            "sum of the captured kernels' durations over requested_iterations, in passes apart from the "
            "spans, gaps between launches excluded";
    const QString error = writeDocument(withoutAbsolutePaths(results), directory, resultsFile);
    return error.isEmpty() ? writeDocument(withoutAbsolutePaths(profiles), directory, profilesFile) : error;
}

} // namespace stagecraft::evidence
