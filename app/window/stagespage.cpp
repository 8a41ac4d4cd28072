// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"
#include "evidencedesk.h"
#include "evidencedock.h"
#include "logdock.h"
#include "mainwindow.h"
#include "ownstages.h"
#include "plandock.h"
#include "stagedesk.h"
#include "stageworkbench.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>

// The window's second page, on which stages are read and written.
namespace stagecraft::window {

namespace {
// From this width on a source of 120 columns has room beside the docks.
constexpr int roomForDocks = 1800;
// And from this height on a screenful of it above its results and the log.
constexpr int roomForLog = 900;
} // namespace

void MainWindow::createStagesPage()
{
    StageParts parts;
    parts.window = this;
    parts.actions = m_actions;
    parts.workbench = m_workbench;
    parts.tree = m_stageTree;
    parts.plan = m_plan;
    parts.evidence = m_evidence;
    parts.runs = m_runDesk;
    parts.log = m_logDock;
    m_stageDesk = new StageDesk(parts, m_context.settings, m_context.runsDirectory, this);
    connect(m_stageDesk, &StageDesk::sessionListed, m_evidenceDock, &EvidenceDock::selectRow);
    connect(m_actions->showFigures, &QAction::triggered, this, [this] { showPage(false); });
    connect(m_actions->showStages, &QAction::triggered, this, [this] { showPage(true); });
    connect(m_evidenceDesk, &EvidenceDesk::evidenceOpened, this, &MainWindow::offerStagesBeside);
    connect(m_evidenceDesk, &EvidenceDesk::stagesDropped, this, [this](const QString &folder) {
        m_stageDesk->files().showFound(folder);
        m_actions->showStages->trigger();
    });
}

// Each page has its own arrangement of the docks: a source needs the width that the plan and the evidence take.
void MainWindow::showPage(bool stages)
{
    const bool wasStages = m_pages->currentWidget() == m_workbench;
    if (wasStages == stages)
        return;
    (stages ? m_figuresState : m_stagesState) = saveState();
    m_pages->setCurrentIndex(stages ? 1 : 0);
    if (!restoreState(stages ? m_stagesState : m_figuresState) && stages)
        arrangeStagesPage();
    if (!stages)
        return;
    m_stageDesk->activate();
    m_workbench->setFocus(Qt::OtherFocusReason);
}

void MainWindow::arrangeStagesPage()
{
    m_planDock->setVisible(width() >= roomForDocks);
    m_evidenceDock->setVisible(width() >= roomForDocks);
    m_logDock->setVisible(height() >= roomForLog);
    resizeDocks({m_logDock}, {104}, Qt::Vertical);
}

// Stages that lie beside opened evidence are shown where the user has no folder yet; otherwise the user's stay.
void MainWindow::offerStagesBeside(const QString &evidencePath)
{
    const QFileInfo info(evidencePath);
    const QString folder = QDir(info.isDir() ? evidencePath : info.absolutePath()).filePath(QStringLiteral("stages"));
    if (!holdsStages(folder))
        return;
    if (m_stageDesk->files().library().folder().isEmpty())
        m_stageDesk->files().showFound(folder);
    else
        m_logDock->append(QStringLiteral("info"),
                          tr("There are stages beside the evidence: drop %1 on the window to read them.")
                              .arg(QDir::toNativeSeparators(folder)));
}

bool MainWindow::mayLoseStages()
{
    const QStringList unsaved = m_stageDesk->files().unsaved();
    if (unsaved.isEmpty() || !m_context.asks)
        return true;
    QStringList names;
    for (const QString &path : unsaved)
        names.append(QFileInfo(path).fileName());
    QMessageBox box(QMessageBox::Question, tr("Stages are not saved"),
                    tr("Save %1 before closing?").arg(names.join(QStringLiteral(", "))), QMessageBox::NoButton, this);
    const QAbstractButton *save = box.addButton(tr("Save all"), QMessageBox::AcceptRole);
    const QAbstractButton *discard = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == discard)
        return true;
    return box.clickedButton() == save && m_stageDesk->files().saveAll().isEmpty();
}

// A new window fits on the screen it opens on, its frame included.
QSize MainWindow::defaultSize() const
{
    constexpr QSize frame(16, 48);
    return screen() ? usualSize.boundedTo(screen()->availableSize() - frame) : usualSize;
}

} // namespace stagecraft::window
