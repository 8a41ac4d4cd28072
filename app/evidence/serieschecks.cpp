// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "declarationchecks.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace stagecraft::evidence {

namespace {

bool counts(const Measurement &measurement)
{
    return measurement.state == State::Ok || measurement.state == State::Throttled;
}

using Places = std::map<std::tuple<QString, QList<qint64>, QString>, std::string>;

void checkCase(const JsonNode &node, const OperationResult &result, Places &places)
{
    const auto [place, isNew] =
        places.try_emplace({result.operation, result.dims, cacheState(result.cache)}, node.pointer());
    if (!isNew)
        node.contradiction(QStringLiteral("%1 already holds the same operation, dims and cache state.")
                               .arg(QString::fromStdString(place->second)));
}

// Another word is a contradiction of its own (wordchecks.cpp).
QString knownSource(const QString &source)
{
    const bool isKnown = source == QLatin1String("event") || source == QLatin1String("host") ||
                         source == QLatin1String("manual"); // of imported evidence
    return isKnown ? source : QString();
}

// What must be one and the same for values to be pooled, and where it was said first.
struct Identity
{
    std::array<QString, 3> values;
    std::string pointer;
};
constexpr std::array<const char *, 3> identityKeys{"stage", "arithmetic", "source"};

void checkIdentity(const JsonNode &node, Measurement &measurement, QHash<QString, Identity> &first, const QString &id)
{
    const Identity own{{measurement.stage, measurement.arithmetic, knownSource(measurement.source)}, node.pointer()};
    const auto known = first.constFind(id);
    if (known == first.constEnd()) {
        first.insert(id, own);
        return;
    }
    for (std::size_t i = 0; i < identityKeys.size(); ++i) {
        const QString &here = own.values[i], &before = known->values[i];
        if (here.isEmpty() || before.isEmpty() || here == before) // what is not recorded contradicts nothing
            continue;
        node.contradiction(identityKeys[i],
                           QStringLiteral("%1 stands here, %2 at %3: values of different stages, arithmetic or timing "
                                          "sources are never one series.")
                               .arg(excerpt(here), excerpt(before), QString::fromStdString(known->pointer)));
        measurement.state = State::Invalid;
        measurement.reason = QStringLiteral("another %1 than in the rounds before").arg(QLatin1String(identityKeys[i]));
        return;
    }
}

// One is named for all: a clock that stands still does so often.
void checkZeros(const JsonNode &samples)
{
    if (!samples.isArray())
        return;
    const auto &list = samples.value()->get_ref<const nlohmann::json::array_t &>();
    const auto zero = std::find_if(list.begin(), list.end(), [](const nlohmann::json &sample) {
        return sample.is_number() && sample.get<double>() == 0;
    });
    if (zero != list.end())
        samples.element(static_cast<std::size_t>(zero - list.begin()))
            .contradiction(QStringLiteral("A span of 0 µs is expected nowhere: the clock did not advance."));
}

void checkRounds(const JsonNode &rounds, OperationResult &result)
{
    QHash<QString, Identity> first;
    for (qsizetype r = 0; r < result.rounds.size(); ++r) {
        const JsonNode implementations = rounds.element(static_cast<std::size_t>(r)).member("implementations");
        auto &measurements = result.rounds[r].implementations;
        for (auto it = measurements.begin(); it != measurements.end(); ++it) {
            const JsonNode node = implementations.member(it.key().toUtf8().constData());
            if (!counts(*it) || !node.isObject())
                continue;
            checkIdentity(node, *it, first, it.key());
            checkZeros(node.member("samples_us"));
        }
    }
}

} // namespace

void checkSeries(const JsonNode &root, Namespace &evidence)
{
    const JsonNode results = root.member("results");
    Places places;
    for (qsizetype i = 0; i < evidence.results.size(); ++i) {
        const JsonNode node = results.element(static_cast<std::size_t>(i));
        checkCase(node, evidence.results[i], places);
        checkRounds(node.member("rounds"), evidence.results[i]);
    }
}

} // namespace stagecraft::evidence
