// SPDX-License-Identifier: GPL-3.0-or-later
#include "limitsview.h"

#include "captions.h"
#include "counterrows.h"
#include "kernelnames.h"
#include "uncounted.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Limit;
using evidence::Shortage;
using evidence::UnitUse;
using widgets::FigureBar;
using widgets::FigurePanel;
using widgets::storedNumber;

namespace {

constexpr int wideFigure = 1220, columns = 3;
constexpr double leastShown = 5; // percent; the table has what is less
const widgets::ColorRole otherUnits{widgets::ColorRole::Other, 5}, ofTime{widgets::ColorRole::Other, 6};

int decimalsOf(const ViewOptions &options)
{
    return options.decimals < 0 ? 1 : options.decimals;
}

class Panel
{
public:
    Panel(const CounterRow &row, int decimals) : m_row(row), m_decimals(decimals) {}

    FigurePanel build()
    {
        m_panel.title = counterRowName(m_row);
        m_panel.subtitle = subtitle();
        m_panel.unit = QStringLiteral("%");
        m_panel.limit = widgets::FigureLimit{100, QStringLiteral("peak")};
        for (const UnitUse &use : m_row.answer.units)
            if (use.level().value_or(0) >= leastShown || use.unit == m_row.answer.limit)
                m_panel.bars.append(unitBar(use));
        addShare(Limit::LaunchRamp, QStringLiteral("launch ramp"), m_row.answer.rampPercent);
        addShare(Limit::Tail, QStringLiteral("tail"), m_row.answer.tailPercent);
        const bool fewWarps = m_row.answer.limit == Limit::ResidentWarps;
        addShare(fewWarps ? Limit::ResidentWarps : Limit::Latency, QStringLiteral("waiting"),
                 m_row.answer.waitingPercent);
        m_panel.conclusion = evidence::shortageSentence(m_row.answer);
        return m_panel;
    }

private:
    // "344.0 µs · matmul_tiled", of several kernels with its share.
    QString subtitle() const
    {
        QStringList parts;
        if (m_row.facts.kernelUs)
            parts.append(QStringLiteral("%1 µs").arg(widgets::displayNumber(*m_row.facts.kernelUs, m_decimals)));
        if (m_row.kernelCount > 1 && m_row.sharePercent)
            parts.append(
                QStringLiteral("%1 % of the kernel time").arg(widgets::fixedNumber(*m_row.sharePercent, m_decimals)));
        parts.append(shortKernelName(m_row.kernel.kernelName));
        parts.removeAll(QString());
        return parts.join(QStringLiteral(" · "));
    }

    // In one colour, whosever kernel it is: the colours of some implementations are those of units and of time. And not
    // by colour alone: what decides is named, too.
    void mark(FigureBar &bar, bool decides) const
    {
        if (!decides)
            return;
        bar.color = {widgets::ColorRole::Own};
        bar.flags = {QStringLiteral("◂ short of it")};
    }

    FigureBar percentBar(const QString &label, double percent, const widgets::ColorRole &color) const
    {
        FigureBar bar;
        bar.label = label;
        bar.color = color;
        bar.value = percent;
        bar.valueText = widgets::fixedNumber(percent, m_decimals);
        return bar;
    }

    FigureBar unitBar(const UnitUse &use) const
    {
        FigureBar bar = percentBar(evidence::limitName(use.unit), *use.level(), otherUnits);
        const bool byRate = use.ofMeasured && use.level() == use.ofMeasured;
        QStringList lines{QStringLiteral("%1: %2 %").arg(bar.label, storedNumber(*use.level()))};
        if (use.percent)
            lines.append(QStringLiteral("%1: %2 %").arg(use.metric, storedNumber(*use.percent)));
        if (use.ofMeasured)
            lines.append(QStringLiteral("%1 % of the fastest copy or read").arg(storedNumber(*use.ofMeasured)));
        if (byRate)
            bar.label += QStringLiteral(" *");
        bar.toolTip = lines.join(QLatin1Char('\n'));
        mark(bar, use.unit == m_row.answer.limit);
        return bar;
    }

