// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagelibrary.h"

#include "catalogue.h"

#include <QDir>
#include <QFileInfo>
#include <QtConcurrentRun>

namespace stagecraft::window {

namespace {

// Long enough for an editor that removes a file and puts another in its place.
constexpr int settleMs = 200;

// A folder that is gone, moved away or not there yet cannot be watched.
constexpr int folderCheckMs = 1000;

QStringList operationFolders(const QString &folder)
{
    QStringList folders;
    for (const operations::Operation &operation : operations::catalogue()) {
        const QString path = QDir(folder).filePath(QString::fromStdString(operation.id));
        if (QFileInfo(path).isDir())
            folders.append(path);
    }
    return folders;
}

} // namespace

StageLibrary::StageLibrary(QObject *parent) : QObject(parent)
{
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(settleMs);
    connect(&m_debounce, &QTimer::timeout, this, &StageLibrary::reload);
    m_folderCheck.setInterval(folderCheckMs);
    connect(&m_folderCheck, &QTimer::timeout, this, &StageLibrary::lookForFolder);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_debounce, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_debounce, qOverload<>(&QTimer::start));
    connect(&m_reading, &QFutureWatcherBase::finished, this, [this] {
        const Snapshot snapshot = m_reading.result();
        if (std::exchange(m_readAgain, false))
            reload();
        receive(snapshot);
    });
}

StageLibrary::~StageLibrary()
{
    m_reading.waitForFinished();
}

void StageLibrary::setFolder(const QString &folder, bool trusted)
{
    const QString absolute = folder.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    m_wanted = {absolute, trusted && !absolute.isEmpty()};
    reload();
}

void StageLibrary::reload()
{
    m_debounce.stop();
    if (m_reading.isRunning()) {
        m_readAgain = true;
        return;
    }
    m_reading.setFuture(QtConcurrent::run([place = m_wanted] { return read(place); }));
}

void StageLibrary::lookForFolder()
{
    if (QFileInfo(m_folder).isDir() != m_exists && !isReading())
        reload();
}

StageLibrary::Stamps StageLibrary::stampsOf(const QString &folder)
{
    Stamps stamps;
    for (const QString &path : QStringList{folder} + operationFolders(folder)) {
        stamps.insert(path, {0, QFileInfo(path).lastModified()});
        for (const QFileInfo &file : QDir(path).entryInfoList({QStringLiteral("*.cu")}, QDir::Files))
            stamps.insert(file.filePath(), {file.size(), file.lastModified()});
    }
    return stamps;
}

StageLibrary::Snapshot StageLibrary::read(const Place &place)
{
    Snapshot snapshot;
    snapshot.place = place;
    const QString &folder = place.folder;
    // A folder that was only suggested so far is no problem: it is made with the first copy.
    snapshot.exists = !folder.isEmpty() && QFileInfo(folder).isDir();
    if (snapshot.exists)
        snapshot.stamps = stampsOf(folder);
    snapshot.catalogue = run::stageCatalogue(snapshot.exists ? folder : QString());
    for (const run::CatalogueStage &stage : snapshot.catalogue.stages) {
        if (stage.own)
            snapshot.texts.insert(stage.path, fileTextOf(QByteArray::fromStdString(stage.stage.text)));
    }
    for (const run::StageProblem &problem : snapshot.catalogue.problems) {
        if (!problem.path.isEmpty())
            snapshot.texts.insert(problem.path, readFileText(problem.path));
    }
    return snapshot;
}

QStringList StageLibrary::takeTexts(const Snapshot &snapshot)
{
    QStringList changed;
    for (auto file = snapshot.texts.cbegin(); file != snapshot.texts.cend(); ++file) {
        const auto known = m_texts.constFind(file.key());
        if (known != m_texts.constEnd() && known->state != file->state)
            changed.append(file.key());
        m_texts.insert(file.key(), file.value());
    }
    return changed;
}

void StageLibrary::receive(const Snapshot &snapshot)
{
    if (snapshot.place.folder != m_wanted.folder || snapshot.place.trusted != m_wanted.trusted)
        return; // of a folder that has been left; the right one is being read
    const bool sameFolder = m_folder == snapshot.place.folder;
    m_folder = snapshot.place.folder;
    m_exists = snapshot.exists;
    m_trusted = snapshot.place.trusted;
    m_catalogue = snapshot.catalogue;
    const QStringList changed = takeTexts(snapshot);
    const QStringList before = std::exchange(m_present, snapshot.texts.keys());
    watch();
    // What was written after it was read, and before it was watched, is told by nobody.
    if (m_exists && stampsOf(m_folder) != snapshot.stamps)
        m_debounce.start();
    if (m_folder.isEmpty())
        m_folderCheck.stop();
    else
        m_folderCheck.start();
    emit catalogueChanged();
    QStringList absent = before;
    absent.removeIf([&](const QString &path) { return snapshot.texts.contains(path); });
    if (!sameFolder && !absent.isEmpty())
        emit filesLeft(absent);
    for (const QString &path : sameFolder ? absent : QStringList())
        emit fileRemoved(path);
    for (const QString &path : changed)
        emit fileChanged(path);
}

void StageLibrary::watch()
{
    QStringList wanted = m_present;
    if (QFileInfo(m_folder).isDir())
        wanted << m_folder << operationFolders(m_folder);
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    QStringList stale;
    for (const QString &path : watched) {
        if (!wanted.removeOne(path))
            stale.append(path);
    }
    if (!stale.isEmpty())
        m_watcher.removePaths(stale);
    if (!wanted.isEmpty())
        m_watcher.addPaths(wanted);
}

} // namespace stagecraft::window
