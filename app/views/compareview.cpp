// SPDX-License-Identifier: GPL-3.0-or-later
#include "compareview.h"

#include "captions.h"
#include "compareparts.h"
#include "comparewords.h"

namespace stagecraft::views {

namespace {

QList<QPair<QString, QString>> metadata(const evidence::Namespace &evidence, const ViewOptions &options)
{
    QList<QPair<QString, QString>> pairs = provenance(evidence, viewName(ViewId::Compare), options);
    for (const evidence::Namespace *baseline : options.baselines)
        pairs.append({QStringLiteral("Baseline"),
                      QStringLiteral("%1, %2, %3")
                          .arg(baseline->name, gpuText(*baseline),
                               baseline->utc.isEmpty() ? QStringLiteral("date not recorded") : baseline->utc)});
    return pairs;
}

} // namespace

widgets::Figure compareFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const QString unavailable = compareUnavailable(evidence, options);
    widgets::Figure figure;
    if (unavailable.isEmpty()) {
        figure = options.baselines.size() == 1 ? twoFigure(*options.baselines.first(), evidence, options)
                                               : trendFigure(evidence, options);
    } else {
        figure.title = QStringLiteral("Compare");
        figure.subtitle = QStringLiteral("%1 · %2").arg(evidence.name, machineText(evidence));
        figure.unavailable = unavailable;
        figure.footer = originLines(evidence, options);
        figure.altText = QStringLiteral("%1: unavailable, %2.").arg(figure.title, unavailable);
    }
    figure.id = viewName(ViewId::Compare);
    figure.metadata = metadata(evidence, options);
    return figure;
}

widgets::ValueTable compareTable(const evidence::Namespace &evidence, const ViewOptions &options)
{
    const QString unavailable = compareUnavailable(evidence, options);
    widgets::ValueTable table;
    if (unavailable.isEmpty()) {
        table = options.baselines.size() == 1 ? twoTable(*options.baselines.first(), evidence, options)
                                              : trendTable(evidence, options);
    } else {
        table.title = QStringLiteral("%1: compare").arg(evidence.name);
        table.unavailable = unavailable;
        table.footer = originLines(evidence, options);
    }
    table.id = viewName(ViewId::Compare);
    return table;
}

} // namespace stagecraft::views