    void addShare(Limit limit, const QString &label, const std::optional<double> &percent)
    {
        if (!percent || (*percent < leastShown && limit != m_row.answer.limit))
            return;
        FigureBar bar = percentBar(label, *percent, ofTime);
        bar.toolTip = QStringLiteral("%1: %2 % of the kernel time").arg(label, storedNumber(*percent));
        mark(bar, limit == m_row.answer.limit);
        m_panel.bars.append(bar);
    }

    const CounterRow &m_row;
    int m_decimals;
    FigurePanel m_panel;
};

// Of the kernels that a progression tried and did not keep, the answers alone: their bars would fill pages.
widgets::FigureEntry entryOf(const CounterRow &row, int decimals)
{
    widgets::FigureEntry entry;
    entry.title = counterRowName(row);
    entry.metric = QStringLiteral("kernel time");
    if (const auto us = row.facts.kernelUs ? row.facts.kernelUs : row.callUs)
        entry.valueText = QStringLiteral("%1 µs").arg(widgets::displayNumber(*us, decimals));
    else
        entry.stateText = evidence::stateName(evidence::State::Unavailable);
    entry.verdict = evidence::shortageSentence(row.answer);
    entry.toolTip = QStringLiteral("%1\n%2").arg(entry.title, entry.verdict);
    return entry;
}

widgets::FigureLadder emptyList(const CounterRow &row, const QString &what)
{
    widgets::FigureLadder ladder;
    ladder.title = QStringLiteral("%1: %2").arg(counterCaseTitle(row), what);
    ladder.subtitle = counterCaseSubtitle(row);
    ladder.lists = {widgets::FigureList()};
    return ladder;
}

// Of all rows that are of one case with this one, an entry per reason.
QList<Uncounted> uncountedOf(const QList<CounterRow> &rows, const CounterRow &first)
{
    QList<Uncounted> all;
    for (const CounterRow &row : rows)
        if (row.state != evidence::State::Ok && sameCase(row, first))
            addUncounted(all, {row.state, row.reason, {counterRowName(row)}, !row.stage.isEmpty()});
    return all;
}

void addUncountedLists(widgets::Figure &figure, const QList<CounterRow> &rows)
{
    const CounterRow *before = nullptr;
    for (const CounterRow &row : rows) {
        if (before && sameCase(row, *before))
            continue;
        before = &row;
        const QList<Uncounted> all = uncountedOf(rows, row);
        if (all.isEmpty())
            continue;
        figure.ladders.append(emptyList(row, QStringLiteral("not counted")));
        for (const Uncounted &uncounted : all)
            figure.ladders.last().lists.first().entries.append(uncountedEntry(uncounted));
    }
}

constexpr qsizetype mostPanels = 120; // of a figure: the more there are, the longer each takes to be laid out

// Panels of stages and other implementations, then lists of attempts and of what was not counted. Returns for how many
// kernels there was no room.
qsizetype addRows(widgets::Figure &figure, const QList<CounterRow> &rows, int decimals)
{
    const CounterRow *panelBefore = nullptr, *entryBefore = nullptr;
    qsizetype panels = 0;
    for (const CounterRow &row : rows) {
        if (row.state != evidence::State::Ok)
            continue;
        if (row.isAttempt) {
            if (!entryBefore || !sameCase(row, *entryBefore))
                figure.ladders.append(emptyList(row, QStringLiteral("attempts")));
            figure.ladders.last().lists.first().entries.append(entryOf(row, decimals));
            entryBefore = &row;
            continue;
        }
        if (++panels > mostPanels)
            continue;
        if (!panelBefore || !sameCase(row, *panelBefore))
            figure.rows.append({counterCaseTitle(row), counterCaseSubtitle(row), {}});
        figure.rows.last().panels.append(Panel(row, decimals).build());
        panelBefore = &row;
    }
    addUncountedLists(figure, rows);
    return std::max<qsizetype>(0, panels - mostPanels);
}

constexpr qsizetype mostSentences = 12; // that are read out; of more kernels how many are short of what
constexpr qsizetype firstSentences = 2; // of a case, as examples, where not all are read out

// "26 kernels: issue slots 8, L2 bandwidth 2, not decided 4."
QString countWords(const QList<CounterRow> &kernels)
{
    QMap<Limit, qsizetype> counts;
    for (const CounterRow &row : kernels)
        ++counts[row.answer.limit];
    QStringList words;
    for (auto it = counts.begin(); it != counts.end(); ++it)
        words.append(QStringLiteral("%1 %2").arg(evidence::limitName(it.key())).arg(it.value()));
    return QStringLiteral("%1 kernels: %2.").arg(kernels.size()).arg(words.join(QStringLiteral(", ")));
}

// The counted ones of a case: all of them, or how many are short of what and the first ones.
QStringList kernelWords(const QList<CounterRow> &kernels, bool areMany)
{
    QStringList sentences;
    const bool areCounted = areMany && kernels.size() > firstSentences;
    if (areCounted)
        sentences.append(countWords(kernels));
    for (const CounterRow &row : kernels.mid(0, areCounted ? firstSentences : kernels.size()))
        sentences.append(QStringLiteral("%1: %2").arg(counterRowName(row), evidence::shortageSentence(row.answer)));
    return sentences;
}

QList<CounterRow> countedOf(const QList<CounterRow> &rows, const CounterRow &first)
{
    QList<CounterRow> kernels;
    for (const CounterRow &row : rows)
        if (row.state == evidence::State::Ok && sameCase(row, first))
            kernels.append(row);
    return kernels;
}

// The sentences say more than the bars, which stand in the table.
QString altWords(const widgets::Figure &figure, const QList<CounterRow> &rows)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{QStringLiteral("%1, %2.").arg(figure.title, figure.subtitle)};
    const CounterRow *before = nullptr;
    for (const CounterRow &row : rows) {
        if (before && sameCase(row, *before))
            continue;
        before = &row;
        sentences.append(QStringLiteral("%1, %2.").arg(counterCaseTitle(row), counterCaseSubtitle(row)));
        for (const Uncounted &uncounted : uncountedOf(rows, row))
            sentences.append(uncounted.sentence());
        sentences += kernelWords(countedOf(rows, row), rows.size() > mostSentences);
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace

QStringList limitsFooter(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList ceilings;
    const evidence::RateCeilings rates = evidence::rateCeilings(evidence.floorMeasurements);
    for (const auto &[name, rate, what] :
         {std::tuple("L2", rates.l2, rates.l2What), std::tuple("DRAM", rates.dram, rates.dramWhat)})
        if (rate)
            ceilings.append(
                QStringLiteral("%1 %2 GB/s (%3)").arg(QString::fromUtf8(name), widgets::displayNumber(*rate, 0), what));
    QStringList lines{
        QStringLiteral("Units: percent of the peak that they could sustain, over the elapsed time of a run under "
                       "counters. Launch ramp, tail and waiting: percent of the kernel time. What a kernel is short of "
                       "is marked; what is below 5 % stands in the table only."),
        ceilings.isEmpty()
            ? QStringLiteral(
                  "No rates of this GPU were measured (floors.json): L2 and DRAM are of the hardware's peak.")
            : QStringLiteral("*: bytes ÷ kernel time, of the fastest warm copy or read on this GPU where that is more "
                             "than the percent of peak: %1.")
                  .arg(ceilings.join(QStringLiteral(", ")))};
    return lines + originLines(evidence, options);
}

widgets::Figure limitsFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(ViewId::Limits);
    figure.title = QStringLiteral("What each kernel is short of");
    figure.subtitle = QStringLiteral("percent of peak · %1 · %2").arg(machineText(evidence), evidence.name);
    figure.columns = columns;
    figure.desktopWidth = wideFigure;
    figure.metadata = provenance(evidence, figure.id, options);
    const QList<CounterRow> rows = counterRows(evidence, options);
    figure.unavailable = countersUnavailable(rows, evidence);
    const qsizetype left = figure.unavailable.isEmpty() ? addRows(figure, rows, decimalsOf(options)) : 0;
    figure.footer = figure.unavailable.isEmpty() ? limitsFooter(evidence, options) : originLines(evidence, options);
    if (left > 0)
        figure.footer.prepend(
            QStringLiteral("%1 more kernels stand in the table; name implementations to see theirs.").arg(left));
    figure.altText = altWords(figure, rows);
    return figure;
}

} // namespace stagecraft::views
