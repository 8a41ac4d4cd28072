// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "actions.h"
#include "comparisondesk.h"
#include "docktitle.h"
#include "evidencedesk.h"
#include "evidencedock.h"
#include "figurepane.h"
#include "headerbar.h"
#include "helpdialogs.h"
#include "helpwindow.h"
#include "loadingbar.h"
#include "logdock.h"
#include "messagebar.h"
#include "plandock.h"
#include "planmodel.h"
#include "protocolpanel.h"
#include "rundesk.h"
#include "settingsdesk.h"
#include "stagedesk.h"
#include "stagetreemodel.h"
#include "stageworkbench.h"
#include "themedicon.h"
#include "undodesk.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

namespace stagecraft::window {

namespace {
constexpr int mostUndone = 100; // each may hold on to evidence that is in the list no more
}

MainWindow::MainWindow(const WindowContext &context) : m_context(context)
{
    setWindowTitle(tr("Stagecraft"));
    setWindowIcon(applicationIcon());
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    // Before the parts: style sheets keep the font that was there when they first met a widget.
    m_context.theme.apply(m_context.settings.theme());
    createModels();
    m_actions = new Actions(this);
    createCentre();
    createDocks();
    createHeader();
    createMenus();
    createDesks();
    createStagesPage();
    m_settingsDesk = new SettingsDesk(*m_actions, m_context.settings, *m_runDesk, *m_stageDesk, this);
    connectFigures();
    connectView();
    connectHelp();
    restoreSession();
    setTheme(m_context.settings.theme());
}

MainWindow::~MainWindow()
{
    delete m_undoDesk;     // it speaks to the undo stack, and follows the focus to the end
    delete m_settingsDesk; // it speaks to the two others
    delete m_stageDesk;    // it speaks to the run desk
    // Its thread ends while everything that a late signal could reach is still there.
    delete m_runDesk;
}

void MainWindow::createModels()
{
    m_plan = new PlanModel(this);
    m_plan->restore(m_context.settings.plan());
    m_evidence = new EvidenceListModel(this);
    m_undo.setUndoLimit(mostUndone);
    m_evidence->setUndoStack(&m_undo);
    m_stageTree = new StageTreeModel(this);
}

void MainWindow::createCentre()
{
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_messages = new MessageBar(centre);
    m_banner = new MessageBar(centre);
    m_loading = new LoadingBar(centre);
    m_figures = new FigurePane(m_actions, centre);
    m_workbench = new StageWorkbench(m_stageTree, m_actions, centre);
    m_pages = new QStackedWidget(centre);
    m_pages->addWidget(m_figures);
    m_pages->addWidget(m_workbench);
    layout->addWidget(m_loading);
    layout->addWidget(m_messages);
    layout->addWidget(m_banner);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);
}

void MainWindow::createDocks()
{
    m_planDock = new PlanDock(m_plan, this);
    m_planDock->protocol()->setProtocol(m_context.settings.protocol());
    m_evidenceDock = new EvidenceDock(m_evidence, m_actions, this);
    m_logDock = new LogDock(this);
    for (QDockWidget *dock : std::initializer_list<QDockWidget *>{m_planDock, m_evidenceDock, m_logDock}) {
        dock->setTitleBarWidget(new DockTitle(dock));
        dock->setAllowedAreas(Qt::AllDockWidgetAreas);
    }
    arrangeDocks();
}

void MainWindow::arrangeDocks()
{
    // The panels at the sides keep the window's whole height: the plan is long, the log is not.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, m_planDock);
    addDockWidget(Qt::RightDockWidgetArea, m_evidenceDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_logDock);
    for (QDockWidget *dock : std::initializer_list<QDockWidget *>{m_planDock, m_evidenceDock, m_logDock}) {
        dock->setFloating(false);
        dock->show();
    }
    resizeDocks({m_planDock, m_evidenceDock}, {320, 272}, Qt::Horizontal);
    resizeDocks({m_logDock}, {104}, Qt::Vertical);
}

void MainWindow::createHeader()
{
    m_header = new HeaderBar(m_actions, this);
    addToolBar(Qt::TopToolBarArea, m_header);
}

