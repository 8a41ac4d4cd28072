// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QObject>
#include <QProcess>
#include <QTimer>

namespace stagecraft::run {

// Asks nvidia-smi for the state of one GPU: clocks, temperature, power, throttle reasons, as its CSV text with header.
class GpuStateReader : public QObject
{
    Q_OBJECT
public:
    // text is empty where the state could not be read; problem then says why.
    using Done = std::function<void(const QString &text, const QString &problem)>;

    explicit GpuStateReader(QObject *parent = nullptr);
    ~GpuStateReader() override;

    // One at a time. `done` is called from the event loop, within 10 s, also after abort().
    void read(const QString &gpuUuid, Done done);
    void abort();

private:
    void startQuery();
    void queryEnded();
    void finish(const QString &text, const QString &problem);

    QProcess m_process;
    QTimer m_limit;
    QString m_uuid;
    int m_query = 0; // which spelling of the fields is tried
    Done m_done;
};

} // namespace stagecraft::run
