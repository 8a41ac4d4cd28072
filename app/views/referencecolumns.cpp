// SPDX-License-Identifier: GPL-3.0-or-later
#include "floorlines.h"
#include "rowcolumns.h"

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

constexpr int ratioDecimals = 2;

ValueCell withoutKernel(const ValueRow &row)
{
    return {evidence::stateName(row.kernel.state), std::nullopt, row.kernel.reason};
}

ValueCell ratioCell(const ValueRow &row)
{
    const evidence::Estimate *kernel = drawable(row.kernel);
    if (!kernel)
        return withoutKernel(row);
    return row.floorUs ? ValueCell{QString(), kernel->mean / *row.floorUs, row.floorWhat} : unknownFloor();
}

bool isPeer(const ValueRow &row)
{
    return !isOwn(row.implementation) && row.implementation != QLatin1String("host");
}

bool isExact(const ValueRow &row)
{
    return plainArithmetic(row.arithmetic) == QLatin1String("fp32");
}

// Of the same operation, dims and cache state, the shortest kernel time in exact FP32, by the same instrument, of an
// implementation that is neither this project's nor the row's own; nullptr where there is none. Where the row has no
// kernel time, any instrument will do: there is nothing to divide.
const ValueRow *bestPeer(const QList<ValueRow> &all, const ValueRow &row)
{
    const ValueRow *best = nullptr;
    for (const ValueRow &other : all) {
        const bool competes = isPeer(other) && other.implementation != row.implementation &&
                              other.operation == row.operation && other.dims == row.dims && other.cache == row.cache &&
                              isExact(other) && (!drawable(row.kernel) || other.kernel.source == row.kernel.source);
        if (competes && drawable(other.kernel) && drawable(other.kernel)->mean > 0 &&
            (!best || drawable(other.kernel)->mean < drawable(best->kernel)->mean))
            best = &other;
    }
    return best;
}

ValueCell unknownPeer()
{
    return {unknown, std::nullopt, QStringLiteral("no other implementation has a kernel time of the same work")};
}

ValueCell peerTimeCell(const QList<ValueRow> &all, const ValueRow &row)
{
    const ValueRow *peer = bestPeer(all, row);
    return peer ? ValueCell{QString(), drawable(peer->kernel)->mean, rowLabel(*peer)} : unknownPeer();
}

ValueCell peerRatioCell(const QList<ValueRow> &all, const ValueRow &row)
{
    const evidence::Estimate *kernel = drawable(row.kernel);
    if (!kernel)
        return withoutKernel(row);
    const ValueCell time = peerTimeCell(all, row);
    return time.number ? ValueCell{QString(), kernel->mean / *time.number, time.toolTip} : time;
}

ValueCell peerNameCell(const QList<ValueRow> &all, const ValueRow &row, Audience audience)
{
    const ValueRow *peer = bestPeer(all, row);
    if (!peer)
        return {};
    return {audience == Audience::Programs ? peer->implementation : rowLabel(*peer), std::nullopt, QString()};
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

QList<RowColumn> peerColumns(const QList<ValueRow> &all, int decimals, const ViewOptions &options)
{
    const Audience audience = options.audience;
    QList<RowColumn> columns{
        {{QStringLiteral("best_peer"), QStringLiteral("best peer"), QString(), false, 0,
          QStringLiteral("the fastest other implementation that is not this project's own, by kernel time")},
         [all, audience](const ValueRow &row) { return peerNameCell(all, row, audience); }},
        {{QStringLiteral("kernel_peer_ratio"), QStringLiteral("÷ best peer"), QString(), true, ratioDecimals,
          QStringLiteral("kernel time ÷ that of the best peer")},
         [all](const ValueRow &row) { return peerRatioCell(all, row); }}};
    for (RowColumn &column : columns)
        column.optional = true;
    if (audience == Audience::Programs)
        columns.insert(1, {{QStringLiteral("best_peer_us"), QStringLiteral("best peer"), QStringLiteral("µs"), true,
                            decimals, QStringLiteral("kernel time of the best peer")},
                           [all](const ValueRow &row) { return peerTimeCell(all, row); }});
    return columns;
}

QList<RowColumn> errorColumns(const ViewOptions &options)
{
    if (options.audience == Audience::Programs)
        return {errorColumn("max_abs_error", "max abs error", &evidence::Correctness::maxAbsError),
                errorColumn("rel_error", "rel. error", &evidence::Correctness::relError)};
    return {{{QStringLiteral("rel_error"), QStringLiteral("rel. error"), QString(), false, 0,
              QStringLiteral("‖output − reference‖ ÷ ‖reference‖, the worst of the rounds")},
             [](const ValueRow &row) {
                 const bool known = row.correctness && row.correctness->relError;
                 return ValueCell{known ? errorText(*row.correctness->relError) : QString(), std::nullopt, QString()};
             },
             true}};
}

} // namespace stagecraft::views
