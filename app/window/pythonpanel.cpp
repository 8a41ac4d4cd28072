// SPDX-License-Identifier: GPL-3.0-or-later
#include "pythonpanel.h"

#include "commandtext.h"
#include "themedicon.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStyle>

namespace stagecraft::window {

namespace {

QLabel *textLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QString readyText(const protocol::DescribeResult &description)
{
    QStringList ready;
    for (const protocol::Implementation &implementation : description.implementations) {
        if (implementation.available)
            ready.append(QString::fromStdString(implementation.id));
    }
    return ready.isEmpty() ? PythonPanel::tr("It answers; nothing of it can be measured here.")
                           : PythonPanel::tr("Can be measured here: %1").arg(ready.join(QStringLiteral(", ")));
}

} // namespace

QString installCommand(const QString &advice, const QString &interpreter)
{
    static const QRegularExpression command(QStringLiteral("(\\S+)( -m pip install [^`]+)"));
    const QRegularExpressionMatch match = command.match(advice);
    if (!match.hasMatch())
        return {};
    const bool isNamed = QFileInfo(interpreter).fileName() == match.captured(1);
    return (isNamed ? commandText({interpreter}) : match.captured(1)) + match.captured(2);
}

PythonPanel::PythonPanel(QWidget *parent) : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(createChoice());
    m_state = textLabel(QString(), this);
    m_state->setObjectName(QStringLiteral("pythonState"));
    layout->addWidget(m_state);
    m_packages = new QScrollArea(this);
    m_packages->setWidgetResizable(true);
    m_packages->setFrameShape(QFrame::NoFrame);
    m_packages->setAccessibleName(tr("What the Python worker finds"));
    layout->addWidget(m_packages, 1);
    clearPackages();
}

QWidget *PythonPanel::createChoice()
{
    auto *area = new QWidget(this);
    auto *row = new QHBoxLayout(area);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *label = new QLabel(tr("&Interpreter"), area);
    m_interpreter = new QLineEdit(area);
    m_interpreter->setPlaceholderText(tr("python3 on PATH"));
    m_interpreter->setClearButtonEnabled(true);
    m_interpreter->setAccessibleName(tr("Python interpreter"));
    m_interpreter->setToolTip(tr("The interpreter whose PyTorch and Triton are measured, for example that of a "
                                 "virtual environment"));
    label->setBuddy(m_interpreter);
    auto *browseButton = new QPushButton(tr("Browse…"), area);
    browseButton->setAccessibleDescription(tr("Choose the interpreter's file"));
    m_ask = new QPushButton(tr("Ask &again"), area);
    m_ask->setToolTip(tr("Start the Python worker and ask what it finds"));
    for (QPushButton *button : {browseButton, m_ask})
        button->setAutoDefault(false);
    connect(m_interpreter, &QLineEdit::textChanged, this, &PythonPanel::edited);
    connect(m_interpreter, &QLineEdit::editingFinished, this, [this] {
        if (m_interpreter->isModified())
            emit askRequested();
        m_interpreter->setModified(false);
    });
    connect(browseButton, &QPushButton::clicked, this, &PythonPanel::browse);
    connect(m_ask, &QPushButton::clicked, this, &PythonPanel::askRequested);
    row->addWidget(label);
    row->addWidget(m_interpreter, 1);
    row->addWidget(browseButton);
    row->addWidget(m_ask);
    return area;
}

QString PythonPanel::interpreter() const
{
    return QDir::fromNativeSeparators(m_interpreter->text().trimmed());
}

void PythonPanel::setInterpreter(const QString &interpreter)
{
    m_interpreter->setText(QDir::toNativeSeparators(interpreter));
}

void PythonPanel::browse()
{
    const QString chosen =
        QFileDialog::getOpenFileName(this, tr("The Python interpreter"), QFileInfo(interpreter()).absolutePath());
    if (chosen.isEmpty())
        return;
    setInterpreter(chosen);
    emit askRequested();
}

void PythonPanel::setState(const QString &text, bool danger)
{
    m_state->setText(text);
    m_state->setProperty("danger", danger);
    m_state->setProperty("muted", !danger);
    m_state->style()->unpolish(m_state);
    m_state->style()->polish(m_state);
}

void PythonPanel::clearPackages()
{
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    m_grid = new QGridLayout;
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
    layout->addLayout(m_grid);
    layout->addStretch(1);
    m_packages->setWidget(content);
}

QLabel *PythonPanel::addLabel(const QString &text, int row, int column, int columns)
{
    QLabel *label = textLabel(text, m_packages->widget());
    label->setWordWrap(column > 0);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_grid->addWidget(label, row, column, 1, columns);
    return label;
}

void PythonPanel::showAsking()
{
    clearPackages();
    m_ask->setEnabled(false);
    setState(tr("Asking…"), false);
}

void PythonPanel::showNothing(const QString &why)
{
    clearPackages();
    m_ask->setEnabled(false);
    setState(why, false);
}

void PythonPanel::showReport(const run::WorkerReport &report)
{
    clearPackages();
    m_ask->setEnabled(true);
    if (!report.answered) {
        setState(tr("Nothing runs in it: %1.").arg(report.reason), true);
        if (!report.fix.isEmpty())
            addLabel(report.fix.at(0).toUpper() + report.fix.mid(1) + QLatin1Char('.'), 0, 1, 2);
        return;
    }
    setState(readyText(report.description), false);
    QStringList causes;
    for (const protocol::Library &library : report.description.libraries) {
        const QString cause = QString::fromStdString(library.reason + '\n' + library.fix);
        addPackage(library, causes.contains(cause));
        causes.append(cause);
    }
}

void PythonPanel::addPackage(const protocol::Library &library, bool said)
{
    const int row = m_grid->rowCount();
    const QString name = QString::fromStdString(library.name);
    addLabel(name, row, 0);
    if (library.available) {
        const QString found = library.version.empty() ? tr("found") : QString::fromStdString(library.version);
        QLabel *version = addLabel(found, row, 1, 2);
        version->setToolTip(QString::fromStdString(library.path));
        return;
    }
    addLabel(QString::fromStdString(library.reason), row, 1, 2)->setProperty("muted", true);
    if (!library.fix.empty() && !said)
        addCommand(row + 1, name, QString::fromStdString(library.fix));
}

void PythonPanel::addCommand(int row, const QString &name, const QString &fix)
{
    const QString command = installCommand(fix, interpreter());
    QLabel *advice = addLabel(fix, row, 1, command.isEmpty() ? 2 : 1);
    if (command.isEmpty())
        return;
    advice->setAlignment(Qt::AlignLeft | Qt::AlignVCenter); // beside its button
    auto *copy = new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy"), m_packages->widget());
    copy->setAutoDefault(false);
    copy->setToolTip(tr("Copy %1").arg(command));
    copy->setAccessibleName(tr("Copy the command that installs %1").arg(name));
    connect(copy, &QPushButton::clicked, this, [command] { QGuiApplication::clipboard()->setText(command); });
    m_grid->addWidget(copy, row, 2, Qt::AlignTop);
}

} // namespace stagecraft::window
