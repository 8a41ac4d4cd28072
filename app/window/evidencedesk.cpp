// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencedesk.h"

#include "actions.h"
#include "counted.h"
#include "evidencedock.h"
#include "evidencereader.h"
#include "exportdialog.h"
#include "figurepane.h"
#include "messagebar.h"
#include "ownstages.h"
#include "provenance.h"
#include "runstore.h"
#include "sessionsettings.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QtConcurrentRun>
#include <QUrl>

namespace stagecraft::window {

namespace {

// The note's last namespace: the one that its figures show.
const QString firstShown = QStringLiteral("mage-003");

// A path, or the name of bundled evidence where no file has that name.
QString resolved(const QString &argument)
{
    const bool bundled = !QFileInfo::exists(argument) && evidence::bundledNames().contains(argument);
    return bundled ? evidence::bundledPath(argument) : EvidenceLoader::namespacePath(argument);
}

QStringList localPaths(const QMimeData *data)
{
    QStringList paths;
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    }
    return paths;
}

} // namespace

EvidenceDesk::EvidenceDesk(const EvidenceParts &parts, SessionSettings &settings, QObject *parent)
    : QObject(parent), m_parts(parts), m_settings(settings)
{
    connect(&m_loader, &EvidenceLoader::loaded, this, &EvidenceDesk::receive);
    connect(m_parts.actions->open, &QAction::triggered, this, &EvidenceDesk::chooseAndOpen);
    connect(m_parts.actions->saveRun, &QAction::triggered, this, &EvidenceDesk::chooseAndSave);
    connect(m_parts.actions->exportViews, &QAction::triggered, this, &EvidenceDesk::chooseAndExport);
    connect(m_parts.actions->recentMenu, &QMenu::aboutToShow, this, &EvidenceDesk::rebuildRecentMenu);
    const auto updateActions = [this] {
        m_parts.actions->saveRun->setEnabled(!runToSave().isNull());
        m_parts.actions->exportViews->setEnabled(m_parts.evidence->rowCount() > 0);
    };
    connect(m_parts.evidence, &QAbstractItemModel::rowsInserted, this, updateActions);
    connect(m_parts.evidence, &QAbstractItemModel::rowsRemoved, this, updateActions);
    connect(m_parts.evidence, &QAbstractItemModel::dataChanged, this, updateActions);
    updateActions();
    rebuildRecentMenu();
}

void EvidenceDesk::openBundled(bool shown)
{
    QStringList names = evidence::bundledNames();
    // Read first what is seen first.
    if (names.removeOne(firstShown))
        names.prepend(firstShown);
    for (const QString &name : names)
        m_loader.load(evidence::bundledPath(name), EvidenceListModel::Origin::Bundled, shown && name == names.first());
}

void EvidenceDesk::open(const QStringList &paths)
{
    for (const QString &path : paths)
        m_loader.load(resolved(path), EvidenceListModel::Origin::Opened, true);
}

bool EvidenceDesk::accepts(const QMimeData *data)
{
    return !localPaths(data).isEmpty();
}

void EvidenceDesk::drop(const QMimeData *data)
{
    QStringList evidence;
    for (const QString &path : localPaths(data)) {
        if (holdsStages(path))
            emit stagesDropped(path);
        else
            evidence.append(path);
    }
    open(evidence);
}

void EvidenceDesk::receive(const QString &path, const NamespacePointer &evidence, EvidenceListModel::Origin origin,
                           bool shown)
{
    const bool opened = origin == EvidenceListModel::Origin::Opened;
    const bool empty =
        evidence->results.isEmpty() && evidence->captures.isEmpty() && !evidence->summary && !evidence->progression;
    if (empty) {
        m_parts.messages->showMessage(MessageBar::Severity::Error, tr("%1 holds no evidence").arg(evidence->name),
                                      evidence->problems.isEmpty() ? QString()
                                                                   : problemText(evidence->problems.first()));
    } else {
        const int row = m_parts.evidence->put(evidence, path, origin, shown);
        if (shown)
            m_parts.dock->selectRow(row);
        if (opened) {
            m_settings.addRecentFile(path);
            reportProblems(*evidence);
            emit evidenceOpened(path);
        }
    }
    if (!isLoading())
        emit loadingFinished();
}

void EvidenceDesk::reportProblems(const evidence::Namespace &evidence)
{
    const auto count = std::ranges::count_if(evidence.problems, &evidence::Problem::fatal);
    if (count == 0)
        return;
    const auto first = std::ranges::find_if(evidence.problems, &evidence::Problem::fatal);
    m_parts.messages->showMessage(MessageBar::Severity::Warning,
                                  tr("%1 contradicts itself or is damaged: %2. What is sound is shown.")
                                      .arg(evidence.name, counted(count, tr("problem"), tr("problems"))),
                                  problemText(*first) +
                                      (count > 1 ? tr("\nAll are listed under Provenance.") : QString()));
}

