// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureladder.h"

#include "figureaxis.h"
#include "figurebar.h"
#include "figuredots.h"
#include "figurefloors.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr double kGap = 2 * kSpacing;
constexpr double kColumnGap = 6 * kSpacing;
constexpr double kBarRow = 5 * kSpacing; // the line that a step's bar shares with its title
constexpr double kBarHeight = 14;
constexpr double kThinTop = kBarRow - 1, kThinHeight = 3;
constexpr double kFactorRow = 8 * kSpacing;
constexpr double kBlockGap = 5 * kSpacing; // before a list or repetitions
constexpr double kArrow = 4;
constexpr double kSlack = 1; // a text whose room is its width to the last bit can be shortened for a rounding
constexpr double kWide = 820, kNarrow = 480; // widths at which the form changes
constexpr double kTextShare = 0.33, kLabelShare = 0.22, kTwoColumnLabelShare = 0.3;

double thinReach(const LadderStep &step)
{
    return isDrawable(step.bar.value) && isDrawable(step.thin) ? *step.thin : 0;
}

class LadderLayout
{
public:
    LadderLayout(FigureScene &scene, const FigureLadder &ladder, const LadderPlace &place);
    double run();

private:
    bool oneColumn() const { return m_form == LadderForm::OneColumn; }
    void addHeading();
    void addSteps();
    void addFloors();
    void addFactor(const LadderStep &before, const LadderStep &step);
    void addStairs(double fromX, double toX);
    void addDivider();
    void addStep(int index);
    double addTitle(const LadderStep &step, double top, double width);
    double addBarLine(const LadderStep &step, double top, QRectF &bar);
    void addThin(const LadderStep &step, double top);
    double addState(const LadderStep &step, double top);
    double addText(const LadderStep &step, double top, double below);
    void addHit(int index, const QRectF &area, const QRectF &bar);
    void addLists();

    FigureScene &m_scene;
    const FigureLadder &m_ladder;
    const LadderPlace &m_place;
    const LadderForm m_form;
    FigureAxis m_axis;
    double m_textWidth = 0; // the text ends with the ladder
    double m_y;
    double m_barBottom = 0; // of the last step that has a bar
};

LadderLayout::LadderLayout(FigureScene &scene, const FigureLadder &ladder, const LadderPlace &place)
    : m_scene(scene), m_ladder(ladder), m_place(place), m_form(ladderForm(place.width)), m_y(place.topLeft.y())
{
    const double left = place.topLeft.x(), right = left + place.width;
    m_axis.zero = std::round(oneColumn() ? left + 1 : left + place.labelWidth + kColumnGap);
    const bool wide = m_form == LadderForm::ThreeColumns;
    m_textWidth = wide ? std::round(place.width * kTextShare) : right - m_axis.zero;
    m_axis.right = wide ? right - m_textWidth - kColumnGap : right;
    QList<AxisTail> tails;
    double before = 0;
    for (const LadderStep &step : ladder.steps) {
        const double thinText = step.thinText.isEmpty() ? 0 : kGap + styledWidth(step.thinText, TextStyle::Small);
        const double width = barTailWidth(step.bar) + thinText + kSlack;
        const double value = isDrawable(step.bar.value) ? *step.bar.value : 0;
        const double reach = value > 0 ? reachWithFloor(step.bar, ladder.floors) : 0;
        // A factor stands behind the longer of its two bars, and is wider than their values where those are short.
        const double factor = kGap + styledWidth(step.factor, TextStyle::Panel) + kSlack;
        tails << AxisTail{reach, width} << AxisTail{thinReach(step), kGap} << AxisTail{std::max(before, value), factor};
        before = value;
    }
    fitAxis(m_axis, tails + floorTails(ladder.floors));
}

double LadderLayout::run()
{
    addHeading();
    if (!m_ladder.steps.isEmpty())
        addSteps();
    addLists();
    return m_y - m_place.topLeft.y();
}

void LadderLayout::addHeading()
{
    const double left = m_place.topLeft.x();
    m_y += m_scene.addParagraph({left, m_y}, m_place.width, m_ladder.title, TextStyle::Heading, {SceneColor::Ink, {}});
    m_y +=
        m_scene.addParagraph({left, m_y}, m_place.width, m_ladder.subtitle, TextStyle::Body, {SceneColor::Muted, {}});
    m_y += 3 * kSpacing;
}

// Ticks stand where grid lines lead to the bars; between paragraphs they would lead nowhere.
void LadderLayout::addSteps()
{
    addFloors();
    const double top = m_y;
    for (int i = 0; i < m_ladder.steps.size(); ++i) {
        if (i > 0)
            addFactor(m_ladder.steps[i - 1], m_ladder.steps[i]);
        addStep(i);
    }
    if (m_form != LadderForm::ThreeColumns)
        return;
    addFloorTexts(m_scene, m_ladder.floors, m_axis, m_place.topLeft.x(), top - kSpacing, m_y);
    m_y += addAxis(m_scene, m_axis, {{top, m_y}}, m_y, m_place.topLeft.x() + m_place.labelWidth, m_ladder.unit);
    for (const QString &note : floorNotes(m_ladder.floors, m_axis.right - m_place.topLeft.x()))
        m_y += m_scene.addParagraph({m_place.topLeft.x(), m_y}, m_place.width, note, TextStyle::Small,
                                    {SceneColor::Muted, {}});
}

