// SPDX-License-Identifier: GPL-3.0-or-later
#include "logview.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocumentFragment>
#include <QTime>
#include <QToolButton>

#include <algorithm>

namespace stagecraft::widgets {

namespace {

constexpr int kMostCharacters = 4000; // of one line: a kernel's runaway printf may not stall the layout

QString levelName(LogLevel level)
{
    switch (level) {
    case LogLevel::Detail:
        return QStringLiteral("detail");
    case LogLevel::Information:
        return QStringLiteral("info");
    case LogLevel::Warning:
        return QStringLiteral("warning");
    case LogLevel::Error:
        return QStringLiteral("error");
    }
    return {};
}

QColor levelColor(LogLevel level, Theme theme)
{
    const ThemeColors &colors = themeColors(theme);
    switch (level) {
    case LogLevel::Detail:
        return colors.muted;
    case LogLevel::Information:
        return colors.ink;
    case LogLevel::Warning:
        return colors.attention;
    case LogLevel::Error:
        return colors.danger;
    }
    return colors.ink;
}

QString printable(const QString &line)
{
    QString text;
    for (const QChar c : line.left(kMostCharacters))
        if (c.isPrint() || c == u'\t' || c.isSurrogate())
            text += c;
    if (line.size() > kMostCharacters)
        text += QStringLiteral(" … (%1 more characters)").arg(line.size() - kMostCharacters);
    return text;
}

QToolButton *textButton(const QString &text, const QString &toolTip, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAutoRaise(true);
    return button;
}

} // namespace

LogView::LogView(QWidget *parent) : QWidget(parent), m_filter(new QComboBox(this)), m_text(new QPlainTextEdit(this))
{
    const std::pair<QString, LogLevel> filters[] = {{tr("Everything"), LogLevel::Detail},
                                                    {tr("Messages"), LogLevel::Information},
                                                    {tr("Warnings and errors"), LogLevel::Warning},
                                                    {tr("Errors"), LogLevel::Error}};
    for (const auto &[name, level] : filters)
        m_filter->addItem(name, static_cast<int>(level));
    m_filter->setCurrentIndex(m_filter->findData(static_cast<int>(m_leastLevel)));
    m_filter->setAccessibleName(tr("Least level shown"));
    connect(m_filter, &QComboBox::currentIndexChanged, this,
            [this] { setLeastLevel(static_cast<LogLevel>(m_filter->currentData().toInt())); });

    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Log"));
    m_text->setUndoRedoEnabled(false);
    setMaximumLines(static_cast<int>(m_maximumLines));

    QToolButton *copyButton = textButton(tr("Copy"), tr("Copy the selected text, or all that is shown"), this);
    QToolButton *clearButton = textButton(tr("Clear"), tr("Remove all lines"), this);
    connect(copyButton, &QToolButton::clicked, this, &LogView::copy);
    connect(clearButton, &QToolButton::clicked, this, &LogView::clear);

    auto *bar = new QHBoxLayout;
    bar->setSpacing(2 * kSpacing);
    bar->addWidget(m_filter);
    bar->addStretch();
    bar->addWidget(copyButton);
    bar->addWidget(clearButton);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * kSpacing, kSpacing, 2 * kSpacing, kSpacing);
    column->setSpacing(kSpacing);
    column->addLayout(bar);
    column->addWidget(m_text);
    setTheme(m_theme);
}

void LogView::append(LogLevel level, const QString &text)
{
    const QString time = QTime::currentTime().toString(QStringLiteral("HH:mm:ss"));
    QScrollBar *scroll = m_text->verticalScrollBar();
    const bool following = scroll->value() == scroll->maximum();
    const int place = scroll->value();
    const int before = m_text->blockCount();
    int shown = 0;
    for (const QString &line : text.trimmed().split(u'\n')) {
        addLine({.level = level, .time = time, .text = printable(line)});
        shown += level >= m_leastLevel;
    }
    // Lines dropped at the top move the rest up; what the reader looks at stays where it is.
    const int dropped = std::max(0, before + shown - m_text->blockCount());
    scroll->setValue(following ? scroll->maximum() : place - dropped);
}

void LogView::addLine(const Line &line)
{
    m_lines.push_back(line);
    if (m_lines.size() > m_maximumLines)
        m_lines.pop_front();
    if (line.level >= m_leastLevel)
        showLine(line);
}

void LogView::showLine(const Line &line)
{
    QTextCursor cursor(m_text->document());
    cursor.movePosition(QTextCursor::End);
    if (!m_text->document()->isEmpty())
        cursor.insertBlock();
    QTextCharFormat quiet, loud;
    quiet.setForeground(themeColors(m_theme).muted);
    loud.setForeground(levelColor(line.level, m_theme));
    cursor.insertText(line.time + QStringLiteral("  "), quiet);
    cursor.insertText(levelName(line.level).leftJustified(9), loud);
    cursor.insertText(line.text, loud);
}

void LogView::rebuild()
{
    m_text->clear();
    for (const Line &line : m_lines)
        if (line.level >= m_leastLevel)
            showLine(line);
    m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

void LogView::setLeastLevel(LogLevel level)
{
    if (level == m_leastLevel)
        return;
    m_leastLevel = level;
    m_filter->setCurrentIndex(m_filter->findData(static_cast<int>(level)));
    rebuild();
}

void LogView::setMaximumLines(int lines)
{
    m_maximumLines = static_cast<size_t>(std::max(1, lines));
    while (m_lines.size() > m_maximumLines)
        m_lines.pop_front();
    m_text->setMaximumBlockCount(static_cast<int>(m_maximumLines));
}

void LogView::setTheme(Theme theme)
{
    m_theme = theme;
    m_text->setPalette(themePalette(theme));
    QFont font(QStringLiteral("monospace"));
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(textFont(TextStyle::Small).pixelSize());
    m_text->setFont(font);
    rebuild();
}

QString LogView::shownText() const
{
    return m_text->toPlainText();
}

void LogView::copy()
{
    const QString selected = m_text->textCursor().selection().toPlainText();
    QGuiApplication::clipboard()->setText(selected.isEmpty() ? shownText() : selected);
}

void LogView::clear()
{
    m_lines.clear();
    m_text->clear();
}

} // namespace stagecraft::widgets
