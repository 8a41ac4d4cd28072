// SPDX-License-Identifier: GPL-3.0-or-later
#include "kerneltunerprogression.h"

#include <algorithm>

namespace stagecraft::import {

namespace {

using evidence::ProgressionAttempt;
using evidence::State;

QString counted(qsizetype count)
{
    return count == 1 ? QStringLiteral("1 configuration") : QStringLiteral("%1 configurations").arg(count);
}

// Those that failed, by reason.
struct Failed
{
    State state;
    QString reason, firstId;
    qsizetype count = 0;
};

QList<Failed> failuresOf(const TuningSession &session)
{
    QList<Failed> list;
    for (const TunedConfiguration &configuration : session.configurations) {
        if (configuration.state == State::Ok)
            continue;
        auto found = std::ranges::find(list, configuration.reason, &Failed::reason);
        if (found == list.end())
            found = list.insert(list.end(), {configuration.state, configuration.reason, configuration.id});
        ++found->count;
    }
    std::ranges::stable_sort(list, std::ranges::greater(), &Failed::count);
    return list;
}

// "block_size_x 16 → 32, use_padding 0 → 1"
QString changeText(const TunedConfiguration &from, const TunedConfiguration &to)
{
    QStringList changes;
    for (qsizetype i = 0; i < to.parameters.size(); ++i) {
        const QString before = from.parameters.value(i), now = to.parameters[i];
        if (before != now)
            changes.append(QStringLiteral("%1 %2 → %3")
                               .arg(now.section(u'=', 0, 0), before.section(u'=', 1), now.section(u'=', 1)));
    }
    return changes.isEmpty() ? QStringLiteral("measured again") : changes.join(QLatin1String(", "));
}

evidence::ProgressionStage stageOf(const TuningSession &session, qsizetype place, const QString &change)
{
    const TunedConfiguration &configuration = session.configurations[place];
    evidence::ProgressionStage stage;
    stage.id = stage.label = configuration.id;
    stage.title = QStringLiteral("configuration %1 of %2").arg(place + 1).arg(session.configurations.size());
    stage.change = change;
    stage.spanUs = configuration.meanUs;
    stage.kernelState = State::Unavailable;
    stage.kernelReason = QStringLiteral("Kernel Tuner records no kernels");
    return stage;
}

std::optional<ProgressionAttempt> slowerOnes(const TuningSession &session, const QList<qsizetype> &stages)
{
    ProgressionAttempt attempt;
    qsizetype count = 0;
    for (qsizetype i = 0; i < session.configurations.size(); ++i) {
        const TunedConfiguration &configuration = session.configurations[i];
        if (configuration.state != State::Ok || stages.contains(i))
            continue;
        attempt.low = count == 0 ? configuration.meanUs : std::min(attempt.low, configuration.meanUs);
        attempt.high = std::max(attempt.high, configuration.meanUs);
        ++count;
    }
    if (count == 0)
        return std::nullopt;
    const TunedConfiguration &best = session.configurations[stages.last()];
    attempt.title = counted(count) + QStringLiteral(", slower");
    attempt.metric = QStringLiteral("span");
    attempt.comparedWith = best.id;
    attempt.valueOfThat = best.meanUs;
    attempt.verdict = QStringLiteral("not the fastest when they were tried, or left out of the stages");
    return attempt;
}

// The first, the last, and between them the largest improvements on the one before.
QList<qsizetype> largestSteps(const TuningSession &session, const QList<qsizetype> &stages)
{
    QList<std::pair<double, qsizetype>> steps;
    for (qsizetype s = 1; s + 1 < stages.size(); ++s)
        steps.append(
            {session.configurations[stages[s - 1]].meanUs / session.configurations[stages[s]].meanUs, stages[s]});
    std::ranges::sort(steps, std::ranges::greater());
    QList<qsizetype> kept{stages.first()};
    for (const auto &[step, stage] : steps.first(mostTunedStages - 2))
        kept.append(stage);
    std::ranges::sort(kept);
    return kept << stages.last();
}

} // namespace

QList<qsizetype> tunedStages(const TuningSession &session)
{
    QList<qsizetype> stages;
    for (qsizetype i = 0; i < session.configurations.size(); ++i) {
        const TunedConfiguration &configuration = session.configurations[i];
        if (configuration.state == State::Ok &&
            (stages.isEmpty() || configuration.meanUs < session.configurations[stages.last()].meanUs))
            stages.append(i);
    }
    return stages.size() <= mostTunedStages ? stages : largestSteps(session, stages);
}

QList<qsizetype> fastestConfigurations(const TuningSession &session)
{
    QList<qsizetype> places;
    for (qsizetype i = 0; i < session.configurations.size(); ++i) {
        if (session.configurations[i].state == State::Ok)
            places.append(i);
    }
    std::ranges::stable_sort(places, {}, [&](qsizetype place) { return session.configurations[place].meanUs; });
    return places.first(std::min(places.size(), mostFastest));
}

evidence::OperationProgression tunedProgression(const TuningSession &session, const QString &operation,
                                                const QList<qsizetype> &stages)
{
    evidence::OperationProgression progression;
    progression.operation = operation;
    progression.dims = session.dims;
    for (qsizetype s = 0; s < stages.size(); ++s) {
        const TunedConfiguration &configuration = session.configurations[stages[s]];
        const QString change = s == 0 ? configuration.parameters.join(QLatin1String(", "))
                                      : changeText(session.configurations[stages[s - 1]], configuration);
        progression.stages.append(stageOf(session, stages[s], change));
    }
    if (!stages.isEmpty()) {
        if (const auto slower = slowerOnes(session, stages))
            progression.attempts.append(*slower);
    }
    for (const Failed &failed : failuresOf(session)) {
        ProgressionAttempt attempt;
        attempt.title = counted(failed.count);
        attempt.metric = QStringLiteral("span");
        attempt.state = failed.state;
        attempt.reason = failed.reason + QStringLiteral("; the first was %1").arg(failed.firstId);
        progression.attempts.append(attempt);
    }
    return progression;
}

QStringList failureTexts(const TuningSession &session)
{
    QStringList texts;
    for (const Failed &failed : failuresOf(session))
        texts.append(QStringLiteral("%1: %2").arg(counted(failed.count), failed.reason));
    return texts;
}

} // namespace stagecraft::import
