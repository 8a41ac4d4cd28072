// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runner.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace stagecraft::window {

// The Python interpreter that PyTorch and Triton run in, and what its worker says of it.
class PythonPanel : public QWidget
{
    Q_OBJECT
public:
    explicit PythonPanel(QWidget *parent = nullptr);

    QString interpreter() const; // empty: python3 on the PATH
    void setInterpreter(const QString &interpreter);

    void showAsking();
    void showNothing(const QString &why); // nobody has asked
    void showReport(const run::WorkerReport &report);

signals:
    void edited();       // at each change
    void askRequested(); // the user wants to know what the worker says now

private:
    QWidget *createChoice();
    void browse();
    void setState(const QString &text, bool danger);
    void clearPackages();
    QLabel *addLabel(const QString &text, int row, int column, int columns = 1);
    void addPackage(const protocol::Library &library, bool said); // `said`: its cause stands above already
    void addCommand(int row, const QString &name, const QString &fix);

    QLineEdit *m_interpreter = nullptr;
    QPushButton *m_ask = nullptr;
    QLabel *m_state = nullptr;
    QScrollArea *m_packages = nullptr;
    QGridLayout *m_grid = nullptr; // of what m_packages holds
};

// The command within a piece of advice that installs something, with the interpreter as the user has named it: the
// worker tells no folder. Empty where there is none.
QString installCommand(const QString &advice, const QString &interpreter);

} // namespace stagecraft::window
