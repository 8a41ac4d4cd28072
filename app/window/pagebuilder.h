// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figurepage.h"

#include <QFutureWatcher>

#include <optional>

namespace stagecraft::window {

// Builds pages on the thread pool, one at a time. A request that comes while one is built replaces the one that waits,
// so that a run's snapshots cannot queue up.
class PageBuilder : public QObject
{
    Q_OBJECT
public:
    explicit PageBuilder(QObject *parent = nullptr);
    ~PageBuilder() override; // waits for the page being built: it reads shared evidence

    void request(views::ViewId view, const QList<EvidenceListModel::Entry> &entries, const QString &reference);

signals:
    void built(const stagecraft::window::FigurePage &page);

private:
    struct Request
    {
        views::ViewId view;
        QList<EvidenceListModel::Entry> entries;
        QString reference; // of verdicts
    };
    void start(const Request &request);

    QFutureWatcher<FigurePage> m_watcher;
    std::optional<Request> m_waiting;
};

} // namespace stagecraft::window
