// SPDX-License-Identifier: GPL-3.0-or-later
#include "newstagedialog.h"

#include "ownstages.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft::window {

NewStageDialog::NewStageDialog(const run::CatalogueStage &from, const run::StageCatalogue &catalogue,
                               const QString &folder, QWidget *parent)
    : QDialog(parent),
      m_operation(from.operation()),
      m_catalogue(catalogue),
      m_id(new QLineEdit(this)),
      m_title(new QLineEdit(this)),
      m_problem(new QLabel(this))
{
    setWindowTitle(tr("New stage from %1/%2").arg(from.operation(), from.id()));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    auto *text =
        new QLabel(tr("The copy is yours to change. Each save compiles it, and where there is a GPU checks and "
                      "measures it beside %1.")
                       .arg(from.id()),
                   this);
    text->setWordWrap(true);
    layout->addWidget(text);
    auto *form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    m_id->setText(freeStageId(from, catalogue));
    m_id->setMinimumWidth(320);
    m_id->selectAll();
    m_title->setText(tr("%1, changed").arg(QString::fromStdString(from.stage.title)));
    form->addRow(tr("&Name"), m_id);
    form->addRow(tr("&Title"), m_title);
    auto *place = new QLabel(QDir::toNativeSeparators(folder), this);
    place->setProperty("muted", true);
    place->setWordWrap(true);
    form->addRow(tr("Folder"), place);
    layout->addLayout(form);
    m_problem->setObjectName(QStringLiteral("problemLine"));
    m_problem->setWordWrap(true);
    layout->addWidget(m_problem);
    layout->addStretch(1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_create = new QPushButton(tr("Create"), this);
    m_create->setObjectName(QStringLiteral("primaryButton")); // before the style sheet meets it
    m_create->setDefault(true);
    buttons->addButton(m_create, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    connect(m_id, &QLineEdit::textChanged, this, &NewStageDialog::validate);
    connect(m_title, &QLineEdit::textChanged, this, &NewStageDialog::validate);
    validate();
}

void NewStageDialog::validate()
{
    QString problem = stageIdProblem(id(), m_operation, m_catalogue);
    if (problem.isEmpty() && title().isEmpty())
        problem = tr("Write a title: what the stage is, in a few words.");
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_create->setEnabled(problem.isEmpty());
}

// Lines that wrap need a height that depends on the width, which a window's least size does not know of by itself. A
// window that has grown stays so: one that follows each keystroke would be restless.
bool NewStageDialog::event(QEvent *event)
{
    const bool handled = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize || event->type() == QEvent::Show)
        setMinimumHeight(layout()->totalHeightForWidth(width()));
    return handled;
}

QString NewStageDialog::id() const
{
    return m_id->text().trimmed();
}

QString NewStageDialog::title() const
{
    return m_title->text().trimmed();
}

} // namespace stagecraft::window
