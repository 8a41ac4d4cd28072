// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewcatalogue.h"

#include "barfigures.h"
#include "captions.h"
#include "compareview.h"
#include "limitsview.h"
#include "measurementtables.h"
#include "predictionview.h"
#include "progressionfigure.h"
#include "progressiontable.h"
#include "resourcesview.h"
#include "rooflineview.h"
#include "samplesview.h"
#include "verdictsview.h"

#include <algorithm>

namespace stagecraft::views {

using evidence::Namespace;

const QList<ViewInfo> &viewCatalogue()
{
    static const QList<ViewInfo> catalogue{
        {ViewId::KernelSpan, QStringLiteral("kernel-span"), QStringLiteral("Overview"),
         QStringLiteral("Kernel time above, span below, a column per operation")},
        {ViewId::Kernel, QStringLiteral("kernel"), QStringLiteral("Kernel"),
         QStringLiteral("Time in the GPU's kernels, gaps between launches left out")},
        {ViewId::Span, QStringLiteral("span"), QStringLiteral("Span"),
         QStringLiteral("Time around one call, with the range of the round means")},
        {ViewId::Launches, QStringLiteral("launches"), QStringLiteral("Launches"),
         QStringLiteral("Kernels launched per iteration")},
        {ViewId::Progression, QStringLiteral("progression"), QStringLiteral("Progression"),
         QStringLiteral("Stages of each kernel, what changed, and what was tried")},
        {ViewId::Samples, QStringLiteral("samples"), QStringLiteral("Samples"),
         QStringLiteral("Every span sample as it was taken")},
        {ViewId::Resources, QStringLiteral("resources"), QStringLiteral("Resources"),
         QStringLiteral("Resident threads per SM against its limit, what limits them, waves of the grid")},
        {ViewId::Limits, QStringLiteral("limits"), QStringLiteral("Limits"),
         QStringLiteral("What each kernel is short of, by hardware counters, and the figures that say so")},
        {ViewId::Roofline, QStringLiteral("roofline"), QStringLiteral("Roofline"),
         QStringLiteral("Operations per byte against operations per second, below ceilings measured on this GPU")},
        {ViewId::Prediction, QStringLiteral("prediction"), QStringLiteral("Prediction"),
         QStringLiteral("What counting predicts against what was measured")},
        {ViewId::Verdicts, QStringLiteral("verdicts"), QStringLiteral("Verdicts"),
         QStringLiteral("Which implementation is faster than another, round by round, and how sure that is")},
        {ViewId::Compare, QStringLiteral("compare"), QStringLiteral("Compare"),
         QStringLiteral("What changed against an earlier namespace, and whether that is more than drift")}};
    return catalogue;
}

std::optional<ViewId> viewFromName(const QString &name)
{
    for (const ViewInfo &view : viewCatalogue())
        if (view.name == name)
            return view.id;
    return std::nullopt;
}

QString viewName(ViewId view)
{
    const QList<ViewInfo> &views = viewCatalogue();
    return std::find_if(views.begin(), views.end(), [view](const ViewInfo &info) { return info.id == view; })->name;
}

widgets::Figure buildFigure(ViewId view, const Namespace &evidence, const ViewOptions &options)
{
    switch (view) {
    case ViewId::KernelSpan:
        return kernelSpanFigure(evidence, options);
    case ViewId::Kernel:
        return metricFigure(view, Metric::Kernel, evidence, options);
    case ViewId::Launches:
        return metricFigure(view, Metric::Launches, evidence, options);
    case ViewId::Samples:
        return samplesFigure(evidence, options);
    case ViewId::Progression:
        return progressionFigure(evidence, options);
    case ViewId::Resources:
        return resourcesFigure(evidence, options);
    case ViewId::Limits:
        return limitsFigure(evidence, options);
    case ViewId::Roofline:
        return rooflineFigure(evidence, options);
    case ViewId::Prediction:
        return predictionFigure(evidence, options);
    case ViewId::Verdicts:
        return verdictsFigure(evidence, options);
    case ViewId::Compare:
        return compareFigure(evidence, options);
    case ViewId::Span:
        break;
    }
    return metricFigure(ViewId::Span, Metric::Span, evidence, options);
}

widgets::ValueTable buildTable(ViewId view, const Namespace &evidence, const ViewOptions &options)
{
    const QString name = viewName(view);
    switch (view) {
    case ViewId::KernelSpan:
        return measurementTable(name, QStringLiteral("kernel time and span"),
                                {Metric::Kernel, Metric::Span, Metric::Launches}, evidence, options);
    case ViewId::Kernel:
        return measurementTable(name, QStringLiteral("kernel time"), {Metric::Kernel}, evidence, options);
    case ViewId::Launches:
        return measurementTable(name, QStringLiteral("launches"), {Metric::Launches}, evidence, options);
    case ViewId::Samples:
        return samplesTable(evidence, options);
    case ViewId::Progression:
        return progressionTable(evidence, options);
    case ViewId::Resources:
        return resourcesTable(evidence, options);
    case ViewId::Limits:
        return limitsTable(evidence, options);
    case ViewId::Roofline:
        return rooflineTable(evidence, options);
    case ViewId::Prediction:
        return predictionTable(evidence, options);
    case ViewId::Verdicts:
        return verdictsTable(evidence, options);
    case ViewId::Compare:
        return compareTable(evidence, options);
    case ViewId::Span:
        break;
    }
    return measurementTable(name, QStringLiteral("span"), {Metric::Span}, evidence, options);
}

widgets::ValueTable buildValueTable(const Namespace &evidence, const ViewOptions &options)
{
    return measurementTable(QStringLiteral("values"), QStringLiteral("all measurements"),
                            {Metric::Kernel, Metric::Span, Metric::Launches}, evidence, options);
}

} // namespace stagecraft::views
