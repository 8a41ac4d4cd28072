// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencedesk.h"

#include "actions.h"
#include "counted.h"
#include "evidencecommands.h"
#include "evidencedock.h"
#include "exportdialog.h"
#include "figurepane.h"
#include "importer.h"
#include "loadingbar.h"
#include "messagebar.h"
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
#include <QUndoStack>
#include <QUrl>

namespace stagecraft::window {

namespace {

QStringList localPaths(const QMimeData *data)
{
    QStringList paths;
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    }
    return paths;
}

views::ExportResult writeChoice(const ExportChoice &choice)
{
    views::ExportResult result;
    if (!choice.request.views.isEmpty() && !choice.request.formats.isEmpty())
        result = views::writeExport(choice.request);
    for (const views::ExportRequest &request : choice.comparisons) {
        const views::ExportResult compared = views::writeExport(request);
        result.files += compared.files;
        result.errors += compared.errors;
    }
    return result;
}

} // namespace

EvidenceDesk::EvidenceDesk(const EvidenceParts &parts, SessionSettings &settings, QObject *parent)
    : QObject(parent), m_parts(parts), m_settings(settings), m_opening(*parts.evidence, *parts.undo)
{
    connectActions();
    connectOpening();
    connectList();
    rebuildRecentMenu();
}

void EvidenceDesk::connectActions()
{
    const Actions *actions = m_parts.actions;
    connect(actions->open, &QAction::triggered, this, &EvidenceDesk::chooseAndOpen);
    connect(actions->importFiles, &QAction::triggered, this, &EvidenceDesk::chooseAndImport);
    connect(actions->saveRun, &QAction::triggered, this, &EvidenceDesk::chooseAndSave);
    connect(actions->exportViews, &QAction::triggered, this, &EvidenceDesk::chooseAndExport);
    connect(actions->recentMenu, &QMenu::aboutToShow, this, &EvidenceDesk::rebuildRecentMenu);
    connect(actions->removeEvidence, &QAction::triggered, this, &EvidenceDesk::removeSelected);
    connect(actions->showOnlySelected, &QAction::triggered, this, [this] { showSelected(true); });
    connect(actions->showSelected, &QAction::triggered, this, [this] { showSelected(false); });
}

void EvidenceDesk::connectOpening()
{
    connect(&m_opening, &EvidenceOpening::listed, this, &EvidenceDesk::receive);
    connect(&m_opening, &EvidenceOpening::stagesFound, this, &EvidenceDesk::stagesDropped);
    connect(&m_opening, &EvidenceOpening::progressed, m_parts.loading, &LoadingBar::showProgress);
    connect(&m_opening, &EvidenceOpening::finished, this, &EvidenceDesk::report);
    connect(m_parts.loading, &LoadingBar::cancelled, &m_opening, &EvidenceOpening::cancel);
}

void EvidenceDesk::connectList()
{
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_parts.evidence, signal, this, &EvidenceDesk::updateActions);
    connect(m_parts.evidence, &QAbstractItemModel::dataChanged, this, &EvidenceDesk::updateActions);
    connect(m_parts.dock->list()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &EvidenceDesk::updateActions);
    updateActions();
}

void EvidenceDesk::updateActions()
{
    const QList<int> selected = m_parts.dock->selectedRows();
    const auto isRunning = [this](int row) { return m_parts.evidence->at(row).running; };
    m_parts.actions->saveRun->setEnabled(rowToSave() >= 0);
    m_parts.actions->exportViews->setEnabled(m_parts.evidence->rowCount() > 0);
    m_parts.actions->removeEvidence->setEnabled(!std::ranges::all_of(selected, isRunning));
    m_parts.actions->showOnlySelected->setEnabled(!selected.isEmpty());
    m_parts.actions->showSelected->setEnabled(!selected.isEmpty());
}

void EvidenceDesk::begin(const QStringList &paths)
{
    m_parts.figures->setLoading(true);
    m_opening.begin(paths);
}

void EvidenceDesk::open(const QStringList &paths)
{
    m_opening.open(paths);
    m_parts.figures->setLoading(m_opening.isLoading());
}

bool EvidenceDesk::accepts(const QMimeData *data)
{
    return !localPaths(data).isEmpty();
}

void EvidenceDesk::drop(const QMimeData *data)
{
    open(localPaths(data));
}

void EvidenceDesk::receive(int row, const EvidenceSource &source)
{
    if (source.shown)
        m_parts.dock->selectRow(row);
    if (source.origin == EvidenceListModel::Origin::Bundled)
        return;
    m_settings.addRecentFile(source.key());
    if (source.origin == EvidenceListModel::Origin::Opened)
        emit evidenceOpened(source.key());
}

void EvidenceDesk::report(const OpeningReport &report)
{
    m_parts.loading->showProgress(0, 0);
    m_parts.figures->setLoading(false);
    QStringList forgettable = m_settings.recentFiles();
    forgettable.removeIf([&](const QString &key) {
        const QStringList paths = sourcePaths(key);
        return std::ranges::none_of(paths, [&](const QString &path) { return report.missing().contains(path); });
    });
    QList<MessageBar::Choice> choices;
    if (!forgettable.isEmpty()) {
        choices.append({tr("Remove from recent files"), [this, forgettable] {
                            for (const QString &key : forgettable)
                                m_settings.removeRecentFile(key);
                        }});
    }
    if (const auto message = report.message())
        m_parts.messages->showMessage(message->severity, message->title, message->text, choices);
    emit loadingFinished();
}