void MainWindow::createMenus()
{
    const std::pair<QDockWidget *, QString> docks[] = {{m_planDock, QStringLiteral("plan")},
                                                       {m_evidenceDock, QStringLiteral("evidence")},
                                                       {m_logDock, QStringLiteral("log")}};
    QList<QAction *> toggles;
    for (const auto &[dock, icon] : docks) {
        QAction *toggle = dock->toggleViewAction();
        toggle->setIcon(themedIcon(icon));
        toggle->setShortcut(QKeySequence(Qt::ALT | (Qt::Key_1 + static_cast<int>(toggles.size()))));
        addAction(toggle);
        toggles.append(toggle);
    }
    m_actions->populateMenuBar(this, toggles);
    m_undoDesk = new UndoDesk(*m_actions, *m_actions->editMenu, m_undo, this);
}

void MainWindow::createDesks()
{
    RunParts run;
    run.actions = m_actions;
    run.plan = m_plan;
    run.planDock = m_planDock;
    run.header = m_header;
    run.evidence = m_evidence;
    run.figures = m_figures;
    run.log = m_logDock;
    run.messages = m_messages;
    m_runDesk = new RunDesk(run, m_context.runsDirectory, this);

    EvidenceParts evidence;
    evidence.window = this;
    evidence.actions = m_actions;
    evidence.evidence = m_evidence;
    evidence.dock = m_evidenceDock;
    evidence.figures = m_figures;
    evidence.messages = m_messages;
    evidence.loading = m_loading;
    evidence.undo = &m_undo;
    m_evidenceDesk = new EvidenceDesk(evidence, m_context.settings, this);
    m_comparisonDesk = new ComparisonDesk(*m_figures, m_undo, this, this);

    connect(m_actions->editProtocol, &QAction::triggered, m_planDock, &PlanDock::editProtocol);
    connect(m_actions->restorePlan, &QAction::triggered, this, [this] {
        m_plan->restoreDefaults();
        m_planDock->protocol()->setProtocol(run::RunPlan());
    });
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_runDesk, &RunDesk::runListed, m_evidenceDock, &EvidenceDock::selectRow);
    connect(m_runDesk, &RunDesk::finished, this, [this] {
        if (m_closing)
            close();
    });
}

void MainWindow::connectFigures()
{
    connect(m_evidence, &EvidenceListModel::shownChanged, this, &MainWindow::updateFigures);
    connect(m_figures, &FigurePane::pageShown, this, &MainWindow::updateBanner);
    connect(m_banner, &MessageBar::dismissed, this, [this] { m_bannerDue = false; });
    connect(m_actions->copyValues, &QAction::triggered, m_figures, &FigurePane::copyValues);
    connect(m_actions->copyFigure, &QAction::triggered, m_figures, &FigurePane::copyFigure);
    connect(m_actions->zoomIn, &QAction::triggered, m_figures, &FigurePane::zoomIn);
    connect(m_actions->zoomOut, &QAction::triggered, m_figures, &FigurePane::zoomOut);
    connect(m_actions->showAllSamples, &QAction::triggered, m_figures, &FigurePane::showAllSamples);
}

void MainWindow::updateFigures()
{
    m_figures->setEntries(m_evidence->shown());
    updateBanner();
}

void MainWindow::updateBanner()
{
    const bool mixed = m_evidence->mixesGpus();
    if (mixed && !m_mixed) {
        m_banner->showMessage(
            MessageBar::Severity::Warning, tr("These namespaces were measured on different devices"),
            tr("Each has a figure and scales of its own: values of different GPUs are not one series."));
        m_bannerDue = true;
    }
    m_mixed = mixed;
    // The Compare page says more exactly what differs.
    m_banner->setVisible(mixed && m_bannerDue && m_figures->view() != views::ViewId::Compare);
}

