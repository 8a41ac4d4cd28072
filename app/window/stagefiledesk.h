// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagelibrary.h"

class QWidget;

namespace stagecraft::window {

class Actions;
class SessionSettings;
class StageTreeModel;
class StageWorkbench;

// The stage files in the window: opening, copying, saving, the folder they are in, and what other programs do to them.
class StageFileDesk : public QObject
{
    Q_OBJECT
public:
    StageFileDesk(StageWorkbench &workbench, StageTreeModel &tree, Actions &actions, SessionSettings &settings,
                  QWidget *window, QObject *parent = nullptr);

    StageLibrary &library() { return m_library; }
    const StageLibrary &library() const { return m_library; }

    void begin(const QString &folder);        // of the command line; empty: the one that is remembered
    void showFound(const QString &folder);    // one that the user did not choose
    void chooseFolder(const QString &folder); // the user's choice, remembered; empty: none
    QString chosenFolder() const;             // where the user's stages are or will be

    void open(const QString &operation, const QString &id);
    QString create(const run::CatalogueStage &from, const QString &id, const QString &title); // an error; empty: done
    // Likewise; the window says so too. A file that holds what was not seen here is not written over: the user is
    // asked.
    QString save(const QString &path);
    QString saveAll();
    QStringList unsaved() const; // paths

    QString operation() const { return m_operation; } // of the stage that is open
    QString id() const { return m_id; }
    QString path() const;
    // Why the file that is open can only be read, as the rest of a sentence; empty: for no reason of its own.
    QString unwritable() const;
    const run::CatalogueStage *current() const; // nullptr for a file that is no valid stage, or none

signals:
    void opened(); // another stage

private:
    void connectActions();
    void takeCatalogue();
    void takeFile(const QString &path);
    void takeRemoval(const QString &path);
    void takeLeftFiles(const QStringList &paths);
    void noteFolder();
    bool isReadOnly(const QString &path) const;
    void updateReadOnly(const QString &path);
    QString write(const QString &path);
    void reloadView(const QString &path, const FileText &file);
    void askAboutConflict(const QString &path, const FileText &theirs);
    void askForTrust(const QString &folder);
    void trust(const QString &folder);
    void askForFolder();
    void askForStage();
    void openOutside();
    void reveal();
    void report(const QString &title, const QString &error);
    void updateHeading();
    void updateFolderText();
    void updateActions();

    StageWorkbench &m_workbench;
    StageTreeModel &m_tree;
    Actions &m_actions;
    SessionSettings &m_settings;
    QWidget *m_window;
    StageLibrary m_library;
    QString m_operation, m_id;
    QString m_createdOperation, m_createdId; // to be opened as soon as the library knows it
    QString m_given;                         // the folder of the command line
    QString m_seenFolder;                    // was there when it was last read
    QMap<QString, QByteArray> m_bases;       // by path: the file's state that the text in the editor goes back to
};

} // namespace stagecraft::window
