// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "samplesequence.h"

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
    Light,
    Page // for publishing: a sheet of its own with an edge and round corners, legible on white and on dark pages
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
    QStringList details = {};        // paragraphs below the bar
    int floor = -1;                  // which of the floors beside it is this bar's; -1: none is known
};

// A value that bars are read against: a line across all of them, with its text above.
struct FigureLimit
{
    double value = 0;
    QString text;      // "limit 2048"
    QString what = {}; // of a floor, what it is: behind the text where the line has room for both, else a note below
};

// Bars that share one zero-based scale.
struct FigurePanel
{
    QString title;    // "Matrix multiplication"
    QString subtitle; // "1024 × 1024 × 1024"
    QString unit;     // "µs"; empty where things are counted: ticks are whole
    QList<FigureBar> bars;
    std::optional<FigureLimit> limit = {}; // the scale reaches it
    QStringList notes = {};                // paragraphs below the ticks
    QList<FigureLimit> floors = {};        // that bars name as theirs; the scale reaches them
    QString conclusion = {};               // what the bars say, a paragraph between ticks and notes
};

// A row of panels under one heading; panels stand side by side where the layout is wide enough, else below each other.
struct FigureRow
{
    QString title;    // "Kernel time"
    QString subtitle; // "µs, lower is better"
    QList<FigurePanel> panels;
};

// One rung of a ladder: a bar, what it is, and the factor against the rung before.
struct LadderStep
{
    QString title, label;       // "4×4 outputs per thread", "first rewrite · PR #42"
    FigureBar bar;              // its label is not drawn; its state's reason is in details
    std::optional<double> thin; // a second value of the same unit, a thin bar below
    QString thinText;           // "span 144.41"
    QString factor;             // "2.43×" on the line from the bar before; empty: no line
    QString text;               // a paragraph: what changed
};

// Words and values that share no scale with anything, and so are no bars.
struct FigureEntry
{
    QString title;     // "32×32 tiles, 2×4 register tile"
    QString metric;    // "span"
    QString valueText; // "210.51 µs"; empty: stateText stands in its place
    QString stateText;
    QString factor;  // "1.45× as long"
    QString against; // "145.61 µs, retained 4×4 build, same run"
    QString verdict; // or the reason of a state
    QString toolTip; // exact values, for hovering
};
struct FigureList
{
    QString title, subtitle;
    QList<FigureEntry> entries;
};

// Repeated values of each row as dots on one scale, which need not start at zero, with their mean or median as a mark.
struct FigureDotRow
{
    QString label;
    ColorRole color;
    QList<double> values;
    double mark = 0;
    QString valueText; // "13.64"
    QString rangeText; // "13.53–13.76"
    QString toolTip;
    QString stateText = {}; // drawn in place of dots and value: why there are none
};
struct FigureDots
{
    QString title, subtitle, unit;
    QList<FigureDotRow> rows;
    bool areRatios = false;                // the scale is logarithmic: a half and a double are as far from 1
    std::optional<FigureLimit> limit = {}; // the scale reaches it
    QString note = {};                     // a paragraph in place of rows, or above them
};

// How one thing came about: bars on one zero-based scale with the factor between neighbours, then lists and
// repetitions.
struct FigureLadder
{
    QString title, subtitle, unit;
    QList<LadderStep> steps;
    QList<FigureList> lists;
    QList<FigureDots> dots;
    QList<FigureLimit> floors = {}; // that the steps' bars name as theirs; the scale reaches them
};

// Points over an index (sample number), for the samples figure.
struct FigureSeries
{
    QString label;
    ColorRole color;
    SampleSequence values; // its parts are rounds
    QString stateText;
    QStringList partNames = {}; // of each part of the values: "round 3"; empty: they are counted
};
// What of a plot is drawn: samples first to last, the first of all being 0.
struct PlotRange
{
    qsizetype first = 0, last = 0;
    bool fitsValues = false; // the value scale reaches from the smallest to the largest drawn, not from zero
    bool operator==(const PlotRange &) const = default;
};
struct FigurePlot
{
    QString title, subtitle, xTitle, unit;
    QList<FigureSeries> series;
    std::optional<PlotRange> range = {}; // absent: all samples
};

