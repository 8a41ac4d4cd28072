// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagecatalogue.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace stagecraft::window {

// Asks for the name and the title of a new stage that starts as a copy of `from`.
class NewStageDialog : public QDialog
{
    Q_OBJECT
public:
    NewStageDialog(const run::CatalogueStage &from, const run::StageCatalogue &catalogue, const QString &folder,
                   QWidget *parent = nullptr);

    QString id() const;
    QString title() const;

protected:
    bool event(QEvent *event) override;

private:
    void validate();

    QString m_operation;
    const run::StageCatalogue m_catalogue;
    QLineEdit *m_id, *m_title;
    QLabel *m_problem;
    QPushButton *m_create = nullptr;
};

} // namespace stagecraft::window
