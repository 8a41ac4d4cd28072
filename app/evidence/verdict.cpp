// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft::evidence {

namespace {

constexpr int fewestRounds = 5;

using Pairs = QList<std::pair<double, double>>; // round medians: this one's, the other's

bool isNumbered(const Estimate &estimate)
{
    return estimate.roundIndices.size() == estimate.roundMedians.size();
}

// By the round that each median is of, since either may lack one; by position where rounds have no numbers.
Pairs pairsOf(const Estimate &estimate, const Estimate &other)
{
    Pairs pairs;
    const auto add = [&](double own, double others) {
        if (own > 0 && others > 0)
            pairs.append({own, others});
    };
    if (isNumbered(estimate) && isNumbered(other)) {
        for (qsizetype i = 0; i < estimate.roundMedians.size(); ++i) {
            const qsizetype j = other.roundIndices.indexOf(estimate.roundIndices[i]);
            if (j >= 0)
                add(estimate.roundMedians[i], other.roundMedians[j]);
        }
    } else if (estimate.roundMedians.size() == other.roundMedians.size()) {
        for (qsizetype i = 0; i < estimate.roundMedians.size(); ++i)
            add(estimate.roundMedians[i], other.roundMedians[i]);
    }
    return pairs;
}

double spread(const QList<double> &medians)
{
    const double middle = median(medians);
    double largest = 0;
    for (const double value : medians)
        largest = std::max(largest, std::abs(value / middle - 1));
    return largest;
}

bool overlap(const QList<double> &a, const QList<double> &b)
{
    const auto [lowA, highA] = std::minmax_element(a.begin(), a.end());
    const auto [lowB, highB] = std::minmax_element(b.begin(), b.end());
    return *lowA <= *highB && *lowB <= *highA;
}

QString percent(double share)
{
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1);
}

void setUndecided(Verdict &verdict, const QString &why, const QString &nextStep)
{
    verdict.text = QStringLiteral("undecided: %1; %2 times as long, faster in %3 of %4 rounds")
                       .arg(why)
                       .arg(*verdict.medianRatio, 0, 'f', 2)
                       .arg(verdict.roundsInFavour)
                       .arg(verdict.rounds);
    verdict.nextStep = nextStep;
}

void decide(Verdict &verdict, int roundsSlower)
{
    const double ratio = *verdict.medianRatio;
    if (verdict.rounds < fewestRounds)
        return setUndecided(verdict, QStringLiteral("fewer than %1 rounds").arg(fewestRounds),
                            QStringLiteral("measure at least %1 rounds (--rounds) or runs (--runs)").arg(fewestRounds));
    if (verdict.rangesOverlap)
        return setUndecided(verdict, QStringLiteral("the ranges of the round medians overlap"),
                            QStringLiteral("repeat the protocol (--runs 5) on an otherwise idle GPU"));
    if (std::abs(ratio - 1) <= *verdict.resolution)
        return setUndecided(verdict, QStringLiteral("within the resolution of %1").arg(percent(*verdict.resolution)),
                            QStringLiteral("make the rounds steadier: locked clocks, more --iterations"));
    const bool isFaster = ratio < 1;
    verdict.kind = isFaster ? Verdict::Faster : Verdict::Slower;
    verdict.text = QStringLiteral("%1 in %2 of %3 rounds: %4 times as long, ranges apart, resolution %5")
                       .arg(isFaster ? QStringLiteral("faster") : QStringLiteral("slower"))
                       .arg(isFaster ? verdict.roundsInFavour : roundsSlower)
                       .arg(verdict.rounds)
                       .arg(ratio, 0, 'f', 2)
                       .arg(percent(*verdict.resolution));
}

} // namespace

Verdict compareRounds(const Estimate &estimate, const Estimate &other)
{
    Verdict verdict;
    const Pairs pairs = pairsOf(estimate, other);
    if (pairs.isEmpty()) {
        verdict.text = QStringLiteral("undecided: there are no rounds that both have");
        verdict.nextStep = QStringLiteral("measure both in one run, with at least %1 rounds").arg(fewestRounds);
        return verdict;
    }
    QList<double> own, others, ratios;
    int roundsSlower = 0;
    for (const auto &[a, b] : pairs) {
        own.append(a);
        others.append(b);
        ratios.append(a / b);
        verdict.roundsInFavour += a < b;
        roundsSlower += a > b;
    }
    verdict.rounds = static_cast<int>(pairs.size());
    verdict.medianRatio = median(ratios);
    verdict.rangesOverlap = overlap(own, others);
    verdict.resolution = std::max(spread(own), spread(others));
    decide(verdict, roundsSlower);
    return verdict;
}

} // namespace stagecraft::evidence
