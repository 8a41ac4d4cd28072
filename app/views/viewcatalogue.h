// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"
#include "figure.h"
#include "valuetable.h"

// From evidence to figures and tables. Pure functions: safe on any thread, no files, no widgets.
namespace stagecraft::views {

enum class ViewId
{
    KernelSpan,
    Kernel,
    Span,
    Launches,
    Samples,
    Progression,
    Resources,
    Limits,
    Roofline,
    Prediction,
    Verdicts,
    Compare
};

struct ViewInfo
{
    ViewId id;
    QString name /* "kernel-span" */, title /* for tabs */, toolTip;
};

const QList<ViewInfo> &viewCatalogue(); // in the order of tabs and of `export --view all`
std::optional<ViewId> viewFromName(const QString &name);
QString viewName(ViewId view);

// Who reads a table. People get labels ("PyTorch"); programs get ids ("pytorch") and further columns: cache,
// arithmetic, timing sources, ranges, reasons. CSV and JSON files are for programs, everything else is for people.
enum class Audience
{
    People,
    Programs
};

struct ViewOptions
{
    int decimals = -1;           // −1: the view's own (1; progression and prediction 2)
    QStringList implementations; // empty: all
    // Earlier namespaces: a kernel time column each, in the tables that show it, and what the view `compare` compares
    // with; several of them make it a trend over them, in this order, and the namespace itself.
    QList<const evidence::Namespace *> baselines;
    QString reference = {}; // of verdicts: the implementation that others are compared with; empty: this project's
                            // kernels where they were measured, else the first implementation of the operation
    QList<evidence::ImplementationPair> pairs = {}; // of compare: who is compared with whom where ids differ
    std::optional<QStringList> unchanged = {};      // of compare: the reader's correction; see comparison.h
    QString programVersion;
    Audience audience = Audience::People;
};

// A view that the evidence cannot fill comes back with `unavailable` set to the reason.
widgets::Figure buildFigure(ViewId view, const evidence::Namespace &evidence, const ViewOptions &options = {});

// The samples table has a row per sample: build it off the event loop where there may be many.
widgets::ValueTable buildTable(ViewId view, const evidence::Namespace &evidence, const ViewOptions &options = {});

// All measurements of one namespace in one table: operation, implementation, kernel, span, launches, state, flags.
widgets::ValueTable buildValueTable(const evidence::Namespace &evidence, const ViewOptions &options = {});

widgets::ColorRole colorRole(const QString &implementation); // one mapping for figures, tables and lists

} // namespace stagecraft::views
