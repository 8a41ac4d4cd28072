// SPDX-License-Identifier: GPL-3.0-or-later
#include "predictionview.h"

#include "captions.h"
#include "predictionrows.h"
#include "progressionvalues.h"
#include "uncounted.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace stagecraft::views {

using widgets::FigureBar;
using widgets::FigurePanel;
using widgets::storedNumber;

namespace {

bool isRatio(double value)
{
    return std::isfinite(value) && value > 0;
}

QStringList ratioDetails(const LabelledRatio &ratio)
{
    return {
        QStringLiteral("%1: %2 ÷ %3").arg(ratio.what, storedNumber(ratio.numerator), storedNumber(ratio.denominator)),
        QStringLiteral("%1 ÷ %2").arg(ratio.numeratorLabel, ratio.denominatorLabel)};
}

// "shared reads per multiply-add: 0.75 ÷ 0.5", then whose they are.
QStringList predictedDetails(const PredictionRow &row)
{
    return row.count ? ratioDetails(*row.count) : QStringList{jsonWords(row.experiment.counts)};
}

QString signedNumber(double value, int decimals)
{
    const QString digits = widgets::fixedNumber(std::abs(value), decimals);
    if (digits.toDouble() == 0)
        return digits;
    return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + digits;
}

using Printed = std::function<QString(double)>;

// "span: 210.51 ÷ 145.61 µs"
QStringList measuredDetails(const PredictionRow &row, const Printed &printed)
{
    const QString &metric = row.experiment.metric;
    if (!row.time)
        return {metric.isEmpty() ? QStringLiteral("the metric is not recorded") : metric};
    return {QStringLiteral("%1: %2 ÷ %3 µs")
                .arg(row.time->what, printed(row.time->numerator), printed(row.time->denominator))};
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

constexpr int declaredDecimals = 3, countedDecimals = 4; // as the table has them

QString countText(double count)
{
    return widgets::displayNumber(count, countedDecimals);
}

// What the hardware counted, of stages whose declared counts are the prediction.
FigureBar countedBar(const PredictionRow &row, const Printed &printed)
{
    FigureBar bar;
    bar.label = QStringLiteral("counted");
    bar.color = {widgets::ColorRole::Other, 5};
    const auto ratio = row.countedRatio();
    if (ratio) {
        bar.value = ratio;
        bar.valueText = printed(*ratio);
        bar.details = {
            QStringLiteral("%1: %2 ÷ %3")
                .arg(row.counted->what, countText(row.counted->numerator), countText(row.counted->denominator))};
        bar.toolTip = QStringLiteral("counted ratio %1\n%2")
                          .arg(storedNumber(*ratio), ratioDetails(*row.counted).join(QLatin1Char('\n')));
    } else {
        bar.stateText = evidence::stateName(evidence::State::Unavailable);
        bar.details = {row.reason};
        bar.toolTip = QStringLiteral("counted: %1, %2").arg(bar.stateText, row.reason);
    }
    return bar;
}

// "tiled against registers: shared reads per multiply-add": the kernels are the title, and what was asked stands below,
// lest the titles of neighbours be cut where they differ.
void setTitles(FigurePanel &panel, const PredictionRow &row)
{
    const QString title = row.experiment.title, kernels = title.section(QStringLiteral(": "), 0, 0),
                  question = title.section(QStringLiteral(": "), 1);
    panel.title = title.isEmpty() ? QStringLiteral("Experiment") : title;
    panel.subtitle = evidence::operationLabel(row.operation);
    if (question.isEmpty() || !kernels.contains(QLatin1String(" against ")))
        return;
    panel.title = kernels;
    panel.subtitle += QStringLiteral(" · ") + question;
}

FigurePanel experimentPanel(const PredictionRow &row, int decimals)
{
    const evidence::ProgressionExperiment &experiment = row.experiment;
    FigurePanel panel;
    setTitles(panel, row);
    panel.unit = QStringLiteral("ratio");
    const Printed printed = [decimals](double value) { return widgets::displayNumber(value, decimals); };
    const QStringList counts = predictedDetails(row);
    panel.bars = {ratioBar(QStringLiteral("predicted"), {widgets::ColorRole::Other, 6}, experiment.predicted, counts,
                           counts, printed),
                  ratioBar(QStringLiteral("measured"), {widgets::ColorRole::Own, 0}, experiment.measured,
                           measuredDetails(row, printed), measuredDetails(row, storedNumber), printed)};
    if (row.hasCounters)
        panel.bars.append(countedBar(row, printed));
    panel.notes = {experiment.conclusion, row.limitWords()};
    panel.notes.removeAll(QString());
    return panel;
}

widgets::FigureEntry checkEntry(const CountCheck &check, int decimals)
{
    widgets::FigureEntry entry;
    entry.title = check.stage;
    entry.metric = QStringLiteral("declared");
    entry.valueText = widgets::displayNumber(check.declared, declaredDecimals);
    entry.against = check.what;
    if (const auto deviation = check.deviationPercent(); deviation && check.counted) {
        entry.verdict =
            QStringLiteral("counted %1, %2 %").arg(countText(*check.counted), signedNumber(*deviation, decimals));
        if (check.differs())
            entry.verdict += QStringLiteral(": further apart than %1 %").arg(kMostDeviationPercent);
        else if (check.isUndecided())
            entry.verdict += QStringLiteral(": undecided, %1").arg(check.doubt());
    } else {
        entry.verdict = check.counted ? QStringLiteral("counted %1").arg(countText(*check.counted))
                                      : QStringLiteral("not counted: %1").arg(check.reason);
    }
    entry.toolTip =
        QStringLiteral("%1\n%2: declared %3\n%4")
            .arg(entry.title, check.what, storedNumber(check.declared),
                 check.counted ? QStringLiteral("counted %1").arg(storedNumber(*check.counted)) : entry.verdict);
    return entry;
}

// The stages whose counters were not taken.
QList<Uncounted> uncountedOf(const QList<CountCheck> &checks, const QString &operation)
{
    QList<Uncounted> all;
    QString before;
    for (const CountCheck &check : checks)
        if (check.operation == operation && check.state != evidence::State::Ok && check.stage != before) {
            addUncounted(all, {check.state, check.reason, {check.stage}, true});
            before = check.stage;
        }
    return all;
}

// The list of one operation.
QList<widgets::FigureEntry> &checkList(QList<widgets::FigureLadder> &ladders, const QString &operation)
{
    const QString title = QStringLiteral("%1: declared and counted").arg(evidence::operationLabel(operation));
    auto found = std::ranges::find(ladders, title, &widgets::FigureLadder::title);
    if (found == ladders.end()) {
        widgets::FigureLadder ladder;
        ladder.title = title;
        ladder.lists = {widgets::FigureList()};
        found = ladders.insert(ladders.end(), ladder);
    }
    return found->lists.first().entries;
}

// Where a namespace holds counters: each declared count beside what the hardware counted, and an entry for each reason
// why stages were not counted.
QList<widgets::FigureLadder> checkLists(const QList<CountCheck> &checks, int decimals)
{
    QList<widgets::FigureLadder> ladders;
    QStringList operations;
    for (const CountCheck &check : checks) {
        if (check.state == evidence::State::Ok)
            checkList(ladders, check.operation).append(checkEntry(check, decimals));
        operations.append(check.operation);
    }
    operations.removeDuplicates();
    for (const QString &operation : operations)
        for (const Uncounted &uncounted : uncountedOf(checks, operation))
            checkList(ladders, operation).append(uncountedEntry(uncounted));
    return ladders;
}

constexpr int manyColumns = 2, manyWidth = 1220; // of more panels than are read out in full
constexpr qsizetype mostExplainedPanels = 4;     // whose counts and conclusions are read out too

// How many agree, and those that do not.
QStringList checkSentences(const QList<CountCheck> &checks)
{
    const auto agree = std::ranges::count_if(checks, &CountCheck::agrees);
    QStringList sentences;
    if (!checks.isEmpty())
        sentences.append(QStringLiteral("Declared and counted: %1 of %2 agree within %3 %")
                             .arg(agree)
                             .arg(checks.size())
                             .arg(kMostDeviationPercent));
    for (const CountCheck &check : checks)
        if (check.differs())
            sentences.append(QStringLiteral("%1 declares %2 %3 and %4 were counted")
                                 .arg(check.stage, widgets::displayNumber(check.declared, declaredDecimals), check.what,
                                      countText(*check.counted)));
    return sentences;
}

QString altWords(const widgets::Figure &figure, const QList<CountCheck> &checks)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    const bool isShort = figure.rows.isEmpty() || figure.rows.first().panels.size() <= mostExplainedPanels;
    const QList<FigurePanel> panels = figure.rows.isEmpty() ? QList<FigurePanel>() : figure.rows.first().panels;
    for (const FigurePanel &panel : panels) {
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
    sentences += checkSentences(checks);
    for (QString &sentence : sentences)
        if (!sentence.endsWith(u'.'))
            sentence += u'.';
    return sentences.join(QStringLiteral(" "));
}

QList<CountCheck> shownChecks(const evidence::Namespace &evidence, const ViewOptions &options)
{
    return evidence.counters.isEmpty() ? QList<CountCheck>() : countChecks(evidence, options);
}

} // namespace

int predictionDecimals(const ViewOptions &options)
{
    return options.decimals < 0 ? 2 : options.decimals;
}

QString predictionUnavailable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    if (QString reason = progressionUnavailable(evidence); !reason.isEmpty())
        return reason;
    const auto hasAny = [&evidence](const ViewOptions &of) {
        return !predictionRows(evidence, of).isEmpty() || !shownChecks(evidence, of).isEmpty();
    };
    if (hasAny(options))
        return {};
    if (!options.implementations.isEmpty() && hasAny({}))
        return QStringLiteral("%1: no experiment and no declared count is of %2")
            .arg(evidence.name, options.implementations.join(QStringLiteral(", ")));
    return QStringLiteral(
               "%1: its progression records no experiment, a prediction from counts with its measurement, and "
               "no two measured stages declare the same thing that hardware can count")
        .arg(evidence.name);
}

