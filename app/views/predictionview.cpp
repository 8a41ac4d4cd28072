// SPDX-License-Identifier: GPL-3.0-or-later
#include "predictionview.h"

#include "captions.h"
#include "experimentratios.h"
#include "progressionvalues.h"

#include <cmath>
#include <functional>

namespace stagecraft::views {

using evidence::OperationProgression;
using evidence::ProgressionExperiment;
using widgets::FigureBar;
using widgets::FigurePanel;
using widgets::storedNumber;
using widgets::ValueCell;

namespace {

bool isRatio(double value)
{
    return std::isfinite(value) && value > 0;
}

// "shared reads per multiply-add: 0.75 ÷ 0.5", then whose they are.
QStringList predictedDetails(const ProgressionExperiment &experiment)
{
    const auto ratio = countedRatio(experiment);
    if (!ratio)
        return {jsonWords(experiment.counts)};
    return {QStringLiteral("%1: %2 ÷ %3")
                .arg(ratio->what, storedNumber(ratio->numerator), storedNumber(ratio->denominator)),
            QStringLiteral("%1 ÷ %2").arg(ratio->numeratorLabel, ratio->denominatorLabel)};
}

using Printed = std::function<QString(double)>;

// "span: 210.51 ÷ 145.61 µs"
QStringList measuredDetails(const ProgressionExperiment &experiment, const Printed &printed)
{
    const auto ratio = measuredRatio(experiment);
    if (!ratio)
        return {experiment.metric.isEmpty() ? QStringLiteral("the metric is not recorded") : experiment.metric};
    return {QStringLiteral("%1: %2 ÷ %3 µs").arg(ratio->what, printed(ratio->numerator), printed(ratio->denominator))};
}

FigureBar ratioBar(const QString &label, const widgets::ColorRole &color, double ratio, const QStringList &details,
                   const QStringList &exactDetails, const Printed &printed)
{
    FigureBar bar;
    bar.label = label;
    bar.color = color;
    bar.details = details;
    bar.details.removeAll(QString());
    if (isRatio(ratio)) {
        bar.value = ratio;
        bar.valueText = printed(ratio);
    } else {
        bar.stateText = evidence::stateName(evidence::State::Unavailable);
        bar.details.prepend(QStringLiteral("no ratio is recorded"));
    }
    const QString value = bar.value ? storedNumber(ratio) : bar.stateText + QStringLiteral(": no ratio is recorded");
    bar.toolTip = QStringLiteral("%1 ratio %2\n%3").arg(label, value, exactDetails.join(QLatin1Char('\n')));
    return bar;
}

FigurePanel experimentPanel(const OperationProgression &operation, const ProgressionExperiment &experiment,
                            int decimals)
{
    FigurePanel panel;
    panel.title = experiment.title.isEmpty() ? QStringLiteral("Experiment") : experiment.title;
    panel.subtitle = evidence::operationLabel(operation.operation);
    panel.unit = QStringLiteral("ratio");
    const Printed printed = [decimals](double value) { return widgets::displayNumber(value, decimals); };
    const QStringList counts = predictedDetails(experiment);
    panel.bars = {ratioBar(QStringLiteral("predicted"), {widgets::ColorRole::Other, 6}, experiment.predicted, counts,
                           counts, printed),
                  ratioBar(QStringLiteral("measured"), {widgets::ColorRole::Own, 0}, experiment.measured,
                           measuredDetails(experiment, printed), measuredDetails(experiment, storedNumber), printed)};
    if (!experiment.conclusion.isEmpty())
        panel.notes = {experiment.conclusion};
    return panel;
}

QString unavailableText(const evidence::Namespace &evidence)
{
    if (QString reason = progressionUnavailable(evidence); !reason.isEmpty())
        return reason;
    for (const OperationProgression &operation : evidence.progression->operations)
        if (!operation.experiments.isEmpty())
            return {};
    return QStringLiteral("%1: its progression records no experiment, a prediction from counts with its measurement")
        .arg(evidence.name);
}

constexpr qsizetype mostExplainedPanels = 4; // whose counts and conclusions are read out too

QString altWords(const widgets::Figure &figure)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    const bool isShort = figure.rows.first().panels.size() <= mostExplainedPanels;
    for (const FigurePanel &panel : figure.rows.first().panels) {
        QStringList words;
        for (const FigureBar &bar : panel.bars) {
            const QString value = bar.label + QLatin1Char(' ') + (bar.value ? bar.valueText : bar.stateText);
            words.append(isShort ? QStringLiteral("%1 (%2)").arg(value, bar.details.join(QStringLiteral("; ")))
                                 : value);
        }
        sentences.append(
            QStringLiteral("%1, %2: %3").arg(panel.title, panel.subtitle, words.join(QStringLiteral(", "))));
        if (isShort)
            sentences += panel.notes;
    }
    for (QString &sentence : sentences)
        if (!sentence.endsWith(u'.'))
            sentence += u'.';
    return sentences.join(QStringLiteral(" "));
}

QStringList predictionFooter(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList lines;
    if (unavailableText(evidence).isEmpty())
        lines.append(QStringLiteral("Predicted: the ratio of what a kernel does, counted in its code. Measured: the "
                                    "ratio of the times of the same two kernels. Each panel has its own zero-based "
                                    "scale, shared by both ratios."));
    return lines + originLines(evidence, options);
}

widgets::ValueColumn textColumn(const char *id, const char *title, const char *toolTip)
{
    return {QString::fromUtf8(id), QString::fromUtf8(title), QString(), false, 0, QString::fromUtf8(toolTip)};
}

widgets::ValueColumn numberColumn(const char *id, const char *title, const char *unit, int decimals,
                                  const char *toolTip)
{
    return {QString::fromUtf8(id),     QString::fromUtf8(title), QString::fromUtf8(unit), true, decimals,
            QString::fromUtf8(toolTip)};
}

QList<widgets::ValueColumn> predictionColumns(int decimals)
{
    return {textColumn("operation", "operation", "what is computed"),
            textColumn("experiment", "experiment", "what was asked"),
            numberColumn("predicted_ratio", "predicted", "", decimals, "ratio that counting predicts"),
            numberColumn("measured_ratio", "measured", "", decimals, "ratio that was measured"),
            textColumn("count", "counted", "the countable thing"),
            textColumn("numerator", "of", "what stands above the line in both ratios"),
            textColumn("denominator", "against", "what stands below the line"),
            numberColumn("numerator_count", "count of", "", 3, "counted above the line"),
            numberColumn("denominator_count", "count against", "", 3, "counted below the line"),
            textColumn("metric", "metric", "what was measured"),
            numberColumn("numerator_us", "time of", "µs", decimals, "measured above the line"),
            numberColumn("denominator_us", "time against", "µs", decimals, "measured below the line"),
            textColumn("conclusion", "conclusion", "what came of it")};
}

ValueCell words(const QString &text)
{
    return {text, std::nullopt, QString()};
}

ValueCell ratioCell(std::optional<double> value)
{
    if (value && isRatio(*value))
        return {QString(), value, QString()};
    return {evidence::stateName(evidence::State::Unavailable), std::nullopt, QStringLiteral("not recorded")};
}

QList<ValueCell> predictionRow(const OperationProgression &operation, const ProgressionExperiment &experiment, bool ids)
{
    const auto count = countedRatio(experiment), time = measuredRatio(experiment);
    const auto part = [](const std::optional<LabelledRatio> &ratio, double LabelledRatio::*member) {
        return ratioCell(ratio ? std::optional((*ratio).*member) : std::nullopt);
    };
    const LabelledRatio named = count.value_or(time.value_or(LabelledRatio{}));
    return {words(ids ? operation.operation : evidence::operationLabel(operation.operation)),
            words(experiment.title),
            ratioCell(experiment.predicted),
            ratioCell(experiment.measured),
            words(count ? count->what : jsonWords(experiment.counts)),
            words(named.numeratorLabel),
            words(named.denominatorLabel),
            part(count, &LabelledRatio::numerator),
            part(count, &LabelledRatio::denominator),
            words(experiment.metric),
            part(time, &LabelledRatio::numerator),
            part(time, &LabelledRatio::denominator),
            words(experiment.conclusion)};
}

int decimalsOf(const ViewOptions &options)
{
    return options.decimals < 0 ? 2 : options.decimals;
}

} // namespace

