// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compilemessages.h" // which a compilation's log is read with
#include "messages.h"
#include "stage.h"

#include <memory>
#include <QObject>
#include <QStringList>

namespace stagecraft::run {

struct CompileOrder
{
    stagefile::Stage stage;
    QString architecture;    // "sm_90a"
    QList<qint64> dims = {}; // empty: the operation's default
    QString cubin = {};      // the file to write the machine code to; empty: none
    QString ptx = {};        // the same of the PTX that it was made from
};

// What became of one order.
struct StageCompilation
{
    enum State
    {
        Compiled,
        Failed,     // the source does not compile, or the compiler died or never ended: log and reason say so
        Unavailable // there is no worker or no NVRTC
    };
    QString operation, id, architecture, sourceSha256;
    State state = Failed;
    QString reason, fix; // with any state but Compiled
    QString log;
    QList<protocol::KernelResources>
        kernels; // in the order of the stage's launches, shared bytes with the dynamic ones
};

// Compiles stages in the GPU worker's process, which needs NVRTC but no GPU. Asynchronous; one order after the other. A
// worker that dies or says nothing for the time limit is ended; that order fails and the others go on in a fresh
// worker.
class StageCompiler : public QObject
{
    Q_OBJECT
public:
    explicit StageCompiler(QObject *parent = nullptr);
    ~StageCompiler() override; // ends the worker

    void setWorkerPrefix(const QStringList &prefix); // before the first compile()
    void setTimeLimit(int ms);                       // of one order; a minute by default

public slots:
    void compile(const QList<stagecraft::run::CompileOrder> &orders); // appended to what is still waiting
    void clear();                                                     // drops what waits and ends what runs

signals:
    void compiled(const stagecraft::run::StageCompilation &compilation); // once per order, in order
    void finished();                                                     // nothing waits any more

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace stagecraft::run
