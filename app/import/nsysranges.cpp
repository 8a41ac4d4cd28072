// SPDX-License-Identifier: GPL-3.0-or-later
#include "nsysranges.h"

#include "privacy.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace stagecraft::import {

namespace {

const QString eventTable = QStringLiteral("NVTX_EVENTS");
const QString callTable = QStringLiteral("CUPTI_ACTIVITY_KIND_RUNTIME");
const QStringList eventColumns{QStringLiteral("start"),    QStringLiteral("end"),    QStringLiteral("eventType"),
                               QStringLiteral("text"),     QStringLiteral("textId"), QStringLiteral("domainId"),
                               QStringLiteral("globalTid")};

// Nsight Systems' numbers of NVTX events.
constexpr qint64 pushPopRange = 59, domainCreate = 75;
constexpr qsizetype levels = 4; // operation, implementation, round, phase
constexpr qsizetype mostRanges = 1'000'000;

// Serialized identifiers hold the thread in their lowest 24 bits.
qint64 processOf(qint64 thread)
{
    return thread & ~qint64{0xFFFFFF};
}

struct Event
{
    std::optional<qint64> start, end, type, textId, domain, thread;
    QString text;
};

Event eventOf(const QList<QVariant> &values)
{
    Event event;
    event.start = wholeNumber(values[0]);
    event.end = wholeNumber(values[1]);
    event.type = wholeNumber(values[2]);
    event.text = values[3].typeId() == QMetaType::QString ? values[3].toString() : QString();
    event.textId = wholeNumber(values[4]);
    event.domain = wholeNumber(values[5]);
    event.thread = wholeNumber(values[6]);
    return event;
}

// The registered strings that events name by their ids.
QHash<qint64, QString> stringsOf(ForeignDatabase &database, const QSet<qint64> &wanted, const Cancelled &cancelled)
{
    QHash<qint64, QString> strings;
    const QString table = QStringLiteral("StringIds");
    if (!database.hasTable(table) || wanted.isEmpty())
        return strings;
    database.read(table, {QStringLiteral("id"), QStringLiteral("value")}, [&](const QList<QVariant> &values) {
        const auto id = wholeNumber(values[0]);
        if (id && wanted.contains(*id))
            strings.insert(*id, values[1].toString());
        return !(cancelled && cancelled());
    });
    return strings;
}

// "round 3" → 2.
std::optional<int> roundOf(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\Around ([1-9]\\d{0,5})\\z"));
    const auto match = form.match(text);
    return match.hasMatch() ? std::optional(match.captured(1).toInt() - 1) : std::nullopt;
}

} // namespace

NsysRanges::NsysRanges(ForeignDatabase &database, const Cancelled &cancelled)
{
    if (!database.hasTable(eventTable) || !database.hasTable(callTable))
        return;
    readRanges(database, cancelled);
    if (!m_phases.empty())
        readCalls(database, cancelled);
}

void NsysRanges::readRanges(ForeignDatabase &database, const Cancelled &cancelled)
{
    // Domains are named by events of their own, which may come late: first these, then the ranges.
    QList<Event> domains, ranges;
    QSet<qint64> textIds;
    database.read(eventTable, eventColumns, [&](const QList<QVariant> &values) {
        const Event event = eventOf(values);
        if (event.type == domainCreate && event.domain)
            domains.append(event);
        else if (event.type == pushPopRange && event.domain && event.start && event.end && event.thread)
            ranges.append(event);
        else
            return true;
        if (event.text.isEmpty() && event.textId)
            textIds.insert(*event.textId);
        return ranges.size() < mostRanges && !(cancelled && cancelled());
    });
    const auto strings = stringsOf(database, textIds, cancelled);
    const auto textOf = [&strings](const Event &event) {
        return event.text.isEmpty() && event.textId ? strings.value(*event.textId) : event.text;
    };
    QSet<std::pair<qint64, qint64>> own; // a domain's number is of its process
    for (const Event &event : std::as_const(domains)) {
        if (textOf(event) == QLatin1String("stagecraft"))
            own.insert({processOf(event.thread.value_or(0)), *event.domain});
    }
    QHash<qint64, QList<Range>> byThread;
    for (const Event &event : std::as_const(ranges)) {
        if (own.contains({processOf(*event.thread), *event.domain}))
            byThread[*event.thread].append({*event.start, *event.end, withoutPaths(textOf(event))});
    }
    for (auto it = byThread.begin(); it != byThread.end(); ++it)
        nest(it.key(), std::move(it.value()));
}

void NsysRanges::nest(qint64 thread, QList<Range> ranges)
{
    std::ranges::stable_sort(
        ranges, [](const Range &a, const Range &b) { return a.start != b.start ? a.start < b.start : a.end > b.end; });
    QList<Range> open;
    for (const Range &range : std::as_const(ranges)) {
        while (!open.isEmpty() && open.last().end <= range.start)
            open.removeLast();
        open.append(range);
        const std::optional<int> round = open.size() == levels ? roundOf(open[2].text) : std::nullopt;
        if (round)
            m_phases.insert_or_assign({thread, range.start},
                                      Phase{range.end, {open[0].text, open[1].text, range.text, *round}});
    }
}

void NsysRanges::readCalls(ForeignDatabase &database, const Cancelled &cancelled)
{
    const QStringList columns{QStringLiteral("start"), QStringLiteral("globalTid"), QStringLiteral("correlationId")};
    database.read(callTable, columns, [&](const QList<QVariant> &values) {
        const auto start = wholeNumber(values[0]), thread = wholeNumber(values[1]), id = wholeNumber(values[2]);
        if (start && thread && id)
            m_calls.insert({processOf(*thread), *id}, {*start, *thread});
        return !(cancelled && cancelled());
    });
}

const NsysPhase *NsysRanges::phaseOf(const NsysLaunch &launch) const
{
    const auto call = m_calls.constFind({processOf(launch.process), launch.correlation});
    if (call == m_calls.constEnd())
        return nullptr;
    auto phase = m_phases.upper_bound({call->thread, call->time});
    if (phase == m_phases.begin())
        return nullptr;
    --phase;
    return phase->first.first == call->thread && call->time < phase->second.end ? &phase->second.what : nullptr;
}

} // namespace stagecraft::import
