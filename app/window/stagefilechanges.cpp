// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagebar.h"
#include "stageeditors.h"
#include "stagefiledesk.h"
#include "stageworkbench.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

// What becomes of the editors when files change without them.
namespace stagecraft::window {

void StageFileDesk::reloadView(const QString &path, const FileText &file)
{
    widgets::SourceView *view = m_workbench.editors()->view(path);
    if (!view)
        return;
    m_bases.insert(path, file.state);
    view->reload(file.text);
    view->setReadOnly(isReadOnly(path) || !file.unwritable.isEmpty());
}

// Somebody wrote the file: this window, or another program.
void StageFileDesk::takeFile(const QString &path)
{
    widgets::SourceView *view = m_workbench.editors()->view(path);
    if (!view)
        return;
    const FileText file = m_library.file(path);
    if (file.unwritable.isEmpty() && view->text() == file.text) {
        m_bases.insert(path, file.state);
        view->setSaved();
        updateReadOnly(path);
    } else if (!view->isModified()) {
        reloadView(path, file);
    } else if (file.state == m_bases.value(path)) {
        m_workbench.messages()->dismiss(path); // what was typed goes on from it
    } else {
        askAboutConflict(path, file);
    }
    updateHeading();
}

void StageFileDesk::askAboutConflict(const QString &path, const FileText &theirs)
{
    const QString advice = tr("What you have typed here is not saved. Reload takes the file's text; undo brings yours "
                              "back. Keep mine lets the next save write over it.");
    const QString limit =
        theirs.unwritable.isEmpty() ? QString() : tr("\nIts text can only be read here: %1.").arg(theirs.unwritable);
    m_workbench.messages()->showMessage(
        MessageBar::Severity::Warning, tr("%1 was changed by another program").arg(QFileInfo(path).fileName()),
        advice + limit,
        {{tr("Reload"),
          [this, path] {
              reloadView(path, readFileText(path));
              m_library.reload();
          }},
         {tr("Keep mine"), [this, path, state = theirs.state] { m_bases.insert(path, state); }}},
        path);
}

void StageFileDesk::noteFolder()
{
    const QString folder = m_library.folder();
    const QString subject = QStringLiteral("folder");
    if (m_library.folderExists()) {
        m_seenFolder = folder;
        m_workbench.messages()->dismiss(subject);
    } else if (std::exchange(m_seenFolder, QString()) == folder && !folder.isEmpty()) {
        m_workbench.messages()->showMessage(MessageBar::Severity::Warning, tr("The folder of your stages is gone"),
                                            tr("%1 was removed or moved by another program. Its stages are shown "
                                               "again as soon as it is back; or choose another folder.")
                                                .arg(QDir::toNativeSeparators(folder)),
                                            {}, subject);
    }
}

// The user went to another folder. What was typed and not saved stays until the user has decided about it.
void StageFileDesk::takeLeftFiles(const QStringList &paths)
{
    QStringList names, kept;
    for (const QString &path : paths) {
        const widgets::SourceView *view = m_workbench.editors()->view(path);
        if (view && view->isModified()) {
            kept.append(path);
            names.append(QFileInfo(path).fileName());
        } else {
            m_workbench.editors()->close(path);
        }
    }
    updateHeading();
    if (kept.isEmpty())
        return;
    const auto decide = [this, kept](bool keep) {
        for (const QString &path : kept) {
            if (!keep || save(path).isEmpty())
                m_workbench.editors()->close(path);
        }
        updateActions();
        if (!m_library.isTrusted() && unsaved().isEmpty())
            askForTrust(m_library.wantedFolder()); // this message took that one's place
    };
    m_workbench.messages()->showMessage(
        MessageBar::Severity::Warning, tr("Not saved in the folder that you left: %1").arg(names.join(tr(", "))),
        tr("The files are where they were; what you have typed is only here."),
        {{tr("Save it there"), [decide] { decide(true); }}, {tr("Discard it"), [decide] { decide(false); }}});
}

void StageFileDesk::takeRemoval(const QString &path)
{
    const widgets::SourceView *view = m_workbench.editors()->view(path);
    if (!view)
        return;
    if (!view->isModified()) {
        m_workbench.editors()->close(path);
        updateHeading();
        return;
    }
    m_workbench.messages()->showMessage(MessageBar::Severity::Warning,
                                        tr("%1 was removed by another program").arg(QFileInfo(path).fileName()),
                                        tr("What you have typed here is not saved."),
                                        {{tr("Write it again"), [this, path] { save(path); }},
                                         {tr("Close it"), [this, path] { m_workbench.editors()->close(path); }}},
                                        path);
}

} // namespace stagecraft::window
