// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workersetup.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace stagecraft::window {

class ExternalProgramModel;

// The table of external programs with what can be done to it.
class ExternalProgramsPanel : public QWidget
{
    Q_OBJECT
public:
    explicit ExternalProgramsPanel(QWidget *parent = nullptr);

    ExternalProgramModel *model() const { return m_model; }
    QTableView *table() const { return m_table; }

public slots:
    void add(); // a row to be filled in; its name is edited
    void remove();

signals:
    void edited();

private:
    void createTable();
    QWidget *createButtons();
    void edit();
    void browse();
    void refresh();

    ExternalProgramModel *m_model;
    QTableView *m_table = nullptr;
    QPushButton *m_edit = nullptr, *m_browse = nullptr, *m_remove = nullptr;
    QLabel *m_problem = nullptr;
};

} // namespace stagecraft::window
