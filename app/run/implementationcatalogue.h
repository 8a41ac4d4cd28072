// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

// Which implementations Stagecraft brings, and which worker runs each: the one list of them on the program's side. What
// people read for an id, evidence says (implementationLabel()). External programs come beside them (workersetup.h).
namespace stagecraft::run {

struct ImplementationEntry
{
    QString id;             // "cublas"
    QString worker;         // "host", "cuda", "python"
    QStringList operations; // what it can do by its nature; empty: every operation
    bool onCpu = false;
    bool slowToPrepare = false; // compiles or tunes for many seconds before it can be measured

    bool offers(const QString &operation) const { return operations.isEmpty() || operations.contains(operation); }
};

const QList<ImplementationEntry> &implementationCatalogue();

// nullptr for an unknown id. A stage that is asked for by name, "cuda/ID", has the entry of "cuda".
const ImplementationEntry *findImplementation(const QString &id);

// "cuda" of "cuda/k64" and of "cuda": the implementation that a worker knows.
QString implementationBase(const QString &id);

// "k64" of "cuda/k64"; empty where the id names no stage.
QString stageId(const QString &id);

QStringList implementationIds();

// Every worker that runs one of them, each once: "host", "cuda", "python".
QStringList knownWorkers();

// The device that a worker is asked to use when the GPU with this number is chosen: the host worker has its CPU only,
// every other one the GPU, an external program's too.
int workerDevice(const QString &worker, int gpu);

} // namespace stagecraft::run
