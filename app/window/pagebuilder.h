// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurepage.h"

#include <QFutureWatcher>

#include <atomic>
#include <optional>

namespace stagecraft::window {

// What buildPage() is given.
struct PageRequest
{
    views::ViewId view = views::ViewId::KernelSpan;
    QList<EvidenceListModel::Entry> entries;
    QString reference;
    ComparisonState comparison;
};

// Builds pages on the thread pool, one at a time. A request that comes while one is built replaces the one that waits,
// so that a run's snapshots cannot queue up.
class PageBuilder : public QObject
{
    Q_OBJECT
public:
    explicit PageBuilder(QObject *parent = nullptr);
    ~PageBuilder() override; // waits for the figure or table that is being built; the rest of its page is left out

    void request(const PageRequest &request);

signals:
    void built(const stagecraft::window::FigurePage &page);

private:
    void start(const PageRequest &request);

    std::atomic_bool m_cancelled = false;
    QFutureWatcher<FigurePage> m_watcher;
    std::optional<PageRequest> m_waiting;
};

} // namespace stagecraft::window
