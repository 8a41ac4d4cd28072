// SPDX-License-Identifier: GPL-3.0-or-later
#include "undodesk.h"

#include "actions.h"
#include "sourceview.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

namespace stagecraft::window {

namespace {

widgets::SourceView *sourceAround(QWidget *widget)
{
    for (QWidget *around = widget; around; around = around->parentWidget()) {
        if (auto *source = qobject_cast<widgets::SourceView *>(around))
            return source;
    }
    return nullptr;
}

// A name may have an ampersand, which would mark a key.
QString withVerb(const QString &verb, QString what)
{
    return what.isEmpty() ? verb
                          : QStringLiteral("%1 %2").arg(verb, what.replace(QLatin1Char('&'), QLatin1String("&&")));
}

} // namespace

UndoDesk::UndoDesk(Actions &actions, QMenu &editMenu, QUndoStack &evidence, QObject *parent)
    : QObject(parent), m_actions(actions), m_evidence(evidence)
{
    connect(m_actions.undo, &QAction::triggered, this, &UndoDesk::undo);
    connect(m_actions.redo, &QAction::triggered, this, &UndoDesk::redo);
    connect(&m_evidence, &QUndoStack::indexChanged, this, &UndoDesk::update);
    connect(&m_evidence, &QUndoStack::undoTextChanged, this, &UndoDesk::update);
    connect(&m_evidence, &QUndoStack::redoTextChanged, this, &UndoDesk::update);
    connect(&editMenu, &QMenu::aboutToShow, this, &UndoDesk::update);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) {
        // Opening the menu does not change what its commands are about.
        if (!now || qobject_cast<QMenuBar *>(now) || qobject_cast<QMenu *>(now))
            return;
        m_source = sourceAround(now);
        update();
    });
    update();
}

void UndoDesk::update()
{
    if (m_source) {
        m_actions.undo->setText(tr("&Undo typing"));
        m_actions.redo->setText(tr("&Redo typing"));
        m_actions.undo->setEnabled(m_source->canUndo());
        m_actions.redo->setEnabled(m_source->canRedo());
        return;
    }
    m_actions.undo->setText(withVerb(tr("&Undo"), m_evidence.undoText()));
    m_actions.redo->setText(withVerb(tr("&Redo"), m_evidence.redoText()));
    m_actions.undo->setEnabled(m_evidence.canUndo());
    m_actions.redo->setEnabled(m_evidence.canRedo());
}

void UndoDesk::undo()
{
    if (m_source)
        m_source->undo();
    else
        m_evidence.undo();
    update();
}

void UndoDesk::redo()
{
    if (m_source)
        m_source->redo();
    else
        m_evidence.redo();
    update();
}

} // namespace stagecraft::window
