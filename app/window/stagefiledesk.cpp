// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagefiledesk.h"

#include "actions.h"
#include "frontmatter.h"
#include "messagebar.h"
#include "newstagedialog.h"
#include "ownstages.h"
#include "sessionsettings.h"
#include "stageeditors.h"
#include "stagetreemodel.h"
#include "stageworkbench.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QProcess>
#include <QUrl>

namespace stagecraft::window {

namespace {

const QString trustSubject = QStringLiteral("trust"); // of the message that asks for it

} // namespace

StageFileDesk::StageFileDesk(StageWorkbench &workbench, StageTreeModel &tree, Actions &actions,
                             SessionSettings &settings, QWidget *window, QObject *parent)
    : QObject(parent), m_workbench(workbench), m_tree(tree), m_actions(actions), m_settings(settings), m_window(window)
{
    connect(&m_library, &StageLibrary::catalogueChanged, this, &StageFileDesk::takeCatalogue);
    connect(&m_library, &StageLibrary::fileChanged, this, &StageFileDesk::takeFile);
    connect(&m_library, &StageLibrary::fileRemoved, this, &StageFileDesk::takeRemoval);
    connect(&m_library, &StageLibrary::filesLeft, this, &StageFileDesk::takeLeftFiles);
    connect(&m_workbench, &StageWorkbench::stageSelected, this, &StageFileDesk::open);
    connect(m_workbench.editors(), &StageEditors::modifiedChanged, this, [this] {
        updateHeading();
        updateActions();
    });
    connectActions();
    updateActions();
}

void StageFileDesk::connectActions()
{
    connect(m_actions.newStage, &QAction::triggered, this, &StageFileDesk::askForStage);
    connect(m_actions.chooseStagesFolder, &QAction::triggered, this, &StageFileDesk::askForFolder);
    connect(m_actions.openStageOutside, &QAction::triggered, this, &StageFileDesk::openOutside);
    connect(m_actions.revealStages, &QAction::triggered, this, &StageFileDesk::reveal);
    connect(m_actions.reloadStages, &QAction::triggered, &m_library, &StageLibrary::reload);
    connect(m_actions.saveStage, &QAction::triggered, this, [this] { save(path()); });
    connect(m_actions.saveAllStages, &QAction::triggered, this, &StageFileDesk::saveAll);
}

void StageFileDesk::report(const QString &title, const QString &error)
{
    if (!error.isEmpty())
        m_workbench.messages()->showMessage(MessageBar::Severity::Error, title, error);
}

QString StageFileDesk::chosenFolder() const
{
    if (!m_given.isEmpty())
        return m_given;
    const QString remembered = m_settings.stagesFolder();
    return remembered.isEmpty() ? suggestedStagesFolder() : remembered;
}

void StageFileDesk::begin(const QString &folder)
{
    m_given = folder;
    m_library.setFolder(folder.isEmpty() ? m_settings.stagesFolder() : folder, true);
    updateFolderText();
}

void StageFileDesk::showFound(const QString &folder)
{
    // What the user has chosen already needs no question.
    if (QFileInfo(folder) == QFileInfo(m_library.wantedFolder()))
        return;
    const bool chosen = QFileInfo(folder) == QFileInfo(chosenFolder());
    m_library.setFolder(folder, chosen);
    updateFolderText();
    if (!chosen)
        askForTrust(m_library.wantedFolder());
}

void StageFileDesk::askForTrust(const QString &folder)
{
    m_workbench.messages()->showMessage(
        MessageBar::Severity::Warning, tr("The stages of this folder are shown, not compiled or run"),
        tr("%1 is not a folder that you chose. A kernel can do on the GPU what your account may do: trust the folder "
           "only if you know where its files come from.")
            .arg(QDir::toNativeSeparators(folder)),
        {{tr("Trust this folder"), [this, folder] { trust(folder); }},
         {tr("Back to my stages"), [this] { begin(m_given); }}},
        trustSubject);
}

void StageFileDesk::trust(const QString &folder)
{
    m_given.clear();
    m_settings.setStagesFolder(folder);
    m_library.setFolder(folder, true);
    updateFolderText();
}

void StageFileDesk::takeCatalogue()
{
    m_tree.setCatalogue(m_library.catalogue());
    updateFolderText();
    noteFolder();
    if (!m_createdId.isEmpty() && m_library.catalogue().find(m_createdOperation, m_createdId)) {
        const QString created = std::exchange(m_createdId, QString());
        m_workbench.select(m_createdOperation, created);
        if (m_workbench.editors()->current())
            m_workbench.editors()->current()->setFocus(Qt::OtherFocusReason);
    }
    updateReadOnly(path());
    updateHeading();
    updateActions();
}

void StageFileDesk::open(const QString &operation, const QString &id)
{
    m_operation = operation;
    m_id = id;
    const run::CatalogueStage *stage = current();
    const QString file = path();
    if (file.isEmpty())
        return;
    const FileText text = stage ? fileTextOf(QByteArray::fromStdString(stage->stage.text)) : m_library.file(file);
    if (!m_workbench.editors()->view(file))
        m_bases.insert(file, text.state);
    m_workbench.editors()->open(file, text.text, isReadOnly(file));
    updateHeading();
    updateActions();
    emit opened();
}

// A file whose text cannot be shown whole is not typed into; what was typed before it became one is not lost.
bool StageFileDesk::isReadOnly(const QString &path) const
{
    if (!m_library.isOwn(path) || !m_library.isTrusted())
        return true;
    const widgets::SourceView *view = m_workbench.editors()->view(path);
    return !m_library.file(path).unwritable.isEmpty() && !(view && view->isModified());
}

void StageFileDesk::updateReadOnly(const QString &path)
{
    if (widgets::SourceView *view = m_workbench.editors()->view(path))
        view->setReadOnly(isReadOnly(path));
}

QString StageFileDesk::unwritable() const
{
    return m_library.file(path()).unwritable;
}

const run::CatalogueStage *StageFileDesk::current() const
{
    return m_library.catalogue().find(m_operation, m_id);
}

QString StageFileDesk::path() const
{
    if (const run::CatalogueStage *stage = current())
        return stage->path;
    for (const run::StageProblem &problem : m_library.catalogue().problems) {
        if (problem.operation == m_operation && problem.id == m_id)
            return problem.path;
    }
    return {};
}

void StageFileDesk::askForStage()
{
    const run::CatalogueStage *stage = current();
    if (!stage)
        return;
    const run::CatalogueStage from = *stage; // the library may read anew while the dialog is open
    NewStageDialog dialog(from, m_library.catalogue(), chosenFolder(), m_window);
    if (dialog.exec() == QDialog::Accepted)
        report(tr("The stage was not created"), create(from, dialog.id(), dialog.title()));
}

QString StageFileDesk::create(const run::CatalogueStage &from, const QString &id, const QString &title)
{
    const QString problem = stageIdProblem(id, from.operation(), m_library.catalogue());
    if (!problem.isEmpty())
        return problem;
    const QString folder = chosenFolder();
    const QString file = stagePath(folder, from.operation(), id);
    if (QFileInfo::exists(file))
        return tr("%1 exists already: choose another name.").arg(QDir::toNativeSeparators(file));
    const QString error = writeStageFile(file, copiedStageText(from, id, title));
    if (!error.isEmpty())
        return error;
    if (m_given.isEmpty())
        m_settings.setStagesFolder(folder);
    m_createdOperation = from.operation();
    m_createdId = id;
    m_library.setFolder(folder, true);
    return {};
}

QString StageFileDesk::write(const QString &path)
{
    widgets::SourceView *view = m_workbench.editors()->view(path);
    const QByteArray bytes = view->text().toUtf8();
    if (static_cast<std::size_t>(bytes.size()) > stagefile::maximumStageBytes)
        return tr("%1 would have more than %2 bytes, which no stage has: shorten it.")
            .arg(QFileInfo(path).fileName())
            .arg(stagefile::maximumStageBytes);
    const QString error = writeStageFile(path, view->text());
    if (!error.isEmpty())
        return error;
    m_bases.insert(path, fileTextOf(bytes).state);
    view->setSaved();
    m_workbench.messages()->dismiss(path); // a conflict about this file is decided by that
    m_library.reload();
    return {};
}

QString StageFileDesk::save(const QString &path)
{
    const widgets::SourceView *view = m_workbench.editors()->view(path);
    if (!view || (view->isReadOnly() && !view->isModified()))
        return {};
    const FileText disk = readFileText(path);
    const bool exists = QFileInfo::exists(path);
    QString error;
    if (view->isReadOnly()) {
        error = tr("%1 can only be read here.").arg(QFileInfo(path).fileName());
    } else if (exists && disk.state != m_bases.value(path)) {
        askAboutConflict(path, disk);
        m_library.reload();
        return tr("%1 was changed by another program: choose which text to keep.").arg(QFileInfo(path).fileName());
    } else {
        error = write(path);
    }
    report(tr("The stage was not saved"), error);
    return error;
}

QString StageFileDesk::saveAll()
{
    QStringList errors;
    for (const QString &path : unsaved()) {
        const QString error = save(path);
        if (!error.isEmpty())
            errors.append(error);
    }
    const QString all = errors.join(QLatin1Char('\n'));
    if (errors.size() > 1)
        report(tr("Not every stage was saved"), all);
    return all;
}

QStringList StageFileDesk::unsaved() const
{
    return m_workbench.editors()->modified();
}

void StageFileDesk::askForFolder()
{
    const QString start = QFileInfo(chosenFolder()).isDir() ? chosenFolder() : QDir::homePath();
    const QString folder = QFileDialog::getExistingDirectory(m_window, tr("Choose the folder of your stages"), start);
    if (!folder.isEmpty())
        chooseFolder(folder);
}

void StageFileDesk::chooseFolder(const QString &folder)
{
    m_settings.setStagesFolder(folder);
    m_workbench.messages()->dismiss(trustSubject);
    begin({});
}

void StageFileDesk::openOutside()
{
    const QString file = path();
    QStringList command = QProcess::splitCommand(m_settings.editorCommand());
    bool started = false;
    if (command.isEmpty()) {
        started = QDesktopServices::openUrl(QUrl::fromLocalFile(file));
    } else {
        const QString program = command.takeFirst();
        started = QProcess::startDetached(program, command + QStringList{file});
    }
    if (!started)
        report(tr("The editor could not be started"),
               tr("Name its command in Settings, for example “code --reuse-window”."));
}

void StageFileDesk::reveal()
{
    const QString folder = QFileInfo(path()).absolutePath();
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        report(tr("The folder could not be shown"), QDir::toNativeSeparators(folder));
}

} // namespace stagecraft::window
