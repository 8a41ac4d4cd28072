// SPDX-License-Identifier: GPL-3.0-or-later
#include "pagebuilder.h"

#include <QtConcurrentRun>

namespace stagecraft::window {

PageBuilder::PageBuilder(QObject *parent) : QObject(parent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        const FigurePage page = m_watcher.result();
        if (m_waiting) {
            const PageRequest next = *std::exchange(m_waiting, std::nullopt);
            start(next);
        }
        emit built(page);
    });
}

PageBuilder::~PageBuilder()
{
    m_cancelled = true;
    m_watcher.waitForFinished();
}

void PageBuilder::request(const PageRequest &request)
{
    if (m_watcher.isRunning())
        m_waiting = request;
    else
        start(request);
}

void PageBuilder::start(const PageRequest &request)
{
    m_watcher.setFuture(QtConcurrent::run([request, this] {
        return buildPage(request.view, request.entries, request.reference, request.comparison,
                         [this] { return m_cancelled.load(); });
    }));
}

} // namespace stagecraft::window
