// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidenceopening.h"

#include "evidencecommands.h"
#include "evidencereader.h"

#include <QFileInfo>
#include <QFutureWatcher>
#include <QtConcurrentRun>
#include <QUndoStack>

namespace stagecraft::window {

namespace {

// The note's last namespace: the one that its figures show.
const QString firstShown = QStringLiteral("mage-003");

constexpr int noBatch = 0; // of what is there from the start

// A path, or the name of bundled evidence where no file has that name.
QString resolved(const QString &argument)
{
    const bool bundled = !QFileInfo::exists(argument) && evidence::bundledNames().contains(argument);
    return bundled ? evidence::bundledPath(argument) : argument;
}

SortedPaths sortArguments(const QStringList &arguments)
{
    QStringList paths;
    for (const QString &argument : arguments)
        paths.append(resolved(argument));
    return sortPaths(paths);
}

// What was asked for, then the bundled evidence that is not among it.
QList<EvidenceSource> withBundled(QList<EvidenceSource> asked, const QList<EvidenceSource> &bundled)
{
    const auto named = asked;
    std::ranges::copy_if(bundled, std::back_inserter(asked), [&](const EvidenceSource &source) {
        return std::ranges::find(named, source.paths, &EvidenceSource::paths) == named.end();
    });
    return asked;
}

// The field note's namespaces and this project's.
QList<EvidenceSource> bundledSources(bool shown)
{
    QStringList names = evidence::bundledNames();
    // Read first what is seen first.
    if (names.removeOne(firstShown))
        names.prepend(firstShown);
    QList<EvidenceSource> sources;
    for (const QString &name : std::as_const(names)) {
        sources.append({{QFileInfo(evidence::bundledPath(name)).canonicalFilePath()},
                        EvidenceListModel::Origin::Bundled,
                        shown && name == names.first(),
                        noBatch});
    }
    return sources;
}

} // namespace

EvidenceOpening::EvidenceOpening(EvidenceListModel &model, QUndoStack &undo, QObject *parent)
    : QObject(parent), m_model(model), m_undo(undo)
{
    connect(&m_loader, &EvidenceLoader::loaded, this, &EvidenceOpening::receive);
    connect(&m_loader, &EvidenceLoader::progressed, this, &EvidenceOpening::progressed);
    connect(&m_loader, &EvidenceLoader::finished, this, [this](int dropped) {
        m_report.addDropped(dropped);
        finishWhenDone();
    });
}

void EvidenceOpening::begin(const QStringList &paths)
{
    if (paths.isEmpty())
        load(bundledSources(true));
    else
        sort(paths, [this](const SortedPaths &sorted) {
            load(withBundled(prepared(sorted, noBatch), bundledSources(false)));
        });
}

void EvidenceOpening::open(const QStringList &paths)
{
    if (!paths.isEmpty())
        sort(paths, [this, batch = ++m_batch](const SortedPaths &sorted) { load(prepared(sorted, batch)); });
}

void EvidenceOpening::sort(const QStringList &paths, const std::function<void(const SortedPaths &)> &then)
{
    ++m_sorting;
    auto *watcher = new QFutureWatcher<SortedPaths>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, then] {
        watcher->deleteLater();
        --m_sorting;
        then(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([paths] { return sortArguments(paths); }));
}

QList<EvidenceSource> EvidenceOpening::prepared(SortedPaths sorted, int batch)
{
    m_report.addPaths(sorted);
    for (const QString &folder : std::as_const(sorted.stageFolders))
        emit stagesFound(folder);
    for (qsizetype i = 0; i < sorted.sources.size(); ++i) {
        sorted.sources[i].batch = batch;
        sorted.sources[i].shown = i < mostShown;
    }
    return sorted.sources;
}

void EvidenceOpening::load(const QList<EvidenceSource> &sources)
{
    if (sources.isEmpty())
        finishWhenDone();
    else
        m_loader.load(sources);
}

void EvidenceOpening::receive(const LoadedEvidence &loaded)
{
    if (!loaded.error.isEmpty() || isEmptyEvidence(*loaded.evidence)) {
        m_report.addFailed(loaded);
        return;
    }
    const EvidenceSource &source = loaded.source;
    const QString path = source.key();
    const int old = m_model.rowOf(path);
    // A run that goes knows more than its journal.
    if (old < 0 || !m_model.at(old).running) {
        if (source.batch == noBatch)
            m_model.put(loaded.evidence, path, source.origin, source.shown);
        else
            m_undo.push(
                new OpenEvidence(m_model, {loaded.evidence, path, source.origin, source.shown, false}, source.batch));
    }
    if (source.origin != EvidenceListModel::Origin::Bundled)
        m_report.addListed(loaded);
    emit listed(m_model.rowOf(path), source);
}

void EvidenceOpening::cancel()
{
    m_loader.cancel();
}

void EvidenceOpening::finishWhenDone()
{
    if (isLoading())
        return;
    emit finished(std::exchange(m_report, OpeningReport()));
}

} // namespace stagecraft::window
