// SPDX-License-Identifier: GPL-3.0-or-later
#include "figuretext.h"

#include <algorithm>

namespace stagecraft::widgets {

namespace {

constexpr qsizetype kLongestText = 2000;

bool isUnprintable(QChar c)
{
    if (c == u'\n' || c == u'\t')
        return false;
    const char16_t code = c.unicode();
    const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e ||
                           code == 0x200f || code == 0x061c;
    return c.category() == QChar::Other_Control || direction || code >= 0xfffe;
}

void print(QString &text)
{
    text = printableText(text);
    if (text.size() <= kLongestText)
        return;
    const bool splitsPair = text[kLongestText - 1].isHighSurrogate();
    text = text.left(kLongestText - (splitsPair ? 1 : 0)) + u'…';
}

void print(QStringList &texts)
{
    for (QString &text : texts)
        print(text);
}

void print(FigureBar &bar)
{
    for (QString *text : {&bar.label, &bar.valueText, &bar.stateText, &bar.toolTip})
        print(*text);
    print(bar.flags);
    print(bar.details);
}

void print(QList<FigureLimit> &floors)
{
    for (FigureLimit &floor : floors) {
        print(floor.text);
        print(floor.what);
    }
}

void print(FigurePanel &panel)
{
    for (QString *text : {&panel.title, &panel.subtitle, &panel.unit})
        print(*text);
    for (FigureBar &bar : panel.bars)
        print(bar);
    if (panel.limit)
        print(panel.limit->text);
    print(panel.notes);
    print(panel.conclusion);
    print(panel.floors);
}

void print(FigureList &list)
{
    print(list.title);
    print(list.subtitle);
    for (FigureEntry &entry : list.entries)
        for (QString *text : {&entry.title, &entry.metric, &entry.valueText, &entry.stateText, &entry.factor,
                              &entry.against, &entry.verdict, &entry.toolTip})
            print(*text);
}

void print(FigureDots &dots)
{
    for (QString *text : {&dots.title, &dots.subtitle, &dots.unit, &dots.note})
        print(*text);
    for (FigureDotRow &row : dots.rows)
        for (QString *text : {&row.label, &row.valueText, &row.rangeText, &row.toolTip, &row.stateText})
            print(*text);
    if (dots.limit)
        print(dots.limit->text);
}

void print(FigureLadder &ladder)
{
    for (QString *text : {&ladder.title, &ladder.subtitle, &ladder.unit})
        print(*text);
    for (LadderStep &step : ladder.steps) {
        print(step.bar);
        for (QString *text : {&step.title, &step.label, &step.thinText, &step.factor, &step.text})
            print(*text);
    }
    print(ladder.floors);
    for (FigureList &list : ladder.lists)
        print(list);
    for (FigureDots &dots : ladder.dots)
        print(dots);
}

void print(FigurePlot &plot)
{
    for (QString *text : {&plot.title, &plot.subtitle, &plot.xTitle, &plot.unit})
        print(*text);
    for (FigureSeries &series : plot.series) {
        print(series.label);
        print(series.stateText);
        print(series.partNames);
    }
}

void print(FigureDeltas &deltas)
{
    print(deltas.title);
    print(deltas.subtitle);
    print(deltas.notes);
    for (FigureDelta &row : deltas.rows) {
        for (QString *text :
             {&row.label, &row.sublabel, &row.valueText, &row.detail, &row.verdict, &row.stateText, &row.toolTip})
            print(*text);
        print(row.flags);
    }
}

void print(FigureTrend &trend)
{
    for (QString *text : {&trend.title, &trend.subtitle, &trend.unit})
        print(*text);
    print(trend.places);
    print(trend.notes);
    for (FigureTrendLine &line : trend.lines) {
        print(line.label);
        print(line.valueText);
        for (FigureTrendPoint &point : line.points)
            print(point.toolTip);
    }
}

void print(FigureScatter &scatter)
{
    for (QString *text : {&scatter.title, &scatter.subtitle, &scatter.xTitle, &scatter.yTitle})
        print(*text);
    print(scatter.kinds);
    print(scatter.notes);
    for (FigureScatterCeiling &ceiling : scatter.ceilings)
        print(ceiling.text);
    for (FigureScatterItem &item : scatter.items) {
        for (QString *text : {&item.label, &item.valueText, &item.stateText})
            print(*text);
        print(item.toolTips);
    }
}

} // namespace

QString printableText(const QString &text)
{
    QString printable = text;
    std::replace_if(printable.begin(), printable.end(), isUnprintable, QChar(QChar::ReplacementCharacter));
    return printable;
}

Figure printableFigure(Figure figure)
{
    for (QString *text : {&figure.title, &figure.subtitle, &figure.unavailable})
        print(*text);
    for (FigureRow &row : figure.rows) {
        print(row.title);
        print(row.subtitle);
        for (FigurePanel &panel : row.panels)
            print(panel);
    }
    for (FigurePlot &plot : figure.plots)
        print(plot);
    for (FigureLadder &ladder : figure.ladders)
        print(ladder);
    for (FigureDeltas &deltas : figure.deltas)
        print(deltas);
    for (FigureTrend &trend : figure.trends)
        print(trend);
    for (FigureScatter &scatter : figure.scatters)
        print(scatter);
    print(figure.footer);
    figure.altText = printableText(figure.altText);
    for (auto &[key, value] : figure.metadata) {
        key = printableText(key);
        value = printableText(value);
    }
    return figure;
}

} // namespace stagecraft::widgets
