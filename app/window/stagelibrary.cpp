// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagelibrary.h"

#include "catalogue.h"
#include "frontmatter.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtConcurrentRun>

namespace stagecraft::window {

namespace {

// Long enough for an editor that removes a file and puts another in its place.
constexpr int settleMs = 200;

QString fileText(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.read(static_cast<qint64>(stagefile::maximumStageBytes)));
}

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

StageLibrary::Snapshot StageLibrary::read(const Place &place)
{
    Snapshot snapshot;
    snapshot.place = place;
    const QString &folder = place.folder;
    // A folder that was only suggested so far is no problem: it is made with the first copy.
    const bool exists = !folder.isEmpty() && QFileInfo(folder).isDir();
    snapshot.catalogue = run::stageCatalogue(exists ? folder : QString());
    for (const run::CatalogueStage &stage : snapshot.catalogue.stages) {
        if (stage.own)
            snapshot.texts.insert(stage.path, QString::fromStdString(stage.stage.text));
    }
    for (const run::StageProblem &problem : snapshot.catalogue.problems) {
        if (!problem.path.isEmpty())
            snapshot.texts.insert(problem.path, fileText(problem.path));
    }
    return snapshot;
}

void StageLibrary::receive(const Snapshot &snapshot)
{
    if (snapshot.place.folder != m_wanted.folder || snapshot.place.trusted != m_wanted.trusted)
        return; // of a folder that has been left; the right one is being read
    m_folder = snapshot.place.folder;
    m_trusted = snapshot.place.trusted;
    m_catalogue = snapshot.catalogue;
    QStringList changed;
    for (auto file = snapshot.texts.cbegin(); file != snapshot.texts.cend(); ++file) {
        const auto known = m_texts.constFind(file.key());
        if (known != m_texts.constEnd() && *known != file.value())
            changed.append(file.key());
        m_texts.insert(file.key(), file.value());
    }
    const QStringList before = std::exchange(m_present, snapshot.texts.keys());
    watch();
    emit catalogueChanged();
    for (const QString &path : before) {
        if (!snapshot.texts.contains(path))
            emit fileRemoved(path);
    }
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
