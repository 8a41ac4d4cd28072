// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"
#include "valuetable.h"

#include <cmath>

// Figures and tables that several tests draw.
namespace samples {

using namespace stagecraft::widgets;

inline FigureBar bar(const QString &label, std::optional<double> value, const QString &state = {}, int role = 0)
{
    FigureBar result;
    result.label = label;
    result.color = {ColorRole::Other, role};
    result.value = value;
    result.valueText = value ? displayNumber(*value, 1) : QString();
    result.stateText = state;
    return result;
}

inline Figure oneRow(const QList<FigurePanel> &panels, int columns = 1)
{
    Figure figure;
    figure.id = QStringLiteral("kernel");
    figure.title = QStringLiteral("Kernel time");
    figure.subtitle = QStringLiteral("µs per iteration, lower is better");
    figure.columns = columns;
    figure.altText = QStringLiteral("matmul: PyTorch 44.0 µs");
    figure.footer = {QStringLiteral("GPU · FP32 · every panel has its own zero-based scale")};
    figure.rows = {{.title = QStringLiteral("Kernel time"), .subtitle = QStringLiteral("µs"), .panels = panels}};
    return figure;
}

// The kernel times of the field note's third namespace for two operations.
inline Figure noteFigure()
{
    FigurePanel matmul{.title = QStringLiteral("Matrix multiplication"),
                       .subtitle = QStringLiteral("1024 × 1024 × 1024"),
                       .unit = QStringLiteral("µs"),
                       .bars = {bar(QStringLiteral("PyTorch"), 44.02753), bar(QStringLiteral("Triton"), 71.93692),
                                bar(QStringLiteral("cuda"), 79.99543)}};
    matmul.bars[0].color = {ColorRole::PyTorch, 0};
    matmul.bars[1].color = {ColorRole::Triton, 0};
    matmul.bars[2].color = {ColorRole::Own, 0};
    FigurePanel gelu = matmul;
    gelu.title = QStringLiteral("Bias + GELU");
    const double values[] = {15.81055, 7.62248, 10.97419};
    for (int i = 0; i < 3; ++i) {
        gelu.bars[i].value = values[i];
        gelu.bars[i].valueText = displayNumber(values[i], 1);
    }
    return oneRow({matmul, gelu}, 2);
}

inline FigureSeries series(const QString &label, int role, int count, double level)
{
    FigureSeries result;
    result.label = label;
    result.color = {ColorRole::Other, role};
    for (int i = 0; i < count; ++i)
        result.values.append(level + std::sin(i * 0.7) * level * 0.1);
    result.boundaries = {0, count / 3, 2 * count / 3};
    return result;
}

inline Figure sampleFigure(const QList<FigureSeries> &list)
{
    Figure figure = oneRow({});
    figure.rows.clear();
    figure.plots = {{.title = QStringLiteral("Matrix multiplication"),
                     .subtitle = QStringLiteral("1024 × 1024 × 1024"),
                     .xTitle = QStringLiteral("sample"),
                     .unit = QStringLiteral("µs"),
                     .series = list}};
    return figure;
}

inline ValueCell text(const QString &value)
{
    return {.text = value, .number = {}, .toolTip = {}};
}
inline ValueCell number(double value)
{
    return {.text = {}, .number = value, .toolTip = {}};
}

inline ValueTable table()
{
    ValueTable result;
    result.id = QStringLiteral("values");
    result.title = QStringLiteral("Values");
    const auto textColumn = [](const QString &id) {
        return ValueColumn{.id = id, .title = id, .unit = {}, .toolTip = {}};
    };
    result.columns = {textColumn(QStringLiteral("operation")),
                      textColumn(QStringLiteral("implementation")),
                      {.id = QStringLiteral("kernel_us"),
                       .title = QStringLiteral("kernel"),
                       .unit = QStringLiteral("µs"),
                       .numeric = true,
                       .decimals = 1,
                       .toolTip = QStringLiteral("sum of kernel durations")}};
    result.rows = {{text(QStringLiteral("matmul")), text(QStringLiteral("triton")), number(71.93692)},
                   {text(QStringLiteral("matmul")), text(QStringLiteral("cuda")), text(QStringLiteral("failed"))},
                   {text(QStringLiteral("gelu")), text(QStringLiteral("cuda")), number(10.97419)},
                   {text(QStringLiteral("gelu")), text(QStringLiteral("triton")), number(7.62248)}};
    return result;
}

} // namespace samples