widgets::Figure predictionFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(ViewId::Prediction);
    figure.title = QStringLiteral("Prediction and measurement");
    figure.subtitle = QStringLiteral("%1 · %2").arg(machineText(evidence), evidence.name);
    figure.metadata = provenance(evidence, figure.id, options);
    figure.unavailable = unavailableText(evidence);
    if (figure.unavailable.isEmpty()) {
        widgets::FigureRow row;
        for (const OperationProgression &operation : evidence.progression->operations)
            for (const ProgressionExperiment &experiment : operation.experiments)
                row.panels.append(experimentPanel(operation, experiment, decimalsOf(options)));
        figure.rows = {row};
    }
    figure.footer = predictionFooter(evidence, options);
    figure.altText = altWords(figure);
    return figure;
}

widgets::ValueTable predictionTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::ValueTable table;
    table.id = viewName(ViewId::Prediction);
    table.title = QStringLiteral("%1: prediction and measurement").arg(evidence.name);
    table.columns = predictionColumns(decimalsOf(options));
    table.unavailable = unavailableText(evidence);
    if (table.unavailable.isEmpty())
        for (const OperationProgression &operation : evidence.progression->operations)
            for (const ProgressionExperiment &experiment : operation.experiments)
                table.rows.append(predictionRow(operation, experiment, options.audience == Audience::Programs));
    table.footer = predictionFooter(evidence, options);
    return table;
}

} // namespace stagecraft::views
