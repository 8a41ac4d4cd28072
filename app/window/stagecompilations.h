// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagecompiler.h"

#include <QHash>
#include <QSet>

namespace stagecraft::window {

// What the compiler said of each text of each stage, asked for once. Asynchronous; GUI thread.
class StageCompilations : public QObject
{
    Q_OBJECT
public:
    explicit StageCompilations(QObject *parent = nullptr);

    // Compiles what is neither known nor under way. What a stage cannot be compiled for (gpuMisfit) is left out.
    void request(const stagefile::Stage &stage, const QStringList &architectures);

    const run::StageCompilation *find(const stagefile::Stage &stage, const QString &architecture) const; // or nullptr
    bool isUnderWay(const stagefile::Stage &stage, const QString &architecture) const;
    bool isBusy() const { return !m_underWay.isEmpty(); }

    // Lets what was unavailable be asked for again: a worker or NVRTC may be there by now.
    void forgetUnavailable();

signals:
    void compiled(const stagecraft::run::StageCompilation &compilation);

private:
    void receive(const run::StageCompilation &compilation);

    QHash<QString, run::StageCompilation> m_known; // by stage, architecture and hash of the text
    QSet<QString> m_underWay;
    run::StageCompiler m_compiler;
};

// Why the stage cannot be used on any GPU of that architecture; empty if it can.
QString architectureMisfit(const stagefile::Stage &stage, const QString &architecture);

} // namespace stagecraft::window
