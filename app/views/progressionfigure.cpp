// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionfigure.h"

#include "captions.h"
#include "floorlines.h"
#include "progressionlists.h"
#include "progressionvalues.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::OperationProgression;
using evidence::ProgressionStage;
using widgets::FigureLadder;
using widgets::LadderStep;

namespace {

const QString separator = QStringLiteral(" · ");

// Bars show kernel time; an operation whose stages have spans alone shows those, and says so.
Metric barMetric(const OperationProgression &operation)
{
    const auto any = [&](Metric metric) {
        return std::any_of(operation.stages.begin(), operation.stages.end(),
                           [metric](const ProgressionStage &stage) { return stageTime(stage, metric).has_value(); });
    };
    return !any(Metric::Kernel) && any(Metric::Span) ? Metric::Span : Metric::Kernel;
}

QString metricWord(Metric metric)
{
    return metricTitle(metric).toLower();
}

QString timeLine(const QString &what, const std::optional<double> &time)
{
    return time ? QStringLiteral("%1 %2 µs").arg(what, widgets::storedNumber(*time)) : QString();
}

// Why no stage has a kernel time, where they share one reason; the tooltips say each one's.
QString missingKernelWords(const OperationProgression &operation)
{
    QStringList reasons;
    for (const ProgressionStage &stage : operation.stages)
        if (!stage.kernelReason.isEmpty() && !reasons.contains(stage.kernelReason))
            reasons.append(stage.kernelReason);
    const QString words = QStringLiteral("no kernel time");
    return reasons.size() == 1 ? words + QStringLiteral(": ") + reasons.first() : words;
}

// The stage's name in the progression, with the arithmetic where it is not FP32.
QString stageLabel(const ProgressionStage &stage)
{
    return withArithmetic(stage.label.isEmpty() ? stage.id : stage.label, stage.arithmetic);
}

QString stageToolTip(const ProgressionStage &stage, const QString &factorText, const QString &before)
{
    QStringList lines{stage.title, stageLabel(stage), timeLine(QStringLiteral("kernel time"), stage.kernelUs),
                      timeLine(QStringLiteral("span"), stage.spanUs),
                      kernelRemark(stage.kernelState, stage.kernelReason)};
    if (factorText == otherArithmetic)
        lines.append(QStringLiteral("%1 than %2: no factor").arg(factorText, before));
    else if (!factorText.isEmpty())
        lines.append(QStringLiteral("%1 against %2").arg(factorText, before));
    if (stage.state != evidence::State::Ok)
        lines.append(evidence::stateName(stage.state) + (stage.reason.isEmpty() ? QString() : ": " + stage.reason));
    if (!stage.retainedIn.isEmpty())
        lines.append(QStringLiteral("retained in ") + stage.retainedIn.join(QStringLiteral(", ")));
    if (!stage.origin.isEmpty())
        lines.append(QStringLiteral("from ") + stage.origin);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

bool stagesMix(const OperationProgression &operation)
{
    return std::any_of(operation.stages.begin(), operation.stages.end(), [&](const ProgressionStage &stage) {
        return arithmeticOf(stage) != arithmeticOf(operation.stages.first());
    });
}

// Of whose stages with a kernel time no floor is known; nothing where none is known at all.
QString floorCaption(const evidence::Namespace &evidence)
{
    QStringList unknown;
    bool anyKnown = false;
    for (const OperationProgression &operation : evidence.progression->operations) {
        const QList<qint64> dims = knownDims(operation.operation, operation.dims, evidence);
        for (const ProgressionStage &stage : operation.stages) {
            QString name = evidence::operationLabel(operation.operation);
            if (stagesMix(operation))
                name += QStringLiteral(" in ") + arithmeticOf(stage);
            if (stageFloor(operation, stage, dims, evidence))
                anyKnown = true;
            else if (stageTime(stage, Metric::Kernel) && !unknown.contains(name))
                unknown.append(name);
        }
    }
    return anyKnown ? floorMeaning(unknown) : QString();
}

class LadderBuilder
{
public:
    LadderBuilder(const OperationProgression &operation, const evidence::Namespace &evidence, int decimals)
        : m_operation(operation),
          m_evidence(evidence),
          m_dims(knownDims(operation.operation, operation.dims, evidence)),
          m_decimals(decimals),
          m_metric(barMetric(operation)),
          m_floors(stagesMix(operation), decimals)
    {
    }

    FigureLadder build()
    {
        FigureLadder ladder;
        ladder.title = evidence::operationLabel(m_operation.operation);
        ladder.unit = QStringLiteral("µs");
        ladder.subtitle = subtitle();
        for (qsizetype i = 0; i < m_operation.stages.size(); ++i)
            ladder.steps.append(step(i));
        ladder.floors = m_floors.lines();
        ladder.lists = progressionLists(m_operation, m_decimals, m_evidence.name);
        ladder.dots = progressionDots(m_operation, m_decimals);
        return ladder;
    }

private:
    QString number(double value) const { return widgets::displayNumber(value, m_decimals); }

    QString subtitle() const
    {
        QStringList parts{dimsLabel(m_dims)};
        parts.append(cacheWords(m_operation.cache, progressionTellsWarm(m_evidence)));
        if (!m_operation.stages.isEmpty())
            parts.append(metricWord(m_metric) + QStringLiteral(" in µs, lower is better"));
        if (m_metric == Metric::Span)
            parts.append(missingKernelWords(m_operation));
        parts.append(overall());
        parts.removeAll(QString());
        return parts.join(separator);
    }

    // From the first stage to the last, where both have a time.
    QString overall() const
    {
        if (m_operation.stages.size() < 2)
            return {};
        const ProgressionStage &first = m_operation.stages.first(), &last = m_operation.stages.last();
        const StageFactor whole = stageFactor(first, last, m_metric);
        if (!whole.ratio && !whole.otherArithmetic)
            return {};
        return QStringLiteral("%1 → %2, %3")
            .arg(number(*stageTime(first, m_metric)), number(*stageTime(last, m_metric)),
                 whole.ratio ? number(*whole.ratio) + QStringLiteral("× in all") : otherArithmetic);
    }

    QString factorText(const ProgressionStage &from, const ProgressionStage &to) const
    {
        const StageFactor found = stageFactor(from, to, m_metric);
        if (found.otherArithmetic)
            return otherArithmetic;
        return found.ratio ? number(*found.ratio) + QStringLiteral("×") : QString();
    }

    LadderStep step(qsizetype index)
    {
        const ProgressionStage &stage = m_operation.stages[index];
        LadderStep step;
        step.title = stage.title.isEmpty() ? stage.id : stage.title;
        step.label = stageLabel(stage);
        step.text = stage.change;
        QString before;
        if (index > 0) {
            const ProgressionStage &previous = m_operation.stages[index - 1];
            before = stageLabel(previous);
            step.factor = factorText(previous, stage);
        }
        step.bar = bar(stage, step.title);
        step.bar.toolTip = stageToolTip(stage, step.factor, before);
        if (m_metric == Metric::Kernel)
            addFloor(step.bar, stage);
        if (m_metric == Metric::Kernel && step.bar.value)
            addSpan(step, stageTime(stage, Metric::Span));
        return step;
    }

    void addFloor(widgets::FigureBar &bar, const ProgressionStage &stage)
    {
        const std::optional<KnownFloor> floor = stageFloor(m_operation, stage, m_dims, m_evidence);
        bar.floor = m_floors.add(floor);
        if (floor && bar.value)
            bar.toolTip += QStringLiteral("\n%1 × the floor of %2 µs (%3)")
                               .arg(*bar.value / floor->us, 0, 'f', 2)
                               .arg(widgets::storedNumber(floor->us), floor->what);
    }

    void addSpan(LadderStep &step, const std::optional<double> &span) const
    {
        step.thin = span;
        if (span)
            step.thinText = QStringLiteral("span ") + number(*span);
    }

    widgets::FigureBar bar(const ProgressionStage &stage, const QString &label) const
    {
        widgets::FigureBar bar;
        bar.label = label;
        bar.color = {widgets::ColorRole::Own, 0};
        bar.value = stageTime(stage, m_metric);
        if (!bar.value) {
            bar.stateText = evidence::stateName(timeState(stage, m_metric));
            bar.details = {timeReason(stage, m_metric)};
            return bar;
        }
        bar.valueText = number(*bar.value);
        if (stage.state != evidence::State::Ok)
            bar.stateText = evidence::stateName(stage.state);
        if (stage.origin == QLatin1String("documented"))
            bar.flags.append(QStringLiteral("documented only"));
        return bar;
    }

    const OperationProgression &m_operation;
    const evidence::Namespace &m_evidence;
    const QList<qint64> m_dims;
    const int m_decimals;
    const Metric m_metric;
    FloorLines m_floors;
};

constexpr qsizetype mostSpokenEntries = 6; // a longer list is no text to listen to

QString ladderWords(const FigureLadder &ladder)
{
    QStringList words;
    for (const LadderStep &step : ladder.steps) {
        QString text = step.title + QLatin1Char(' ');
        text += step.bar.value ? step.bar.valueText + QStringLiteral(" µs") : step.bar.stateText;
        for (const QString &part : {step.thinText, step.factor})
            text += part.isEmpty() ? QString() : QStringLiteral(", ") + part;
        words.append(text);
    }
    for (const widgets::FigureLimit &floor : ladder.floors)
        words.append(floorWords(floor));
    for (const widgets::FigureList &list : ladder.lists)
        if (list.entries.size() <= mostSpokenEntries)
            for (const widgets::FigureEntry &entry : list.entries)
                words.append(entryWords(entry));
        else
            words.append(QStringLiteral("%1: %2, each a row of the table").arg(list.title).arg(list.entries.size()));
    for (const widgets::FigureDots &dots : ladder.dots)
        for (const widgets::FigureDotRow &row : dots.rows)
            words.append(QStringLiteral("%1 mean %2, %3").arg(row.label, row.valueText, row.rangeText));
    return QStringLiteral("%1, %2: %3").arg(ladder.title, ladder.subtitle, words.join(QStringLiteral("; ")));
}

QString altText(const widgets::Figure &figure)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const FigureLadder &ladder : figure.ladders)
        sentences.append(ladderWords(ladder));
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

bool isEmpty(const OperationProgression &operation)
{
    return operation.stages.isEmpty() && operation.steps.isEmpty() && operation.attempts.isEmpty() &&
           operation.ab.isEmpty();
}

// Whether the bars of any operation are of this metric.
bool showsBars(const evidence::Namespace &evidence, Metric metric)
{
    const QList<OperationProgression> &operations = evidence.progression->operations;
    return std::any_of(operations.begin(), operations.end(), [metric](const OperationProgression &operation) {
        return !operation.stages.isEmpty() && barMetric(operation) == metric;
    });
}

QString scaleCaption(const evidence::Namespace &evidence, const QList<FigureLadder> &ladders)
{
    const bool anyThin = std::any_of(ladders.begin(), ladders.end(), [](const FigureLadder &ladder) {
        return std::any_of(ladder.steps.begin(), ladder.steps.end(),
                           [](const LadderStep &step) { return step.thin.has_value(); });
    });
    auto text = QStringLiteral("Factor: the stage before ÷ this one. Each operation has its own zero-based scale");
    text += anyThin ? QStringLiteral("; the thin bar is the span of the same stage, on the same scale.")
                    : QStringLiteral(".");
    if (anyThin || showsBars(evidence, Metric::Span))
        text += QStringLiteral(" A span can hold gaps while the host submits work.");
    return text;
}

QStringList barCaptions(const evidence::Namespace &evidence)
{
    QStringList captions;
    if (showsBars(evidence, Metric::Kernel))
        captions.append(metricCaption(Metric::Kernel, evidence, {}));
    if (showsBars(evidence, Metric::Span))
        captions.append(QStringLiteral("Span: the time around a call; it is shown where no stage of an operation has a "
                                       "kernel time."));
    return captions;
}

QStringList progressionFooter(const evidence::Namespace &evidence, const QList<FigureLadder> &ladders,
                              const ViewOptions &options)
{
    QStringList arithmetics;
    for (const OperationProgression &operation : evidence.progression->operations) {
        for (const ProgressionStage &stage : operation.stages)
            arithmetics.append(stage.arithmetic);
        for (const evidence::ProgressionAttempt &attempt : operation.attempts)
            arithmetics.append(attempt.arithmetic);
    }
    QStringList captions = barCaptions(evidence);
    captions +=
        {floorCaption(evidence), arithmeticCaption(arithmetics), scaleCaption(evidence, ladders),
         QStringLiteral("Steps, attempts and repeated runs are measurements apart from the stages', each with its "
                        "own metric: they stand beside the scale, not on it.")};
    captions.removeAll(QString());
    return captions + originLines(evidence, options, evidence::valueRows(evidence));
}

} // namespace

widgets::Figure progressionFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(ViewId::Progression);
    figure.title = QStringLiteral("Stage progression");
    figure.subtitle = QStringLiteral("%1 · %2").arg(machineText(evidence), evidence.name);
    figure.desktopWidth = 1220;
    figure.metadata = provenance(evidence, figure.id, options);
    figure.unavailable = progressionUnavailable(evidence);
    if (evidence.progression) {
        const int decimals = options.decimals < 0 ? 2 : options.decimals;
        for (const OperationProgression &operation : evidence.progression->operations)
            if (!isEmpty(operation))
                figure.ladders.append(LadderBuilder(operation, evidence, decimals).build());
        if (figure.ladders.isEmpty())
            figure.unavailable = QStringLiteral("%1: its progression has no stage").arg(evidence.name);
    }
    figure.footer = figure.unavailable.isEmpty() ? progressionFooter(evidence, figure.ladders, options)
                                                 : originLines(evidence, options);
    figure.altText = altText(figure);
    return figure;
}

} // namespace stagecraft::views
