// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "declarationchecks.h"
#include "filereaders.h"
#include "valueparts.h"

#include <QHash>
#include <QSet>

#include <map>
#include <tuple>

namespace stagecraft::evidence {

namespace {

struct Owner
{
    QSet<QString> implementations;
    QSet<int> rounds;
};

// Everything that the results declare, under operation and dims; under no dims, all of the operation.
class Owners
{
public:
    explicit Owners(const QList<OperationResult> &results)
    {
        for (const OperationResult &result : results) {
            if (result.dims.isEmpty())
                m_withoutDims.insert(result.operation);
            add(m_owners[{result.operation, result.dims}], result);
            if (!result.dims.isEmpty())
                add(m_owners[{result.operation, {}}], result);
        }
    }

    bool knows(const QString &operation) const { return m_owners.contains({operation, {}}); }

    // Null where no result has these dims.
    const Owner *find(const auto &capture) const
    {
        const bool anyDims = capture.dims.isEmpty() || m_withoutDims.contains(capture.operation);
        const auto found = m_owners.find({capture.operation, anyDims ? QList<qint64>() : capture.dims});
        return found == m_owners.end() ? nullptr : &*found;
    }

private:
    static void add(Owner &owner, const OperationResult &result)
    {
        for (const Round &round : result.rounds) {
            owner.rounds.insert(round.index);
            owner.implementations.unite(QSet<QString>(round.order.begin(), round.order.end()));
            for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it)
                owner.implementations.insert(it.key());
        }
    }

    QHash<std::pair<QString, QList<qint64>>, Owner> m_owners;
    QSet<QString> m_withoutDims;
};

void checkOwner(const JsonNode &node, const auto &capture, const Owners &owners)
{
    const Owner *owner = owners.find(capture);
    if (!owners.knows(capture.operation))
        node.contradiction("operation", QStringLiteral("No result of %1 has the operation %2.")
                                            .arg(QLatin1String(resultsFile), excerpt(capture.operation)));
    else if (!owner)
        node.contradiction("dims", QStringLiteral("No result of %1 has these dims for %2.")
                                       .arg(QLatin1String(resultsFile), excerpt(capture.operation)));
    else if (!owner->implementations.contains(capture.language))
        node.contradiction("language",
                           QStringLiteral("No round of %1 in %2 has the implementation %3.")
                               .arg(excerpt(capture.operation), QLatin1String(resultsFile), excerpt(capture.language)));
}

void checkRound(const JsonNode &node, const Capture &capture, const Namespace &evidence, const Owner *owner)
{
    const bool inDeclared = evidence.roundsDeclared && *capture.round < *evidence.roundsDeclared;
    const bool known = evidence.roundsDeclared || (owner && !owner->rounds.isEmpty());
    if (known && !inDeclared && !(owner && owner->rounds.contains(*capture.round)))
        node.contradiction("round", QStringLiteral("The results have no round %1 (%2 are declared).")
                                        .arg(*capture.round)
                                        .arg(evidence.roundsDeclared.value_or(owner ? int(owner->rounds.size()) : 0)));
}

bool hasAllResults(const Namespace &evidence)
{
    return !evidence.results.isEmpty() && !evidence.incomplete.contains(QLatin1String(resultsFile));
}

} // namespace

void checkCounterOwners(const JsonNode &root, const Namespace &evidence)
{
    if (!hasAllResults(evidence))
        return;
    const JsonNode captures = root.member("captures");
    const Owners owners(evidence.results);
    for (qsizetype i = 0; i < evidence.counters.size(); ++i) {
        const JsonNode node = captures.element(static_cast<std::size_t>(i));
        if (node.isObject() && !node.log().stoppedInside(node.pointer()))
            checkOwner(node, evidence.counters[i], owners);
    }
}

void checkCaptureOwners(const JsonNode &root, const Namespace &evidence)
{
    const JsonNode captures = root.member("captures");
    const bool resultsAreWhole = hasAllResults(evidence);
    const Owners owners(evidence.results);
    std::map<std::tuple<QString, QList<qint64>, QString, QString, int>, std::string> places;
    for (qsizetype i = 0; i < evidence.captures.size(); ++i) {
        const Capture &capture = evidence.captures[i];
        const JsonNode node = captures.element(static_cast<std::size_t>(i));
        if (!node.isObject() || node.log().stoppedInside(node.pointer()))
            continue;
        if (resultsAreWhole)
            checkOwner(node, capture, owners);
        if (!capture.round)
            continue;
        if (resultsAreWhole)
            checkRound(node, capture, evidence, owners.find(capture));
        const auto [place, isNew] =
            places.try_emplace({capture.operation, capture.dims, cacheState(captureCache(evidence, capture)),
                                capture.language, *capture.round},
                               node.pointer());
        if (!isNew)
            node.contradiction(
                QStringLiteral("%1 already captures the same operation, dims, cache, implementation and round.")
                    .arg(QString::fromStdString(place->second)));
    }
}

} // namespace stagecraft::evidence
