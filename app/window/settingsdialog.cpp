// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingsdialog.h"

#include "commandtext.h"
#include "externalprogrammodel.h"
#include "externalprogramspanel.h"
#include "pythonpanel.h"
#include "themedicon.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTabWidget>

namespace stagecraft::window {

namespace {

const QString pythonWorker = QStringLiteral("python");

QLabel *explanation(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setProperty("muted", true);
    return label;
}

QVBoxLayout *pageLayout(QWidget *page)
{
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 16, 0, 0);
    layout->setSpacing(12);
    return layout;
}

} // namespace

SettingsDialog::SettingsDialog(const SettingsValues &values, QWidget *parent) : QDialog(parent), m_applied(values)
{
    setWindowTitle(tr("Settings"));
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(createPythonPage(), tr("Python"));
    m_tabs->addTab(createExternalPage(), tr("External programs"));
    m_tabs->addTab(createWorkersPage(), tr("Workers"));
    m_tabs->addTab(createStagesPage(), tr("Stages"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(createButtons());
    m_python->setInterpreter(values.workers.python);
    m_prefix->setText(commandText(values.workers.prefix));
    m_programs->model()->setPrefix(values.workers.prefix);
    m_programs->model()->setPrograms(values.workers.externals);
    m_stagesFolder->setText(QDir::toNativeSeparators(values.stagesFolder));
    m_editor->setText(values.editorCommand);
    validate();
    resize(680, 480);
}

SettingsDialog::~SettingsDialog() = default;

QWidget *SettingsDialog::createPythonPage()
{
    auto *page = new QWidget(this);
    QVBoxLayout *layout = pageLayout(page);
    layout->addWidget(explanation(tr("PyTorch and Triton are measured in a Python of your own."), page));
    m_python = new PythonPanel(page);
    layout->addWidget(m_python, 1);
    connect(m_python, &PythonPanel::edited, this, &SettingsDialog::validate);
    connect(m_python, &PythonPanel::askRequested, this, [this] {
        m_askedAgain = true;
        askPython();
    });
    return page;
}

QWidget *SettingsDialog::createExternalPage()
{
    auto *page = new QWidget(this);
    QVBoxLayout *layout = pageLayout(page);
    layout->addWidget(explanation(tr("Programs of your own that read an input directory and write a result and their "
                                     "times. Each is an implementation in the plan."),
                                  page));
    m_programs = new ExternalProgramsPanel(page);
    layout->addWidget(m_programs, 1);
    connect(m_programs, &ExternalProgramsPanel::edited, this, &SettingsDialog::validate);
    return page;
}

QWidget *SettingsDialog::createWorkersPage()
{
    auto *page = new QWidget(this);
    QVBoxLayout *layout = pageLayout(page);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    auto *label = new QLabel(tr("Start &workers through"), page);
    m_prefix = new QLineEdit(page);
    m_prefix->setPlaceholderText(tr("this machine"));
    m_prefix->setClearButtonEnabled(true);
    m_prefix->setAccessibleName(tr("Command that workers are started through"));
    label->setBuddy(m_prefix);
    row->addWidget(label);
    row->addWidget(m_prefix, 1);
    layout->addWidget(explanation(tr("Everything is measured by workers, which can run on another machine."), page));
    layout->addLayout(row);
    layout->addWidget(explanation(tr("For example “ssh gpu01”, “srun --gres=gpu:1” or “docker exec gpu”. The workers "
                                     "must be on the PATH there, and so must external programs."),
                                  page));
    layout->addStretch(1);
    connect(m_prefix, &QLineEdit::textChanged, this, [this] {
        m_programs->model()->setPrefix(values().workers.prefix);
        validate();
    });
    connect(m_prefix, &QLineEdit::editingFinished, this, [this] {
        if (m_prefix->isModified())
            askPython();
        m_prefix->setModified(false);
    });
    return page;
}

QWidget *SettingsDialog::createStagesPage()
{
    auto *page = new QWidget(this);
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 16, 0, 0);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(12);
    m_stagesFolder = new QLineEdit(page);
    m_stagesFolder->setPlaceholderText(tr("none chosen yet"));
    m_stagesFolder->setAccessibleName(tr("Folder of your stages"));
    m_stagesFolder->setToolTip(tr("Its files are compiled and run: choose a folder whose files you know"));
    auto *browseButton = new QPushButton(tr("Browse…"), page);
    browseButton->setAutoDefault(false);
    browseButton->setAccessibleDescription(tr("Choose the folder of your stages"));
    connect(browseButton, &QPushButton::clicked, this, &SettingsDialog::browseStages);
    auto *folder = new QHBoxLayout;
    folder->setSpacing(8);
    folder->addWidget(m_stagesFolder, 1);
    folder->addWidget(browseButton);
    auto *folderLabel = new QLabel(tr("Stages &folder"), page);
    folderLabel->setBuddy(m_stagesFolder);
    form->addRow(folderLabel, folder);
    m_editor = new QLineEdit(page);
    m_editor->setPlaceholderText(tr("the desktop's own choice"));
    m_editor->setAccessibleName(tr("Command that opens a stage's file"));
    m_editor->setToolTip(tr("For example “code --reuse-window”; the file's path is added"));
    form->addRow(tr("External &editor"), m_editor);
    for (const QLineEdit *line : {m_stagesFolder, m_editor})
        connect(line, &QLineEdit::textChanged, this, &SettingsDialog::validate);
    return page;
}

QWidget *SettingsDialog::createButtons()
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel | QDialogButtonBox::Help, this);
    m_ok = new QPushButton(tr("OK"), buttons);
    m_ok->setObjectName(QStringLiteral("primaryButton"));
    m_ok->setDefault(true);
    m_apply = new QPushButton(tr("A&pply"), buttons);
    buttons->addButton(m_ok, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_apply, QDialogButtonBox::ApplyRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::helpRequested, this, &SettingsDialog::helpRequested);
    connect(m_apply, &QPushButton::clicked, this, &SettingsDialog::apply);
    return buttons;
}

