// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshottour.h"

#include "actions.h"
#include "evidencedesk.h"
#include "figurepane.h"
#include "headerbar.h"
#include "mainwindow.h"
#include "planmodel.h"
#include "stagedesk.h"

#include <QAction>
#include <QDir>
#include <QTextStream>
#include <QTimer>

namespace stagecraft::window {

namespace {
// Charts that have just come into view lay themselves out in later turns of the event loop.
constexpr int settleMs = 250;
} // namespace

ScreenshotTour::ScreenshotTour(MainWindow &window, const WindowOptions &options, QObject *parent)
    : QObject(parent), m_window(window), m_options(options)
{
}

void ScreenshotTour::begin()
{
    connect(m_window.runDesk(), &RunDesk::surveyed, this, &ScreenshotTour::beginWhenReady);
    connect(m_window.evidenceDesk(), &EvidenceDesk::loadingFinished, this, &ScreenshotTour::beginWhenReady);
    connect(m_window.runDesk(), &RunDesk::progressed, this, &ScreenshotTour::watchProgress);
    connect(m_window.runDesk(), &RunDesk::finished, this, &ScreenshotTour::takeEnd);
}

void ScreenshotTour::beginWhenReady()
{
    if (m_begun || m_window.runDesk()->isSurveying() || m_window.evidenceDesk()->isLoading())
        return;
    m_begun = true;
    m_window.plan()->select(m_options.operations, m_options.implementations);
    afterNextPage(m_window.figures()->view(), &ScreenshotTour::takeStart);
    m_window.figures()->refresh();
}

// A page that is asked for now can come behind one that is being built; the one after the next turn is of this view.
void ScreenshotTour::afterNextPage(views::ViewId view, void (ScreenshotTour::*next)())
{
    m_window.figures()->setView(view);
    auto *waiting = new QObject(this);
    connect(m_window.figures(), &FigurePane::pageShown, waiting, [this, waiting, view, next](views::ViewId shown) {
        if (shown != view)
            return;
        waiting->deleteLater();
        disconnect(m_window.figures(), nullptr, waiting, nullptr);
        QTimer::singleShot(settleMs, this, next);
    });
}

void ScreenshotTour::takeStart()
{
    save(QStringLiteral("start"));
    takeStages(m_options.run ? &ScreenshotTour::startRun : &ScreenshotTour::end);
}

// The stages page once what it shows is compiled, or known not to be.
void ScreenshotTour::takeStages(void (ScreenshotTour::*next)())
{
    auto *waiting = new QObject(this);
    const auto takeWhenCompiled = [this, waiting, next] {
        if (m_stagesTaken || !m_window.stageDesk()->isSettled())
            return;
        m_stagesTaken = true;
        waiting->deleteLater();
        QTimer::singleShot(settleMs, this, [this, next] {
            save(QStringLiteral("stages"));
            m_window.actions()->showFigures->trigger();
            (this->*next)();
        });
    };
    connect(m_window.stageDesk(), &StageDesk::shown, waiting, takeWhenCompiled);
    m_window.actions()->showStages->trigger();
    takeWhenCompiled();
}

void ScreenshotTour::end()
{
    emit finished(m_failed ? 1 : 0);
}

void ScreenshotTour::startRun()
{
    if (!m_window.actions()->run->isEnabled()) {
        QTextStream(stderr) << tr("Nothing to run: no checked implementation is available.\n");
        emit finished(1);
        return;
    }
    m_window.runDesk()->start();
}

void ScreenshotTour::watchProgress(const run::Progress &progress)
{
    QTextStream(stderr) << progressWhat(progress) << QStringLiteral(", ") << progressHowFar(progress) << Qt::endl;
    // Past the half, within a round that is neither the first nor complete: partly filled.
    if (m_middle || progress.done * 2 < progress.total || (progress.round < 2 && progress.rounds > 1))
        return;
    m_middle = true;
    afterNextPage(views::ViewId::KernelSpan, &ScreenshotTour::takeMiddle);
}

void ScreenshotTour::takeMiddle()
{
    save(QStringLiteral("running"));
    afterNextPage(views::ViewId::Samples, &ScreenshotTour::takeMiddleSamples);
}

void ScreenshotTour::takeMiddleSamples()
{
    save(QStringLiteral("running-samples"));
    m_window.figures()->setView(views::ViewId::KernelSpan);
}

void ScreenshotTour::takeEnd(run::Outcome outcome)
{
    m_failed = m_failed || outcome != run::Outcome::Completed;
    afterNextPage(views::ViewId::KernelSpan, &ScreenshotTour::takeEndOverview);
    m_window.figures()->refresh();
}

void ScreenshotTour::takeEndOverview()
{
    save(QStringLiteral("done"));
    end();
}

bool ScreenshotTour::save(const QString &what)
{
    const QString path = QDir(m_options.screenshots).filePath(QStringLiteral("window-%1.png").arg(what));
    const bool saved = QDir().mkpath(m_options.screenshots) && m_window.grab().save(path);
    if (!saved) {
        m_failed = true;
        QTextStream(stderr) << tr("%1 cannot be written: check the directory and its permissions\n").arg(path);
    } else {
        QTextStream(stdout) << path << Qt::endl;
    }
    return saved;
}

} // namespace stagecraft::window
