// SPDX-License-Identifier: GPL-3.0-or-later
#include "declarationchecks.h"

#include <QHash>
#include <QSet>

namespace stagecraft::evidence {

namespace {

using Names = QMap<QString, qint64>; // implementation → samples in all rounds

Names namesOf(const OperationResult &result)
{
    Names names;
    for (const Round &round : result.rounds) {
        for (const QString &id : round.order)
            names[id] += 0;
        for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it)
            names[it.key()] += it->samplesUs.size();
    }
    return names;
}

void checkIndex(const JsonNode &node, QHash<qint64, std::string> &places)
{
    const JsonNode index = node.member("index");
    if (!index.exists() || !index.value()->is_number_integer())
        return;
    const auto value = index.value()->get<qint64>();
    if (places.contains(value))
        index.contradiction(QStringLiteral("Round %1 is already at %2; each round has an index of its own.")
                                .arg(value)
                                .arg(QString::fromStdString(places.value(value))));
    else
        places.insert(value, node.pointer());
}

// Where the whole protocol was repeated, every run has as many rounds, and every round names its run.
void checkRuns(const JsonNode &rounds, const Namespace &evidence, const OperationResult &result)
{
    if (!evidence.runs || !evidence.roundsPerRun || rounds.log().stoppedInside(rounds.pointer()))
        return;
    QHash<int, int> counts;
    for (qsizetype r = 0; r < result.rounds.size(); ++r) {
        const JsonNode run = rounds.element(static_cast<std::size_t>(r)).member("run");
        const auto &number = result.rounds[r].run;
        if (!number || *number >= *evidence.runs)
            run.contradiction(QStringLiteral("The round's run is expected, from 0 to %1.").arg(*evidence.runs - 1));
        else if (++counts[*number] > *evidence.roundsPerRun)
            run.contradiction(QStringLiteral("Run %1 has more than the declared %2 rounds per run.")
                                  .arg(*number)
                                  .arg(*evidence.roundsPerRun));
    }
}

void checkDeclaredRuns(const JsonNode &root, const Namespace &evidence)
{
    if (!evidence.runs || !evidence.roundsPerRun || !evidence.roundsDeclared)
        return;
    if (qint64{*evidence.runs} * *evidence.roundsPerRun != *evidence.roundsDeclared)
        root.contradiction("rounds", QStringLiteral("%1 rounds are declared, %2 runs of %3 rounds each.")
                                         .arg(*evidence.roundsDeclared)
                                         .arg(*evidence.runs)
                                         .arg(*evidence.roundsPerRun));
}

void checkOrder(const JsonNode &order, const Round &round)
{
    if (!order.isArray() || order.log().stoppedInside(order.pointer()))
        return;
    QSet<QString> seen;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const QString id = stringAt(order.element(i));
        if (!id.isEmpty() && seen.contains(id))
            order.element(i).contradiction(QStringLiteral("The order names %1 twice.").arg(excerpt(id)));
        seen.insert(id);
    }
    for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it) {
        if (!it->samplesUs.isEmpty() && !seen.contains(it.key()))
            order.contradiction(
                QStringLiteral("The order leaves out %1, which has samples in this round.").arg(excerpt(it.key())));
    }
}

void checkPresence(const JsonNode &implementations, const Names &names, const QString &declared)
{
    if (!implementations.isObject())
        return;
    for (auto it = names.begin(); it != names.end(); ++it) {
        const JsonNode entry = implementations.member(it.key().toUtf8().constData());
        if (implementations.value()->contains(it.key().toStdString()))
            continue;
        const QString counts = declared.isEmpty()
                                   ? QString()
                                   : QStringLiteral(" (%1 of %2 declared samples)").arg(it.value()).arg(declared);
        entry.contradiction(QStringLiteral("%1 belongs to this operation, but has neither samples nor a state in this "
                                           "round%2.")
                                .arg(excerpt(it.key()), counts));
    }
}

} // namespace

void checkRounds(const JsonNode &root, const Namespace &evidence)
{
    checkDeclaredRuns(root, evidence);
    const JsonNode results = root.member("results");
    for (qsizetype i = 0; i < evidence.results.size(); ++i) {
        const OperationResult &result = evidence.results[i];
        const JsonNode rounds = results.element(static_cast<std::size_t>(i)).member("rounds");
        const QString declared = evidence.iterationsPerRound
                                     ? QString::number(qint64{*evidence.iterationsPerRound} * result.rounds.size())
                                     : QString();
        const Names names = namesOf(result);
        checkRuns(rounds, evidence, result);
        QHash<qint64, std::string> places;
        for (qsizetype r = 0; r < result.rounds.size(); ++r) {
            const JsonNode round = rounds.element(static_cast<std::size_t>(r));
            checkIndex(round, places);
            checkOrder(round.member("order"), result.rounds[r]);
            checkPresence(round.member("implementations"), names, declared);
        }
    }
}

} // namespace stagecraft::evidence
