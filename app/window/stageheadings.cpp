// SPDX-License-Identifier: GPL-3.0-or-later
#include "actions.h"
#include "ownstages.h"
#include "stageeditors.h"
#include "stagefiledesk.h"
#include "stageworkbench.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

// What the workbench says of the file that is open and of the folder it is in.
namespace stagecraft::window {

namespace {

QString explanationOf(const run::CatalogueStage &stage, bool trusted)
{
    QStringList parts{stage.own ? (trusted ? QObject::tr("your own") : QObject::tr("of a folder that is not trusted"))
                                : QObject::tr("comes with Stagecraft, read-only")};
    if (stage.stage.status == stagefile::Status::Attempt)
        parts.append(QObject::tr("attempt"));
    if (!stage.stage.after.empty())
        parts.append(QObject::tr("after %1").arg(QString::fromStdString(stage.stage.after)));
    return parts.join(QStringLiteral(" · "));
}

QString homely(const QString &folder)
{
    const QString home = QDir::homePath();
    return QDir::toNativeSeparators(
        folder.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + folder.mid(home.size()) : folder);
}

} // namespace

void StageFileDesk::updateHeading()
{
    if (m_id.isEmpty() || path().isEmpty()) {
        m_workbench.setHeading(QString(), QString());
        return;
    }
    const run::CatalogueStage *stage = current();
    const widgets::SourceView *view = m_workbench.editors()->view(path());
    const QString mark = view && view->isModified() ? tr(" • not saved") : QString();
    QString explanation = stage ? explanationOf(*stage, m_library.isTrusted()) : tr("not a valid stage");
    if (!unwritable().isEmpty())
        explanation = tr("read-only: %1").arg(unwritable());
    m_workbench.setHeading(QStringLiteral("%1/%2%3").arg(m_operation, m_id, mark), explanation);
}

void StageFileDesk::updateFolderText()
{
    const QString folder = m_library.folder();
    if (folder.isEmpty()) {
        m_workbench.setFolderText(
            tr("You have no stages of your own yet. A copy of one (Ctrl+N) goes to\n%1").arg(homely(chosenFolder())),
            QDir::toNativeSeparators(chosenFolder()));
        return;
    }
    QString text = m_library.isTrusted() ? tr("Your stages:\n%1") : tr("Not trusted:\n%1");
    if (!QFileInfo(folder).isDir())
        text = tr("Your stages:\n%1\nIt does not exist; a copy of a stage makes it.");
    m_workbench.setFolderText(text.arg(homely(folder)), QDir::toNativeSeparators(folder));
}

void StageFileDesk::updateActions()
{
    const run::CatalogueStage *stage = current();
    const bool open = !path().isEmpty();
    const widgets::SourceView *view = m_workbench.editors()->view(path());
    const bool mine = m_library.folder().isEmpty() || m_library.isTrusted();
    m_actions.newStage->setEnabled(stage && mine);
    m_actions.openStageOutside->setEnabled(open);
    m_actions.revealStages->setEnabled(open);
    m_actions.saveStage->setEnabled(view && view->isModified());
    m_actions.saveAllStages->setEnabled(!unsaved().isEmpty());
}

} // namespace stagecraft::window
