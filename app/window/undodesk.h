// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QMenu;
class QUndoStack;
class QWidget;

namespace stagecraft::widgets {
class SourceView;
} // namespace stagecraft::widgets

namespace stagecraft::window {

class Actions;

// Whose changes Undo and Redo take back: those of the source while the focus is in it, else those of the evidence list
// and the comparison. Fields in which text is typed keep the keys for themselves.
class UndoDesk : public QObject
{
    Q_OBJECT
public:
    UndoDesk(Actions &actions, QMenu &editMenu, QUndoStack &evidence, QObject *parent = nullptr);

private:
    void update();
    void undo();
    void redo();

    Actions &m_actions;
    QUndoStack &m_evidence;
    QPointer<widgets::SourceView> m_source; // that has the focus
};

} // namespace stagecraft::window