QStringList predictionFooter(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QStringList lines;
    if (predictionUnavailable(evidence, options).isEmpty()) {
        lines.append(QStringLiteral("Predicted: the ratio of what a kernel does, counted in its code. Measured: the "
                                    "ratio of the times of the same two kernels. Each panel has its own zero-based "
                                    "scale, shared by its ratios."));
        const QList<PredictionRow> rows = predictionRows(evidence, options);
        if (std::ranges::any_of(rows, &PredictionRow::hasCounters))
            lines.append(QStringLiteral("Counted: the ratio of the same thing by hardware counters."));
        if (std::ranges::any_of(rows, &PredictionRow::fromStages))
            lines.append(QStringLiteral("Where no experiment is recorded, stages that declare the same count are "
                                        "compared one after the other."));
    }
    return lines + originLines(evidence, options);
}

widgets::Figure predictionFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(ViewId::Prediction);
    figure.title = QStringLiteral("Prediction and measurement");
    figure.subtitle = QStringLiteral("%1 · %2").arg(machineText(evidence), evidence.name);
    figure.metadata = provenance(evidence, figure.id, options);
    figure.unavailable = predictionUnavailable(evidence, options);
    if (figure.unavailable.isEmpty()) {
        const int decimals = predictionDecimals(options);
        widgets::FigureRow row;
        for (const PredictionRow &entry : predictionRows(evidence, options))
            row.panels.append(experimentPanel(entry, decimals));
        if (row.panels.size() > mostExplainedPanels) {
            figure.columns = manyColumns;
            figure.desktopWidth = manyWidth;
        }
        if (!row.panels.isEmpty())
            figure.rows = {row};
        figure.ladders = checkLists(shownChecks(evidence, options), decimals);
    }
    figure.footer = predictionFooter(evidence, options);
    figure.altText = altWords(figure, shownChecks(evidence, options));
    return figure;
}

} // namespace stagecraft::views
