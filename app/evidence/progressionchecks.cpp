// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionchecks.h"

#include "statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

// Written by hand to two decimals.
bool agree(double recorded, double computed)
{
    return std::abs(recorded - computed) <= 0.005 + 1e-9;
}

// The two numbers of an object with two labels.
struct Pair
{
    QString over, under;
    double top = 0, bottom = 0;

    double ratio() const { return top / bottom; }
    Pair swapped() const { return {under, over, bottom, top}; }
};

double numberAt(const json &object, const QString &label)
{
    const auto found = object.is_object() ? object.find(label.toStdString()) : object.end();
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

bool hasOtherThanNumber(const json &object, const Pair &pair)
{
    return std::ranges::any_of(std::array{pair.over, pair.under}, [&object](const QString &label) {
        const auto found = object.find(label.toStdString());
        return found != object.end() && !found->is_number();
    });
}

std::optional<Pair> pairOf(const json &object)
{
    if (!object.is_object() || object.size() != 2)
        return std::nullopt;
    const QString over = QString::fromStdString(object.begin().key());
    const QString under = QString::fromStdString(std::next(object.begin()).key());
    const Pair pair{over, under, numberAt(object, over), numberAt(object, under)};
    return pair.top > 0 && pair.bottom > 0 ? std::optional(pair) : std::nullopt;
}

// Each way round: a file does not say which of the two is above the line.
QList<Pair> countPairs(const json &counts)
{
    QList<Pair> pairs;
    if (!counts.is_object())
        return pairs;
    for (const auto &[name, numbers] : counts.items()) {
        if (const auto pair = pairOf(numbers))
            pairs.append({*pair, pair->swapped()});
    }
    return pairs;
}

QString ratiosText(const QList<Pair> &pairs)
{
    QStringList texts;
    for (const Pair &pair : pairs)
        texts.append(QStringLiteral("%1 (%2 to %3)").arg(pair.ratio()).arg(excerpt(pair.over), excerpt(pair.under)));
    return texts.join(QStringLiteral(" or "));
}

void checkMeasured(const JsonNode &node, const ProgressionExperiment &experiment, const QList<Pair> &predicted)
{
    for (const Pair &pair : predicted) {
        if (hasOtherThanNumber(experiment.values, pair))
            return; // named when it was read
    }
    QList<Pair> measured;
    for (const Pair &pair : predicted) {
        const double top = numberAt(experiment.values, pair.over), bottom = numberAt(experiment.values, pair.under);
        if (top > 0 && bottom > 0)
            measured.append({pair.over, pair.under, top, bottom});
    }
    if (measured.isEmpty())
        node.contradiction("values", QStringLiteral("A time above 0 is expected for each label of the counts."));
    else if (std::ranges::none_of(measured, [&](const Pair &p) { return agree(experiment.measured, p.ratio()); }))
        node.contradiction(
            "measured",
            QStringLiteral("%1 is recorded, the values give %2.").arg(experiment.measured).arg(ratiosText(measured)));
}

} // namespace

void checkExperiment(const JsonNode &node, const ProgressionExperiment &experiment)
{
    if (node.log().stoppedInside(node.pointer()))
        return;
    QList<Pair> pairs = countPairs(experiment.counts);
    if (pairs.isEmpty())
        return; // nothing to compute it from
    const QString ratios = ratiosText(pairs);
    pairs.removeIf([&](const Pair &pair) { return !agree(experiment.predicted, pair.ratio()); });
    if (pairs.isEmpty())
        node.contradiction("predicted",
                           QStringLiteral("%1 is recorded, the counts give %2.").arg(experiment.predicted).arg(ratios));
    else if (!experiment.values.empty())
        checkMeasured(node, experiment, pairs);
}

void checkAb(const JsonNode &node, const ProgressionAb &ab)
{
    const double computed = mean(ab.runs);
    if (std::isfinite(computed) && !agree(ab.mean, computed))
        node.contradiction("mean", QStringLiteral("%1 is recorded, the runs give %2.").arg(ab.mean).arg(computed));
    if (ab.runNumbers.isEmpty() || node.log().stoppedInside(node.pointer()))
        return;
    const bool ascends = std::ranges::adjacent_find(ab.runNumbers, std::greater_equal()) == ab.runNumbers.end();
    if (ab.runNumbers.size() != ab.runs.size() || !ascends)
        node.contradiction("run_numbers",
                           QStringLiteral("One number for each of the %1 runs is expected, the smaller ones first.")
                               .arg(ab.runs.size()));
}

bool hasTime(const JsonNode &node, const char *key)
{
    const JsonNode time = node.member(key);
    const double value = time.isNumber() ? time.value()->get<double>() : 0;
    return std::isfinite(value) && value > 0;
}

std::optional<double> requiredTime(const JsonNode &node, const char *key)
{
    if (hasTime(node, key))
        return node.requiredAmount(key);
    if (node.requiredAmount(key)) // a sound number, and so 0
        node.contradiction(key, QStringLiteral("A time above 0 is expected, 0 found."));
    return std::nullopt;
}

void checkKernelState(const JsonNode &node, State kernelState)
{
    if (kernelState != State::Ok && node.member("kernel_us").exists())
        node.contradiction(
            "kernel_state",
            QStringLiteral("The kernel time is %1, yet there is one in kernel_us.").arg(stateName(kernelState)));
}

} // namespace stagecraft::evidence
