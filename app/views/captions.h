// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

// What figures and tables say about their values: metric, protocol, origin. Internal to the views.
namespace stagecraft::views {

QString metricTitle(Metric metric); // "Kernel time"
QString metricUnits(Metric metric); // "µs, lower is better"
QString metricCaption(Metric metric, const evidence::Namespace &evidence, const QList<evidence::ValueRow> &rows);

QString sourceLabel(const QString &source);               // "event" → "CUDA events"
QString gpuText(const evidence::Namespace &evidence);     // the GPU's name, or that none is recorded
QString machineText(const evidence::Namespace &evidence); // the GPU's name; where none is recorded, the platform's

// "Span", "Span on the CPU"; "Span by the host's clock" where another tool measured a GPU's work with that clock, too.
QString spanTitle(bool host, const evidence::Namespace &evidence);
QString hostClockWords(const evidence::Namespace &evidence); // "on the CPU", "by the host's clock"

// The caption of each metric that any row can show and of floors and arithmetic where there is something to say, then
// GPU, precision and instruments, `scales` (what the scales share; may be empty), and namespace, date and program
// version.
QStringList footer(const QList<Metric> &metrics, const evidence::Namespace &evidence,
                   const QList<evidence::ValueRow> &rows, const QString &scales, const ViewOptions &options);

// The same for single samples, which have no range.
QStringList samplesFooter(const evidence::Namespace &evidence, const QList<evidence::ValueRow> &rows,
                          const QString &scales, const ViewOptions &options);

// Precision, instruments and origin alone, for views whose values are not measurements of the namespace itself; the
// instrument of spans is that of `rows`.
QStringList originLines(const evidence::Namespace &evidence, const ViewOptions &options,
                        const QList<evidence::ValueRow> &rows = {});

QList<QPair<QString, QString>> provenance(const evidence::Namespace &evidence, const QString &view,
                                          const ViewOptions &options);

} // namespace stagecraft::views
