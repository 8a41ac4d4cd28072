// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencepaths.h"
#include "openingreport.h"

#include <functional>

class QUndoStack;

namespace stagecraft::window {

// From paths to entries of the evidence list: what they are is found out and they are read off the event loop, each
// comes into the list as it is there, and at the end one report says what did not. What one call asks for is undone
// together.
class EvidenceOpening : public QObject
{
    Q_OBJECT
public:
    // So many of what was opened together are shown from the start: more figures below each other help nobody.
    static constexpr int mostShown = 6;

    EvidenceOpening(EvidenceListModel &model, QUndoStack &undo, QObject *parent = nullptr);

    // What the program starts with, which is nothing to undo: these, then the bundled evidence that is not among them,
    // of which one is shown where these are none.
    void begin(const QStringList &paths);
    void open(const QStringList &paths);
    bool isLoading() const { return m_sorting > 0 || m_loader.pending() > 0; }

public slots:
    void cancel();

signals:
    void listed(int row, const stagecraft::window::EvidenceSource &source);
    void stagesFound(const QString &folder);
    void progressed(int done, int total); // of what is read
    void finished(const stagecraft::window::OpeningReport &report);

private:
    void sort(const QStringList &paths, const std::function<void(const SortedPaths &)> &then);
    QList<EvidenceSource> prepared(SortedPaths sorted, int batch);
    void load(const QList<EvidenceSource> &sources);
    void receive(const LoadedEvidence &loaded);
    void finishWhenDone();

    EvidenceListModel &m_model;
    QUndoStack &m_undo;
    EvidenceLoader m_loader;
    OpeningReport m_report;
    int m_sorting = 0; // calls whose paths are being looked at
    int m_batch = 0;
};

} // namespace stagecraft::window
