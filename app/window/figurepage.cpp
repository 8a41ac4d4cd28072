// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepage.h"

#include "comparepage.h"
#include "provenance.h"
#include "runrecord.h"
#include "statistics.h"

#include <QCoreApplication>
#include <QSet>

#include <functional>
#include <numeric>

namespace stagecraft::window {

namespace {

constexpr qsizetype mostLiveSamples = 20'000;

// The reasons of what the running namespace has planned and not reached. Other things that were not run (kernel records
// with capture switched off) are not pending. Figures and tables show a reason in their tool tips.
QStringList pendingReasons(const evidence::Namespace &evidence)
{
    QSet<QString> reasons;
    for (const evidence::OperationResult &result : evidence.results) {
        for (const evidence::Round &round : result.rounds) {
            for (const evidence::Measurement &measurement : round.implementations) {
                if (run::isPending(measurement))
                    reasons.insert(measurement.reason);
            }
        }
    }
    for (const evidence::Capture &capture : evidence.captures) {
        if (run::isPending(capture))
            reasons.insert(capture.reason);
    }
    return reasons.values();
}

bool isPending(const QString &stateText, const QString &toolTip, const QStringList &reasons)
{
    return stateText == evidence::stateName(evidence::State::NotRun) &&
           std::ranges::any_of(reasons, [&](const QString &reason) { return toolTip.contains(reason); });
}

QString pending()
{
    return QObject::tr("pending");
}

void markPending(widgets::Figure &figure, const QStringList &reasons)
{
    for (widgets::FigureRow &row : figure.rows) {
        for (widgets::FigurePanel &panel : row.panels) {
            panel.notes.removeIf([&](const QString &note) {
                return std::ranges::any_of(reasons, [&](const QString &reason) { return note.endsWith(reason); });
            });
            for (widgets::FigureBar &bar : panel.bars) {
                if (!bar.value && isPending(bar.stateText, bar.toolTip, reasons))
                    bar.stateText = pending();
            }
        }
    }
    for (widgets::FigureLadder &ladder : figure.ladders) {
        for (widgets::LadderStep &step : ladder.steps) {
            if (!step.bar.value && isPending(step.bar.stateText, step.bar.toolTip, reasons)) {
                step.bar.stateText = pending();
                step.bar.details.removeIf([&](const QString &detail) { return reasons.contains(detail); });
            }
        }
        for (widgets::FigureList &list : ladder.lists) {
            for (widgets::FigureEntry &entry : list.entries) {
                if (entry.valueText.isEmpty() && isPending(entry.stateText, entry.toolTip, reasons)) {
                    entry.stateText = pending();
                    entry.verdict = reasons.contains(entry.verdict) ? QString() : entry.verdict;
                }
            }
        }
    }
    for (widgets::FigurePlot &plot : figure.plots) {
        for (widgets::FigureSeries &series : plot.series) {
            if (series.values.isEmpty() && series.stateText == evidence::stateName(evidence::State::NotRun))
                series.stateText = pending();
        }
    }
}

void markPending(widgets::ValueTable &table, const QStringList &reasons)
{
    for (QList<widgets::ValueCell> &row : table.rows) {
        for (widgets::ValueCell &cell : row) {
            if (!cell.number && isPending(cell.text, cell.toolTip, reasons))
                cell.text = pending();
        }
    }
}

// `rank`: of a column's description; those of the same rank keep their order.
void arrangeColumns(widgets::ValueTable &table, const std::function<qsizetype(const widgets::ValueColumn &)> &rank)
{
    QList<qsizetype> order(table.columns.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](qsizetype column) { return rank(table.columns.at(column)); });
    const auto reordered = [&](const auto &list) {
        std::remove_cvref_t<decltype(list)> result;
        for (const qsizetype column : order)
            result.append(list.at(column));
        return result;
    };
    for (QList<widgets::ValueCell> &row : table.rows)
        row = reordered(row);
    table.columns = reordered(table.columns);
}

// What is read first stands first: who and, where not all is warm, in which state of the cache; the three metrics and
// the state, then further numbers, then what explains them.
void putNumbersForward(widgets::ValueTable &table)
{
    static const QStringList first{
        QStringLiteral("operation"), QStringLiteral("cache"),   QStringLiteral("implementation"),
        QStringLiteral("kernel_us"), QStringLiteral("span_us"), QStringLiteral("launches"),
        QStringLiteral("state"),     QStringLiteral("flags"),   QStringLiteral("dims")};
    arrangeColumns(table, [](const widgets::ValueColumn &column) {
        const qsizetype place = first.indexOf(column.id);
        return place >= 0 ? place : column.numeric ? first.size() : first.size() + 1;
    });
}

// Who, in which state of the cache, and the verdict; what it is of and how it came about follows.
void putVerdictsForward(widgets::ValueTable &table)
{
    static const QStringList first{QStringLiteral("operation"),      QStringLiteral("cache"),
                                   QStringLiteral("implementation"), QStringLiteral("reference"),
                                   QStringLiteral("metric"),         QStringLiteral("verdict"),
                                   QStringLiteral("median_ratio")};
    arrangeColumns(table, [](const widgets::ValueColumn &column) {
        const qsizetype place = first.indexOf(column.id);
        return place >= 0 ? place : first.size();
    });
}

// The samples table has a row per sample: while they come in, the measurements say more.
widgets::ValueTable tableOf(views::ViewId view, const EvidenceListModel::Entry &entry,
                            const views::ViewOptions &options)
{
    const bool all = view == views::ViewId::KernelSpan || (view == views::ViewId::Samples && entry.running);
    widgets::ValueTable table =
        all ? views::buildValueTable(*entry.evidence, options) : views::buildTable(view, *entry.evidence, options);
    // Rows of these are named by several columns of words, which must stay together.
    const bool isNamedByWords = view == views::ViewId::Progression || view == views::ViewId::Resources ||
                                view == views::ViewId::Limits || view == views::ViewId::Roofline ||
                                view == views::ViewId::Prediction || view == views::ViewId::Verdicts;
    if (!isNamedByWords && table.unavailable.isEmpty())
        putNumbersForward(table);
    else if (view == views::ViewId::Verdicts && table.unavailable.isEmpty())
        putVerdictsForward(table);
    return table;
}

bool sameColumns(const widgets::ValueTable &first, const widgets::ValueTable &second)
{
    return std::ranges::equal(first.columns, second.columns, {}, &widgets::ValueColumn::id, &widgets::ValueColumn::id);
}

void prependName(widgets::ValueTable &table, const EvidenceListModel::Entry &entry)
{
    widgets::ValueColumn column;
    column.id = QStringLiteral("namespace");
    column.title = QObject::tr("evidence");
    column.toolTip = QObject::tr("The namespace that the row's values belong to");
    table.columns.prepend(column);
    for (QList<widgets::ValueCell> &row : table.rows)
        row.prepend({entry.title(), std::nullopt, namespaceSubtitle(*entry.evidence)});
}

// Rows of several namespaces below each other, each naming its own: one table, never one series.
void append(widgets::ValueTable &all, const widgets::ValueTable &table)
{
    if (!table.unavailable.isEmpty())
        return;
    if (all.columns.isEmpty() || !all.unavailable.isEmpty()) {
        all = table;
        return;
    }
    if (sameColumns(all, table)) {
        all.rows += table.rows;
        return;
    }
    // Namespaces can differ in the columns they fill; a value stands below the column of its own id.
    for (const widgets::ValueColumn &column : table.columns) {
        if (std::ranges::find(all.columns, column.id, &widgets::ValueColumn::id) != all.columns.end())
            continue;
        all.columns.append(column);
        for (QList<widgets::ValueCell> &row : all.rows)
            row.append(widgets::ValueCell());
    }
    for (const QList<widgets::ValueCell> &source : table.rows) {
        QList<widgets::ValueCell> row(all.columns.size());
        for (int i = 0; i < source.size(); ++i) {
            const auto target = std::ranges::find(all.columns, table.columns.at(i).id, &widgets::ValueColumn::id);
            row[target - all.columns.begin()] = source.at(i);
        }
        all.rows.append(row);
    }
}

bool isLeftToLiveChart(views::ViewId view, const EvidenceListModel::Entry &entry)
{
    if (view != views::ViewId::Samples || !entry.running)
        return false;
    qsizetype samples = 0;
    for (const evidence::OperationResult &result : entry.evidence->results) {
        for (const evidence::Round &round : result.rounds) {
            for (const evidence::Measurement &measurement : round.implementations)
                samples += measurement.samplesUs.size();
        }
    }
    return samples > mostLiveSamples;
}

} // namespace

