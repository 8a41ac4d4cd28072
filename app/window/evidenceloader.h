// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencelistmodel.h"

#include <QObject>
#include <QStringList>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

namespace stagecraft::window {

// What becomes one namespace: a directory, a summary file, or the files of another tool.
struct EvidenceSource
{
    QStringList paths; // one, unless it is foreign
    EvidenceListModel::Origin origin = EvidenceListModel::Origin::Opened;
    bool shown = true;
    int batch = 0;       // what was asked for together
    QString key() const; // tells it apart in the list and among the recent files; sourcePaths() is its inverse
};
QStringList sourcePaths(const QString &key);
QString sourceTitle(const QString &key); // "results.json", "a.json and 2 more"

// The evidence has problems where only part of it is sound; with an error it is empty.
struct LoadedEvidence
{
    EvidenceSource source;
    NamespacePointer evidence;
    QString error; // why nothing could be read
};

// Reads a source; the second says whether it may stop early. May throw: that is answered with an error.
using EvidenceReader = std::function<LoadedEvidence(const EvidenceSource &, const std::function<bool()> &)>;
LoadedEvidence readEvidence(const EvidenceSource &source, const std::function<bool()> &cancelled);

// Reads namespaces and imports foreign files on the thread pool, a few at a time, so that neither a large one nor many
// hold up the window. They arrive in the order in which they were asked for. Every source is answered once, unless
// cancel() drops it.
class EvidenceLoader : public QObject
{
    Q_OBJECT
public:
    explicit EvidenceLoader(const EvidenceReader &reader = readEvidence, QObject *parent = nullptr);
    ~EvidenceLoader() override; // drops what is pending

    void load(const QList<EvidenceSource> &sources);
    int pending() const { return static_cast<int>(m_jobs.size()); }
    int done() const { return m_done; } // of those since nothing was pending

public slots:
    void cancel();

signals:
    void loaded(const stagecraft::window::LoadedEvidence &evidence);
    void progressed(int done, int total);
    void finished(int dropped); // nothing is pending any more; so many were left unread

private:
    struct Job
    {
        EvidenceSource source;
        bool started = false;
        std::optional<LoadedEvidence> result;
    };
    using JobPointer = std::shared_ptr<Job>;

    void startMore();
    void start(const JobPointer &job);
    void take(const JobPointer &job, const LoadedEvidence &result);

    EvidenceReader m_reader;
    std::deque<JobPointer> m_jobs; // not delivered yet, in order
    int m_running = 0, m_done = 0;
    std::shared_ptr<std::atomic_bool> m_cancelled; // of the jobs in progress
};

} // namespace stagecraft::window
