// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <QObject>

class QSocketNotifier;

namespace stagecraft::run {

// Turns the first SIGINT, SIGTERM or SIGHUP into a signal of the event loop, while it exists; a second one ends the
// program as usual. SIGHUP stays ignored where it is (nohup). One at a time.
class InterruptNotifier : public QObject
{
    Q_OBJECT
public:
    explicit InterruptNotifier(QObject *parent = nullptr);
    ~InterruptNotifier() override;

signals:
    void interrupted();

private:
    void read();

    int m_sockets[2] = {-1, -1};
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace stagecraft::run
