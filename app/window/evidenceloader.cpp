// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidenceloader.h"

#include "importer.h"
#include "journal.h"

#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrentRun>
#include <QThread>

#include <exception>
#include <new>

namespace stagecraft::window {

namespace {

// What separates the paths of a key: no path has it.
constexpr QChar keySeparator(u'\0');

// An exception that left the pool's thread would end the program.
LoadedEvidence answerOf(const EvidenceReader &reader, const EvidenceSource &source,
                        const std::function<bool()> &cancelled)
{
    try {
        return reader(source, cancelled);
    } catch (const std::bad_alloc &) {
        return {source, {}, QObject::tr("there is not enough memory for it; close something or open less at a time")};
    } catch (const std::exception &error) {
        return {source, {}, QString::fromUtf8(error.what())};
    }
}

} // namespace

LoadedEvidence readEvidence(const EvidenceSource &source, const std::function<bool()> &cancelled)
{
    if (source.origin == EvidenceListModel::Origin::Imported) {
        import::Imported imported = import::importFiles(source.paths, cancelled);
        return {source, NamespacePointer::create(std::move(imported.evidence)), imported.error};
    }
    return {source, NamespacePointer::create(run::openNamespace(source.paths.first(), {}, cancelled)), {}};
}

QString EvidenceSource::key() const
{
    return paths.join(keySeparator);
}

QStringList sourcePaths(const QString &key)
{
    return key.split(keySeparator, Qt::SkipEmptyParts);
}

QString sourceTitle(const QString &key)
{
    const QStringList paths = sourcePaths(key);
    const QString first = paths.isEmpty() ? QString() : QFileInfo(paths.first()).fileName();
    return paths.size() > 1 ? QObject::tr("%1 and %2 more").arg(first).arg(paths.size() - 1) : first;
}

EvidenceLoader::EvidenceLoader(const EvidenceReader &reader, QObject *parent)
    : QObject(parent), m_reader(reader), m_cancelled(std::make_shared<std::atomic_bool>(false))
{
}

EvidenceLoader::~EvidenceLoader()
{
    *m_cancelled = true;
}

void EvidenceLoader::load(const QList<EvidenceSource> &sources)
{
    if (m_jobs.empty())
        m_done = 0;
    for (const EvidenceSource &source : sources)
        m_jobs.push_back(std::make_shared<Job>(Job{source, false, {}}));
    emit progressed(m_done, m_done + pending());
    startMore();
}

void EvidenceLoader::startMore()
{
    for (const JobPointer &job : m_jobs) {
        if (m_running >= qMax(1, QThread::idealThreadCount()))
            return;
        if (!job->started)
            start(job);
    }
}

void EvidenceLoader::start(const JobPointer &job)
{
    job->started = true;
    ++m_running;
    auto *watcher = new QFutureWatcher<LoadedEvidence>(this);
    const auto cancelled = m_cancelled;
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, job, cancelled] {
        watcher->deleteLater();
        if (!*cancelled)
            take(job, watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([reader = m_reader, source = job->source, cancelled] {
        return answerOf(reader, source, [cancelled] { return cancelled->load(); });
    }));
}

void EvidenceLoader::take(const JobPointer &job, const LoadedEvidence &result)
{
    --m_running;
    job->result = result;
    startMore();
    const auto token = m_cancelled; // another one: who was told cancelled, which has said that it is finished
    while (!m_jobs.empty() && m_jobs.front()->result) {
        const LoadedEvidence next = *m_jobs.front()->result;
        m_jobs.pop_front();
        ++m_done;
        emit loaded(next);
        if (token != m_cancelled)
            return;
        emit progressed(m_done, m_done + pending());
        if (token != m_cancelled)
            return;
    }
    if (m_jobs.empty())
        emit finished(0);
}

void EvidenceLoader::cancel()
{
    if (m_jobs.empty())
        return;
    *std::exchange(m_cancelled, std::make_shared<std::atomic_bool>(false)) = true;
    const int dropped = pending();
    m_jobs.clear();
    m_running = 0;
    emit finished(dropped);
}

} // namespace stagecraft::window
