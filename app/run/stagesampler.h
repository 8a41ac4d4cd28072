// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "stage.h"
#include "workerfault.h"

#include <memory>
#include <QList>
#include <QObject>
#include <QStringList>

namespace stagecraft::run {

struct SampleOrder
{
    stagefile::Stage stage;
    QList<qint64> dims; // empty: the operation's default
    int device = 0;
    int iterations = 20;
    QString cubin; // the file to write the machine code to whose addresses the samples have; empty: none
};

// Samples where the warps of a stage wait, in a GPU worker of its own: what was sampled in a process, it must not time
// afterwards. Asynchronous, one order at a time.
class StageSampler : public QObject
{
    Q_OBJECT
public:
    explicit StageSampler(QObject *parent = nullptr);
    ~StageSampler() override; // ends the worker

    void setWorkerPrefix(const QStringList &prefix); // before the next sample()
    void setTimeLimit(int ms);                       // without any message from the worker; two minutes by default

    bool isBusy() const;

public slots:
    void sample(const stagecraft::run::SampleOrder &order); // drops the order in progress
    void cancel();                                          // ends the worker; no signal follows

signals:
    // One of the two for each order that is not dropped.
    void sampled(const stagecraft::protocol::SampleResult &result);
    void failed(const stagecraft::run::WorkerFault &fault);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace stagecraft::run