void SettingsDialog::showPage(Page page)
{
    m_tabs->setCurrentIndex(page);
    if (page == StagesPage)
        m_editor->setFocus(Qt::OtherFocusReason);
}

SettingsValues SettingsDialog::values() const
{
    SettingsValues values;
    values.workers.prefix = QProcess::splitCommand(m_prefix->text());
    values.workers.python = m_python->interpreter();
    values.workers.externals = m_programs->model()->programs();
    values.stagesFolder = QDir::fromNativeSeparators(m_stagesFolder->text().trimmed());
    values.editorCommand = m_editor->text().trimmed();
    return values;
}

QString SettingsDialog::problem() const
{
    return run::setupProblem(values().workers);
}

void SettingsDialog::validate()
{
    if (!m_apply) // while it is being built
        return;
    const bool usable = problem().isEmpty();
    m_tabs->setTabIcon(ExternalPage, usable ? QIcon() : themedIcon(QStringLiteral("error"), QPalette::Text));
    m_tabs->setTabToolTip(ExternalPage, problem());
    m_ok->setEnabled(usable);
    m_ok->setToolTip(problem());
    m_apply->setEnabled(usable && (m_askedAgain || values() != m_applied));
}

void SettingsDialog::apply()
{
    const bool again = std::exchange(m_askedAgain, false);
    if (!again && values() == m_applied)
        return;
    m_applied = values();
    validate();
    emit applied(m_applied, again);
}

void SettingsDialog::accept()
{
    apply();
    QDialog::accept();
}

void SettingsDialog::begin(const run::WorkerReport *python)
{
    if (python)
        m_python->showReport(*python);
    else
        askPython();
}

void SettingsDialog::setMayAsk(bool may)
{
    m_mayAsk = may;
    if (may ? m_askDue : m_asking)
        askPython();
}

void SettingsDialog::setAsking(bool asking)
{
    if (std::exchange(m_asking, asking) != asking)
        emit askingChanged(asking);
}

void SettingsDialog::askPython()
{
    validate();
    m_surveyor.reset();
    m_askDue = !m_mayAsk;
    setAsking(m_mayAsk);
    if (!m_mayAsk)
        return m_python->showNothing(tr("A run is in progress: the worker is asked once it has ended."));
    m_python->showAsking();
    m_surveyor = std::make_unique<run::Surveyor>();
    connect(m_surveyor.get(), &run::Surveyor::reported, m_python, &PythonPanel::showReport);
    connect(m_surveyor.get(), &run::Surveyor::logged, this, &SettingsDialog::logged);
    connect(m_surveyor.get(), &run::Surveyor::finished, this, [this] { setAsking(false); });
    m_surveyor->ask({pythonWorker}, values().workers, m_device);
}

void SettingsDialog::browseStages()
{
    const QString start = QDir(m_stagesFolder->text()).exists() ? m_stagesFolder->text() : QDir::homePath();
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Choose the folder of your stages"), start);
    if (!chosen.isEmpty())
        m_stagesFolder->setText(QDir::toNativeSeparators(chosen));
}

} // namespace stagecraft::window