// A change of something in percent as a bar from zero, to the right for more, to the left for less.
struct FigureDelta
{
    QString label, sublabel; // "Matrix multiplication", "Rust · tiled → k64"
    ColorRole color;
    std::optional<double> value; // percent; absent: stateText says why
    std::optional<double> band;  // the half width around zero within which it means nothing; absent: unknown
    QString valueText;           // "−76.7 %"
    QString detail;              // "344.0 → 80.0 µs"
    QString verdict;             // "beyond drift (2.1 %)"
    QString stateText;           // in place of the bar
    QStringList flags;           // short labels, in the colour of warnings
    QString toolTip;             // exact values, for hovering
};
// Changes on one scale.
struct FigureDeltas
{
    QString title, subtitle;
    QList<FigureDelta> rows;
    QStringList notes; // paragraphs below the ticks, or in place of rows
};

// One value of a trend's line; without one the line has a gap, and the state stands in the notes.
struct FigureTrendPoint
{
    std::optional<double> value;
    QString toolTip;            // exact values, for hovering
    bool startsAnother = false; // another series: no line leads here
};
struct FigureTrendLine
{
    QString label;
    ColorRole color;
    QList<FigureTrendPoint> points; // one for each of the trend's places
    QString valueText;              // behind its end: "344.0 → 80.0"
};
// Values at places in order (namespaces), a line for each of several things, on one zero-based scale.
struct FigureTrend
{
    QString title, subtitle, unit;
    QStringList places; // names: "mage-001"
    QList<int> breaks;  // places at which another series of all starts, a divider before them
    QList<FigureTrendLine> lines;
    QStringList notes; // paragraphs below
};

// A thing with one height and a place along x for each kind of marker; without one in a kind there is no marker.
struct FigureScatterItem
{
    QString label;
    ColorRole color;
    double y = 0;
    QList<std::optional<double>> x; // of each of the kinds
    QStringList toolTips;           // of each of the kinds: exact values, for hovering
    QString valueText = {};         // behind its label: "8.2"
    QString stateText = {};         // in place of markers and value: why there are none
};
// What items cannot be above: level where it is set, else slope · x. A slope ends at the highest level.
struct FigureScatterCeiling
{
    QString text;
    std::optional<double> level, slope;
    int kind = -1; // whose markers it bounds; −1: all
};
// Items over two logarithmic scales, below their ceilings; kinds of markers differ in shape.
struct FigureScatter
{
    QString title, subtitle, xTitle, yTitle;
    QStringList kinds; // what each shape of marker stands for: "by bytes of L2"
    QList<FigureScatterCeiling> ceilings;
    QList<FigureScatterItem> items;
    QStringList notes; // paragraphs below
};

struct Figure
{
    QString id; // "kernel-span"
    QString title, subtitle;
    int columns = 1; // panels beside each other in the desktop layout
    int desktopWidth = 740, mobileWidth = 365;
    QList<FigureRow> rows;
    QList<FigurePlot> plots;
    QList<FigureLadder> ladders;
    QList<FigureDeltas> deltas;              // below the ladders
    QList<FigureTrend> trends;               // below those
    QList<FigureScatter> scatters;           // below those, side by side as panels are
    QStringList footer;                      // lines: GPU, precision, what the scales share, provenance
    QString unavailable;                     // set: nothing to draw, and why
    QString altText;                         // generated from the values
    QList<QPair<QString, QString>> metadata; // provenance, embedded in PNG text and SVG metadata

    int width(Layout layout) const { return layout == Layout::Desktop ? desktopWidth : mobileWidth; }
};

} // namespace stagecraft::widgets
