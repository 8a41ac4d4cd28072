// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencewriter.h"

#include "documents.h"
#include "filereaders.h"

#include <algorithm>
#include <QSet>

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

// In the order of the rounds, where they say it.
QStringList implementationsOf(const OperationResult &result)
{
    QStringList ids;
    for (const Round &round : result.rounds) {
        std::ranges::copy_if(round.order, std::back_inserter(ids),
                             [&](const QString &id) { return round.implementations.contains(id); });
        ids += round.implementations.keys();
    }
    ids.removeDuplicates();
    return ids;
}

// Why an implementation of an operation is left out: each cause once, with the rounds that it costs.
class Lacks
{
public:
    void add(int round, const QString &cause)
    {
        if (!m_causes.contains(cause))
            m_causes.append(cause);
        m_rounds[cause].append(QString::number(round));
    }
    bool isEmpty() const { return m_causes.isEmpty(); }
    QString text() const
    {
        QStringList parts;
        for (const QString &cause : m_causes) {
            const QStringList &rounds = *m_rounds.find(cause);
            parts.append(QStringLiteral("%1 %2: %3")
                             .arg(rounds.size() == 1 ? QStringLiteral("round") : QStringLiteral("rounds"),
                                  rounds.join(QStringLiteral(", ")), cause));
        }
        return QStringLiteral("for want of ") + parts.join(QStringLiteral("; "));
    }

private:
    QStringList m_causes;
    QMap<QString, QStringList> m_rounds;
};

Lacks spanLacks(const OperationResult &result, const QString &id, const std::optional<int> &iterations)
{
    Lacks lacks;
    for (const Round &round : result.rounds) {
        const auto found = round.implementations.find(id);
        const QString problem =
            found == round.implementations.end() ? QStringLiteral("not measured") : unfit(*found, iterations);
        if (!problem.isEmpty())
            lacks.add(round.index, problem);
    }
    return lacks;
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
        return QStringLiteral("capture ") + stateName(capture.state) + QStringLiteral(": ") + capture.reason;
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

struct JoinedCapture
{
    std::optional<Capture> capture; // of the rounds that have a sound one
    Lacks lacks;
};

// Captures of all rounds as one; the form knows one for each operation and implementation.
JoinedCapture joinedCapture(const Namespace &evidence, const OperationResult &result, const QString &id)
{
    JoinedCapture joined;
    QSet<int> missing;
    for (const Round &round : result.rounds)
        missing.insert(round.index);
    for (const Capture &capture : evidence.captures) {
        if (capture.operation != result.operation || capture.language != id)
            continue;
        if (capture.round)
            missing.remove(*capture.round);
        else
            missing.clear(); // it is of all rounds already
        QString problem = unfit(capture);
        if (problem.isEmpty() && joined.capture && !hasSameLaunches(*joined.capture, capture))
            problem = QStringLiteral("other launches per iteration than in the rounds before");
        if (!problem.isEmpty()) {
            joined.lacks.add(capture.round.value_or(0), problem);
            continue;
        }
        if (!joined.capture) {
            Capture &first = joined.capture.emplace();
            first.operation = capture.operation;
            first.language = capture.language;
            first.backend = capture.backend;
            first.status = capture.status.isEmpty() ? QStringLiteral("ok") : capture.status;
        }
        join(*joined.capture, capture);
    }
    QList<int> lacking = missing.values();
    std::sort(lacking.begin(), lacking.end());
    for (const int round : lacking)
        joined.lacks.add(round, QStringLiteral("not captured"));
    return joined;
}

// What of an operation goes into the form.
struct Whole
{
    QStringList implementations;
    QList<Capture> captures;
};

// Those with every round: the form's readers count rounds × iterations of each, and its spans and kernel records are of
// the same rounds. Without records of any round, the spans stand alone. What is left out is said.
Whole wholeOf(const Namespace &evidence, const OperationResult &result, const QMap<QString, QString> &map,
              QStringList &excluded)
{
    Whole whole;
    for (const QString &id : implementationsOf(result)) {
        const QString name = result.operation + QLatin1Char(' ') + mapped(map, id);
        JoinedCapture joined = joinedCapture(evidence, result, id);
        Lacks lacks = spanLacks(result, id, evidence.iterationsPerRound);
        const bool hasSpans = lacks.isEmpty();
        if (hasSpans)
            lacks = joined.lacks;
        if (!lacks.isEmpty())
            excluded.append(QStringLiteral("%1%2, %3")
                                .arg(hasSpans && !joined.capture ? QStringLiteral("the kernel records of ") : QString(),
                                     name, lacks.text()));
        if (!hasSpans || (joined.capture && !joined.lacks.isEmpty()))
            continue;
        whole.implementations.append(id);
        if (joined.capture) {
            joined.capture->language = mapped(map, id);
            whole.captures.append(*joined.capture);
        }
    }
    return whole;
}

Namespace mageForm(const Namespace &evidence, const QMap<QString, QString> &map, QStringList &excluded)
{
    Namespace form = evidence;
    form.driver.clear();
    form.runs.reset();
    form.roundsPerRun.reset();
    form.results.clear();
    form.captures.clear();
    for (OperationResult result : evidence.results) {
        const Whole whole = wholeOf(evidence, result, map, excluded);
        if (whole.implementations.isEmpty())
            continue;
        result.cache.clear();
        for (Round &round : result.rounds)
            round = mageRound(round, whole.implementations, map);
        form.results.append(result);
        form.captures += whole.captures;
    }
    form.excluded += excluded;
    return form;
}

} // namespace

QString writeMage(const Namespace &evidence, const QMap<QString, QString> &map, const QString &directory,
                  QStringList &excluded)
{
    if (const QString problem = mapProblem(evidence, map); !problem.isEmpty())
        return problem;
    const Namespace form = mageForm(evidence, map, excluded);
    if (form.results.isEmpty())
        return QStringLiteral("nothing of %1 is whole: no implementation has every round.").arg(evidence.name);
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
