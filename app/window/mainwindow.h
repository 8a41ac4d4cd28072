// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "windowtheme.h"

#include <QMainWindow>
#include <QUndoStack>

class QStackedWidget;

namespace stagecraft::window {

class Actions;
class ComparisonDesk;
class EvidenceDesk;
class EvidenceDock;
class EvidenceListModel;
class FigurePane;
class HeaderBar;
class LoadingBar;
class LogDock;
class MessageBar;
class PlanDock;
class PlanModel;
class RunDesk;
class SettingsDesk;
class StageDesk;
class StageTreeModel;
class StageWorkbench;
class UndoDesk;

// What a window is built with. Both objects outlive it.
struct WindowContext
{
    SessionSettings &settings;
    WindowTheme &theme;
    QString runsDirectory;        // where runs are kept
    bool asks = true;             // whether closing during a run or with unsaved stages asks first
    QString stagesDirectory = {}; // the user's stages, for this start; empty: as remembered
};

// The window: plan on the left, evidence on the right, figures and values in the middle, log below. It assembles the
// parts; what they do together is RunDesk's (a run) and EvidenceDesk's (files).
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    static constexpr QSize usualSize{1280, 800}; // where the screen has room for it

    explicit MainWindow(const WindowContext &context);
    ~MainWindow() override;

    // Shows the namespaces, or with none the bundled evidence; asks the workers what they can do.
    void begin(const QStringList &namespaces);
    void setTheme(ThemeChoice choice);

    PlanModel *plan() const { return m_plan; }
    PlanDock *planDock() const { return m_planDock; }
    EvidenceListModel *evidence() const { return m_evidence; }
    EvidenceDock *evidenceDock() const { return m_evidenceDock; }
    FigurePane *figures() const { return m_figures; }
    LogDock *log() const { return m_logDock; }
    HeaderBar *header() const { return m_header; }
    MessageBar *messages() const { return m_messages; }
    LoadingBar *loading() const { return m_loading; }
    QUndoStack *undoStack() { return &m_undo; } // of the evidence list and the comparison
    Actions *actions() const { return m_actions; }
    RunDesk *runDesk() const { return m_runDesk; }
    EvidenceDesk *evidenceDesk() const { return m_evidenceDesk; }
    ComparisonDesk *comparisonDesk() const { return m_comparisonDesk; }
    StageDesk *stageDesk() const { return m_stageDesk; }
    SettingsDesk *settingsDesk() const { return m_settingsDesk; }
    StageWorkbench *workbench() const { return m_workbench; }

signals:
    void painted(); // once: the first frame is on the screen

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void createModels();
    void createCentre();
    void createDocks();
    void createHeader();
    void createMenus();
    void createDesks();
    void connectFigures();
    void connectView();
    void connectHelp();
    void arrangeDocks();
    void restoreSession();
    void saveSession();
    void updateFigures();
    void updateBanner();
    bool mayClose();
    bool mayLoseStages();
    void createStagesPage();
    void showPage(bool stages);
    void arrangeStagesPage();
    void offerStagesBeside(const QString &evidencePath);
    QSize defaultSize() const;

    WindowContext m_context;
    QUndoStack m_undo;
    Actions *m_actions = nullptr;
    PlanModel *m_plan = nullptr;
    EvidenceListModel *m_evidence = nullptr;
    HeaderBar *m_header = nullptr;
    MessageBar *m_messages = nullptr, *m_banner = nullptr;
    LoadingBar *m_loading = nullptr;
    QStackedWidget *m_pages = nullptr; // figures, stages
    FigurePane *m_figures = nullptr;
    StageTreeModel *m_stageTree = nullptr;
    StageWorkbench *m_workbench = nullptr;
    PlanDock *m_planDock = nullptr;
    EvidenceDock *m_evidenceDock = nullptr;
    LogDock *m_logDock = nullptr;
    RunDesk *m_runDesk = nullptr;
    EvidenceDesk *m_evidenceDesk = nullptr;
    ComparisonDesk *m_comparisonDesk = nullptr;
    StageDesk *m_stageDesk = nullptr;
    SettingsDesk *m_settingsDesk = nullptr;
    UndoDesk *m_undoDesk = nullptr;
    QByteArray m_figuresState, m_stagesState; // of the docks, while the other page is shown
    bool m_mixed = false;
    bool m_bannerDue = false; // there is a mixture that the user has not dismissed the banner of
    bool m_closing = false;
    bool m_painted = false;
};

} // namespace stagecraft::window
