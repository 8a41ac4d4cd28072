// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "disassembly.h"

#include <memory>
#include <QObject>

namespace stagecraft::run {

// What became of one cubin.
struct DisassemblyResult
{
    QString text; // nvdisasm's own, its files by their last names; empty where there is a reason
    Disassembly code;
    QString reason, fix; // why there is none, and what to do
    bool isOut = false;  // nvdisasm cannot be started or did not come to an end: nor would it for another cubin
};

// Runs nvdisasm on one cubin after the other, in a process of its own; what it prints is read on the thread pool. A
// process that is not done within the time limit, or prints too much, is ended.
class Disassembler : public QObject
{
    Q_OBJECT
public:
    explicit Disassembler(QObject *parent = nullptr);
    ~Disassembler() override; // ends the process

    void setPython(const QString &python); // whose wheels are looked in as well
    void setTimeLimit(int ms);             // from start to end; half a minute by default

    // Looks for nvdisasm each time, so that one that was installed meanwhile is found.
    void disassemble(const QString &cubin); // what is under way for another one is dropped
    void cancel();

signals:
    void finished(const stagecraft::run::DisassemblyResult &result); // once per disassemble() that was not dropped

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace stagecraft::run
