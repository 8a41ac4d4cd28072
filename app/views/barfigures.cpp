// SPDX-License-Identifier: GPL-3.0-or-later
#include "barfigures.h"

#include "captions.h"
#include "figurebars.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Namespace;
using evidence::ValueRow;

namespace {

constexpr int mostColumns = 5; // the catalogue's operations beside each other

widgets::Figure frame(ViewId view, const QString &title, const QString &subtitle, const Namespace &evidence,
                      const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(view);
    figure.title = title;
    figure.subtitle = subtitle;
    figure.metadata = provenance(evidence, figure.id, options);
    return figure;
}

void finish(widgets::Figure &figure)
{
    figure.altText = figure.unavailable.isEmpty()
                         ? altText(figure)
                         : QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
}

// Whether the row stands with those of the host's clock. One without a span says nothing of clocks: it joins those that
// have one, where only one clock has. What a GPU's run has not reached yet is left where it will be.
class SpanClocks
{
public:
    SpanClocks(const QList<ValueRow> &rows, const Namespace &evidence) : m_hasGpu(!evidence.gpu.isEmpty())
    {
        for (const ValueRow &row : rows)
            if (drawable(row.span))
                (onHost(row) ? m_hostHas : m_deviceHas) = true;
    }

    bool isHost(const ValueRow &row) const
    {
        const bool joins = !drawable(row.span) && (row.span.state != evidence::State::NotRun || !m_hasGpu);
        return joins && m_hostHas != m_deviceHas ? m_hostHas : onHost(row);
    }

private:
    bool m_hasGpu, m_hostHas = false, m_deviceHas = false;
};

// Rows that are one scale: of one cache state. `title` completes a heading with the state where there are several.
struct CacheGroup
{
    QList<ValueRow> rows;
    QString ending; // ", cold cache"
    bool isOneOfSeveral = false;

    QString title(const QString &start) const { return start + ending; }
};

QList<CacheGroup> cacheGroups(const QList<ValueRow> &rows)
{
    QList<CacheGroup> groups;
    for (const ValueRow &row : rows) {
        const QString ending = QStringLiteral(", ") + cacheWords(row.cache, true);
        auto group =
            std::find_if(groups.begin(), groups.end(), [&](const CacheGroup &g) { return g.ending == ending; });
        if (group == groups.end()) // warm ones first
            group = groups.insert(isWarm(row.cache) ? groups.begin() : groups.end(), CacheGroup{{}, ending, true});
        group->rows.append(row);
    }
    return groups.size() > 1 ? groups : QList<CacheGroup>{{rows, {}}};
}

int columnsFor(const QList<CacheGroup> &groups)
{
    qsizetype most = 1;
    for (const CacheGroup &group : groups)
        most = std::max(most, groupedRows(group.rows).size());
    return static_cast<int>(std::min<qsizetype>(most, mostColumns));
}

// Spans of a GPU's events and of the host's clock stand in rows of their own: they are never one scale.
QList<widgets::FigureRow> spanRows(const CacheGroup &group, const Namespace &evidence, const ViewOptions &options)
{
    const QList<ValueRow> &rows = group.rows;
    const SpanClocks clocks(rows, evidence);
    QList<ValueRow> device = rows, host = rows;
    device.removeIf([&](const ValueRow &row) { return clocks.isHost(row); });
    host.removeIf([&](const ValueRow &row) { return !clocks.isHost(row); });
    QList<widgets::FigureRow> figureRows;
    if (!device.isEmpty())
        figureRows.append(
            panelRow(group.title(spanTitle(false, evidence)), device, Metric::Span, options, group.isOneOfSeveral));
    if (!host.isEmpty())
        figureRows.append(
            panelRow(group.title(spanTitle(true, evidence)), host, Metric::Span, options, group.isOneOfSeveral));
    return figureRows;
}

// Why no row has kernel time, nor will: what failed is told with its span. Empty where one has, or may still.
QString noKernelReason(const QList<ValueRow> &rows, const Namespace &evidence, const ViewOptions &options)
{
    QList<ValueRow> unavailable = rows;
    unavailable.removeIf([](const ValueRow &row) {
        const bool isOver = row.span.state == evidence::State::Failed || row.span.state == evidence::State::Invalid;
        return isOver && !drawable(row.kernel) && row.kernel.state != evidence::State::Unavailable;
    });
    return unavailable.isEmpty() ? QString() : unavailableReason(unavailable, Metric::Kernel, evidence, options);
}

// A row of panels without a bar would fill a screen with nothing: the heading says why, so that the reason is on paper
// too and not only in the tooltips.
widgets::FigureRow kernelRow(const CacheGroup &group, const Namespace &evidence, const ViewOptions &options)
{
    widgets::FigureRow row =
        panelRow(group.title(metricTitle(Metric::Kernel)), group.rows, Metric::Kernel, options, group.isOneOfSeveral);
    const QString reason = noKernelReason(group.rows, evidence, options);
    if (!reason.isEmpty()) {
        row.subtitle = QStringLiteral("unavailable: ") + reason;
        row.panels.clear();
    }
    return row;
}

} // namespace

widgets::Figure kernelSpanFigure(const Namespace &evidence, const ViewOptions &options)
{
    const QList<ValueRow> rows = selectedRows(evidence, options);
    widgets::Figure figure =
        frame(ViewId::KernelSpan, QStringLiteral("Kernel time and span"),
              QStringLiteral("%1 · %2").arg(machineText(evidence), evidence.name), evidence, options);
    figure.desktopWidth = 1560;
    const QList<CacheGroup> groups = cacheGroups(rows);
    figure.columns = columnsFor(groups);
    figure.footer = footer({Metric::Kernel, Metric::Span}, evidence, rows,
                           QStringLiteral("Each column has its own zero-based scale in each row."), options);
    const QString kernelReason = unavailableReason(rows, Metric::Kernel, evidence, options);
    const QString spanReason = unavailableReason(rows, Metric::Span, evidence, options);
    if (!kernelReason.isEmpty() && !spanReason.isEmpty())
        figure.unavailable = kernelReason == spanReason ? spanReason : kernelReason + QStringLiteral("; ") + spanReason;
    else
        for (const CacheGroup &group : groups)
            figure.rows += QList{kernelRow(group, evidence, options)} + spanRows(group, evidence, options);
    finish(figure);
    return figure;
}

widgets::Figure metricFigure(ViewId view, Metric metric, const Namespace &evidence, const ViewOptions &options)
{
    const QList<ValueRow> rows = selectedRows(evidence, options);
    widgets::Figure figure = frame(view, metricTitle(metric), metricUnits(metric), evidence, options);
    figure.footer =
        footer({metric}, evidence, rows, QStringLiteral("Each panel has its own zero-based scale."), options);
    figure.unavailable = unavailableReason(rows, metric, evidence, options);
    if (figure.unavailable.isEmpty())
        for (const CacheGroup &group : cacheGroups(rows))
            figure.rows += metric == Metric::Span ? spanRows(group, evidence, options)
                                                  : QList{panelRow(group.title(metricTitle(metric)), group.rows, metric,
                                                                   options, group.isOneOfSeveral)};
    // One row needs no heading of its own below the figure's.
    if (figure.rows.size() == 1) {
        if (metric == Metric::Span)
            figure.title = figure.rows.first().title;
        figure.rows.first().title.clear();
        figure.rows.first().subtitle.clear();
    }
    finish(figure);
    return figure;
}

} // namespace stagecraft::views
