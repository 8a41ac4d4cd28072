// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QWidget;

namespace stagecraft::window {

class Actions;

QDialog *createShortcutsDialog(const Actions &actions, QWidget *parent); // every command with its keys
QDialog *createAboutDialog(QWidget *parent);

} // namespace stagecraft::window
