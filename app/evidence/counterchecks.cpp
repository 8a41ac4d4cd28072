// SPDX-License-Identifier: GPL-3.0-or-later
#include "cachestate.h"
#include "declarationchecks.h"
#include "filereaders.h"
#include "valueparts.h"

#include <map>
#include <set>
#include <tuple>

namespace stagecraft::evidence {

namespace {

// What lacks its content is no result.
void checkContent(const JsonNode &node, CounterCapture &capture)
{
    if (capture.state != State::Ok && capture.state != State::Throttled)
        return;
    if (capture.passes == 0)
        node.contradiction("passes", QStringLiteral("Counters take at least one pass."));
    const auto lacks = [&](const char *key, const QString &what) {
        node.contradiction(key,
                           QStringLiteral("No %1 is listed, yet the state is %2.").arg(what, stateName(capture.state)));
        capture.state = State::Invalid;
        capture.reason = QStringLiteral("no %1 is listed").arg(what);
    };
    if (capture.kernels.isEmpty())
        lacks("kernels", QStringLiteral("kernel"));
    else if (capture.units.isEmpty())
        lacks("metrics", QStringLiteral("metric"));
}

void checkWords(const JsonNode &node, const CounterCapture &capture)
{
    checkStateText(node.member("state"));
    checkWord(node.member("cache"), "warm", "cold");
    checkOperationName(node, "operation");
    checkDimsCount(node, capture.operation);
    for (auto it = capture.lacking.begin(); it != capture.lacking.end(); ++it)
        if (capture.units.contains(it.key()))
            node.contradiction("lacking", QStringLiteral("%1 is there and said to be lacking.").arg(excerpt(it.key())));
    const JsonNode kernels = node.member("kernels");
    const std::string *lastGrid = nullptr, *lastBlock = nullptr;
    for (std::size_t k = 0; kernels.isArray() && k < kernels.size(); ++k) {
        const JsonNode kernel = kernels.element(k);
        checkExtent(kernel, "grid_size", lastGrid);
        checkExtent(kernel, "block_size", lastBlock);
    }
}

// Of an implementation of an operation in one state of the cache.
using Key = std::tuple<QString, QString, QList<qint64>, QString>;
using Launch = std::tuple<QString, QString, QString>; // name, grid, block

// What results and captures say of each, gathered once: a file of any size is read through but once.
class Measured
{
public:
    struct Computed
    {
        QString stage, arithmetic;
        int round = 0;
    };

    explicit Measured(const Namespace &evidence)
    {
        for (const OperationResult &result : evidence.results)
            for (const Round &round : result.rounds)
                for (auto it = round.implementations.begin(); it != round.implementations.end(); ++it)
                    add(result, round.index, it.key(), *it);
        if (evidence.incomplete.contains(QLatin1String(profilesFile))) // what is lost tells of no launch
            return;
        for (const Capture &capture : evidence.captures)
            if (!capture.records.isEmpty())
                add(capture, m_launches[{capture.operation, capture.language, capture.dims,
                                         cacheState(captureCache(evidence, capture))}]);
    }

    // nullptr where nothing is recorded.
    const Computed *computed(const CounterCapture &counters) const { return find(m_computed, counters); }
    const std::set<Launch> *launches(const CounterCapture &counters) const { return find(m_launches, counters); }

    static Launch launch(const QString &name, QString grid, QString block)
    {
        return {name, grid.remove(QLatin1Char(' ')), block.remove(QLatin1Char(' '))};
    }

private:
    void add(const OperationResult &result, int round, const QString &implementation, const Measurement &measurement)
    {
        if (!measurement.stage.isEmpty() || !measurement.arithmetic.isEmpty())
            m_computed.try_emplace({result.operation, implementation, result.dims, cacheState(result.cache)},
                                   Computed{measurement.stage, measurement.arithmetic, round});
    }

    static void add(const Capture &capture, std::set<Launch> &launches)
    {
        const KernelRecord *last = nullptr;
        for (const KernelRecord &record : capture.records) {
            if (!last || record.kernelName != last->kernelName || record.gridSize != last->gridSize ||
                record.blockSize != last->blockSize)
                launches.insert(launch(record.kernelName, record.gridSize, record.blockSize));
            last = &record;
        }
    }

    template <class Value>
    static const Value *find(const std::map<Key, Value> &map, const CounterCapture &counters)
    {
        const auto found = map.find({counters.operation, counters.language, counters.dims, cacheState(counters.cache)});
        return found == map.end() ? nullptr : &found->second;
    }

    std::map<Key, Computed> m_computed;
    std::map<Key, std::set<Launch>> m_launches;
};

// No contradiction: a library may choose another kernel when it is asked again.
void checkLaunches(const JsonNode &node, const CounterCapture &counters, const Measured &measured)
{
    const std::set<Launch> *launches = measured.launches(counters);
    if (!launches)
        return;
    const JsonNode kernels = node.member("kernels");
    for (std::size_t k = 0; kernels.isArray() && k < kernels.size(); ++k) {
        const JsonNode kernel = kernels.element(k);
        const QString name = stringAt(kernel.member("kernel_name")), grid = stringAt(kernel.member("grid_size")),
                      block = stringAt(kernel.member("block_size"));
        if (!name.isEmpty() && !launches->contains(Measured::launch(name, grid, block)))
            kernel.log().note(kernel.pointer(),
                              QStringLiteral("These are counters of %1, grid %2, block %3, of which "
                                             "%4 has no kernel record.")
                                  .arg(excerpt(name), excerpt(grid), excerpt(block), excerpt(counters.language)));
    }
}

void checkComputed(const JsonNode &node, const CounterCapture &counters, const Measured &measured)
{
    const Measured::Computed *computed = measured.computed(counters);
    if (!computed)
        return;
    const auto check = [&](const char *key, const QString &own, const QString &other) {
        if (!own.isEmpty() && !other.isEmpty() && own != other)
            node.contradiction(key, QStringLiteral("%1 stands here, but what round %2 measured is of %3.")
                                        .arg(excerpt(own))
                                        .arg(computed->round)
                                        .arg(excerpt(other)));
    };
    check("stage", counters.stage, computed->stage);
    check("arithmetic", counters.arithmetic, computed->arithmetic);
}

// A second entry of the same would be added to the first, in figures and in sums: it is no result.
void checkOnce(const JsonNode &node, CounterCapture &capture, std::map<Key, std::string> &places)
{
    const auto [place, isNew] = places.try_emplace(
        {capture.operation, capture.language, capture.dims, cacheState(capture.cache)}, node.pointer());
    if (isNew)
        return;
    node.contradiction(QStringLiteral("%1 already has the counters of the same operation, dims, cache and "
                                      "implementation. These are not used.")
                           .arg(QString::fromStdString(place->second)));
    capture.state = State::Invalid;
    capture.reason = QStringLiteral("the file has these counters twice");
}

} // namespace

void checkCounterDeclarations(const JsonNode &root, Namespace &evidence)
{
    const JsonNode captures = root.member("captures");
    const Measured measured(evidence);
    std::map<Key, std::string> places;
    for (qsizetype i = 0; i < evidence.counters.size(); ++i) {
        CounterCapture &capture = evidence.counters[i];
        const JsonNode node = captures.element(static_cast<std::size_t>(i));
        if (!node.isObject() || node.log().stoppedInside(node.pointer()))
            continue;
        checkContent(node, capture);
        checkWords(node, capture);
        checkLaunches(node, capture, measured);
        checkComputed(node, capture, measured);
        checkOnce(node, capture, places);
    }
    checkCounterOwners(root, evidence);
}

} // namespace stagecraft::evidence
