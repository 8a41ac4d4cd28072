// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

#include <functional>

// The columns of a value table, each with the rule that fills its cell from a row. Internal to the views.
namespace stagecraft::views {

struct RowColumn
{
    widgets::ValueColumn column;
    std::function<widgets::ValueCell(const evidence::ValueRow &)> cell;
    bool optional = false; // left out for people where no row has a value
};

QList<RowColumn> identityColumns(const ViewOptions &options); // operation, dims, implementation, stage
QList<RowColumn> kernelColumns(int decimals, const ViewOptions &options);
QList<RowColumn> spanColumns(const QList<evidence::ValueRow> &rows, int decimals, const ViewOptions &options);
QList<RowColumn> launchesColumns(int decimals, const ViewOptions &options);

// What values are read against. Floors: the floor and how many times as long the kernels take. Peers: the fastest other
// implementation that is not this project's own (its kernels and host are no peers), among `all` rows of the namespace,
// shown or not, and the ratio of the kernel times. Errors: those of the correctness check; for people the relative one.
QList<RowColumn> floorColumns(int decimals, const ViewOptions &options);
QList<RowColumn> peerColumns(const QList<evidence::ValueRow> &all, int decimals, const ViewOptions &options);
QList<RowColumn> errorColumns(const ViewOptions &options);

QList<RowColumn> conditionColumns(const QList<Metric> &metrics, const ViewOptions &options); // state, flags

// Kernel time of the same operation and implementation in each baseline; this project's own kernels count as the same
// implementation under either name.
QList<RowColumn> baselineColumns(int decimals, const ViewOptions &options);

// A line for every baseline that was measured on another GPU.
QStringList baselineNotes(const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
