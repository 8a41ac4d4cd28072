// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme.h"

#include <QModelIndex>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QSplitter;
class QTreeView;

namespace stagecraft::window {

class Actions;
class MachineCodePanel;
class MessageBar;
class StageEditors;
class StageResults;
class StageTreeModel;

// The page where stages are read and written: all of them on the left, the chosen one's source on the right, below it
// what came of it. What happens on it is StageDesk's.
class StageWorkbench : public QWidget
{
    Q_OBJECT
public:
    StageWorkbench(StageTreeModel *model, Actions *actions, QWidget *parent = nullptr);

    QTreeView *tree() const { return m_tree; }
    StageEditors *editors() const { return m_editors; }
    StageResults *results() const { return m_results; }
    MachineCodePanel *machineCode() const { return m_machineCode; }
    MessageBar *messages() const { return m_messages; }
    QList<QSplitter *> splitters() const; // tree | source, source over results, source | machine code

    void select(const QString &operation, const QString &id);
    void setHeading(const QString &title, const QString &explanation);
    void setFolderText(const QString &text, const QString &toolTip);
    void setTheme(widgets::Theme theme);

signals:
    void stageSelected(const QString &operation, const QString &id);

private:
    QWidget *createTree(Actions *actions);
    QWidget *createSource(Actions *actions);
    QWidget *createBar(QLabel *heading, const QList<QAction *> &actions, Qt::ToolButtonStyle style);
    void noteCurrent(const QModelIndex &current);
    void restoreSelection();

    StageTreeModel *m_model;
    MessageBar *m_messages;
    QTreeView *m_tree = nullptr;
    QLabel *m_title = nullptr, *m_explanation = nullptr, *m_folder = nullptr;
    StageEditors *m_editors = nullptr;
    StageResults *m_results = nullptr;
    MachineCodePanel *m_machineCode = nullptr;
    QSplitter *m_splitter, *m_right = nullptr, *m_codes = nullptr;
    QString m_operation, m_id; // selected
};

} // namespace stagecraft::window
