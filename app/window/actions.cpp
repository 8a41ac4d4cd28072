// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"

#include "themedicon.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace stagecraft::window {

Actions::Actions(QMainWindow *window) : QObject(window), recentMenu(new QMenu(window)), m_window(window)
{
    createFileActions();
    createEditActions();
    createRunActions();
    createViewActions();
    createHelpActions();
}

QAction *Actions::add(const QString &text, const QString &icon, const QString &toolTip, const QList<QKeySequence> &keys)
{
    auto *action = new QAction(text, this);
    if (!icon.isEmpty())
        action->setIcon(themedIcon(icon));
    action->setShortcuts(keys);
    action->setStatusTip(toolTip);
    action->setToolTip(keys.isEmpty()
                           ? toolTip
                           : QStringLiteral("%1 (%2)").arg(toolTip, keys.first().toString(QKeySequence::NativeText)));
    m_window->addAction(action); // so that the shortcut works wherever the focus is
    m_all.append(action);
    return action;
}

void Actions::createFileActions()
{
    open = add(tr("&Open namespace…"), QStringLiteral("open"), tr("Open a directory of evidence or a summary file"),
               {QKeySequence::Open});
    recentMenu->setTitle(tr("Open &recent"));
    recentMenu->setIcon(themedIcon(QStringLiteral("recent")));
    saveRun = add(tr("&Save run as…"), QStringLiteral("save"),
                  tr("Copy the last run's evidence to a directory of your choice"), {QKeySequence::Save});
    exportViews = add(tr("&Export…"), QStringLiteral("export"), tr("Write figures and value tables to files"),
                      {QKeySequence(Qt::CTRL | Qt::Key_E)});
    quit = add(tr("&Quit"), QStringLiteral("quit"), tr("Close Stagecraft"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    quit->setMenuRole(QAction::QuitRole);
}

void Actions::createEditActions()
{
    copyValues = add(tr("Copy &values"), QStringLiteral("copy"),
                     tr("Copy the value table, or what is selected in it, for a spreadsheet"),
                     {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
    copyFigure = add(tr("Copy &figure"), QStringLiteral("figure"), tr("Copy the figure as an image"),
                     {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C)});
}

void Actions::createRunActions()
{
    run = add(tr("&Run"), QStringLiteral("run"), tr("Measure what the plan says"),
              {QKeySequence(Qt::Key_F5), QKeySequence(Qt::CTRL | Qt::Key_R)});
    stop = add(tr("&Stop"), QStringLiteral("stop"), tr("End the run; what was measured is kept"),
               {QKeySequence(Qt::SHIFT | Qt::Key_F5), QKeySequence(Qt::Key_Escape)});
    stop->setEnabled(false);
    editProtocol = add(tr("Edit &protocol…"), QStringLiteral("sliders"), tr("Rounds, warm-up, spans, capture and seed"),
                       {QKeySequence(Qt::CTRL | Qt::Key_P)});
    restorePlan = add(tr("Restore &default plan"), {}, tr("All operations, default sizes, the standard protocol"));
    surveyAgain = add(tr("Look for &devices again"), QStringLiteral("refresh"),
                      tr("Ask the workers again what this machine can run"), {QKeySequence(Qt::CTRL | Qt::Key_F5)});
}

void Actions::createViewActions()
{
    auto *themes = new QActionGroup(this);
    const auto addTheme = [&](const QString &text, const QString &toolTip) {
        QAction *action = add(text, {}, toolTip);
        action->setCheckable(true);
        themes->addAction(action);
        return action;
    };
    themeSystem = addTheme(tr("&System"), tr("Dark or light, as the desktop is"));
    themeDark = addTheme(tr("&Dark"), tr("Dark ground"));
    themeLight = addTheme(tr("&Light"), tr("Light ground"));
    resetLayout = add(tr("&Reset layout"), QStringLiteral("layout"), tr("Put every panel back to its place"));
}

void Actions::createHelpActions()
{
    shortcuts = add(tr("&Keyboard shortcuts"), QStringLiteral("keyboard"), tr("Every command and its keys"),
                    {QKeySequence(Qt::CTRL | Qt::Key_Question), QKeySequence(Qt::Key_F1)});
    about = add(tr("&About Stagecraft"), QStringLiteral("info"), tr("Version and licence"));
    about->setMenuRole(QAction::AboutRole);
}

void Actions::populateMenuBar(QMainWindow *window, const QList<QAction *> &dockToggles)
{
    QMenu *file = window->menuBar()->addMenu(tr("&File"));
    file->addAction(open);
    file->addMenu(recentMenu);
    file->addSeparator();
    file->addActions({saveRun, exportViews});
    file->addSeparator();
    file->addAction(quit);

    window->menuBar()->addMenu(tr("&Edit"))->addActions({copyValues, copyFigure});

    QMenu *runMenu = window->menuBar()->addMenu(tr("&Run"));
    runMenu->addActions({run, stop});
    runMenu->addSeparator();
    runMenu->addActions({editProtocol, restorePlan, surveyAgain});

    QMenu *view = window->menuBar()->addMenu(tr("&View"));
    view->addActions(dockToggles);
    view->addSeparator();
    QMenu *theme = view->addMenu(themedIcon(QStringLiteral("theme")), tr("&Theme"));
    theme->addActions({themeSystem, themeDark, themeLight});
    view->addAction(resetLayout);

    window->menuBar()->addMenu(tr("&Help"))->addActions({shortcuts, about});
}

QList<QAction *> Actions::all() const
{
    return m_all;
}

} // namespace stagecraft::window
