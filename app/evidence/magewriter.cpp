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

Round mageRound(const Round &round, const QString &operation, const QMap<QString, QString> &map, QStringList &excluded)
{
    Round result = round;
    result.run.reset();
    result.order.clear();
    result.implementations.clear();
    for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it) {
        if (it->state != State::Ok) {
            // mage's form has no states: written there, its times would read as results.
            excluded.append(QStringLiteral("%1 %2, round %3: %4: %5")
                                .arg(operation, mapped(map, it.key()))
                                .arg(round.index)
                                .arg(stateName(it->state), it->reason));
            continue;
        }
        Measurement measurement = it.value();
        measurement.stage.clear();
        measurement.arithmetic.clear();
        measurement.source.clear();
        measurement.note.clear();
        if (measurement.correctness) {
            measurement.correctness->relError.reset();
            measurement.correctness->reference.clear();
        }
        result.implementations.insert(mapped(map, it.key()), measurement);
    }
    for (const QString &id : round.order) {
        if (result.implementations.contains(mapped(map, id)))
            result.order.append(mapped(map, id));
    }
    return result;
}

void join(Capture &joined, const Capture &capture)
{
    joined.launches += capture.launches;
    joined.requestedIterations += capture.requestedIterations;
    joined.records.append(capture.records);
    for (const QString &name : capture.kernelNames) {
        if (!joined.kernelNames.contains(name))
            joined.kernelNames.append(name);
    }
}

QList<Capture> mageCaptures(const Namespace &evidence, const QMap<QString, QString> &map, QStringList &excluded)
{
    QList<Capture> captures;
    for (const Capture &capture : evidence.captures) {
        const QString language = mapped(map, capture.language);
        const QString lost = capture.invalidRecords > 0 ? QStringLiteral("kernel records without a time") : QString();
        if (capture.state != State::Ok || !lost.isEmpty()) {
            excluded.append(
                QStringLiteral("%1 %2, capture of round %3: %4")
                    .arg(capture.operation, language)
                    .arg(capture.round.value_or(0))
                    .arg(lost.isEmpty() ? stateName(capture.state) + QStringLiteral(": ") + capture.reason : lost));
            continue;
        }
        const auto same = std::find_if(captures.begin(), captures.end(), [&](const Capture &other) {
            return other.operation == capture.operation && other.language == language;
        });
        if (same != captures.end()) {
            join(*same, capture);
            continue;
        }
        Capture first = capture;
        first.language = language;
        first.dims.clear();
        first.cache.clear();
        first.stage.clear();
        first.timestampMode.clear();
        first.round.reset();
        if (first.status.isEmpty())
            first.status = QStringLiteral("ok");
        captures.append(first);
    }
    return captures;
}

Namespace mageForm(const Namespace &evidence, const QMap<QString, QString> &map)
{
    Namespace form = evidence;
    form.driver.clear();
    form.runs.reset();
    form.roundsPerRun.reset();
    for (OperationResult &result : form.results) {
        result.cache.clear();
        for (Round &round : result.rounds)
            round = mageRound(round, result.operation, map, form.excluded);
    }
    form.captures = mageCaptures(evidence, map, form.excluded);
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
    const QString error = writeDocument(withoutAbsolutePaths(results), directory, resultsFile);
    return error.isEmpty() ? writeDocument(withoutAbsolutePaths(profiles), directory, profilesFile) : error;
}

} // namespace stagecraft::evidence
