// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QList>
#include <QObject>

class QsciScintilla;

namespace stagecraft::widgets {

class SourceView;

// Marks on whole lines of a source view that come from elsewhere, and word of where its cursor goes. Colour is never
// the only sign: related lines have a bar at the left, flagged ones a triangle. Lines are counted from 1; those beyond
// the end are left out. A view has at most one of these, and owns it. GUI thread only.
class LineMarks : public QObject
{
    Q_OBJECT

public:
    explicit LineMarks(SourceView *view);

    void setTheme(Theme theme);
    void setRelated(const QList<int> &lines); // that belong to what is looked at in another view
    void setFlagged(const QList<int> &lines); // to beware of
    QList<int> related() const;
    QList<int> flagged() const;

    void reveal(int line);            // scrolls until the line is seen; the cursor stays
    void goTo(int line);              // the cursor, scrolling no more than it must; of this nothing is said
    int nextFlagged(int after) const; // from the start again after the last; 0: there is none
    void setQuiet(bool quiet);        // while the text is exchanged, nothing is said of the cursor

signals:
    void cursorMoved(int line); // to another line, said when the view is next drawn

private:
    void mark(const QList<int> &lines, int ground, int sign);
    QList<int> marked(int marker) const;
    void noteCursor(int line);

    SourceView *m_view;
    QsciScintilla *m_editor;
    int m_line = 1;
    bool m_quiet = false;
};

} // namespace stagecraft::widgets