void EvidenceDesk::chooseAndOpen()
{
    QFileDialog dialog(m_parts.window, tr("Open a namespace or a summary"), m_settings.folder(QStringLiteral("open")));
    // A namespace is a directory and is chosen by one of its files; a summary is a file.
    dialog.setFileMode(QFileDialog::ExistingFiles);
    dialog.setNameFilters({tr("Evidence (*.json)"), tr("All files (*)")});
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return;
    m_settings.setFolder(QStringLiteral("open"), dialog.directory().absolutePath());
    open(dialog.selectedFiles());
}

NamespacePointer EvidenceDesk::runToSave() const
{
    // The selected run, else the newest.
    const QModelIndex current = m_parts.dock->list()->currentIndex();
    const auto isRun = [this](int row) {
        return m_parts.evidence->at(row).origin == EvidenceListModel::Origin::ThisRun &&
               !m_parts.evidence->at(row).running;
    };
    if (current.isValid() && current.row() < m_parts.evidence->rowCount() && isRun(current.row()))
        return m_parts.evidence->at(current.row()).evidence;
    for (int row = 0; row < m_parts.evidence->rowCount(); ++row) {
        if (isRun(row))
            return m_parts.evidence->at(row).evidence;
    }
    return {};
}

void EvidenceDesk::chooseAndSave()
{
    const NamespacePointer evidence = runToSave();
    if (!evidence)
        return;
    const QString folder = m_settings.folder(QStringLiteral("save"));
    const QString suggestion = QDir(folder.isEmpty() ? QDir::homePath() : folder).filePath(evidence->name);
    const QString directory = QFileDialog::getSaveFileName(m_parts.window, tr("Save the run as a new directory"),
                                                           suggestion, QString(), nullptr);
    if (directory.isEmpty())
        return;
    m_settings.setFolder(QStringLiteral("save"), QFileInfo(directory).absolutePath());
    saveRun(evidence, directory);
}

void EvidenceDesk::saveRun(const NamespacePointer &evidence, const QString &directory)
{
    auto *watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, directory] {
        watcher->deleteLater();
        const QString error = watcher->result();
        const QString name = QFileInfo(directory).fileName();
        if (error.isEmpty()) {
            m_settings.addRecentFile(directory);
            m_parts.messages->showMessage(MessageBar::Severity::Info, tr("Saved as %1").arg(name),
                                          QDir::toNativeSeparators(directory));
        } else {
            m_parts.messages->showMessage(MessageBar::Severity::Error, tr("%1 was not saved").arg(name), error);
        }
        emit saved(error);
    });
    watcher->setFuture(QtConcurrent::run([evidence, directory] { return copyRun(*evidence, directory); }));
}

void EvidenceDesk::chooseAndExport()
{
    QList<EvidenceListModel::Entry> entries;
    for (int row = 0; row < m_parts.evidence->rowCount(); ++row)
        entries.append(m_parts.evidence->at(row));
    ExportDialog dialog(entries, m_parts.figures->view(), m_parts.figures->theme(), m_settings, m_parts.window);
    dialog.setReference(m_parts.figures->verdictReference());
    if (dialog.exec() == QDialog::Accepted)
        startExport(dialog.choice());
}

void EvidenceDesk::startExport(const ExportChoice &choice)
{
    auto *watcher = new QFutureWatcher<views::ExportResult>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, directory = choice.request.directory] {
        watcher->deleteLater();
        const views::ExportResult result = watcher->result();
        if (result.errors.isEmpty()) {
            m_parts.messages->showMessage(MessageBar::Severity::Info,
                                          tr("%1 written").arg(counted(result.files.size(), tr("file"), tr("files"))),
                                          QDir::toNativeSeparators(directory));
        } else {
            m_parts.messages->showMessage(MessageBar::Severity::Error, tr("The export is not complete"),
                                          result.errors.join(QLatin1Char('\n')));
        }
        emit exported(result);
    });
    m_parts.messages->showMessage(MessageBar::Severity::Info, tr("Writing the export…"));
    watcher->setFuture(QtConcurrent::run([choice] { return views::writeExport(choice.request); }));
}

void EvidenceDesk::rebuildRecentMenu()
{
    QMenu *menu = m_parts.actions->recentMenu;
    menu->clear();
    for (const QString &path : m_settings.recentFiles()) {
        QAction *action = menu->addAction(QFileInfo(path).fileName());
        action->setToolTip(QDir::toNativeSeparators(path));
        connect(action, &QAction::triggered, this, [this, path] { open({path}); });
    }
    menu->setToolTipsVisible(true);
    if (menu->isEmpty())
        menu->addAction(tr("Nothing opened yet"))->setEnabled(false);
    menu->addSeparator();
    QAction *clear = menu->addAction(tr("Clear this list"));
    clear->setEnabled(!m_settings.recentFiles().isEmpty());
    connect(clear, &QAction::triggered, this, [this] { m_settings.clearRecentFiles(); });
}

} // namespace stagecraft::window