// Room for their texts above the bars, or a key where paragraphs stand between the bars.
void LadderLayout::addFloors()
{
    const double left = m_place.topLeft.x();
    const double height = m_form == LadderForm::ThreeColumns
                              ? floorTextsHeight(m_ladder.floors)
                              : addFloorKey(m_scene, m_ladder.floors, {left, m_y}, m_place.width);
    m_y += height > 0 ? height + 2 * kSpacing : 0;
}

void LadderLayout::addFactor(const LadderStep &before, const LadderStep &step)
{
    const double textTop = m_y + (kFactorRow - lineHeight(TextStyle::Panel)) / 2;
    double left = m_axis.zero;
    if (m_form == LadderForm::ThreeColumns && !step.factor.isEmpty() && isDrawable(before.bar.value) &&
        isDrawable(step.bar.value)) {
        const double from = m_axis.x(*before.bar.value), to = m_axis.x(*step.bar.value);
        addStairs(from, to);
        left = std::max(from, to) + kGap;
    } else if (m_form != LadderForm::ThreeColumns) {
        addDivider();
    }
    m_scene.addText({left, textTop}, m_axis.right - left, step.factor, TextStyle::Panel, {SceneColor::Ink, {}});
    m_y += kFactorRow;
}

// From the end of the bar above down and across to the end of the bar below.
void LadderLayout::addStairs(double fromX, double toX)
{
    const double from = std::round(fromX) - 0.5, to = std::round(toX) - 0.5;
    const double middle = std::round(m_y + kFactorRow / 2) + 0.5, tip = m_y + kFactorRow + 2;
    const SceneColor color{SceneColor::Muted, {}};
    for (const QLineF &line : {QLineF(from, m_barBottom + 2, from, middle + 0.5), QLineF(from, middle, to, middle),
                               QLineF(to, middle - 0.5, to, tip - kArrow)})
        m_scene.marks.append({.line = line, .color = color}); // above the grid, which may run along it
    m_scene.areas.append({.outline = QPolygonF(QList<QPointF>{
                              {to - kArrow, tip - kArrow - 1}, {to + kArrow, tip - kArrow - 1}, {to, tip}}),
                          .color = color});
}

// The factor's text interrupts the line, as texts do with every grid line.
void LadderLayout::addDivider()
{
    const double middle = std::round(m_y + kFactorRow / 2) + 0.5;
    m_scene.grid.append(
        {.line = {m_axis.zero, middle, m_place.topLeft.x() + m_place.width, middle}, .color = {SceneColor::Rule, {}}});
}

void LadderLayout::addStep(int index)
{
    const LadderStep &step = m_ladder.steps[index];
    const double left = m_place.topLeft.x();
    const double titleWidth = oneColumn() ? m_place.width : m_place.labelWidth;
    const double titleHeight = addTitle(step, m_y, titleWidth);
    const double barTop = oneColumn() ? m_y + titleHeight + kSpacing / 2.0 : m_y;
    QRectF bar;
    const double barHeight = isDrawable(step.bar.value) ? addBarLine(step, barTop, bar) : addState(step, barTop);
    const double height = std::max(barTop + barHeight, addText(step, m_y, barTop + barHeight)) - m_y;
    const QRectF area(left, m_y, m_place.width, oneColumn() ? height : std::max(height, titleHeight));
    addHit(index, area, bar);
    m_y = area.bottom();
}

double LadderLayout::addTitle(const LadderStep &step, double top, double width)
{
    const double left = m_place.topLeft.x();
    const double title = m_scene.addParagraph({left, top}, width, step.title, TextStyle::Body, {SceneColor::Ink, {}});
    return title +
           m_scene.addParagraph({left, top + title}, width, step.label, TextStyle::Small, {SceneColor::Muted, {}});
}

