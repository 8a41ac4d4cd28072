// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"

#include "architectures.h"
#include "themedicon.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace stagecraft::window {

Actions::Actions(QMainWindow *window)
    : QObject(window), recentMenu(new QMenu(window)), compileForMenu(new QMenu(window)), m_window(window)
{
    createFileActions();
    createEditActions();
    createEvidenceActions();
    createRunActions();
    createStageActions();
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
    importFiles = add(tr("&Import…"), QStringLiteral("import"),
                      tr("Open measurements of other tools: Nsight Systems, benchmarks, traces, tuner caches"),
                      {QKeySequence(Qt::CTRL | Qt::Key_I)});
    recentMenu->setTitle(tr("Open &recent"));
    recentMenu->setIcon(themedIcon(QStringLiteral("recent")));
    saveRun = add(tr("&Save evidence as…"), QStringLiteral("save"),
                  tr("Keep the selected run, or what was imported, in a directory of your choice"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)});
    exportViews = add(tr("&Export…"), QStringLiteral("export"), tr("Write figures and value tables to files"),
                      {QKeySequence(Qt::CTRL | Qt::Key_E)});
    quit = add(tr("&Quit"), QStringLiteral("quit"), tr("Close Stagecraft"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    quit->setMenuRole(QAction::QuitRole);
}

void Actions::createEditActions()
{
    undo = add(tr("&Undo"), QStringLiteral("undo"), tr("Take back the last change of the evidence list"),
               QKeySequence::keyBindings(QKeySequence::Undo));
    redo =
        add(tr("&Redo"), QStringLiteral("redo"), tr("Change it again"), QKeySequence::keyBindings(QKeySequence::Redo));
    copyValues = add(tr("Copy &values"), QStringLiteral("copy"),
                     tr("Copy the value table, or what is selected in it, for a spreadsheet"),
                     {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
    copyFigure = add(tr("Copy &figure"), QStringLiteral("figure"), tr("Copy the figure as an image"),
                     {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C)});
    settings = add(tr("&Settings…"), QStringLiteral("sliders"),
                   tr("Python, external programs, where workers run, and your stages"),
                   {QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    settings->setMenuRole(QAction::PreferencesRole);
}

void Actions::createEvidenceActions()
{
    showSelected = add(tr("&Show"), {}, tr("Show what is selected in the figures too"));
    showOnlySelected = add(tr("Show &only this"), {}, tr("Show what is selected in the figures, and nothing else"),
                           {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    removeEvidence = add(tr("&Remove"), QStringLiteral("remove"),
                         tr("Take what is selected off the evidence list; its files stay"), {QKeySequence::Delete});
    // These keys mean something else everywhere else.
    for (QAction *action : {showSelected, showOnlySelected, removeEvidence})
        action->setShortcutContext(Qt::WidgetShortcut);
}

void Actions::createRunActions()
{
    run = add(tr("&Run"), QStringLiteral("run"), tr("Measure what the plan says"),
              {QKeySequence(Qt::Key_F5), QKeySequence(Qt::CTRL | Qt::Key_R)});
    stop = add(tr("&Stop"), QStringLiteral("stop"), tr("End the run; what was measured is kept"),
               {QKeySequence(Qt::SHIFT | Qt::Key_F5), QKeySequence(Qt::Key_Escape)});
    stop->setEnabled(false);
    editProtocol = add(tr("Edit &protocol…"), QStringLiteral("sliders"),
                       tr("Rounds, warm-up, spans, capture, counters and seed"), {QKeySequence(Qt::CTRL | Qt::Key_P)});
    restorePlan = add(tr("Restore &default plan"), {}, tr("All operations, default sizes, the standard protocol"));
    surveyAgain = add(tr("Look for &devices again"), QStringLiteral("refresh"),
                      tr("Ask the workers again what this machine can run"), {QKeySequence(Qt::CTRL | Qt::Key_F5)});
}

void Actions::createStageActions()
{
    newStage = add(tr("&New stage from this one…"), QStringLiteral("new"),
                   tr("Copy the chosen stage to your stages folder, to change it"), {QKeySequence::New});
    saveStage = add(tr("&Save"), QStringLiteral("save"), tr("Save the stage: it is compiled, checked and measured"),
                    {QKeySequence::Save});
    saveAllStages = add(tr("Save &all"), {}, tr("Save every stage that is not saved"),
                        {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S)});
    compileStage = add(tr("&Compile"), QStringLiteral("chip"),
                       tr("Compile the chosen stage, without a GPU too: registers, shared memory, spills"),
                       {QKeySequence(Qt::CTRL | Qt::Key_B)});
    compileForMenu->setTitle(tr("Compile &for"));
    const auto addArchitecture = [this](const QString &text, const QString &architecture) {
        connect(compileForMenu->addAction(text), &QAction::triggered, this,
                [this, architecture] { emit compileForChosen(architecture); });
    };
    for (const QString &architecture : run::knownArchitectures())
        addArchitecture(architecture, architecture);
    compileForMenu->addSeparator();
    addArchitecture(tr("All architectures"), QString());
    measureStage = add(tr("&Measure now"), QStringLiteral("run"),
                       tr("Check and measure the chosen stage beside the one before it"), {QKeySequence(Qt::Key_F6)});
    machineCode = add(tr("Mac&hine code"), QStringLiteral("layout"),
                      tr("Show what the stage is compiled to beside its source: PTX, SASS, instruction mix"),
                      {QKeySequence(Qt::CTRL | Qt::Key_M)});
    machineCode->setCheckable(true);
    nextMessage = add(tr("Ne&xt message"), {}, tr("Go to the next line that the compiler says something about"),
                      {QKeySequence(Qt::Key_F8)});
    previousMessage = add(tr("&Previous message"), {}, tr("Go to the previous line with a message"),
                          {QKeySequence(Qt::SHIFT | Qt::Key_F8)});
    chooseStagesFolder = add(tr("Choose stages &folder…"), QStringLiteral("open"),
                             tr("The folder of your own stages: its files are compiled and run"));
    openStageOutside = add(tr("Open in external &editor"), QStringLiteral("edit"),
                           tr("Open the stage's file in your editor; each save there is noticed"));
    chooseEditor = add(tr("External e&ditor…"), {}, tr("The command that opens a stage's file"));
    revealStages = add(tr("&Reveal folder"), {}, tr("Show the folder of the chosen stage in the file manager"));
    reloadStages = add(tr("Re&load"), QStringLiteral("refresh"), tr("Read the stages folders again"));
}

void Actions::createViewActions()
{
    auto *pages = new QActionGroup(this);
    showFigures = add(tr("&Figures"), QStringLiteral("figure"), tr("Show the figures and values of evidence"),
                      {QKeySequence(Qt::CTRL | Qt::Key_1)});
    showStages = add(tr("&Stages"), QStringLiteral("edit"), tr("Read stages, and write your own"),
                     {QKeySequence(Qt::CTRL | Qt::Key_2)});
    for (QAction *page : {showFigures, showStages}) {
        page->setCheckable(true);
        pages->addAction(page);
    }
    showFigures->setChecked(true);
    zoomIn = add(tr("Zoom &in"), {}, tr("Show fewer samples of the current plot, larger"),
                 QKeySequence::keyBindings(QKeySequence::ZoomIn) + QList{QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    zoomOut = add(tr("Zoom &out"), {}, tr("Show more samples of the current plot"),
                  QKeySequence::keyBindings(QKeySequence::ZoomOut));
    showAllSamples = add(tr("Show &all samples"), {}, tr("Show every plot of samples from its first to its last"),
                         {QKeySequence(Qt::CTRL | Qt::Key_0)});
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
    help = add(tr("Stagecraft &help"), QStringLiteral("help"), tr("Read how Stagecraft is used"),
               {QKeySequence(Qt::Key_F1)});
    shortcuts = add(tr("&Keyboard shortcuts"), QStringLiteral("keyboard"), tr("Every command and its keys"),
                    {QKeySequence(Qt::CTRL | Qt::Key_Question)});
    about = add(tr("&About Stagecraft"), QStringLiteral("info"), tr("Version and licence"));
    about->setMenuRole(QAction::AboutRole);
}

void Actions::populateMenuBar(QMainWindow *window, const QList<QAction *> &dockToggles)
{
    QMenu *file = window->menuBar()->addMenu(tr("&File"));
    file->addActions({open, importFiles});
    file->addMenu(recentMenu);
    file->addSeparator();
    file->addActions({saveRun, exportViews});
    file->addSeparator();
    file->addAction(quit);

    editMenu = window->menuBar()->addMenu(tr("&Edit"));
    editMenu->addActions({undo, redo});
    editMenu->addSeparator();
    editMenu->addActions({copyValues, copyFigure});
    editMenu->addSeparator();
    editMenu->addAction(settings);

    QMenu *runMenu = window->menuBar()->addMenu(tr("&Run"));
    runMenu->addActions({run, stop});
    runMenu->addSeparator();
    runMenu->addActions({editProtocol, restorePlan, surveyAgain});

    populateStagesMenu(window->menuBar()->addMenu(tr("&Stages")));

    QMenu *view = window->menuBar()->addMenu(tr("&View"));
    view->addActions({showFigures, showStages});
    view->addSeparator();
    view->addActions({zoomIn, zoomOut, showAllSamples});
    view->addSeparator();
    view->addActions(dockToggles);
    view->addSeparator();
    QMenu *theme = view->addMenu(themedIcon(QStringLiteral("theme")), tr("&Theme"));
    theme->addActions({themeSystem, themeDark, themeLight});
    view->addAction(resetLayout);

    window->menuBar()->addMenu(tr("&Help"))->addActions({help, shortcuts, about});
}

void Actions::populateStagesMenu(QMenu *menu)
{
    menu->addActions({newStage, saveStage, saveAllStages});
    menu->addSeparator();
    menu->addAction(compileStage);
    menu->addMenu(compileForMenu);
    menu->addActions({measureStage, machineCode});
    menu->addActions({nextMessage, previousMessage});
    menu->addSeparator();
    menu->addActions({openStageOutside, chooseEditor, revealStages});
    menu->addSeparator();
    menu->addActions({chooseStagesFolder, reloadStages});
}

QList<QAction *> Actions::all() const
{
    return m_all;
}

} // namespace stagecraft::window
