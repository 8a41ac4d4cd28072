// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparecolumns.h"
#include "predictionrows.h"
#include "predictionview.h"
#include "progressionvalues.h"

#include <cmath>

namespace stagecraft::views {

using widgets::ValueCell;

namespace {

QList<widgets::ValueColumn> predictionColumns(int decimals)
{
    return {
        textColumn("operation", "operation", "what is computed"),
        textColumn("kind", "kind", "experiment: two kernels; count: what one stage declares"),
        textColumn("experiment", "experiment", "what was asked"),
        numberColumn("predicted_ratio", "predicted", "", decimals, "ratio that counting predicts"),
        numberColumn("measured_ratio", "measured", "", decimals, "ratio that was measured"),
        numberColumn("counted_ratio", "counted", "", decimals, "ratio that the hardware counted"),
        textColumn("count", "count", "the countable thing"),
        textColumn("numerator", "of", "what stands above the line in all ratios"),
        textColumn("denominator", "against", "what stands below the line"),
        numberColumn("numerator_count", "count of", "", 3, "counted in the code above the line"),
        numberColumn("denominator_count", "count against", "", 3, "counted in the code below the line"),
        numberColumn("numerator_counted", "hardware of", "", 4, "the same by hardware counters"),
        numberColumn("denominator_counted", "hardware against", "", 4, "the same by hardware counters"),
        numberColumn("deviation_percent", "deviation", "%", decimals, "of the hardware's count from the declared one"),
        textColumn("metric", "metric", "what was measured"),
        numberColumn("numerator_us", "time of", "µs", decimals, "measured above the line"),
        numberColumn("denominator_us", "time against", "µs", decimals, "measured below the line"),
        textColumn("conclusion", "conclusion", "what came of it")};
}

ValueCell positive(std::optional<double> value, const QString &reason = QStringLiteral("not recorded"))
{
    if (value && std::isfinite(*value) && *value > 0)
        return {QString(), value, QString()};
    return {evidence::stateName(evidence::State::Unavailable), std::nullopt, reason};
}

QList<ValueCell> experimentCells(const PredictionRow &row, bool ids)
{
    const auto part = [](const std::optional<LabelledRatio> &ratio, double LabelledRatio::*member,
                         const QString &reason = QStringLiteral("not recorded")) {
        return positive(ratio ? std::optional((*ratio).*member) : std::nullopt, reason);
    };
    const QString reason = row.reason.isEmpty() ? QStringLiteral("no hardware counters are recorded") : row.reason;
    const LabelledRatio named = row.count.value_or(row.time.value_or(LabelledRatio{}));
    return {textCell(ids ? row.operation : evidence::operationLabel(row.operation)),
            textCell(QStringLiteral("experiment")),
            textCell(row.experiment.title),
            positive(row.experiment.predicted),
            positive(row.experiment.measured),
            positive(row.countedRatio(), reason),
            textCell(row.count ? row.count->what : jsonWords(row.experiment.counts)),
            textCell(named.numeratorLabel),
            textCell(named.denominatorLabel),
            part(row.count, &LabelledRatio::numerator),
            part(row.count, &LabelledRatio::denominator),
            part(row.counted, &LabelledRatio::numerator, reason),
            part(row.counted, &LabelledRatio::denominator, reason),
            textCell(QString()),
            textCell(row.experiment.metric),
            part(row.time, &LabelledRatio::numerator),
            part(row.time, &LabelledRatio::denominator),
            textCell(QStringList{row.experiment.conclusion, row.limitWords()}.join(QLatin1Char(' ')).trimmed())};
}

// What does not apply to one stage alone stays empty.
QList<ValueCell> checkCells(const CountCheck &check, bool ids)
{
    const ValueCell none = textCell(QString());
    const auto deviation = check.deviationPercent();
    const QString verdict = !check.counted        ? QString()
                            : check.differs()     ? QStringLiteral("further apart than %1 %").arg(kMostDeviationPercent)
                            : check.isUndecided() ? QStringLiteral("undecided: %1").arg(check.doubt())
                                                  : QStringLiteral("agree");
    return {textCell(ids ? check.operation : evidence::operationLabel(check.operation)),
            textCell(QStringLiteral("count")),
            textCell(QStringLiteral("declared and counted")),
            none,
            none,
            none,
            textCell(check.what),
            textCell(check.stage),
            none,
            {QString(), check.declared, QString()},
            none,
            check.counted ? ValueCell{QString(), check.counted, QString()} : positive({}, check.reason),
            none,
            deviation ? ValueCell{QString(), deviation, QString()} : positive({}, check.reason),
            none,
            none,
            none,
            textCell(verdict)};
}

} // namespace

widgets::ValueTable predictionTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const bool ids = options.audience == Audience::Programs;
    widgets::ValueTable table;
    table.id = viewName(ViewId::Prediction);
    table.title = QStringLiteral("%1: prediction and measurement").arg(evidence.name);
    table.columns = predictionColumns(predictionDecimals(options));
    table.unavailable = predictionUnavailable(evidence, options);
    if (table.unavailable.isEmpty()) {
        for (const PredictionRow &row : predictionRows(evidence, options))
            table.rows.append(experimentCells(row, ids));
        if (!evidence.counters.isEmpty())
            for (const CountCheck &check : countChecks(evidence, options))
                table.rows.append(checkCells(check, ids));
    }
    table.footer = predictionFooter(evidence, options);
    return table;
}

} // namespace stagecraft::views
