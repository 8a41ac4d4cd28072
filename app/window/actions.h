// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace stagecraft::window {

// Every command of the window, with its icon, shortcut and explanation. What a command does is connected by the window;
// menus, buttons and the list of keyboard shortcuts all show these.
class Actions : public QObject
{
    Q_OBJECT
public:
    explicit Actions(QMainWindow *window);

    // Fills the menu bar. The view menu starts with the docks' own toggle actions.
    void populateMenuBar(QMainWindow *window, const QList<QAction *> &dockToggles);

    QList<QAction *> all() const; // in menu order, for the list of shortcuts

    QAction *open, *importFiles, *saveRun, *exportViews, *quit;
    QAction *undo, *redo; // their texts say what: UndoDesk's
    QAction *copyValues, *copyFigure, *settings;
    QAction *showSelected, *showOnlySelected, *removeEvidence; // of the evidence list, while the focus is there
    QAction *run, *stop, *editProtocol, *restorePlan, *surveyAgain;
    QAction *newStage, *saveStage, *saveAllStages, *compileStage, *measureStage, *machineCode, *nextMessage,
        *previousMessage;
    QAction *chooseStagesFolder, *openStageOutside, *chooseEditor, *revealStages, *reloadStages;
    QAction *showFigures, *showStages;          // what the centre shows: one of them is checked
    QAction *zoomIn, *zoomOut, *showAllSamples; // of the samples' plots
    QAction *themeSystem, *themeDark, *themeLight, *resetLayout;
    QAction *help, *shortcuts, *about;
    QMenu *recentMenu, *compileForMenu, *editMenu = nullptr; // the last is there once the menu bar is filled

signals:
    void compileForChosen(const QString &architecture); // empty: all

private:
    QAction *add(const QString &text, const QString &icon, const QString &toolTip,
                 const QList<QKeySequence> &keys = {});
    void createFileActions();
    void createEditActions();
    void createEvidenceActions();
    void createRunActions();
    void createStageActions();
    void populateStagesMenu(QMenu *menu);
    void createViewActions();
    void createHelpActions();

    QMainWindow *m_window;
    QList<QAction *> m_all;
};

} // namespace stagecraft::window
