// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

#include "valueparts.h"

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

// Two decimals, and more where they would say that there is no difference.
QString ratioText(double ratio)
{
    const QString text = QString::number(ratio, 'f', 2);
    return text == QLatin1String("1.00") && ratio != 1 ? QString::number(ratio, 'f', 4) : text;
}

// How far the ratio is from 1, taken of either: that one is faster than the other must not depend on which is named
// first.
double distance(const QList<double> &ratios)
{
    QList<double> inverse;
    for (const double ratio : ratios)
        inverse.append(1 / ratio);
    return std::min(std::abs(median(ratios) - 1), std::abs(median(inverse) - 1));
}

void setUndecided(Verdict &verdict, const QString &why, const QString &nextStep)
{
    verdict.why = why;
    verdict.text = QStringLiteral("undecided: %1; %2 times as long, faster in %3 of %4 rounds")
                       .arg(why, ratioText(*verdict.medianRatio))
                       .arg(verdict.roundsInFavour)
                       .arg(verdict.rounds);
    verdict.nextStep = nextStep;
}

void decide(Verdict &verdict)
{
    const double ratio = *verdict.medianRatio;
    if (verdict.rounds < fewestRounds)
        return setUndecided(verdict, QStringLiteral("fewer than %1 rounds").arg(fewestRounds),
                            QStringLiteral("measure at least %1 rounds (--rounds) or runs (--runs)").arg(fewestRounds));
    if (verdict.rangesOverlap)
        return setUndecided(verdict, QStringLiteral("the ranges of the round medians overlap"),
                            QStringLiteral("repeat the protocol (--runs 5) on an otherwise idle GPU"));
    if (distance(verdict.ratios) <= *verdict.resolution)
        return setUndecided(verdict, QStringLiteral("within the resolution of %1").arg(percent(*verdict.resolution)),
                            QStringLiteral("make the rounds steadier: locked clocks, more --iterations"));
    const bool isFaster = ratio < 1;
    verdict.kind = isFaster ? Verdict::Faster : Verdict::Slower;
    verdict.text = QStringLiteral("%1 in %2 of %3 rounds: %4 times as long, ranges apart, resolution %5")
                       .arg(verdictName(verdict.kind))
                       .arg(isFaster ? verdict.roundsInFavour : verdict.roundsAgainst)
                       .arg(verdict.rounds)
                       .arg(ratioText(ratio), percent(*verdict.resolution));
}

bool isThrottled(const ValueRow &row, Value ValueRow::*metric)
{
    return (row.*metric).state == State::Throttled || row.flags.contains(Flag::Throttled);
}

// Lowered clocks say nothing of who is faster.
void leaveUndecided(Verdict &verdict)
{
    if (verdict.kind == Verdict::Undecided)
        return;
    verdict.kind = Verdict::Undecided;
    verdict.why = stateName(State::Throttled);
    verdict.text = QStringLiteral("undecided, throttled; under lowered clocks ") + verdict.text;
    verdict.nextStep = QStringLiteral("measure again with locked clocks, or after the GPU has cooled");
}

bool differ(const QString &first, const QString &second)
{
    return !first.isEmpty() && !second.isEmpty() && first != second;
}

} // namespace

QString verdictName(Verdict::Kind kind)
{
    switch (kind) {
    case Verdict::Faster:
        return QStringLiteral("faster");
    case Verdict::Slower:
        return QStringLiteral("slower");
    case Verdict::Undecided:
        break;
    }
    return QStringLiteral("undecided");
}

QString verdictRule()
{
    return QStringLiteral(
               "Faster or slower takes at least %1 rounds, ranges of the round medians that do not overlap, "
               "and a median ratio further from 1 than the resolution, the larger of both spreads (largest "
               "distance of a round median from their median); less is undecided, and so is what was throttled.")
        .arg(fewestRounds);
}

QString arithmeticOf(const ValueRow &row)
{
    return row.arithmetic.isEmpty() ? QStringLiteral("fp32") : row.arithmetic;
}

QString incomparableReason(const ValueRow &row, const ValueRow &other, Value ValueRow::*metric)
{
    if (row.operation != other.operation || row.dims != other.dims)
        return QStringLiteral("another operation or other dims");
    if (differ(row.cache, other.cache))
        return QStringLiteral("another cache state: %1 against %2").arg(row.cache, other.cache);
    if (arithmeticOf(row) != arithmeticOf(other))
        return QStringLiteral("another arithmetic: %1 against %2, so another error")
            .arg(arithmeticOf(row), arithmeticOf(other));
    if (differ((row.*metric).source, (other.*metric).source))
        return QStringLiteral("another instrument: %1 against %2").arg((row.*metric).source, (other.*metric).source);
    return {};
}

Verdict compareRounds(const Estimate &estimate, const Estimate &other)
{
    Verdict verdict;
    const Pairs pairs = pairsOf(estimate, other);
    if (pairs.isEmpty()) {
        verdict.why = QStringLiteral("no round of both has a median");
        verdict.text = QStringLiteral("undecided: there are no rounds that both have");
        verdict.nextStep = QStringLiteral("measure both in one run, with at least %1 rounds").arg(fewestRounds);
        return verdict;
    }
    QList<double> own, others;
    for (const auto &[a, b] : pairs) {
        own.append(a);
        others.append(b);
        verdict.ratios.append(a / b);
        verdict.roundsInFavour += a < b;
        verdict.roundsAgainst += a > b;
    }
    verdict.rounds = static_cast<int>(pairs.size());
    verdict.medianRatio = median(verdict.ratios);
    verdict.rangesOverlap = overlap(own, others);
    verdict.resolution = std::max(spread(own), spread(others));
    decide(verdict);
    return verdict;
}

Verdict compareRows(const ValueRow &row, const ValueRow &other, Value ValueRow::*metric)
{
    Verdict verdict = compareRounds(*(row.*metric).estimate, *(other.*metric).estimate);
    if (isThrottled(row, metric) || isThrottled(other, metric))
        leaveUndecided(verdict);
    return verdict;
}

} // namespace stagecraft::evidence
