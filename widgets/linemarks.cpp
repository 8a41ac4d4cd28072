// SPDX-License-Identifier: GPL-3.0-or-later
#include "linemarks.h"

#include "sourceview.h"

#include <Qsci/qsciscintilla.h>

namespace stagecraft::widgets {

namespace {

// Beyond those of the view's messages. A marker that the margin does not show is drawn as the ground of its line.
constexpr int relatedGround = 3, relatedSign = 4, flaggedGround = 5, flaggedSign = 6;
constexpr int signMargin = 1; // the one in which the view marks messages

QColor blended(const QColor &over, const QColor &under, float share)
{
    return QColor::fromRgbF(share * over.redF() + (1 - share) * under.redF(),
                            share * over.greenF() + (1 - share) * under.greenF(),
                            share * over.blueF() + (1 - share) * under.blueF());
}

} // namespace

LineMarks::LineMarks(SourceView *view) : QObject(view), m_view(view), m_editor(view->editor())
{
    m_editor->markerDefine(QsciScintilla::Background, flaggedGround);
    m_editor->markerDefine(QsciScintilla::RightTriangle, flaggedSign);
    m_editor->markerDefine(QsciScintilla::Background, relatedGround);
    m_editor->markerDefine(QsciScintilla::LeftRectangle, relatedSign);
    m_editor->setMarginMarkerMask(signMargin,
                                  m_editor->marginMarkerMask(signMargin) | 1 << relatedSign | 1 << flaggedSign);
    setTheme(Theme::Dark);
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, [this](int line) { noteCursor(line + 1); });
}

void LineMarks::setTheme(Theme theme)
{
    const ThemeColors &colors = themeColors(theme);
    m_editor->setMarkerBackgroundColor(blended(colors.accent, colors.ground, 0.22f), relatedGround);
    m_editor->setMarkerBackgroundColor(blended(colors.attention, colors.ground, 0.16f), flaggedGround);
    for (const auto &[marker, color] : {std::pair(relatedSign, colors.accent), {flaggedSign, colors.attention}}) {
        m_editor->setMarkerForegroundColor(color, marker);
        m_editor->setMarkerBackgroundColor(color, marker);
    }
}

void LineMarks::mark(const QList<int> &lines, int ground, int sign)
{
    m_editor->markerDeleteAll(ground);
    m_editor->markerDeleteAll(sign);
    const int last = m_editor->lines();
    for (const int line : lines) {
        if (line < 1 || line > last)
            continue;
        m_editor->markerAdd(line - 1, ground);
        m_editor->markerAdd(line - 1, sign);
    }
}

void LineMarks::setRelated(const QList<int> &lines)
{
    mark(lines, relatedGround, relatedSign);
}

void LineMarks::setFlagged(const QList<int> &lines)
{
    mark(lines, flaggedGround, flaggedSign);
}

QList<int> LineMarks::marked(int marker) const
{
    QList<int> lines;
    const unsigned mask = 1u << marker;
    for (int line = m_editor->markerFindNext(0, mask); line >= 0; line = m_editor->markerFindNext(line + 1, mask))
        lines.append(line + 1);
    return lines;
}

QList<int> LineMarks::related() const
{
    return marked(relatedSign);
}

QList<int> LineMarks::flagged() const
{
    return marked(flaggedSign);
}

int LineMarks::nextFlagged(int after) const
{
    const int found = m_editor->markerFindNext(after, 1u << flaggedSign);
    return (found >= 0 ? found : m_editor->markerFindNext(0, 1u << flaggedSign)) + 1;
}

void LineMarks::reveal(int line)
{
    const int wanted = qBound(1, line, m_editor->lines()) - 1;
    const auto shown = static_cast<int>(m_editor->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
    const auto row = static_cast<int>(m_editor->SendScintilla(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE, wanted));
    const int first = m_editor->firstVisibleLine();
    if (row < first || row >= first + shown)
        m_editor->setFirstVisibleLine(qMax(0, row - shown / 3));
}

void LineMarks::goTo(int line)
{
    m_line = qBound(1, line, m_editor->lines());
    reveal(m_line);
    m_editor->setCursorPosition(m_line - 1, 0);
}

void LineMarks::setQuiet(bool quiet)
{
    m_quiet = quiet;
    m_line = m_view->currentLine();
}

void LineMarks::noteCursor(int line)
{
    if (std::exchange(m_line, line) != line && !m_quiet)
        emit cursorMoved(line);
}

} // namespace stagecraft::widgets