void putChangesForward(widgets::ValueTable &table)
{
    static const QStringList first{QStringLiteral("operation"),      QStringLiteral("cache"),
                                   QStringLiteral("implementation"), QStringLiteral("kernel_change_percent"),
                                   QStringLiteral("verdict"),        QStringLiteral("drift_bound_percent")};
    arrangeColumns(table, [](const widgets::ValueColumn &column) {
        const qsizetype place = first.indexOf(column.id);
        return place >= 0 ? place : column.numeric ? first.size() : first.size() + 1;
    });
}

QStringList implementationsOf(const QList<EvidenceListModel::Entry> &entries)
{
    QStringList ids;
    for (const EvidenceListModel::Entry &entry : entries) {
        for (const evidence::OperationResult &result : entry.evidence->results) {
            for (const evidence::Round &round : result.rounds)
                ids += round.implementations.keys();
        }
    }
    return evidence::implementationOrder(ids);
}

FigurePage buildPage(views::ViewId view, const QList<EvidenceListModel::Entry> &entries, const QString &reference,
                     const ComparisonState &comparison, const Cancelled &cancelled)
{
    if (view == views::ViewId::Compare)
        return buildComparePage(entries, comparison, cancelled);
    views::ViewOptions options;
    options.reference = reference;
    options.programVersion = QCoreApplication::applicationVersion();
    FigurePage page;
    page.view = view;
    for (const EvidenceListModel::Entry &entry : entries) {
        if (cancelled && cancelled())
            return page;
        const QStringList reasons = entry.running ? pendingReasons(*entry.evidence) : QStringList();
        if (!isLeftToLiveChart(view, entry)) {
            widgets::Figure figure = views::buildFigure(view, *entry.evidence, options);
            if (entry.running)
                markPending(figure, reasons);
            if (entries.size() > 1)
                figure.title = QStringLiteral("%1 · %2").arg(entry.title(), figure.title);
            page.figures.append(figure);
        }
        widgets::ValueTable table = tableOf(view, entry, options);
        if (entry.running)
            markPending(table, reasons);
        if (entries.size() > 1)
            prependName(table, entry);
        if (page.values.columns.isEmpty() && page.values.unavailable.isEmpty())
            page.values = table;
        else
            append(page.values, table);
    }
    if (entries.size() > 1)
        page.values.title = QObject::tr("Values of %1 namespaces").arg(entries.size());
    return page;
}

} // namespace stagecraft::window
