// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rundesk.h"
#include "viewcatalogue.h"
#include "windowoptions.h"

#include <QObject>

namespace stagecraft::window {

class MainWindow;

// Takes pictures of the window as it is: at its start, and with a run in the middle and after it. Each is saved as
// DIR/window-WHAT.png; finished() gives the exit status.
class ScreenshotTour : public QObject
{
    Q_OBJECT
public:
    ScreenshotTour(MainWindow &window, const WindowOptions &options, QObject *parent = nullptr);

    void begin();

signals:
    void finished(int status);

private:
    void beginWhenReady();
    void takeStart();
    void watchProgress(const run::Progress &progress);
    void takeMiddle();
    void takeEnd(run::Outcome outcome);
    void afterNextPage(views::ViewId view, void (ScreenshotTour::*next)());
    bool save(const QString &what);
    void takeMiddleSamples();
    void takeEndOverview();
    void takeStages(void (ScreenshotTour::*next)());
    void startRun();
    void end();

    MainWindow &m_window;
    WindowOptions m_options;
    bool m_stagesTaken = false;
    bool m_begun = false, m_middle = false, m_failed = false;
};

} // namespace stagecraft::window
