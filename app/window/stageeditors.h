// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourceview.h"

#include <QMap>
#include <QStackedWidget>

namespace stagecraft::widgets {
class LineMarks;
}

namespace stagecraft::window {

// The stage files that are open, each in a source view of its own that keeps its place, its undo and what is not saved.
class StageEditors : public QStackedWidget
{
    Q_OBJECT
public:
    explicit StageEditors(QWidget *parent = nullptr);

    // Brings the file's view to the front; one that is not open yet is opened with this text.
    widgets::SourceView *open(const QString &path, const QString &text, bool readOnly);
    void close(const QString &path);
    void setTheme(widgets::Theme theme);

    widgets::SourceView *view(const QString &path) const { return m_views.value(path); } // nullptr where not open
    widgets::SourceView *current() const { return m_views.value(m_current); }            // nullptr with none
    widgets::LineMarks *currentMarks() const;                                            // nullptr with none
    QString currentPath() const { return m_current; }
    QStringList modified() const; // paths

signals:
    void modifiedChanged(const QString &path);
    void cursorMoved(int line); // of the one in front

private:
    QMap<QString, widgets::SourceView *> m_views;
    QMap<QString, widgets::LineMarks *> m_marks; // their views own them
    QString m_current;
    widgets::Theme m_theme = widgets::Theme::Dark;
};

} // namespace stagecraft::window
