// SPDX-License-Identifier: GPL-3.0-or-later
#include "sourcefindbar.h"

#include "theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <Qsci/qsciscintilla.h>
#include <QToolButton>

namespace stagecraft::widgets {

SourceFindBar::SourceFindBar(QsciScintilla *editor, QWidget *parent)
    : QWidget(parent),
      m_editor(editor),
      m_text(new QLineEdit(this)),
      m_case(new QCheckBox(tr("Match case"), this)),
      m_result(new QLabel(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * kSpacing, kSpacing, 2 * kSpacing, kSpacing);
    layout->setSpacing(2 * kSpacing);
    m_text->setPlaceholderText(tr("Find"));
    m_text->setAccessibleName(tr("Find in the source"));
    m_text->setMaximumWidth(320);
    const auto addButton = [&](Qt::ArrowType arrow, const QString &name) {
        auto *button = new QToolButton(this);
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setToolTip(name);
        button->setAccessibleName(name);
        layout->addWidget(button);
        return button;
    };
    layout->addWidget(m_text, 1);
    connect(addButton(Qt::UpArrow, tr("Previous match (Shift+F3)")), &QToolButton::clicked, this,
            &SourceFindBar::findPrevious);
    connect(addButton(Qt::DownArrow, tr("Next match (F3)")), &QToolButton::clicked, this, &SourceFindBar::findNext);
    layout->addWidget(m_case);
    layout->addWidget(m_result);
    layout->addStretch(1);
    connect(m_text, &QLineEdit::textEdited, this, &SourceFindBar::findAsTyped);
    connect(m_text, &QLineEdit::returnPressed, this, &SourceFindBar::findNext);
    connect(m_case, &QCheckBox::toggled, this, &SourceFindBar::findAsTyped);
    setFocusProxy(m_text);
    hide();
}

void SourceFindBar::open()
{
    const QString selected = m_editor->selectedText();
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n')))
        m_text->setText(selected);
    m_result->clear();
    show();
    m_text->selectAll();
    m_text->setFocus(Qt::ShortcutFocusReason);
}

void SourceFindBar::find(bool forward, int line, int index)
{
    if (m_text->text().isEmpty()) {
        m_result->clear();
        return;
    }
    const bool found =
        m_editor->findFirst(m_text->text(), false, m_case->isChecked(), false, true, forward, line, index, true);
    m_result->setText(found ? QString() : tr("not found"));
}

// What is found already stays found while its text grows.
void SourceFindBar::findAsTyped()
{
    int line = 0, index = 0, endLine = 0, endIndex = 0;
    m_editor->getSelection(&line, &index, &endLine, &endIndex);
    if (line < 0)
        m_editor->getCursorPosition(&line, &index);
    find(true, line, index);
}

void SourceFindBar::findNext()
{
    find(true, -1, -1);
}

void SourceFindBar::findPrevious()
{
    int line = 0, index = 0, endLine = 0, endIndex = 0;
    m_editor->getSelection(&line, &index, &endLine, &endIndex);
    if (line < 0)
        m_editor->getCursorPosition(&line, &index);
    find(false, line, index);
}

void SourceFindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape) {
        QWidget::keyPressEvent(event);
        return;
    }
    hide();
    m_editor->setFocus(Qt::OtherFocusReason);
}

} // namespace stagecraft::widgets
