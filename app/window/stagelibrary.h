// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "filetext.h"
#include "stagecatalogue.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QFutureWatcher>
#include <QMap>
#include <QTimer>

namespace stagecraft::window {

// The stages that the window knows, kept up with the disk: whatever editor writes a file of the user's folder, and
// however (in place, or another file put over it), the change is noticed once. Folders are read on the thread pool.
class StageLibrary : public QObject
{
    Q_OBJECT
public:
    explicit StageLibrary(QObject *parent = nullptr);
    ~StageLibrary() override; // waits for what is being read

    // The user's folder; empty: none. Stages of a folder that the user did not choose are known, and may not be
    // compiled or run. Folder, trust and catalogue change together, with catalogueChanged(), once the folder is read.
    void setFolder(const QString &folder, bool trusted);
    const QString &wantedFolder() const { return m_wanted.folder; } // the one that is read, or being read
    const QString &folder() const { return m_folder; }
    bool isTrusted() const { return m_trusted; }
    bool isReading() const { return m_reading.isRunning() || m_debounce.isActive(); }

    const run::StageCatalogue &catalogue() const { return m_catalogue; }
    bool mayRun(const run::CatalogueStage &stage) const { return !stage.own || m_trusted; }
    // One of the user's files, a valid stage or not, as last read.
    bool isOwn(const QString &path) const { return m_texts.contains(path); }
    FileText file(const QString &path) const { return m_texts.value(path); }
    QString text(const QString &path) const { return file(path).text; }
    bool folderExists() const { return m_exists; } // as last read; false with none

public slots:
    void reload();

signals:
    void catalogueChanged();
    void fileChanged(const QString &path); // a file that was known has another text
    void fileRemoved(const QString &path);
    void filesLeft(const QStringList &paths); // another folder is the user's now; they are where they were

private:
    struct Place
    {
        QString folder;
        bool trusted = false;
    };
    struct Stamp
    {
        qint64 size = 0;
        QDateTime modified;
        bool operator==(const Stamp &) const = default;
    };
    using Stamps = QMap<QString, Stamp>; // of the folder, of those in it and of the files there
    struct Snapshot
    {
        Place place;
        run::StageCatalogue catalogue;
        bool exists = false;
        Stamps stamps;                 // from before it was read
        QMap<QString, FileText> texts; // of the user's files, by path
    };
    static Stamps stampsOf(const QString &folder);
    static Snapshot read(const Place &place);
    void receive(const Snapshot &snapshot);
    QStringList takeTexts(const Snapshot &snapshot); // those that changed
    void lookForFolder();
    void watch();

    Place m_wanted;
    QString m_folder; // that the catalogue is of
    bool m_trusted = false;
    run::StageCatalogue m_catalogue;
    bool m_exists = false;
    QMap<QString, FileText>
        m_texts; // those of removed files included: one that comes back is compared with what it was
    QStringList m_present;
    QFileSystemWatcher m_watcher;
    QTimer m_debounce;
    QTimer m_folderCheck;
    QFutureWatcher<Snapshot> m_reading;
    bool m_readAgain = false;
};

} // namespace stagecraft::window
