// SPDX-License-Identifier: GPL-3.0-or-later
#include "resourcesview.h"

#include "captions.h"
#include "figurebars.h"
#include "kernelnames.h"
#include "resourcerows.h"
#include "viewrows.h"

namespace stagecraft::views {

using evidence::LaunchResources;
using widgets::FigureBar;
using widgets::FigurePanel;

namespace {

const QString separator = QStringLiteral(" · ");

// "64,64,1" → " (64 × 64)"; empty where there is one extent, which the product says too.
QString extentWords(const QString &extents)
{
    QStringList parts = extents.split(QLatin1Char(','), Qt::SkipEmptyParts);
    while (!parts.isEmpty() && parts.last().trimmed() == QLatin1String("1"))
        parts.removeLast();
    for (QString &part : parts)
        part = part.trimmed();
    return parts.size() < 2 ? QString() : QStringLiteral(" (%1)").arg(parts.join(QStringLiteral(" × ")));
}

// "4096 blocks (64 × 64) × 256 threads (16 × 16)"
QString shapeWords(const LaunchResources &launch)
{
    QStringList parts;
    if (launch.blocks)
        parts.append(QStringLiteral("%1 blocks%2").arg(*launch.blocks).arg(extentWords(launch.grid)));
    if (launch.threadsPerBlock)
        parts.append(QStringLiteral("%1 threads%2").arg(*launch.threadsPerBlock).arg(extentWords(launch.block)));
    return parts.join(QStringLiteral(" × "));
}

template <typename Count>
void addCount(QStringList &parts, const std::optional<Count> &count, const QString &words)
{
    if (count)
        parts.append(words.arg(*count));
}

QString takenWords(const LaunchResources &launch)
{
    QStringList parts{shapeWords(launch)};
    addCount(parts, launch.registersPerThread, QStringLiteral("%1 registers"));
    addCount(parts, launch.sharedMemBytes, QStringLiteral("%1 B shared"));
    addCount(parts, launch.localBytes, QStringLiteral("%1 B local"));
    addCount(parts, launch.spillBytes, QStringLiteral("%1 B spilled"));
    parts.removeAll(QString());
    return parts.join(separator);
}

QString wavesWords(double waves)
{
    const QString number = widgets::displayNumber(waves, 2);
    return number == QLatin1String("0.00") ? QStringLiteral("less than 0.01 waves")
                                           : QStringLiteral("%1 waves").arg(number);
}

QString outcomeWords(const ResourceRow &row)
{
    const Residency &residency = row.residency;
    QStringList parts;
    if (row.kind == QLatin1String("attempt"))
        parts.append(row.kind);
    if (!residency.threads)
        parts.append(residency.reason);
    if (!residency.limitedBy.isEmpty())
        parts.append(QStringLiteral("limited by ") + residency.limitedBy);
    if (residency.waves)
        parts.append(wavesWords(*residency.waves));
    return parts.join(separator);
}

QString rowName(const ResourceRow &row)
{
    const QString name = row.kind == QLatin1String("implementation") || row.id.isEmpty() ? row.label : row.id;
    return row.launchCount > 1 ? QStringLiteral("%1, launch %2").arg(name).arg(row.launchNumber + 1) : name;
}

FigureBar resourceBar(const ResourceRow &row)
{
    FigureBar bar;
    bar.label = rowName(row);
    bar.color = colorRole(row.implementation);
    if (row.residency.threads) {
        bar.value = *row.residency.threads;
        bar.valueText = QString::number(*row.residency.threads);
    } else {
        bar.stateText = evidence::stateName(evidence::State::Unavailable);
    }
    if (row.launch.spillBytes.value_or(0) > 0)
        bar.flags.append(QStringLiteral("spills"));
    // Of a stage the name says which kernel it is.
    const bool isStage = row.kind != QLatin1String("implementation");
    bar.details = {isStage ? QString() : shortKernelName(row.launch.entry), outcomeWords(row), takenWords(row.launch)};
    bar.details.removeAll(QString());
    QStringList lines{bar.label, row.label == bar.label ? QString() : row.label,
                      kernelToolTip({{row.launch.entry, std::nullopt}})};
    if (row.residency.threads)
        lines.append(QStringLiteral("%1 resident threads per SM (%2)").arg(bar.valueText, row.residency.source));
    lines += bar.details;
    lines.removeAll(QString());
    bar.toolTip = lines.join(QLatin1Char('\n'));
    return bar;
}

QList<FigurePanel> panels(const QList<ResourceRow> &rows, const SmFacts &facts)
{
    QList<FigurePanel> panels;
    const ResourceRow *before = nullptr;
    for (const ResourceRow &row : rows) {
        if (!before || before->operation != row.operation || before->dims != row.dims) {
            FigurePanel panel;
            panel.title = evidence::operationLabel(row.operation);
            panel.subtitle = dimsLabel(row.dims);
            panel.unit = QStringLiteral("threads");
            if (facts.threads)
                panel.limit = widgets::FigureLimit{static_cast<double>(*facts.threads),
                                                   QStringLiteral("limit %1").arg(*facts.threads)};
            panels.append(panel);
        }
        panels.last().bars.append(resourceBar(row));
        before = &row;
    }
    return panels;
}

QString deviceLine(const SmFacts &facts)
{
    QStringList parts;
    if (facts.sms)
        parts.append(QStringLiteral("%1 SMs").arg(*facts.sms));
    if (facts.threads)
        parts.append(QStringLiteral("at most %1 resident threads each").arg(*facts.threads));
    if (!facts.computeCapability.isEmpty())
        parts.append(QStringLiteral("compute capability %1").arg(facts.computeCapability));
    return parts.isEmpty() ? QStringLiteral("Which SMs the GPU has is not recorded.") : parts.join(separator);
}

QStringList resourcesFooter(const evidence::Namespace &evidence, const ViewOptions &options)
{
    return QStringList{
               QStringLiteral("Resident threads: how many threads of the kernel one SM holds at once, at most; the "
                              "driver's figure where it is recorded, else calculated from threads, registers and "
                              "shared memory of a block. A grid with fewer blocks than fit gives what the grid has."),
               QStringLiteral("Waves: blocks of the grid ÷ blocks that all SMs hold at once. Every panel has the same "
                              "zero-based scale; the line is what an SM can hold."),
               deviceLine(smFacts(evidence))} +
           originLines(evidence, options);
}

QString noRowsReason(const evidence::Namespace &evidence)
{
    return QStringLiteral("%1 records no resources of kernels: neither a progression with them nor kernel records")
        .arg(evidence.name);
}

constexpr qsizetype mostExplainedBars = 4; // of a panel, whose limits and launches are read out too

QString altWords(const widgets::Figure &figure)
{
    if (!figure.unavailable.isEmpty())
        return QStringLiteral("%1: unavailable, %2").arg(figure.title, figure.unavailable);
    QStringList sentences{figure.title + QStringLiteral(", ") + figure.subtitle};
    for (const FigurePanel &panel : figure.rows.first().panels) {
        QStringList words;
        QList<std::optional<double>> values;
        const bool isShort = panel.bars.size() <= mostExplainedBars;
        for (const FigureBar &bar : panel.bars) {
            values.append(bar.value);
            const QString value = bar.label + QLatin1Char(' ') + (bar.value ? bar.valueText : bar.stateText);
            words.append(isShort ? QStringLiteral("%1 (%2)").arg(value, bar.details.join(QStringLiteral("; ")))
                                 : value);
        }
        words = spokenWords(words, values);
        QStringList heading{panel.title, panel.subtitle, panel.limit ? panel.limit->text : QString()};
        heading.removeAll(QString());
        sentences.append(heading.join(QStringLiteral(", ")) + QStringLiteral(": ") + words.join(QStringLiteral(", ")));
    }
    return sentences.join(QStringLiteral(". ")) + QLatin1Char('.');
}

} // namespace

widgets::Figure resourcesFigure(const evidence::Namespace &evidence, const ViewOptions &options)
{
    widgets::Figure figure;
    figure.id = viewName(ViewId::Resources);
    figure.title = QStringLiteral("Resources");
    figure.subtitle = QStringLiteral("resident threads per SM · %1 · %2").arg(machineText(evidence), evidence.name);
    figure.metadata = provenance(evidence, figure.id, options);
    const QList<ResourceRow> rows = resourceRows(evidence, options);
    if (rows.isEmpty())
        figure.unavailable = noRowsReason(evidence);
    else
        figure.rows = {{QString(), QString(), panels(rows, smFacts(evidence))}};
    figure.footer = rows.isEmpty() ? originLines(evidence, options) : resourcesFooter(evidence, options);
    figure.altText = altWords(figure);
    return figure;
}

} // namespace stagecraft::views
