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

// A bar of 400, then each step four fifths of the one before; the state takes the place of the bar of `failed`.
inline FigureLadder ladder(int steps, int failed = -1)
{
    FigureLadder ladder{.title = QStringLiteral("Matrix multiplication"),
                        .subtitle = QStringLiteral("kernel time in µs, lower is better"),
                        .unit = QStringLiteral("µs"),
                        .steps = {},
                        .lists = {},
                        .dots = {}};
    double value = 400;
    for (int i = 0; i < steps; ++i, value *= 0.8) {
        LadderStep step;
        step.title = QStringLiteral("step number %1").arg(i);
        step.label = QStringLiteral("label %1").arg(i);
        step.text =
            QStringLiteral("What changed in %1, told in a sentence that is long enough for a second line.").arg(i);
        step.bar = bar(step.title, i == failed ? std::nullopt : std::optional(value), {}, 0);
        step.bar.color = {ColorRole::Own, 0};
        if (i == failed) {
            step.bar.stateText = QStringLiteral("failed");
            step.bar.details = {QStringLiteral("an illegal address: run compute-sanitizer on it")};
        } else {
            step.thin = value * 1.1;
            step.thinText = QStringLiteral("span %1").arg(displayNumber(value * 1.1, 1));
        }
        if (i > 0 && i != failed && i - 1 != failed)
            step.factor = QStringLiteral("1.25×");
        ladder.steps.append(step);
    }
    return ladder;
}

inline FigureEntry entry(const QString &title)
{
    return {.title = title,
            .metric = QStringLiteral("span"),
            .valueText = QStringLiteral("210.51 µs"),
            .stateText = {},
            .factor = QStringLiteral("1.45× as long"),
            .against = QStringLiteral("against 145.61 µs, retained build, same run"),
            .verdict = QStringLiteral("slower"),
            .toolTip = {}};
}

// Around 0.5 and 2, and one that failed.
inline FigureDots ratios()
{
    FigureDots dots{.title = QStringLiteral("Kernel time"),
                    .subtitle = QStringLiteral("against CUDA"),
                    .unit = QStringLiteral("ratio"),
                    .rows = {},
                    .areRatios = true,
                    .limit = FigureLimit{1, QStringLiteral("equal")},
                    .note = {}};
    dots.rows.append({QStringLiteral("PyTorch"),
                      {ColorRole::PyTorch, 0},
                      {0.51, 0.52, 0.53},
                      0.52,
                      QStringLiteral("faster · 0.520×"),
                      QStringLiteral("5 of 5 rounds"),
                      {}});
    dots.rows.append({QStringLiteral("Triton"),
                      {ColorRole::Triton, 0},
                      {1.97, 1.98, 1.99},
                      1.98,
                      QStringLiteral("undecided · 1.980×"),
                      QStringLiteral("a reason that is too long to stand behind its value, whatever the width of the "
                                     "figure may be and however it is turned, with words that go on and on"),
                      {}});
    dots.rows.append({QStringLiteral("cuBLAS"), {}, {}, 0, {}, {}, {}, QStringLiteral("failed: the result is wrong")});
    return dots;
}

inline FigureDots dots()
{
    return {.title = QStringLiteral("Repeated runs"),
            .subtitle = QStringLiteral("span in µs"),
            .unit = QStringLiteral("µs"),
            .rows = {{QStringLiteral("one warp"),
                      {ColorRole::Own, 0},
                      {13.76, 13.55, 13.6, 13.53, 13.76},
                      13.64,
                      QStringLiteral("13.64"),
                      QStringLiteral("13.53–13.76"),
                      {}},
                     {QStringLiteral("two warps"),
                      {ColorRole::Own, 0},
                      {12.87, 12.58, 12.53, 12.54, 12.94},
                      12.692,
                      QStringLiteral("12.69"),
                      QStringLiteral("12.53–12.94"),
                      {}}}};
}

inline Figure ladderFigure(const QList<FigureLadder> &ladders)
{
    Figure figure;
    figure.id = QStringLiteral("progression");
    figure.title = QStringLiteral("Stage progression");
    figure.subtitle = QStringLiteral("a GPU");
    figure.desktopWidth = 1220;
    figure.ladders = ladders;
    figure.footer = {QStringLiteral("each ladder has its own zero-based scale")};
    return figure;
}

inline FigureSeries series(const QString &label, int role, int count, double level)
{
    FigureSeries result;
    result.label = label;
    result.color = {ColorRole::Other, role};
    QList<QList<double>> rounds(3);
    for (int i = 0; i < count; ++i)
        rounds[i * 3 / count].append(level + std::sin(i * 0.7) * level * 0.1);
    result.values = SampleSequence(rounds);
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
