// SPDX-License-Identifier: GPL-3.0-or-later
#include "helpdialogs.h"

#include "actions.h"
#include "themedicon.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace stagecraft::window {

namespace {

QDialog *createDialog(const QString &title, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    return dialog;
}

void addCloseButton(QDialog *dialog)
{
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    dialog->layout()->addWidget(buttons);
}

QString keysText(const QAction &action)
{
    QStringList keys;
    for (const QKeySequence &sequence : action.shortcuts())
        keys.append(sequence.toString(QKeySequence::NativeText));
    return keys.join(QObject::tr(" or "));
}

void addShortcut(QGridLayout *grid, const QString &what, const QString &keys)
{
    const int row = grid->rowCount();
    auto *label = new QLabel(keys);
    label->setProperty("muted", true);
    grid->addWidget(new QLabel(what), row, 0);
    grid->addWidget(label, row, 1, Qt::AlignRight);
}

} // namespace

QDialog *createShortcutsDialog(const Actions &actions, QWidget *parent)
{
    QDialog *dialog = createDialog(QObject::tr("Keyboard shortcuts"), parent);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(48);
    grid->setVerticalSpacing(8);
    for (const QAction *action : actions.all()) {
        if (!action->shortcuts().isEmpty())
            addShortcut(grid, QString(action->text()).remove(QLatin1Char('&')), keysText(*action));
    }
    addShortcut(grid, QObject::tr("Next, previous figure tab"), QObject::tr("Ctrl+Tab, Ctrl+Shift+Tab"));
    addShortcut(grid, QObject::tr("Check or uncheck the selected row"), QObject::tr("Space"));
    addShortcut(grid, QObject::tr("Edit the selected size"), QObject::tr("F2"));
    static_cast<QVBoxLayout *>(dialog->layout())->addLayout(grid);
    addCloseButton(dialog);
    return dialog;
}

QDialog *createAboutDialog(QWidget *parent)
{
    QDialog *dialog = createDialog(QObject::tr("About Stagecraft"), parent);
    auto *row = new QHBoxLayout;
    row->setSpacing(16);
    auto *icon = new QLabel(dialog);
    icon->setPixmap(applicationIcon().pixmap(QSize(64, 64), dialog->devicePixelRatioF()));
    auto *text = new QLabel(
        QObject::tr(
            "<h3>Stagecraft %1</h3><p>A workbench for people who write GPU kernels: kernel time beside the time "
            "around the call, live, kept as evidence.</p><p>Licence: GPL-3.0-or-later; kernels and workers "
            "MIT.<br>Built with Qt %2.</p>")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion())),
        dialog);
    text->setWordWrap(true);
    text->setMinimumWidth(360);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addWidget(text, 1);
    static_cast<QVBoxLayout *>(dialog->layout())->addLayout(row);
    addCloseButton(dialog);
    return dialog;
}

} // namespace stagecraft::window