// Bar, value, second value and flags on one line, the thin bar at its foot. Returns the height.
double LadderLayout::addBarLine(const LadderStep &step, double top, QRectF &bar)
{
    bar = QRectF(m_axis.zero, top + (kBarRow - kBarHeight) / 2, *step.bar.value * m_axis.unitLength, kBarHeight);
    m_scene.addBar(bar, step.bar.color);
    if (m_form != LadderForm::ThreeColumns)
        addGridLine(m_scene, m_axis.zero, top, top + kBarRow + kSpacing, SceneColor::Axis);
    addThin(step, top + kThinTop);
    addFloorMark(m_scene, step.bar, m_ladder.floors, m_axis, {top, top + kThinTop + kThinHeight});
    double x = m_axis.x(reachWithFloor(step.bar, m_ladder.floors)) + kGap;
    const double smallTop = top + (kBarRow - lineHeight(TextStyle::Small)) / 2;
    const auto add = [&](double y, const QString &text, TextStyle style, SceneColor::Kind color) {
        const double taken = m_scene.addText({x, y}, m_axis.right - x, text, style, {color, {}});
        x += taken > 0 ? taken + kGap : 0;
    };
    add(top, step.bar.valueText, TextStyle::Body, SceneColor::Ink);
    add(smallTop, step.thinText, TextStyle::Small, SceneColor::Muted);
    m_barBottom = top + kThinTop + kThinHeight;
    const QString flags = barFlags(step.bar);
    if (styledWidth(flags, TextStyle::Small) <= m_axis.right - x) {
        add(smallTop, flags, TextStyle::Small, SceneColor::Attention);
        return kBarRow + kSpacing;
    }
    // In full below rather than shortened: a picture has no tool tips.
    m_barBottom += m_scene.addParagraph({m_axis.zero + kGap, m_barBottom + 1}, m_axis.right - m_axis.zero - kGap, flags,
                                        TextStyle::Small, {SceneColor::Attention, {}});
    return m_barBottom + 2 - top;
}

void LadderLayout::addThin(const LadderStep &step, double top)
{
    if (!isDrawable(step.thin))
        return;
    const QRectF thin(m_axis.zero, top, *step.thin * m_axis.unitLength, kThinHeight);
    m_scene.areas.append({.outline = QPolygonF(thin), .color = {SceneColor::Muted, {}}});
}

// The state in place of the bar, its reason in full below. Returns the height.
double LadderLayout::addState(const LadderStep &step, double top)
{
    if (m_form != LadderForm::ThreeColumns)
        addGridLine(m_scene, m_axis.zero, top, top + kBarRow, SceneColor::Axis);
    const double left = m_axis.zero + kGap, width = m_axis.right - left;
    double height =
        m_scene.addParagraph({left, top}, width, step.bar.stateText, TextStyle::Body, {SceneColor::Muted, {}});
    for (const QString &detail : step.bar.details)
        height += m_scene.addParagraph({left, top + height}, width, detail, TextStyle::Small, {SceneColor::Muted, {}});
    return std::max(height, kBarRow);
}

// Beside the bar in three columns, else below it; returns where the text ends.
double LadderLayout::addText(const LadderStep &step, double top, double below)
{
    const double textTop = m_form == LadderForm::ThreeColumns ? top : below + kSpacing / 2.0;
    return textTop + m_scene.addParagraph({m_place.topLeft.x() + m_place.width - m_textWidth, textTop}, m_textWidth,
                                          step.text, TextStyle::Body, {SceneColor::Muted, {}});
}

void LadderLayout::addHit(int index, const QRectF &area, const QRectF &bar)
{
    const LadderStep &step = m_ladder.steps[index];
    FigureHit hit{.area = area,
                  .bar = bar,
                  .rowIndex = m_place.rowIndex,
                  .panelIndex = 0,
                  .barIndex = index,
                  .toolTip = step.bar.toolTip};
    if (hit.toolTip.isEmpty())
        hit.toolTip = QStringLiteral("%1: %2").arg(step.title, isDrawable(step.bar.value) ? step.bar.valueText
                                                                                          : step.bar.stateText);
    m_scene.hits.append(hit);
}

void LadderLayout::addLists()
{
    int panel = 1;
    for (const FigureList &list : m_ladder.lists) {
        m_y += kBlockGap;
        m_y += layoutList(m_scene, list, {{m_place.topLeft.x(), m_y}, m_place.width, m_place.rowIndex, panel++},
                          m_place.columns);
    }
    for (const FigureDots &dots : m_ladder.dots) {
        m_y += kBlockGap;
        m_y += layoutDots(m_scene, dots, {{m_place.topLeft.x(), m_y}, m_place.width, m_place.rowIndex, panel++},
                          oneColumn() ? 0 : m_axis.zero - m_place.topLeft.x(), m_axis.right);
    }
}

} // namespace

LadderForm ladderForm(double width)
{
    return width >= kWide     ? LadderForm::ThreeColumns
           : width >= kNarrow ? LadderForm::TwoColumns
                              : LadderForm::OneColumn;
}

double ladderLabelWidth(const QList<FigureLadder> &ladders, double width)
{
    const LadderForm form = ladderForm(width);
    if (form == LadderForm::OneColumn)
        return 0;
    double widest = 0;
    for (const FigureLadder &ladder : ladders) {
        for (const LadderStep &step : ladder.steps)
            widest =
                std::max({widest, styledWidth(step.title, TextStyle::Body), styledWidth(step.label, TextStyle::Small)});
        for (const FigureDots &dots : ladder.dots)
            for (const FigureDotRow &row : dots.rows)
                widest = std::max(widest, styledWidth(row.label, TextStyle::Body));
    }
    const double share = form == LadderForm::ThreeColumns ? kLabelShare : kTwoColumnLabelShare;
    return std::min(std::ceil(widest), std::floor(width * share));
}

double layoutLadder(FigureScene &scene, const FigureLadder &ladder, const LadderPlace &place)
{
    return LadderLayout(scene, ladder, place).run();
}

} // namespace stagecraft::widgets
