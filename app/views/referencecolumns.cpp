// SPDX-License-Identifier: GPL-3.0-or-later
#include "floorlines.h"
#include "rowcolumns.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::ValueRow;
using widgets::ValueCell;

namespace {

const QString unknown = QStringLiteral("unknown");

ValueCell unknownFloor()
{
    return {unknown, std::nullopt,
            QStringLiteral("no floor is recorded of this operation, arithmetic and cache state")};
}

ValueCell ratioCell(const ValueRow &row)
{
    const evidence::Estimate *kernel = drawable(row.kernel);
    if (!kernel)
        return {evidence::stateName(row.kernel.state), std::nullopt, row.kernel.reason};
    return row.floorUs ? ValueCell{QString(), kernel->mean / *row.floorUs, row.floorWhat} : unknownFloor();
}

// Far below what fixed decimals show.
QString errorText(double error)
{
    return QString::number(error, 'g', 2);
}

ValueCell withoutError(const ValueRow &row)
{
    const bool measured = drawable(row.span) != nullptr;
    return {evidence::stateName(measured ? evidence::State::Unavailable : row.span.state), std::nullopt,
            measured ? QStringLiteral("not recorded in this evidence") : row.span.reason};
}

RowColumn errorColumn(const char *id, const char *title, std::optional<double> evidence::Correctness::*member)
{
    return {{QString::fromUtf8(id), QString::fromUtf8(title), QString(), true, 0,
             QStringLiteral("of the output against the reference; the worst of the rounds")},
            [member](const ValueRow &row) {
                const std::optional<double> error = row.correctness ? (*row.correctness).*member : std::nullopt;
                return error ? ValueCell{QString(), error, QString()} : withoutError(row);
            }};
}

} // namespace

QList<RowColumn> floorColumns(int decimals, const ViewOptions &options)
{
    constexpr int ratioDecimals = 2;
    QList<RowColumn> columns{
        {{QStringLiteral("floor_us"), QStringLiteral("floor"), QStringLiteral("µs"), true, decimals,
          QStringLiteral("the time that no implementation can beat, in this arithmetic and cache state")},
         [](const ValueRow &row) {
             return row.floorUs ? ValueCell{QString(), row.floorUs, row.floorWhat} : unknownFloor();
         }},
        {{QStringLiteral("kernel_floor_ratio"), QStringLiteral("÷ floor"), QString(), true, ratioDecimals,
          QStringLiteral("kernel time ÷ floor")},
         ratioCell}};
    for (RowColumn &column : columns)
        column.optional = true;
    if (options.audience == Audience::Programs)
        columns.append({{QStringLiteral("floor_what"), QStringLiteral("floor what"), QString(), false, 0,
                         QStringLiteral("what the floor is")},
                        [](const ValueRow &row) {
                            return ValueCell{row.floorWhat, std::nullopt, QString()};
                        }});
    return columns;
}

QList<RowColumn> errorColumns(const QList<ValueRow> &rows, const ViewOptions &options)
{
    if (options.audience == Audience::Programs)
        return {errorColumn("max_abs_error", "max abs error", &evidence::Correctness::maxAbsError),
                errorColumn("rel_error", "rel. error", &evidence::Correctness::relError)};
    const bool telling = std::any_of(rows.begin(), rows.end(), [](const ValueRow &row) {
        return plainArithmetic(row.arithmetic) != QLatin1String("fp32");
    });
    if (!telling) // every implementation has passed the same tolerance, in the same arithmetic
        return {};
    return {{{QStringLiteral("rel_error"), QStringLiteral("rel. error"), QString(), false, 0,
              QStringLiteral("‖output − reference‖ ÷ ‖reference‖, the worst of the rounds")},
             [](const ValueRow &row) {
                 const bool known = row.correctness && row.correctness->relError;
                 return ValueCell{known ? errorText(*row.correctness->relError) : QString(), std::nullopt, QString()};
             },
             true}};
}

} // namespace stagecraft::views