void MainWindow::connectView()
{
    const std::pair<QAction *, ThemeChoice> themes[] = {{m_actions->themeSystem, ThemeChoice::System},
                                                        {m_actions->themeDark, ThemeChoice::Dark},
                                                        {m_actions->themeLight, ThemeChoice::Light}};
    for (const auto &[action, choice] : themes) {
        action->setChecked(m_context.settings.theme() == choice);
        connect(action, &QAction::triggered, this, [this, theme = choice] {
            m_context.settings.setTheme(theme);
            setTheme(theme);
        });
    }
    connect(m_actions->resetLayout, &QAction::triggered, this, &MainWindow::arrangeDocks);
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_context.theme.apply(choice);
    const widgets::Theme theme = m_context.theme.current();
    setStyleSheet(windowStyleSheet(theme));
    m_figures->setTheme(theme);
    m_workbench->setTheme(theme);
    m_logDock->setTheme(theme);
}

void MainWindow::connectHelp()
{
    connect(m_actions->help, &QAction::triggered, this, [this] { showHelp(this); });
    connect(m_actions->shortcuts, &QAction::triggered, this,
            [this] { createShortcutsDialog(*m_actions, this)->open(); });
    connect(m_actions->about, &QAction::triggered, this, [this] { createAboutDialog(this)->open(); });
}

void MainWindow::begin(const QStringList &namespaces)
{
    m_evidenceDesk->begin(namespaces);
    m_stageDesk->files().begin(m_context.stagesDirectory);
    m_settingsDesk->begin();
    m_planDock->tree()->setFocus();
}

void MainWindow::restoreSession()
{
    const SessionSettings &settings = m_context.settings;
    if (!restoreGeometry(settings.geometry()))
        resize(defaultSize());
    restoreState(settings.windowState());
    m_stagesState = settings.stagesState();
    const QList<QSplitter *> stages = m_workbench->splitters();
    for (qsizetype i = 0; i < stages.size(); ++i)
        stages.at(i)->restoreState(settings.splitter(QStringLiteral("stages%1").arg(i)));
    m_figures->splitter()->restoreState(settings.splitter(QStringLiteral("values")));
    m_evidenceDock->splitter()->restoreState(settings.splitter(QStringLiteral("provenance")));
}

void MainWindow::saveSession()
{
    SessionSettings &settings = m_context.settings;
    const bool stages = m_pages->currentWidget() == m_workbench;
    settings.setWindow(saveGeometry(), stages ? m_figuresState : saveState());
    settings.setStagesState(stages ? saveState() : m_stagesState);
    const QList<QSplitter *> splitters = m_workbench->splitters();
    for (qsizetype i = 0; i < splitters.size(); ++i)
        settings.setSplitter(QStringLiteral("stages%1").arg(i), splitters.at(i)->saveState());
    settings.setSplitter(QStringLiteral("values"), m_figures->splitter()->saveState());
    settings.setSplitter(QStringLiteral("provenance"), m_evidenceDock->splitter()->saveState());
    settings.setPlan(m_plan->save());
    run::RunPlan protocol;
    m_planDock->protocol()->applyTo(protocol);
    settings.setProtocol(protocol);
}

bool MainWindow::mayClose()
{
    if (!m_runDesk->isRunning() || !m_context.asks)
        return true;
    QMessageBox box(QMessageBox::Question, tr("A run is in progress"),
                    tr("Stop the run and close? What was measured so far is kept."), QMessageBox::NoButton, this);
    const QAbstractButton *stop = box.addButton(tr("Stop and close"), QMessageBox::DestructiveRole);
    box.setDefaultButton(box.addButton(tr("Keep running"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == stop;
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_closing && (!mayLoseStages() || !mayClose())) {
        event->ignore();
        return;
    }
    saveSession();
    m_stageDesk->shutDown();
    // The window stays until the runner has written what it has; it then closes by itself.
    if (m_runDesk->isRunning()) {
        m_closing = true;
        m_runDesk->stop();
        event->ignore();
        return;
    }
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (EvidenceDesk::accepts(event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    m_evidenceDesk->drop(event->mimeData());
}

void MainWindow::paintEvent(QPaintEvent *event)
{
    QMainWindow::paintEvent(event);
    if (m_painted)
        return;
    m_painted = true;
    // After this turn the children are painted too and the frame has been handed to the screen.
    QTimer::singleShot(0, this, &MainWindow::painted);
}

} // namespace stagecraft::window
