// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QColor>
#include <QList>
#include <QSizeF>
#include <QString>
#include <QStringList>

// A figure as data. One painter (figurepainter.h) draws it on the screen, into PNG and into SVG, so all are the same.
// It knows nothing of kernels: panels, bars and series with labels and values.
namespace stagecraft::widgets {

enum class Layout
{
    Desktop,
    Mobile
};
enum class Theme
{
    Dark,
    Light
};

// The colour identity of a bar or series; the theme maps it to a colour. Fixed roles first, further ones by number.
struct ColorRole
{
    enum Kind
    {
        PyTorch,
        Triton,
        Own,
        Other
    } kind = Other;
    int index = 0; // among Other
    bool operator==(const ColorRole &) const = default;
};

struct FigureBar
{
    QString label; // "PyTorch"
    ColorRole color;
    std::optional<double> value;     // absent: stateText says why
    std::optional<double> low, high; // whiskers
    QString valueText;               // as printed at the bar's end, in the figure's precision
    QString stateText;               // "failed", "unavailable", "pending", … drawn in place of the bar
    QStringList flags;               // short labels after the value
    QString toolTip;                 // exact values, for hovering
};

// Bars that share one zero-based scale.
struct FigurePanel
{
    QString title;    // "Matrix multiplication"
    QString subtitle; // "1024 × 1024 × 1024"
    QString unit;     // "µs"; empty where things are counted: ticks are whole
    QList<FigureBar> bars;
};

// A row of panels under one heading; panels stand side by side where the layout is wide enough, else below each other.
struct FigureRow
{
    QString title;    // "Kernel time"
    QString subtitle; // "µs, lower is better"
    QList<FigurePanel> panels;
};

// Points over an index (sample number), for the samples figure.
struct FigureSeries
{
    QString label;
    ColorRole color;
    QList<double> values;
    QList<int> boundaries; // indices at which a new round starts
    QString stateText;
};
struct FigurePlot
{
    QString title, subtitle, xTitle, unit;
    QList<FigureSeries> series;
};

struct Figure
{
    QString id; // "kernel-span"
    QString title, subtitle;
    int columns = 1; // panels beside each other in the desktop layout
    int desktopWidth = 740, mobileWidth = 365;
    QList<FigureRow> rows;
    QList<FigurePlot> plots;
    QStringList footer;                      // lines: GPU, precision, what the scales share, provenance
    QString unavailable;                     // set: nothing to draw, and why
    QString altText;                         // generated from the values
    QList<QPair<QString, QString>> metadata; // provenance, embedded in PNG text and SVG metadata

    int width(Layout layout) const { return layout == Layout::Desktop ? desktopWidth : mobileWidth; }
};

} // namespace stagecraft::widgets