void EvidenceDesk::removeSelected()
{
    const QList<int> rows = m_parts.dock->selectedRows();
    QStringList paths;
    for (const int row : rows) {
        if (!m_parts.evidence->at(row).running)
            paths.append(m_parts.evidence->at(row).path);
    }
    if (paths.isEmpty())
        return;
    m_parts.undo->push(new RemoveEvidence(*m_parts.evidence, paths));
    if (m_parts.evidence->rowCount() > 0)
        m_parts.dock->selectRow(qMin(rows.first(), m_parts.evidence->rowCount() - 1)); // so that Del can go on
}

void EvidenceDesk::showSelected(bool only)
{
    const QList<int> selected = m_parts.dock->selectedRows();
    if (selected.isEmpty())
        return;
    QMap<QString, bool> shown;
    for (int row = 0; row < m_parts.evidence->rowCount(); ++row) {
        if (only || selected.contains(row))
            shown.insert(m_parts.evidence->at(row).path, selected.contains(row));
    }
    const QString what = selected.size() == 1 ? m_parts.evidence->at(selected.first()).title()
                                              : counted(selected.size(), tr("namespace"), tr("namespaces"));
    m_parts.undo->push(
        new ShowEvidence(*m_parts.evidence, shown, (only ? tr("show only %1") : tr("show %1")).arg(what)));
}

void EvidenceDesk::chooseAndOpen()
{
    // A namespace is a directory and is chosen by one of its files; a summary is a file.
    openChosen(tr("Open a namespace or a summary"), {tr("Evidence (*.json)"), tr("All files (*)")});
}

void EvidenceDesk::chooseAndImport()
{
    QStringList filters, all;
    for (const import::Format &format : import::formats()) {
        QStringList patterns;
        for (const QString &suffix : format.suffixes)
            patterns.append(QStringLiteral("*.") + suffix);
        filters.append(QStringLiteral("%1 (%2)").arg(format.title, patterns.join(QLatin1Char(' '))));
        all += patterns;
    }
    all.removeDuplicates();
    filters.prepend(tr("Everything that can be imported (%1)").arg(all.join(QLatin1Char(' '))));
    openChosen(tr("Import measurements of other tools: files of one kind are imported together"),
               filters + QStringList{tr("All files (*)")});
}

void EvidenceDesk::openChosen(const QString &title, const QStringList &filters)
{
    QFileDialog dialog(m_parts.window, title, m_settings.folder(QStringLiteral("open")));
    dialog.setFileMode(QFileDialog::ExistingFiles);
    dialog.setNameFilters(filters);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return;
    m_settings.setFolder(QStringLiteral("open"), dialog.directory().absolutePath());
    open(dialog.selectedFiles());
}

int EvidenceDesk::rowToSave() const
{
    // The selected one, else the newest.
    const auto isKept = [this](int row) {
        const EvidenceListModel::Entry &entry = m_parts.evidence->at(row);
        return !entry.running && (entry.origin == EvidenceListModel::Origin::ThisRun ||
                                  entry.origin == EvidenceListModel::Origin::Imported);
    };
    const QModelIndex current = m_parts.dock->list()->currentIndex();
    if (current.isValid() && current.row() < m_parts.evidence->rowCount() && isKept(current.row()))
        return current.row();
    for (int row = 0; row < m_parts.evidence->rowCount(); ++row) {
        if (isKept(row))
            return row;
    }
    return -1;
}

void EvidenceDesk::chooseAndSave()
{
    const int row = rowToSave();
    if (row < 0)
        return;
    const NamespacePointer evidence = m_parts.evidence->at(row).evidence;
    const QString folder = m_settings.folder(QStringLiteral("save"));
    const QString suggestion = QDir(folder.isEmpty() ? QDir::homePath() : folder).filePath(evidence->name);
    const QString directory = QFileDialog::getSaveFileName(
        m_parts.window, tr("Save %1 as a new directory").arg(evidence->name), suggestion, QString(), nullptr);
    if (directory.isEmpty())
        return;
    m_settings.setFolder(QStringLiteral("save"), QFileInfo(directory).absolutePath());
    saveRun(evidence, directory);
}

void EvidenceDesk::saveRun(const NamespacePointer &evidence, const QString &directory)
{
    auto *watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, evidence, directory] {
        watcher->deleteLater();
        const QString error = watcher->result();
        const QString name = QFileInfo(directory).fileName();
        if (error.isEmpty()) {
            m_settings.addRecentFile(directory);
            m_parts.evidence->markSaved(evidence);
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
    ExportDialog dialog(entries, m_parts.figures->view(), m_settings, m_parts.window);
    dialog.setReference(m_parts.figures->verdictReference());
    dialog.setComparison(m_parts.figures->comparison());
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
    watcher->setFuture(QtConcurrent::run([choice] { return writeChoice(choice); }));
}

void EvidenceDesk::rebuildRecentMenu()
{
    QMenu *menu = m_parts.actions->recentMenu;
    menu->clear();
    for (const QString &key : m_settings.recentFiles()) {
        QAction *action = menu->addAction(sourceTitle(key).replace(QLatin1Char('&'), QLatin1String("&&")));
        const QStringList paths = sourcePaths(key);
        action->setToolTip(QDir::toNativeSeparators(paths.join(QLatin1Char('\n'))));
        connect(action, &QAction::triggered, this, [this, paths] { open(paths); });
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
