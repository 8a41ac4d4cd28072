// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QWidget>

#include <deque>

class QComboBox;
class QPlainTextEdit;

namespace stagecraft::widgets {

enum class LogLevel
{
    Detail, // compile output, worker chatter
    Information,
    Warning,
    Error
};

// Messages as they come, newest last, each line with its time and level. The oldest lines go once there are more than
// maximumLines. It follows new lines until the reader scrolls up, and again once the reader is back at the end.
// GUI thread only.
class LogView : public QWidget
{
    Q_OBJECT

public:
    explicit LogView(QWidget *parent = nullptr);

    void append(LogLevel level, const QString &text); // text may have several lines; control characters are left out
    void setLeastLevel(LogLevel level);               // lines below it are kept but hidden
    LogLevel leastLevel() const { return m_leastLevel; }
    void setMaximumLines(int lines); // 1 or more; 5000 at first
    void setTheme(Theme theme);
    QString shownText() const;

public slots:
    void copy(); // the selected text, or all that is shown
    void clear();

private:
    struct Line
    {
        LogLevel level;
        QString time, text;
    };

    void addLine(const Line &line);
    void showLine(const Line &line);
    void rebuild();

    QComboBox *m_filter;
    QPlainTextEdit *m_text;
    std::deque<Line> m_lines;
    size_t m_maximumLines = 5000;
    LogLevel m_leastLevel = LogLevel::Information;
    Theme m_theme = Theme::Dark;
};

} // namespace stagecraft::widgets
