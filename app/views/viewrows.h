// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"
#include "viewcatalogue.h"

// The rows that a view shows, and what figures and tables read from them alike. Internal to the views.
namespace stagecraft::views {

enum class Metric
{
    Kernel,
    Span,
    Launches
};

// All rows of one operation with the same dims and cache: one panel of a figure.
struct RowGroup
{
    QString operation, title;
    QList<qint64> dims;
    QString cache;
    QList<evidence::ValueRow> rows;
};

QList<evidence::ValueRow> selectedRows(const evidence::Namespace &evidence, const ViewOptions &options);
QList<evidence::ValueRow> selectedRows(QList<evidence::ValueRow> all, const ViewOptions &options);
QList<RowGroup> groupedRows(const QList<evidence::ValueRow> &rows); // in the order of the rows

const evidence::Value &metricValue(const evidence::ValueRow &row, Metric metric);

// The value that may be drawn as a result; nullptr where a state stands in its place. A throttled value is drawn, with
// its state beside it: it was measured, under clocks that the GPU lowered.
const evidence::Estimate *drawable(const evidence::Value &value);

// Measured on the CPU with its clock, and so not to be mixed with what a GPU's events say.
bool onHost(const evidence::ValueRow &row);
bool isOwn(const QString &implementation); // this project's kernels: cuda, cuda/STAGE, and mage's rust

bool isWarm(const QString &cache); // recorded as warm, or not at all
// "cold cache", or whatever else was recorded; of a warm one nothing, or "warm cache" where states must be told apart.
QString cacheWords(const QString &cache, bool tellsWarm);
bool tellsWarm(const QList<evidence::ValueRow> &rows); // warm and another state occur

QString dimsLabel(const QList<qint64> &dims);    // "1024 × 1024 × 1024"
QString rowLabel(const evidence::ValueRow &row); // "cuBLAS", with the arithmetic where it is not FP32
QList<evidence::Flag> metricFlags(const evidence::ValueRow &row, Metric metric); // the flags that concern the metric

// Digits after the point for the metric in these rows: launches that are whole everywhere need none.
int metricDecimals(const QList<evidence::ValueRow> &rows, Metric metric, const ViewOptions &options);

// Evidence that names no dims means those which its namespace measured of the operation, where they are one; else none.
QList<qint64> knownDims(const QString &operation, const QList<qint64> &recorded, const evidence::Namespace &evidence);

// Why none of the rows can show the metric; empty where at least one can, or may still (failed, not run yet).
QString unavailableReason(const QList<evidence::ValueRow> &rows, Metric metric, const evidence::Namespace &evidence,
                          const ViewOptions &options);

} // namespace stagecraft::views
