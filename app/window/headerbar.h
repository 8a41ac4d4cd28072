// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "availability.h"
#include "runner.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QToolBar>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace stagecraft::window {

class Actions;

// The line that answers at one glance: what runs, how far, on what, by which protocol. Its button is Run, and Stop
// while something runs.
class HeaderBar : public QToolBar
{
    Q_OBJECT
public:
    HeaderBar(Actions *actions, QWidget *parent = nullptr);

    void setAvailability(const Availability &availability, bool asking);
    void setProtocol(const run::RunPlan &plan);
    int device() const; // the user's choice, 0 at first

    void showIdle(const QString &text);
    void showRunning(); // before the first progress has arrived
    void showProgress(const run::Progress &progress);
    void showWorkerLine(const QString &line); // what a worker says while it prepares
    void showStopping();

signals:
    void presetChosen(int index); // of protocolPresets()
    void deviceChosen(int device);

private:
    void createRunButton();
    void createDeviceChoice();
    void createProtocolButton();
    void createProgress();
    void createPageSwitch();
    void setButtonAction(QAction *action);
    void showTexts();

    Actions *m_actions;
    QHBoxLayout *m_row = nullptr;
    QPushButton *m_button = nullptr;
    QAction *m_buttonAction = nullptr; // what the button does now
    QComboBox *m_device = nullptr;
    int m_chosen = 0; // kept while the devices are being asked for
    QToolButton *m_protocol = nullptr;
    QLabel *m_what = nullptr, *m_howFar = nullptr;
    QProgressBar *m_progress = nullptr;
    run::Progress m_shown; // what the line tells of now
    QString m_workerLine;  // the last since that began
    QElapsedTimer m_shownSince;
    QTimer m_tick; // while something takes long that has no samples to show
};

// "Matrix multiplication · CUDA · spans"
QString progressWhat(const run::Progress &progress);
// Whether it goes on without anything to show: a compilation, tuning, a check.
bool isPreparation(const run::Progress &progress);
// "round 2 of 5 · 0:38 left"
QString progressHowFar(const run::Progress &progress);

} // namespace stagecraft::window
